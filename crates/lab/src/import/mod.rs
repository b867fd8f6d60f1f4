//! Results from elsewhere, read into the document that our own runs give: tables of `openssl speed` as people post them,
//! speed-up tables, timings, results of the Phoronix Test Suite, and our own JSON.
//!
//! Whatever stands around a table is ignored; a table that is cut off is an error that names the line. Imported rows
//! have no samples and so no interval: `samples` is 0, and both ends of `interval` are the figure itself.

mod builder;
mod labels;
mod openssl;
mod openssl_mr;
mod ours;
mod phoronix;
mod speedups;
mod timings;

use crate::case::Operation;
use crate::result::Report;

/// What a text held.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The figures of one host.
    pub report: Report,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

/// What timings do not say of themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hints {
    /// What was timed.
    pub algorithm: String,
    /// What was done.
    pub operation: Operation,
    /// Bytes of a message; 0 if they are not known: then there is no throughput.
    pub bytes: usize,
    /// Messages that one timing is of.
    pub calls: u64,
}

impl Default for Hints {
    fn default() -> Self {
        Hints { algorithm: "workload".to_owned(), operation: Operation::Encrypt, bytes: 0, calls: 1 }
    }
}

/// Why a text cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// Nothing in it looks like a result.
    #[error(
        "{name}: no results found; known are tables of `openssl speed` (also -mr), speed-up tables, timings \
         under a line 'On HOST, …', result XML of the Phoronix Test Suite, and our own JSON"
    )]
    Nothing {
        /// Name of the text.
        name: String,
    },
    /// A table ends before it is complete.
    #[error(
        "{name}, line {line}: cut off: {what}; get the whole text, or delete this line to import what is before it"
    )]
    Truncated {
        /// Name of the text.
        name: String,
        /// The line, counted from 1.
        line: usize,
        /// What is missing.
        what: String,
    },
    /// A row that cannot be right.
    #[error("{name}, line {line}: {what}")]
    Malformed {
        /// Name of the text.
        name: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
}

/// Reads all results in a text; there is a document for each host that it tells of. `name` is for messages and, where
/// the text names nothing itself, for subjects.
///
/// # Errors
/// If nothing is found, or what is found is cut off.
pub fn import(name: &str, text: &str, hints: &Hints) -> Result<Vec<Imported>, ImportError> {
    let source = Source { name, text };
    let trimmed = text.trim_start_matches('\u{feff}').trim_start();
    let is_list = trimmed.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(['{', ']']));
    let found = if trimmed.starts_with('{') || is_list {
        ours::read(source)?
    } else if trimmed.starts_with("<?xml") || trimmed.starts_with("<PhoronixTestSuite") {
        phoronix::read(source)?
    } else {
        let mut found: Vec<Imported> = openssl::read(source)?.into_iter().collect();
        found.extend(openssl_mr::read(source)?);
        found.extend(speedups::read(source)?);
        found.extend(timings::read(source, hints)?);
        found
    };
    if found.is_empty() {
        return Err(ImportError::Nothing { name: name.to_owned() });
    }
    Ok(found)
}

/// A text with its name.
#[derive(Clone, Copy)]
struct Source<'a> {
    name: &'a str,
    text: &'a str,
}

impl<'a> Source<'a> {
    /// The lines with their numbers, counted from 1, without the marks and blanks of a mail's quotation.
    fn lines(self) -> impl Iterator<Item = (usize, &'a str)> {
        let unquoted = |line: &'a str| line.trim_start_matches(['>', ' ', '\t', '\u{a0}']).trim_end();
        self.text.lines().enumerate().map(move |(index, line)| (index + 1, unquoted(line)))
    }

    /// Whether this is the last line, and does not end as a line does.
    fn ends_in(self, line: usize) -> bool {
        !self.text.ends_with('\n') && self.text.lines().count() == line
    }

    /// The file's name without folder and ending.
    fn stem(self) -> &'a str {
        let file = self.name.rsplit(['/', '\\']).next().unwrap_or(self.name);
        file.split_once('.').map_or(file, |(stem, _)| if stem.is_empty() { file } else { stem })
    }

    fn truncated(self, line: usize, what: impl Into<String>) -> ImportError {
        ImportError::Truncated { name: self.name.to_owned(), line, what: what.into() }
    }

    fn malformed(self, line: usize, what: impl Into<String>) -> ImportError {
        ImportError::Malformed { name: self.name.to_owned(), line, what: what.into() }
    }
}

#[cfg(test)]
mod tests;
