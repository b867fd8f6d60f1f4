//! How many times as fast each subject is as a baseline.
//!
//! A ratio that was measured round by round is taken as it is. Between subjects that were not compared directly it comes
//! from the rounds, if they were kept; otherwise from the two figures, with an interval that is as wide as both allow.

use super::cell::{Topic, figure};
use crate::result::{Measurement, Report};
use crate::statistics::{NoiseFloor, Ratio, Resampler, Verdict};

/// A subject against the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Speedup {
    /// What was done.
    pub topic: Topic,
    /// Bytes of a message.
    pub bytes: usize,
    /// Name of the subject.
    pub subject: String,
    /// How many times as fast it is.
    pub ratio: f64,
    /// The 95 % interval; `None` where there are no samples.
    pub interval: Option<[f64; 2]>,
    /// What may be said of it.
    pub verdict: Verdict,
}

/// The subject that others are compared with, unless another one is asked for: the run's own baseline, a library from
/// elsewhere, whatever the first was compared with, or the first.
pub fn default_baseline(report: &Report) -> Option<&str> {
    let compared = || report.ratios.iter().map(|ratio| ratio.versus.as_str());
    // Forced kernels have no build of their own.
    let is_foreign = |name: &&str| report.subjects.iter().any(|facts| facts.name == *name && facts.build.is_some());
    let first = || report.subjects.first().map(|facts| facts.name.as_str());
    report.baseline.as_deref().or_else(|| compared().find(is_foreign)).or_else(|| compared().next()).or_else(first)
}

/// Every subject against the baseline, in the order of the rows. The baseline itself is not among them.
pub fn speedups(report: &Report, baseline: &str) -> Vec<Speedup> {
    let mut found: Vec<Speedup> = Vec::new();
    for topic in Topic::all(report) {
        for bytes in topic.sizes(report) {
            for facts in report.subjects.iter().filter(|facts| facts.name != baseline) {
                found.extend(between(report, &topic, bytes, &facts.name, baseline));
            }
        }
    }
    found
}

/// One subject against another; `None` if nothing tells.
pub fn between(report: &Report, topic: &Topic, bytes: usize, subject: &str, versus: &str) -> Option<Speedup> {
    let speedup = |ratio, interval, verdict| {
        let subject = subject.to_owned();
        Some(Speedup { topic: topic.clone(), bytes, subject, ratio, interval, verdict })
    };
    for row in report.ratios.iter().filter(|row| row.bytes == bytes && Topic::of_ratio(row) == *topic) {
        let interval = (row.verdict != Verdict::Unknown).then_some(row.interval);
        if row.subject == subject && row.versus == versus {
            return speedup(row.ratio, interval, row.verdict);
        }
        if row.subject == versus && row.versus == subject {
            let interval = interval.map(|[low, high]| [high.recip(), low.recip()]);
            return speedup(row.ratio.recip(), interval, opposite(row.verdict));
        }
    }
    let samples = |name: &str| {
        let rows = report.samples.iter().filter(|row| row.bytes == bytes && row.subject == name && topic.has(row));
        rows.map(|row| &row.ns_per_call[..]).next().filter(|times| times.len() > 2)
    };
    if let (Some(one), Some(other)) = (samples(subject), samples(versus)) {
        let resampler = &mut Resampler::new(1);
        let floor = NoiseFloor::of(one, resampler).max(NoiseFloor::of(other, resampler));
        let ratio = Ratio::of(one, other, floor, resampler);
        return speedup(ratio.estimate.median, Some(ratio.estimate.interval), ratio.verdict);
    }
    let here = |row: &&Measurement, name: &str| row.bytes == bytes && row.subject == name && Topic::of(row) == *topic;
    let one = report.results.iter().find(|row| here(row, subject));
    let other = report.results.iter().find(|row| here(row, versus));
    if let (Some(one), Some(other)) = (one, other) {
        let ratio = figure(one) / figure(other);
        let known = one.samples > 0 && other.samples > 0;
        let interval = known.then(|| [one.interval[0] / other.interval[1], one.interval[1] / other.interval[0]]);
        let floor = NoiseFloor(report.noise_floor.unwrap_or(0.0)).max(NoiseFloor::LEAST);
        let verdict = interval.map_or(Verdict::Unknown, |interval| Verdict::on(interval, floor));
        return speedup(ratio, interval, verdict);
    }
    through_a_third(report, topic, bytes, subject, versus).and_then(|ratio| speedup(ratio, None, Verdict::Unknown))
}

/// Of two that were both compared with the same third one, and have no figures of their own.
fn through_a_third(report: &Report, topic: &Topic, bytes: usize, subject: &str, versus: &str) -> Option<f64> {
    let against = |name: &str| {
        let rows = report.ratios.iter().filter(|row| row.bytes == bytes && Topic::of_ratio(row) == *topic);
        rows.filter(|row| row.subject == name).map(|row| (row.versus.as_str(), row.ratio)).next()
    };
    let ((one, ratio), (other, divisor)) = (against(subject)?, against(versus)?);
    (one == other).then_some(ratio / divisor)
}

fn opposite(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Faster => Verdict::Slower,
        Verdict::Slower => Verdict::Faster,
        Verdict::Same => Verdict::Same,
        Verdict::Unknown => Verdict::Unknown,
    }
}
