//! `speedwell report`: runs as a page, as figures, or in the terminal.

pub mod terminal;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use speedwell_lab::report;

use crate::output;
use crate::runs::{self, RunArguments};

/// `speedwell report`
#[derive(Debug, Args)]
pub struct ReportArguments {
    #[command(flatten)]
    runs: RunArguments,
    /// Write a page (HTML) that needs no network; without it and --svg, print to the terminal
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the figures as SVG files into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// The subject that others are compared with [default: what the run compared with, or the first]
    #[arg(long, value_name = "SUBJECT")]
    baseline: Option<String>,
}

/// Runs the command.
pub fn run(arguments: &ReportArguments) -> Result<()> {
    let runs = runs::load(&arguments.runs)?;
    let baseline = arguments.baseline.as_deref();
    report::check_baseline(&runs, baseline)?;
    if let Some(folder) = &arguments.svg {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for figure in report::figures(&runs, baseline) {
            output::write_file(&folder.join(figure.file), figure.svg.as_bytes())?;
        }
    }
    if let Some(path) = &arguments.output {
        output::write_file(path, report::page(&runs, baseline).as_bytes())?;
    }
    if arguments.svg.is_none() && arguments.output.is_none() {
        output::print(&terminal::text(&runs, baseline))?;
    }
    Ok(())
}
