//! What changed from one report to another: another day, another version, another machine.
//!
//! Subjects of one run are compared round by round, and what else the machine does cancels. Two runs have no rounds in common:
//! their intervals are put together, and what a machine does differently on another day stays in. Hence the threshold.

use serde::Serialize;

use crate::case::Operation;
use crate::result::{Measurement, Report};
use crate::statistics::{NoiseFloor, Verdict};

/// A case and a subject that are in both reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Canonical name of the algorithm.
    pub algorithm: String,
    /// What was done.
    pub operation: Operation,
    /// Bytes of a message.
    pub bytes: usize,
    /// Messages of a call.
    pub messages: usize,
    /// Whether a call was the whole operation, key and IV included.
    pub whole: bool,
    /// Name of the subject.
    pub subject: String,
    /// Nanoseconds per call in the first report and in the second one.
    pub ns_per_call: [f64; 2],
    /// How many times as fast it is in the second report.
    pub ratio: f64,
    /// The 95 % interval of the ratio.
    pub interval: [f64; 2],
    /// What may be said of it, given the noise floors of both reports.
    pub verdict: Verdict,
    /// Whether it is slower by more than the threshold, with the whole interval.
    pub beyond: bool,
}

/// All that two reports have in common, and how much they do not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Changes {
    /// Row by row, in the order of the second report.
    pub changes: Vec<Change>,
    /// What is in one report only: `subject on algorithm`.
    pub unmatched: [Vec<String>; 2],
    /// Whether both were measured on the same kind of machine.
    pub same_machine: bool,
}

impl Changes {
    /// Compares two reports; `threshold` is a part of 1.
    pub fn between(before: &Report, after: &Report, threshold: f64) -> Changes {
        let floor = before.noise_floor.unwrap_or(0.0).max(after.noise_floor.unwrap_or(0.0));
        let floor = NoiseFloor(floor).max(NoiseFloor::LEAST);
        let pairs = after.results.iter().filter_map(|row| Some((counterpart(row, before)?, row)));
        Changes {
            changes: pairs.map(|(old, new)| Change::of(old, new, floor, threshold)).collect(),
            unmatched: [unmatched(before, after), unmatched(after, before)],
            same_machine: before.host.fingerprint == after.host.fingerprint,
        }
    }

    /// What is slower by more than the threshold.
    pub fn slower(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| change.beyond)
    }
}

impl Change {
    fn of(before: &Measurement, after: &Measurement, floor: NoiseFloor, threshold: f64) -> Change {
        let ratio = before.ns_per_call / after.ns_per_call;
        // Independent errors of a quotient add up by their squares, on the scale of logarithms.
        let half = |row: &Measurement| (row.interval[1] / row.interval[0]).ln() / 2.0;
        let half = half(before).hypot(half(after));
        let half = if half.is_finite() { half } else { 0.0 };
        let interval = [ratio * (-half).exp(), ratio * half.exp()];
        let is_known = before.samples > 0 && after.samples > 0;
        Change {
            algorithm: after.algorithm.clone(),
            operation: after.operation,
            bytes: after.bytes,
            messages: after.messages,
            whole: after.whole,
            subject: after.subject.clone(),
            ns_per_call: [before.ns_per_call, after.ns_per_call],
            ratio,
            interval,
            verdict: if is_known { Verdict::on(interval, floor) } else { Verdict::Unknown },
            beyond: interval[1] < 1.0 - threshold,
        }
    }
}

fn counterpart<'a>(row: &Measurement, report: &'a Report) -> Option<&'a Measurement> {
    let key = |row: &Measurement| (row.operation, row.bytes, row.messages, row.whole);
    report
        .results
        .iter()
        .find(|other| key(other) == key(row) && other.algorithm == row.algorithm && other.subject == row.subject)
}

fn unmatched(report: &Report, other: &Report) -> Vec<String> {
    let mut names = Vec::new();
    for row in report.results.iter().filter(|row| counterpart(row, other).is_none()) {
        let name = format!("{} on {}", row.subject, row.algorithm);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::host::Host;
    use crate::statistics::Outliers;

    fn report(rows: &[(&str, f64)]) -> Report {
        let results = rows.iter().map(|(subject, nanoseconds)| Measurement {
            algorithm: "sha256".to_owned(),
            operation: Operation::Hash,
            bytes: 16,
            messages: 1,
            whole: false,
            subject: (*subject).to_owned(),
            kernel: None,
            bytes_per_second: Some(16e9 / nanoseconds),
            operations_per_second: None,
            interval: [15.84e9 / nanoseconds, 16.16e9 / nanoseconds],
            cycles_per_byte: None,
            ns_per_call: *nanoseconds,
            limit_fraction: None,
            samples: 100,
            outliers: Outliers::default(),
        });
        let host = Host::look(&mut Clock::new(), 1, None);
        Report { results: results.collect(), ..Report::new(host, Vec::new()) }
    }

    #[test]
    fn only_what_is_slower_with_its_whole_interval_counts() {
        let before = report(&[("same", 100.0), ("slow", 100.0), ("doubtful", 100.0), ("fast", 100.0), ("gone", 1.0)]);
        let after = report(&[("same", 100.0), ("slow", 110.0), ("doubtful", 106.0), ("fast", 50.0), ("new", 1.0)]);
        let changes = Changes::between(&before, &after, 0.05);
        let verdicts: Vec<_> =
            changes.changes.iter().map(|row| (row.subject.as_str(), row.verdict, row.beyond)).collect();
        assert_eq!(
            verdicts,
            [
                ("same", Verdict::Same, false),
                ("slow", Verdict::Slower, true),
                ("doubtful", Verdict::Slower, false),
                ("fast", Verdict::Faster, false)
            ]
        );
        assert_eq!(changes.unmatched, [["gone on sha256"], ["new on sha256"]]);
        assert!(changes.same_machine && changes.slower().count() == 1);
        let slow = &changes.changes[1];
        assert!(slow.interval[0] < slow.ratio && slow.ratio < slow.interval[1], "{slow:?}");
        assert!((slow.interval[1] / slow.interval[0]).ln() > 0.027, "{slow:?}");
    }
}
