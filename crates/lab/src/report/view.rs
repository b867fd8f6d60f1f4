//! What the page and the figures are made from: subjects with their colours, and for each topic of each run its rows.

use super::Run;
use super::cell::{Topic, figure, rate, size};
use super::charts::{Bar, Colour, Curve, Spread};
use super::speedup::{Speedup, between, default_baseline};
use crate::result::{Measurement, Report};
use crate::subjects::Facts;

/// All runs.
pub struct View<'a> {
    pub runs: Vec<RunView<'a>>,
    /// Every subject once, in order: its place gives its colour.
    pub subjects: Vec<&'a str>,
}

/// A run.
pub struct RunView<'a> {
    pub name: &'a str,
    pub report: &'a Report,
    pub baseline: Option<&'a str>,
    pub topics: Vec<TopicView<'a>>,
}

/// A topic of a run.
pub struct TopicView<'a> {
    pub topic: Topic,
    pub report: &'a Report,
    pub sizes: Vec<usize>,
    /// The subjects that have a figure or a ratio.
    pub subjects: Vec<&'a str>,
    pub speedups: Vec<Speedup>,
    /// The name by which links find it.
    pub anchor: String,
}

impl<'a> View<'a> {
    pub fn new(runs: &'a [Run], baseline: Option<&'a str>) -> View<'a> {
        let mut subjects: Vec<&str> = Vec::new();
        for run in runs {
            // Of all kernels, most have nothing to do in most runs.
            let shown = |facts: &&Facts| {
                let Report { results, ratios, skipped, .. } = &run.report;
                results.iter().any(|row| row.subject == facts.name)
                    || ratios.iter().any(|row| row.subject == facts.name || row.versus == facts.name)
                    || skipped.iter().any(|row| row.subject == facts.name)
            };
            for facts in run.report.subjects.iter().filter(shown) {
                if !subjects.contains(&facts.name.as_str()) {
                    subjects.push(&facts.name);
                }
            }
        }
        let runs = runs.iter().enumerate().map(|(place, run)| RunView::new(run, baseline, place)).collect();
        View { runs, subjects }
    }

    pub fn colour(&self, subject: &str) -> Colour {
        Colour::of(self.subjects.iter().position(|known| *known == subject).unwrap_or(0))
    }

    /// The bars of a topic, a group for each size.
    pub fn bars(&self, topic: &'a TopicView<'a>) -> Vec<(String, Vec<Bar<'a>>)> {
        let at = |bytes: &usize| {
            let here = topic.speedups.iter().filter(|row| row.bytes == *bytes);
            (size(*bytes), here.map(|row| self.bar(row)).collect())
        };
        topic.sizes.iter().map(at).filter(|(_, bars): &(String, Vec<Bar<'_>>)| !bars.is_empty()).collect()
    }

    /// The bars of a group's topics, each at its largest size.
    pub fn overview(&self, run: &'a RunView<'a>, group: &str) -> Vec<(String, Vec<Bar<'a>>)> {
        let of_group = run.topics.iter().filter(|topic| topic.topic.group() == group);
        let bars = |topic: &'a TopicView<'a>| {
            let largest = topic.sizes.last().copied().unwrap_or(0);
            let here = topic.speedups.iter().filter(|row| row.bytes == largest);
            let at = if largest == 0 { String::new() } else { format!(", {}", size(largest)) };
            (topic.topic.name() + &at, here.map(|row| self.bar(row)).collect())
        };
        of_group.map(bars).filter(|(_, bars): &(String, Vec<Bar<'_>>)| !bars.is_empty()).collect()
    }

    fn bar(&self, row: &'a Speedup) -> Bar<'a> {
        Bar { colour: self.colour(&row.subject), name: &row.subject, ratio: row.ratio, interval: row.interval }
    }

    /// The lines of a topic: none unless there are two sizes with bytes.
    pub fn curves(&self, topic: &TopicView<'a>) -> Vec<Curve<'a>> {
        if topic.sizes.iter().filter(|bytes| **bytes > 0).count() < 2 {
            return Vec::new();
        }
        let curve = |subject: &&'a str| {
            let rows = topic.sizes.iter().filter_map(|bytes| topic.row(subject, *bytes));
            let points: Vec<_> = rows
                .filter(|row| row.bytes > 0)
                .filter_map(|row| {
                    let interval = (row.samples > 0).then(|| row.interval.map(|end| end / 1e6));
                    Some((row.bytes as f64, row.bytes_per_second? / 1e6, interval))
                })
                .filter(|(_, rate, _)| *rate > 0.0)
                .collect();
            Curve { colour: self.colour(subject), name: subject, points }
        };
        topic.subjects.iter().map(curve).filter(|curve| !curve.points.is_empty()).collect()
    }

    /// The rounds of a topic's largest size, if they were kept.
    pub fn spreads(&self, topic: &TopicView<'a>) -> Vec<Spread<'a>> {
        let samples = || topic.report.samples.iter().filter(|row| topic.topic.has(row) && row.ns_per_call.len() > 8);
        let Some(largest) = samples().map(|row| row.bytes).max() else { return Vec::new() };
        let rows = samples().filter(|row| row.bytes == largest);
        rows.map(|row| Spread { colour: self.colour(&row.subject), name: &row.subject, nanoseconds: &row.ns_per_call })
            .collect()
    }
}

impl<'a> RunView<'a> {
    fn new(run: &'a Run, baseline: Option<&'a str>, place: usize) -> RunView<'a> {
        let report = &run.report;
        let has = |name: &&str| report.subjects.iter().any(|facts| facts.name == *name);
        let baseline = baseline.filter(has).or_else(|| default_baseline(report));
        let view = |(number, topic): (usize, Topic)| {
            let sizes = topic.sizes(report);
            let subjects: Vec<&str> = report.subjects.iter().map(|facts| facts.name.as_str()).collect();
            let others = || subjects.iter().filter(|name| Some(**name) != baseline);
            let mut speedups = Vec::new();
            for bytes in baseline.iter().flat_map(|_| &sizes) {
                let against = |name: &&str| between(report, &topic, *bytes, name, baseline?);
                speedups.extend(others().filter_map(against));
            }
            let mut here = TopicView { sizes, report, subjects, speedups, anchor: format!("r{place}t{number}"), topic };
            let present: Vec<&str> = here.subjects.iter().copied().filter(|name| here.has(name)).collect();
            here.subjects = present;
            here
        };
        let topics = Topic::all(report).into_iter().enumerate().map(view).collect();
        RunView { name: &run.name, report, baseline, topics }
    }

    /// The groups of its topics, in order.
    pub fn groups(&self) -> Vec<&'static str> {
        let mut groups: Vec<&str> = Vec::new();
        for topic in &self.topics {
            let group = topic.topic.group();
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        groups
    }
}

impl<'a> TopicView<'a> {
    /// A subject's figure at a size.
    pub fn row(&self, subject: &str, bytes: usize) -> Option<&'a Measurement> {
        let rows = self.report.results.iter();
        rows.filter(|row| row.bytes == bytes && row.subject == subject).find(|row| Topic::of(row) == self.topic)
    }

    fn has(&self, subject: &str) -> bool {
        self.sizes.iter().any(|bytes| self.row(subject, *bytes).is_some())
            || self.speedups.iter().any(|row| row.subject == subject)
    }

    /// For each size the subject's figure, and the part that it is of the fastest.
    pub fn heat(&self, subject: &str) -> Vec<Option<(String, f64)>> {
        let best = |bytes: usize| {
            let rows = self.subjects.iter().filter_map(|name| self.row(name, bytes));
            rows.map(figure).fold(0.0, f64::max)
        };
        let cell = |bytes: &usize| self.row(subject, *bytes).map(|row| (rate(row), figure(row) / best(*bytes)));
        self.sizes.iter().map(cell).collect()
    }
}
