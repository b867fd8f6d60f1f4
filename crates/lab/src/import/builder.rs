//! A document row by row, with what imported texts cannot tell left open.

use super::Imported;
use crate::case::Operation;
use crate::clock::Cycles;
use crate::host::Host;
use crate::result::{Comparison, Measurement, Report};
use crate::statistics::{Outliers, Verdict};
use crate::subjects::Facts;

/// What a host's text fields say where a text does not.
pub const UNKNOWN: &str = "unknown";

/// A document that grows.
pub struct Builder(Imported);

/// What is measured, as an imported row has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct What {
    pub algorithm: String,
    pub operation: Operation,
    pub bytes: usize,
}

/// How fast.
#[derive(Clone, Copy)]
pub enum Rate {
    BytesPerSecond(f64),
    OperationsPerSecond(f64),
}

impl Builder {
    /// An empty document about a host.
    pub fn new(cpu: &str) -> Builder {
        let host = Host {
            cpu: cpu.to_owned(),
            microarchitecture: UNKNOWN.to_owned(),
            fingerprint: format!("imported/{cpu}"),
            microcode: None,
            features: Vec::new(),
            hypervisor: None,
            cores: 0,
            pinned_to: None,
            frequency_before: None,
            frequency_after: None,
            frequency_policy: None,
            cycles: Cycles::Unknown,
            clock_resolution: 0,
            kernel: None,
            memory: None,
            started: 0,
        };
        let report = Report::new(host, Vec::new());
        Builder(Imported { report, notes: Vec::new() })
    }

    /// The host that the rows are about.
    pub fn host(&mut self) -> &mut Host {
        &mut self.0.report.host
    }

    /// Adds a subject, unless there is one of that name; gives the name.
    pub fn subject(&mut self, name: &str, version: Option<&str>, build: String) -> String {
        let subjects = &mut self.0.report.subjects;
        if !subjects.iter().any(|known| known.name == name) {
            let version = version.map(str::to_owned);
            subjects.push(Facts { version, build: Some(build), ..Facts::named(name) });
        }
        name.to_owned()
    }

    /// Whether the subject has this row already.
    pub fn has(&self, subject: &str, what: &What) -> bool {
        let report = &self.0.report;
        let same = |algorithm: &str, operation, bytes| {
            (algorithm, operation, bytes) == (what.algorithm.as_str(), what.operation, what.bytes)
        };
        report.results.iter().any(|row| row.subject == subject && same(&row.algorithm, row.operation, row.bytes))
            || report.ratios.iter().any(|row| row.subject == subject && same(&row.algorithm, row.operation, row.bytes))
    }

    /// Adds a figure.
    pub fn measured(&mut self, subject: &str, what: What, rate: Rate) {
        let (figure, ns_per_call) = match rate {
            Rate::BytesPerSecond(figure) => (figure, 1e9 * what.bytes as f64 / figure),
            Rate::OperationsPerSecond(figure) => (figure, 1e9 / figure),
        };
        let of_bytes = matches!(rate, Rate::BytesPerSecond(_));
        self.0.report.results.push(Measurement {
            algorithm: what.algorithm,
            operation: what.operation,
            bytes: what.bytes,
            messages: 1,
            whole: false,
            subject: subject.to_owned(),
            kernel: None,
            bytes_per_second: of_bytes.then_some(figure),
            operations_per_second: (!of_bytes).then_some(figure),
            interval: [figure; 2],
            cycles_per_byte: None,
            ns_per_call,
            limit_fraction: None,
            samples: 0,
            outliers: Outliers::default(),
        });
    }

    /// Adds how many times as fast a subject is as another.
    pub fn compared(&mut self, subject: &str, versus: &str, what: What, ratio: f64) {
        self.0.report.ratios.push(Comparison {
            algorithm: what.algorithm,
            operation: what.operation,
            bytes: what.bytes,
            messages: 1,
            whole: false,
            subject: subject.to_owned(),
            versus: versus.to_owned(),
            ratio,
            interval: [ratio; 2],
            verdict: Verdict::Unknown,
            noise_floor: 0.0,
        });
    }

    /// Says what was left out.
    pub fn note(&mut self, text: String) {
        if !self.0.notes.contains(&text) {
            self.0.notes.push(text);
        }
    }

    /// Renames a subject everywhere.
    pub fn rename(&mut self, old: &str, new: &str) {
        let report = &mut self.0.report;
        report.subjects.iter_mut().filter(|known| known.name == old).for_each(|known| known.name = new.to_owned());
        report.results.iter_mut().filter(|row| row.subject == old).for_each(|row| row.subject = new.to_owned());
    }

    /// The names of the subjects.
    pub fn subjects(&self) -> Vec<String> {
        self.0.report.subjects.iter().map(|known| known.name.clone()).collect()
    }

    /// The document; `None` if it says nothing.
    pub fn finish(self) -> Option<Imported> {
        let Report { results, ratios, .. } = &self.0.report;
        (!results.is_empty() || !ratios.is_empty() || !self.0.notes.is_empty()).then_some(self.0)
    }
}
