//! `speedwell speed`: algorithms, kernels and other libraries, timed side by side in one run.

pub mod formats;
mod leak;
pub mod progress;
mod public_key;
mod ratios;
pub mod request;
pub mod table;

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use speedwell::select::{Policy, Selector, reports};
use speedwell_lab::experiment::{Experiment, Settings};
use speedwell_lab::result::Report;
use speedwell_lab::store::Recorder;

use crate::arguments::SpeedArguments;
use crate::output;
use crate::stored::Watch;

pub use progress::Bar;
pub use request::{UsageError, named as operation_named};
pub use table::new_table;

/// Runs the command. Ctrl-C ends it early, with what there is.
pub fn run(arguments: &SpeedArguments) -> Result<()> {
    if arguments.no_color {
        anstream::ColorChoice::Never.write_global();
    }
    for report in reports(Selector::host(), Policy::Secret) {
        if let Some(error) = report.unmet_force {
            anstream::eprintln!("warning: the force is not followed: {error}");
        }
    }
    let cases = request::cases(arguments)?;
    let subjects = request::subjects(arguments)?;
    let cancel = cancelled_by_keyboard()?;
    let show_progress = std::io::stderr().is_terminal() && !arguments.no_color;
    let bar = Bar::new(show_progress);
    if arguments.leak {
        return leak::run(arguments, &cases, subjects, &bar, &cancel);
    }
    let store = if arguments.save { Some(arguments.store.create()?) } else { None };
    let title = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let mut recorder = store.map(|store| Recorder::new(store, Some(title), None));
    let settings = Settings { keep_samples: arguments.save, ..request::settings(arguments, cases.len()) };
    let mut experiment = Experiment::new(subjects, settings);
    let mut watch = Watch { bar: &bar, recorder: recorder.as_mut() };
    let mut report = experiment.observe(&cases, &mut watch, &cancel);
    bar.finish();

    let kept = recorder.map(|recorder| recorder.finish(&report)).transpose();
    report.samples.clear();
    output::print(&printed(arguments, &report)?)?;
    if let Some((store, run)) = kept? {
        anstream::eprintln!("kept as run {run} in {}", store.path().display());
    }
    verdict(&report)
}

/// What Ctrl-C sets.
pub fn cancelled_by_keyboard() -> Result<Arc<AtomicBool>> {
    let cancel = Arc::new(AtomicBool::new(false));
    let cancelled = Arc::clone(&cancel);
    ctrlc::set_handler(move || {
        // Whoever presses it twice does not want to wait for the end of a cell.
        if cancelled.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(cancel)
}

/// The exit code of a process that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

fn printed(arguments: &SpeedArguments, report: &Report) -> Result<String> {
    if arguments.json {
        Ok(serde_json::to_string_pretty(report)? + "\n")
    } else if arguments.jsonl {
        formats::json_lines(report)
    } else if arguments.csv {
        Ok(formats::csv(report))
    } else if arguments.mr {
        Ok(formats::machine_readable(report))
    } else {
        Ok(table::text(report))
    }
}

/// A run that shows a wrong answer, or nothing at all, has failed.
pub fn verdict(report: &Report) -> Result<()> {
    let wrong: Vec<&str> =
        report.skipped.iter().filter(|row| row.why.starts_with("wrong")).map(|row| row.subject.as_str()).collect();
    if !wrong.is_empty() {
        bail!("wrong answers from {}; they were not timed", wrong.join(", "));
    }
    if report.results.is_empty() && report.complete {
        bail!("nothing could be measured; the reasons are listed under 'skipped'");
    }
    Ok(())
}
