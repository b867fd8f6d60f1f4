//! Which subject to use for what: from the figures of runs, with the row that each advice rests on.
//!
//! Neighbouring sizes with the same winner are one tier. A winner whose lead cannot be told from nothing does not end the
//! tier of the one before it: nobody should switch implementations for noise.

mod forms;

use crate::case::Operation;
use crate::report::Run;
use crate::report::cell::{Topic, figure};
use crate::report::speedup::{Speedup, between};
use crate::result::{Measurement, Report};
use crate::statistics::Verdict;

pub use forms::{cpp, openssl_cnf, profile, text};

/// What to use for one algorithm and operation on one host.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The run that says so.
    pub run: String,
    /// The processor.
    pub cpu: String,
    /// The name of its design.
    pub microarchitecture: String,
    /// What is done.
    pub topic: Topic,
    /// By size, ascending.
    pub tiers: Vec<Tier>,
    /// Whether another run's host has another winner at a size that both measured.
    pub differs: bool,
}

/// The subject to use from one size on.
#[derive(Clone, Debug, PartialEq)]
pub struct Tier {
    /// The sizes of the tier, ascending: each was measured.
    pub sizes: Vec<usize>,
    /// The subject to use.
    pub winner: String,
    /// The kernel that did its work, if it is known.
    pub kernel: Option<String>,
    /// The best of the others at the size where it comes closest; `None` if there was no other.
    pub next: Option<Lead>,
    /// The row that this rests on: the winner's, at the size where the lead is smallest.
    pub evidence: Option<Measurement>,
}

/// How far a winner is ahead.
#[derive(Clone, Debug, PartialEq)]
pub struct Lead {
    /// Of whom.
    pub subject: String,
    /// At which size.
    pub bytes: usize,
    /// How many times as fast the winner is.
    pub ratio: f64,
    /// The 95 % interval; `None` where there are no samples.
    pub interval: Option<[f64; 2]>,
    /// What may be said of it.
    pub verdict: Verdict,
}

impl Lead {
    /// The certainty in words.
    pub fn certainty(&self) -> String {
        match (self.verdict, self.interval) {
            (Verdict::Unknown, _) | (_, None) if self.ratio < TRUSTED => {
                "no interval, and hardly a difference".to_owned()
            }
            (Verdict::Unknown, _) | (_, None) => "one figure each, no interval".to_owned(),
            (Verdict::Same, _) => "no difference can be told".to_owned(),
            (_, Some([low, high])) => format!("95 % between {low:.3} and {high:.3}"),
        }
    }
}

/// Two figures without intervals are not told apart below this ratio.
const TRUSTED: f64 = 1.02;

/// Advice on everything that the runs measured with two subjects or more.
pub fn recommend(runs: &[Run]) -> Vec<Advice> {
    let mut found: Vec<Advice> = Vec::new();
    for run in runs {
        for topic in Topic::all(&run.report) {
            let tiers = tiers(&run.report, &topic);
            // Where there is no choice, there is no advice.
            if tiers.iter().all(|tier| tier.next.is_none()) {
                continue;
            }
            let host = &run.report.host;
            found.push(Advice {
                run: run.name.clone(),
                cpu: host.cpu.clone(),
                microarchitecture: host.microarchitecture.clone(),
                topic,
                tiers,
                differs: false,
            });
        }
    }
    let has = |advice: &Advice, subject: &str| {
        let of_run = runs.iter().filter(|run| run.name == advice.run);
        of_run.flat_map(|run| &run.report.subjects).any(|facts| facts.name == subject)
    };
    let differ = |one: &Advice, other: &Advice| contradicts(one, other, &has);
    let differs: Vec<bool> = found.iter().map(|one| found.iter().any(|other| differ(one, other))).collect();
    found.iter_mut().zip(differs).for_each(|(advice, differs)| advice.differs = differs);
    found
}

/// The winner at a size that was measured.
pub fn winner(advice: &Advice, bytes: usize) -> Option<&Tier> {
    advice.tiers.iter().find(|tier| tier.sizes.contains(&bytes))
}

