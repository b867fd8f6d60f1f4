//! The document that an experiment gives: `speedwell speed --json` prints it as it is.

use serde::{Deserialize, Serialize};

use crate::case::{Case, Operation};
use crate::host::Host;
use crate::statistics::{Line, Outliers, Verdict};
use crate::subjects::Facts;

// A field that was not always there has a default: documents that were written before must still be read.

/// All that an experiment found out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// What the experiment is called, if it has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where and when it was measured.
    pub host: Host,
    /// How many threads worked at the same time.
    #[serde(default = "one")]
    pub threads: usize,
    /// The subject that all others were compared with. If there is none, the first one was compared with all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// What was measured: versions and builds.
    pub subjects: Vec<Facts>,
    /// The difference that subjects show against themselves, as a part of 1: the median over all cells. `None` if
    /// there is no cell.
    pub noise_floor: Option<f64>,
    /// One row for each case and subject.
    pub results: Vec<Measurement>,
    /// The first subject against each of the others, or each of the others against the baseline; case by case.
    pub ratios: Vec<Comparison>,
    /// The hardware's limits, case by case.
    pub limits: Vec<LimitRow>,
    /// The line through the sizes, for each algorithm, operation and subject.
    pub lines: Vec<LineRow>,
    /// What has no figure, and why.
    pub skipped: Vec<Skipped>,
    /// What each round took, if that was kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Samples>,
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

/// What each round of a subject took, in the order in which they were measured. Round by round, the subjects of a case belong
/// together: a ratio is the median of what two did in the same round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Samples {
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
    /// Nanoseconds per call: one value a round.
    pub ns_per_call: Vec<f64>,
}

impl Report {
    /// A report of these subjects on this host, and no figure yet.
    pub fn new(host: Host, subjects: Vec<Facts>) -> Report {
        Report {
            title: None,
            host,
            threads: 1,
            baseline: None,
            subjects,
            noise_floor: None,
            results: Vec::new(),
            ratios: Vec::new(),
            limits: Vec::new(),
            lines: Vec::new(),
            skipped: Vec::new(),
            samples: Vec::new(),
            complete: true,
        }
    }

    /// Adds the rows of a part of the same experiment.
    pub fn extend(&mut self, part: Report) {
        self.results.extend(part.results);
        self.ratios.extend(part.ratios);
        self.limits.extend(part.limits);
        self.samples.extend(part.samples);
        for row in part.skipped {
            row.bytes.iter().for_each(|bytes| self.add_skip(&row, *bytes));
        }
    }

    /// Fits a line for every subject and operation that was measured at two sizes or more.
    pub fn fit_lines(&mut self) {
        let frequency = self.host.frequency_before.zip(self.host.frequency_after).map(|(a, b)| (a + b) / 2.0);
        let mut rows: Vec<LineRow> = Vec::new();
        for result in &self.results {
            let belongs = |row: &LineRow| {
                row.subject == result.subject
                    && row.algorithm == result.algorithm
                    && row.operation == result.operation
                    && row.whole == result.whole
            };
            if rows.iter().any(belongs) {
                continue;
            }
            let same = self.results.iter().filter(|other| {
                other.subject == result.subject
                    && other.algorithm == result.algorithm
                    && other.operation == result.operation
                    && other.whole == result.whole
                    && other.messages == 1
            });
            let points: Vec<(f64, f64)> = same.map(|other| (other.bytes as f64, other.ns_per_call)).collect();
            let Some(line) = Line::through(&points) else { continue };
            rows.push(LineRow {
                algorithm: result.algorithm.clone(),
                operation: result.operation,
                whole: result.whole,
                subject: result.subject.clone(),
                cycles_per_byte: frequency.map(|frequency| frequency * line.slope),
                line,
            });
        }
        self.lines = rows;
    }
    /// Adds a reason, to the row that already gives it for another size if there is one.
    pub(crate) fn skip(&mut self, subject: &str, case: &Case, why: String) {
        let (algorithm, operation) = (case.algorithm.clone(), case.operation);
        let row = Skipped { subject: subject.to_owned(), algorithm, operation, bytes: Vec::new(), why };
        self.add_skip(&row, case.bytes);
    }

    /// Adds one size to the row that says the same, or such a row.
    pub(crate) fn add_skip(&mut self, row: &Skipped, bytes: usize) {
        let same = |other: &&mut Skipped| {
            (&other.subject, &other.algorithm, other.operation, &other.why)
                == (&row.subject, &row.algorithm, row.operation, &row.why)
        };
        match self.skipped.iter_mut().find(same) {
            Some(known) => known.bytes.push(bytes),
            None => self.skipped.push(Skipped { bytes: vec![bytes], ..row.clone() }),
        }
    }
}

fn one() -> usize {
    1
}
