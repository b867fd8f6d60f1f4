//! What runs look like: speed-ups, figures as SVG, and a page in one file that needs no network.

pub mod cell;
mod charts;
mod html;
mod machine;
mod page;
pub mod speedup;
mod view;

use crate::result::Report;
use view::View;

pub use page::page;

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
pub fn figures(runs: &[Run], baseline: Option<&str>) -> Vec<Figure> {
    let view = View::new(runs, baseline);
    let mut found = Vec::new();
    let many = view.runs.len() > 1;
    for (place, run) in view.runs.iter().enumerate() {
        let prefix = if many { format!("{}-", place + 1) } else { String::new() };
        let file =
            |name: &str, kind: &str| Figure { file: format!("{prefix}{}-{kind}.svg", slug(name)), svg: String::new() };
        for group in run.groups() {
            let bars = view.overview(run, group);
            if !bars.is_empty() {
                found.push(Figure { svg: charts::overview(&bars), ..file(group, "overview") });
            }
        }
        for topic in &run.topics {
            let name = topic.topic.name();
            let (bars, curves, spreads) = (view.bars(topic), view.curves(topic), view.spreads(topic));
            if !bars.is_empty() {
                found.push(Figure { svg: charts::grouped(&bars), ..file(&name, "speedup") });
            }
            if !curves.is_empty() {
                found.push(Figure { svg: charts::throughput(&curves), ..file(&name, "throughput") });
            }
            if !spreads.is_empty() {
                found.push(Figure { svg: charts::distribution(&spreads), ..file(&name, "distribution") });
            }
            let rows: Vec<_> =
                topic.subjects.iter().map(|subject| ((*subject).to_owned(), topic.heat(subject))).collect();
            if rows.len() > 1 && rows.iter().any(|(_, cells)| cells.iter().any(Option::is_some)) {
                let columns: Vec<String> = topic.sizes.iter().map(|bytes| cell::size(*bytes)).collect();
                found.push(Figure { svg: charts::heat(&columns, &rows), ..file(&name, "heat") });
            }
        }
    }
    found
}

/// A name that every file system takes.
fn slug(name: &str) -> String {
    let words = name.split(|one: char| !one.is_ascii_alphanumeric() && one != '.').filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}
