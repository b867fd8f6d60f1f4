//! `speedwell results`: what the store has, shown, compared and written in the forms of others.

mod arguments;
mod compare;
mod export;
mod list;
mod parquet;

use anyhow::Result;
use speedwell_lab::store::Store;

use crate::output;
use crate::runs;
use crate::speed::table;
use crate::stored::StoreArguments;

pub use arguments::ResultsArguments;
use arguments::ResultsCommand;

/// Runs the command.
pub fn run(arguments: &ResultsArguments) -> Result<()> {
    let from = &arguments.store;
    match &arguments.command {
        ResultsCommand::List { json } => list::run(from, *json),
        ResultsCommand::Show { run, json } => show(from, run, *json),
        ResultsCommand::Compare(arguments) => compare::run(from, arguments),
        ResultsCommand::Export(arguments) => export::run(from, arguments),
        ResultsCommand::Delete { runs } => {
            let mut store = Store::create(from.open()?.path())?;
            for run in runs {
                let run = store.find(run)?;
                store.delete(run)?;
                output::print(&format!("deleted run {run}\n"))?;
            }
            Ok(())
        }
        ResultsCommand::Merge { others } => {
            let mut store = from.create()?;
            for other in others {
                let merged = store.merge(other)?;
                output::print(&format!("{}: {} runs added, {} known\n", other.display(), merged.added, merged.known))?;
            }
            Ok(())
        }
    }
}

fn show(from: &StoreArguments, run: &str, json: bool) -> Result<()> {
    let report = runs::one(run, from)?.report;
    if json {
        return output::print(&(serde_json::to_string_pretty(&report)? + "\n"));
    }
    let title = report.title.as_ref().map_or(String::new(), |title| format!("{title}\n\n"));
    output::print(&(title + &table::text(&report)))
}
