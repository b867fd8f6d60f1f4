//! What a row is about, in the order in which people look for it.

use speedwell::names::{self, Kind};

use crate::case::Operation;
use crate::result::{Comparison, Measurement, Report, Samples};

/// An algorithm, an operation, and how it was handed over: a figure of the report.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Topic {
    /// Canonical name of the algorithm.
    pub algorithm: String,
    /// What was done.
    pub operation: Operation,
    /// Messages of a call.
    pub messages: usize,
    /// Whether a call was the whole operation.
    pub whole: bool,
}

impl Topic {
    /// All topics of a document, in the order in which they were measured.
    pub fn all(report: &Report) -> Vec<Topic> {
        let mut topics: Vec<Topic> = Vec::new();
        let rows = report.results.iter().map(Topic::of).chain(report.ratios.iter().map(Topic::of_ratio));
        for topic in rows {
            if !topics.contains(&topic) {
                topics.push(topic);
            }
        }
        topics
    }

    /// That of a figure.
    pub fn of(row: &Measurement) -> Topic {
        let Measurement { algorithm, operation, messages, whole, .. } = row;
        Topic { algorithm: algorithm.clone(), operation: *operation, messages: *messages, whole: *whole }
    }

    /// That of a ratio.
    pub fn of_ratio(row: &Comparison) -> Topic {
        let Comparison { algorithm, operation, messages, whole, .. } = row;
        Topic { algorithm: algorithm.clone(), operation: *operation, messages: *messages, whole: *whole }
    }

    /// Whether samples are of it.
    pub fn has(&self, row: &Samples) -> bool {
        (&self.algorithm, self.operation, self.messages, self.whole)
            == (&row.algorithm, row.operation, row.messages, row.whole)
    }

    /// `aes-128-cbc encrypt`, `sha256, 64 messages`.
    pub fn name(&self) -> String {
        let mut name = self.algorithm.clone();
        if !matches!(self.operation, Operation::Hash | Operation::Mac) {
            name += &format!(" {}", self.operation);
        }
        if self.whole && self.operation != Operation::Hash {
            name += ", whole";
        }
        if self.messages > 1 {
            name += &format!(", {} messages", self.messages);
        }
        name
    }

    /// The sizes at which anything of it was measured, ascending.
    pub fn sizes(&self, report: &Report) -> Vec<usize> {
        let results = report.results.iter().filter(|row| Topic::of(row) == *self).map(|row| row.bytes);
        let ratios = report.ratios.iter().filter(|row| Topic::of_ratio(row) == *self).map(|row| row.bytes);
        let mut sizes: Vec<usize> = results.chain(ratios).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// The group of algorithms that it is shown with.
    pub fn group(&self) -> &'static str {
        if self.algorithm.contains('.') {
            return "Primitives";
        }
        match (names::find(&self.algorithm).map(|known| known.kind), self.operation) {
            (Ok(Kind::Digest { .. }), _) | (Err(_), Operation::Hash) => "Digests",
            (Ok(Kind::Mac { .. }), _) | (Err(_), Operation::Mac) => "Message authentication",
            (Ok(Kind::Aead { .. }), _) => "Authenticated ciphers",
            (Ok(Kind::PublicKey { .. }), _) | (Err(_), Operation::Sign | Operation::Verify | Operation::Generate) => {
                PUBLIC_KEYS
            }
            (Ok(Kind::BlockCipher { .. } | Kind::StreamCipher { .. }), _)
            | (Err(_), Operation::Encrypt | Operation::Decrypt) => "Ciphers",
        }
    }
}

/// The group whose rows are operations a second.
pub const PUBLIC_KEYS: &str = "Public keys";

/// `16 B`, `8 KiB`.
pub fn size(bytes: usize) -> String {
    match bytes {
        0 => "–".to_owned(),
        _ if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes >= 1024 && bytes.is_multiple_of(1024) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} B"),
    }
}

/// Three or four significant digits.
pub fn significant(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 || size == 0.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A figure with its unit: `1205 MB/s`, `1749 /s`.
pub fn rate(row: &Measurement) -> String {
    match (row.bytes_per_second, row.operations_per_second) {
        (Some(rate), _) => format!("{} MB/s", significant(rate / 1e6)),
        (None, Some(rate)) => format!("{} /s", significant(rate)),
        (None, None) => format!("{} ns", significant(row.ns_per_call)),
    }
}

/// The figure itself.
pub fn figure(row: &Measurement) -> f64 {
    row.bytes_per_second.or(row.operations_per_second).unwrap_or(1e9 / row.ns_per_call)
}