/// Whether two hosts want another subject at a size that both have, and both had the choice.
fn contradicts(one: &Advice, other: &Advice, has: &dyn Fn(&Advice, &str) -> bool) -> bool {
    let want_others = |mine: &Tier, theirs: &Tier| {
        theirs.winner != mine.winner && has(one, &theirs.winner) && has(other, &mine.winner)
    };
    one.topic == other.topic
        && one.cpu != other.cpu
        && one.tiers.iter().any(|mine| {
            mine.sizes.iter().any(|bytes| winner(other, *bytes).is_some_and(|theirs| want_others(mine, theirs)))
        })
}

fn tiers(report: &Report, topic: &Topic) -> Vec<Tier> {
    let mut tiers: Vec<Tier> = Vec::new();
    for bytes in topic.sizes(report) {
        let subjects = present(report, topic, bytes);
        let Some(mut best) = best(report, topic, bytes, &subjects) else { continue };
        // The one before stays, unless it is beaten.
        if let Some(before) = tiers.last().filter(|tier| tier.winner != best && subjects.contains(&tier.winner)) {
            let lead = between(report, topic, bytes, &best, &before.winner);
            let is_same = |lead: &Speedup| match lead.verdict {
                Verdict::Same => true,
                Verdict::Unknown => lead.ratio < TRUSTED,
                Verdict::Faster | Verdict::Slower => false,
            };
            if lead.is_some_and(|lead| is_same(&lead)) {
                best = before.winner.clone();
            }
        }
        let lead = subjects
            .iter()
            .filter(|subject| **subject != best)
            .filter_map(|subject| between(report, topic, bytes, &best, subject).map(|lead| (subject, lead)))
            .min_by(|(_, a), (_, b)| a.ratio.total_cmp(&b.ratio))
            .map(|(subject, Speedup { ratio, interval, verdict, .. })| Lead {
                subject: subject.clone(),
                bytes,
                ratio,
                interval,
                verdict,
            });
        let row =
            report.results.iter().find(|row| row.bytes == bytes && row.subject == best && Topic::of(row) == *topic);
        match tiers.last_mut().filter(|tier| tier.winner == best) {
            Some(tier) => {
                tier.sizes.push(bytes);
                let is_closer = |lead: &Lead| tier.next.as_ref().is_none_or(|known| lead.ratio < known.ratio);
                if lead.as_ref().is_some_and(is_closer) {
                    (tier.next, tier.evidence) = (lead, row.cloned());
                }
            }
            None => tiers.push(Tier {
                sizes: vec![bytes],
                kernel: row.and_then(|row| row.kernel.clone()),
                winner: best,
                next: lead,
                evidence: row.cloned(),
            }),
        }
    }
    tiers
}

/// The subjects that have a figure, or a ratio, at a size.
fn present(report: &Report, topic: &Topic, bytes: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let results = report.results.iter().filter(|row| row.bytes == bytes && Topic::of(row) == *topic);
    let ratios = report.ratios.iter().filter(|row| row.bytes == bytes && Topic::of_ratio(row) == *topic);
    let all = results.map(|row| &row.subject).chain(ratios.flat_map(|row| [&row.subject, &row.versus]));
    for name in all {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn best(report: &Report, topic: &Topic, bytes: usize, subjects: &[String]) -> Option<String> {
    let rows = report.results.iter().filter(|row| row.bytes == bytes && Topic::of(row) == *topic);
    // Of equals the first.
    let rows: Vec<&Measurement> = rows.collect();
    let fastest = rows.iter().rev().max_by(|a, b| figure(a).total_cmp(&figure(b))).map(|row| row.subject.clone());
    fastest.or_else(|| {
        let first = subjects.first()?;
        let against = |name: &String| between(report, topic, bytes, name, first).map_or(1.0, |lead| lead.ratio);
        subjects.iter().rev().max_by(|a, b| against(a).total_cmp(&against(b))).cloned()
    })
}

/// `from 16 B to 1 KiB`, `at 8 KiB`, or nothing where there are no bytes.
fn span(sizes: &[usize]) -> String {
    use crate::report::cell::size;
    match sizes {
        [0] | [] => String::new(),
        [one] => format!("at {}", size(*one)),
        [first, .., last] => format!("{} to {}", size(*first), size(*last)),
    }
}

/// The operation's word, where it says more than the algorithm's name.
fn is_plain(operation: Operation) -> bool {
    matches!(operation, Operation::Hash | Operation::Mac)
}

#[cfg(test)]
mod tests;
