//! `speedwell import`: results from elsewhere as documents of our own.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use speedwell::names::find;
use speedwell_lab::import::{Hints, Imported, import};
use speedwell_lab::report::Run;

use crate::arguments::OperationName;
use crate::speed::operation_named;
use crate::{output, report, runs};

/// `speedwell import`
#[derive(Debug, Args)]
pub struct ImportArguments {
    /// Files with tables of `openssl speed` (also -mr), speed-ups, timings, Phoronix result XML or our JSON; `-` for standard
    /// input. Text around tables is ignored
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Print the documents as JSON, one a line
    #[arg(long)]
    json: bool,
    /// Write them into this file, one a line
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What timings are of, which do not say it
    #[arg(long, value_name = "ALGORITHM", help_heading = "Timings")]
    algorithm: Option<String>,
    /// The operation that timings are of
    #[arg(long, value_enum, default_value = "encrypt", help_heading = "Timings")]
    operation: OperationName,
    /// Bytes of a message that timings are of
    #[arg(long, default_value_t = 0, value_name = "N", help_heading = "Timings")]
    bytes: usize,
    /// Messages that one timing is of
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Timings")]
    calls: u64,
}

/// Runs the command.
pub fn run(arguments: &ImportArguments) -> Result<()> {
    let usual = Hints::default();
    let hints = Hints {
        algorithm: match &arguments.algorithm {
            Some(name) => find(name)?.name.to_owned(),
            None => usual.algorithm,
        },
        operation: operation_named(arguments.operation),
        bytes: arguments.bytes,
        calls: arguments.calls,
    };
    let mut found: Vec<(String, Imported)> = Vec::new();
    for file in &arguments.files {
        let name = if file == "-" { "standard input" } else { file };
        found.extend(import(name, &runs::read(file)?, &hints)?.into_iter().map(|one| (name.to_owned(), one)));
    }
    for (name, one) in &found {
        one.notes.iter().for_each(|note| anstream::eprintln!("note: {name}: left out: {note}"));
    }
    if arguments.json || arguments.output.is_some() {
        let mut lines = String::new();
        for (_, one) in &found {
            lines += &(serde_json::to_string(&one.report)? + "\n");
        }
        if let Some(path) = &arguments.output {
            output::write_file(path, lines.as_bytes())?;
        }
        if arguments.json {
            output::print(&lines)?;
        }
        return Ok(());
    }
    let runs: Vec<Run> = found.into_iter().map(|(name, one)| Run { name, report: one.report }).collect();
    output::print(&report::terminal::text(&runs, None))
}
