//! The document that an experiment gives: `speedwell speed --json` prints it as it is.

use serde::{Deserialize, Serialize};

use crate::case::{Case, Operation};
use crate::host::Host;
use crate::statistics::{Line, Outliers, Verdict};
use crate::subjects::Facts;

/// All that an experiment found out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Where and when it was measured.
    pub host: Host,
    /// What was measured: versions and builds.
    pub subjects: Vec<Facts>,
    /// The difference that subjects show against themselves, as a part of 1: the median over all cells. `None` if
    /// there is no cell.
    pub noise_floor: Option<f64>,
    /// One row for each case and subject.
    pub results: Vec<Measurement>,
    /// The first subject against each of the others, case by case.
    pub ratios: Vec<Comparison>,
    /// The hardware's limits, case by case.
    pub limits: Vec<LimitRow>,
    /// The line through the sizes, for each algorithm, operation and subject.
    pub lines: Vec<LineRow>,
    /// What has no figure, and why.
    pub skipped: Vec<Skipped>,
    /// Whether all cases were measured: `false` after an interruption.
    pub complete: bool,
}

/// A subject's figures for a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
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
    /// The kernel that did the work, if it is known.
    pub kernel: Option<String>,
    /// Throughput; absent if there are no bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_second: Option<f64>,
    /// Calls a second, where there are no bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operations_per_second: Option<f64>,
    /// The 95 % interval of whichever of the two is there.
    pub interval: [f64; 2],
    /// Cycles per byte; absent if there are no bytes or no cycles.
    pub cycles_per_byte: Option<f64>,
    /// Nanoseconds per call.
    pub ns_per_call: f64,
    /// The part of the hardware's limit that it reaches, 1 being all of it; absent if no limit is known.
    pub limit_fraction: Option<f64>,
    /// Samples taken.
    pub samples: usize,
    /// Rounds whose time lies far from the others'. They count like the others.
    pub outliers: Outliers,
}

/// Two subjects' figures for a case, compared round by round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
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
    /// Name of what it is compared with.
    pub versus: String,
    /// How many times as fast the subject is.
    pub ratio: f64,
    /// The 95 % interval of the ratio.
    pub interval: [f64; 2],
    /// What may be said of it.
    pub verdict: Verdict,
    /// The difference that the two show against themselves in this cell, the larger one: smaller ones are "same".
    pub noise_floor: f64,
}

/// The hardware's limit for a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LimitRow {
    /// Canonical name of the algorithm.
    pub algorithm: String,
    /// What was done.
    pub operation: Operation,
    /// Bytes of a message.
    pub bytes: usize,
    /// What bounds it, in words.
    pub what: String,
    /// Nanoseconds per call.
    pub ns_per_call: f64,
    /// Throughput; absent if there are no bytes.
    pub bytes_per_second: Option<f64>,
    /// Cycles per byte; absent if there are no bytes or no cycles.
    pub cycles_per_byte: Option<f64>,
}

/// The line through a subject's sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineRow {
    /// Canonical name of the algorithm.
    pub algorithm: String,
    /// What was done.
    pub operation: Operation,
    /// Whether a call was the whole operation, key and IV included.
    pub whole: bool,
    /// Name of the subject.
    pub subject: String,
    /// Slope in cycles: what a byte costs. Absent if there are no cycles.
    pub cycles_per_byte: Option<f64>,
    /// Slope and intercept in nanoseconds: what a byte and what a call costs.
    #[serde(flatten)]
    pub line: Line,
}

/// A case, or all sizes of it, that a subject has no figure for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Name of the subject.
    pub subject: String,
    /// Canonical name of the algorithm.
    pub algorithm: String,
    /// What was to be done.
    pub operation: Operation,
    /// The sizes.
    pub bytes: Vec<usize>,
    /// Why.
    pub why: String,
}

impl Report {
    /// Adds a reason, to the row that already gives it for another size if there is one.
    pub(crate) fn skip(&mut self, subject: &str, case: &Case, why: String) {
        let same = |row: &&mut Skipped| {
            row.subject == subject
                && row.algorithm == case.algorithm
                && row.operation == case.operation
                && row.why == why
        };
        match self.skipped.iter_mut().find(same) {
            Some(row) => row.bytes.push(case.bytes),
            None => self.skipped.push(Skipped {
                subject: subject.to_owned(),
                algorithm: case.algorithm.clone(),
                operation: case.operation,
                bytes: vec![case.bytes],
                why,
            }),
        }
    }
}
