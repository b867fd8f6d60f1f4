//! What runs look like: speed-ups, figures as SVG, and a page in one file that needs no network.

pub mod cell;
pub mod speedup;

use crate::result::Report;

/// A document and where it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// By which it is named: a path, or the number in the store.
    pub name: String,
    /// What was measured.
    pub report: Report,
}

/// A name that no run has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no run has a subject '{name}' to compare with; there are {}", .known.join(", "))]
pub struct UnknownBaseline {
    /// The name given.
    pub name: String,
    /// The subjects.
    pub known: Vec<String>,
}

/// Looks whether any run has the baseline that was asked for.
///
/// # Errors
/// If none has; the subjects are listed.
pub fn check_baseline(runs: &[Run], baseline: Option<&str>) -> Result<(), UnknownBaseline> {
    let names: Vec<&String> = runs.iter().flat_map(|run| &run.report.subjects).map(|facts| &facts.name).collect();
    match baseline.filter(|name| !names.iter().any(|known| known == name)) {
        None => Ok(()),
        Some(name) => {
            let mut known: Vec<String> = names.into_iter().cloned().collect();
            known.dedup();
            Err(UnknownBaseline { name: name.to_owned(), known })
        }
    }
}

/// A figure as a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Name of the file.
    pub file: String,
    /// Its text.
    pub svg: String,
}

/// Every figure of the page, by itself.
pub fn figures(_runs: &[Run], _baseline: Option<&str>) -> Vec<Figure> {
    Vec::new()
}

/// The page.
pub fn page(_runs: &[Run], _baseline: Option<&str>) -> String {
    String::new()
}
