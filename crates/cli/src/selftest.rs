//! `speedwell selftest`: whether figures of this machine can be believed.

use std::io::IsTerminal;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use speedwell_kernels::cpu::Cpu;
use speedwell_lab::subjects::{Subject, library_subject};
use speedwell_lab::trial::{HUNDREDS, Outcome, Plan, trial};

use crate::output;
use crate::speed::{Bar, cancelled_by_keyboard};

/// `speedwell selftest`
#[derive(Debug, Args)]
pub struct SelftestArguments {
    /// Experiments for each row
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: u32,
    /// Per cent of work that is planted
    #[arg(long, value_name = "PER CENT", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=100))]
    pub slowdown: u8,
    /// Seconds spent on each subject in each experiment
    #[arg(long, value_name = "S", default_value_t = 0.2, value_parser = crate::arguments::parse_seconds)]
    pub seconds: f64,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
pub fn run(arguments: &SelftestArguments) -> Result<()> {
    let cancel = cancelled_by_keyboard()?;
    let bar = Bar::new(std::io::stderr().is_terminal());
    let make = || Box::new(library_subject()) as Box<dyn Subject>;
    let rows: Vec<(bool, usize)> =
        [false, true].into_iter().flat_map(|load| (0..HUNDREDS.len()).map(move |number| (load, number))).collect();
    let all = (rows.len() as u32 * arguments.runs) as f64;
    let mut outcomes = Vec::new();
    for (place, (load, number)) in rows.into_iter().enumerate() {
        let hundred = &HUNDREDS[number];
        let plan = Plan {
            runs: arguments.runs,
            time_per_subject: Duration::from_secs_f64(arguments.seconds),
            percent: arguments.slowdown.into(),
            load,
        };
        let before = place as u32 * arguments.runs;
        let mut told = |done| bar.part(f64::from(before + done) / all, hundred.algorithm.to_owned());
        outcomes.push(trial(&make, hundred, &plan, &mut told, &cancel)?);
        if cancel.load(Ordering::Relaxed) {
            bar.finish();
            bail!("interrupted");
        }
    }
    bar.finish();
    if arguments.json {
        output::print(&(serde_json::to_string_pretty(&outcomes)? + "\n"))?;
    } else {
        output::print(&text(arguments, &outcomes))?;
    }
    let unwell = outcomes.iter().filter(|outcome| !outcome.is_well()).count();
    if unwell > 0 {
        bail!("{unwell} of {} rows do not hold: this machine is too busy to compare anything on", outcomes.len());
    }
    Ok(())
}

/// A table in Markdown, which is read on a terminal as well.
fn text(arguments: &SelftestArguments, outcomes: &[Outcome]) -> String {
    let cpu = Cpu::host();
    let hypervisor = cpu.identity().hypervisor.as_deref().map_or(String::new(), |name| format!(", under {name}"));
    let mut text = format!(
        "{} ({}){hypervisor}; {} experiments a row, {} s for each subject\n\n",
        cpu.identity().brand,
        cpu.microarchitecture().name(),
        arguments.runs,
        arguments.seconds
    );
    text += &format!(
        "| case | other cores | {} % more work: found in | ratios | no difference: claimed in | ratios | widest interval |\n",
        arguments.slowdown
    );
    text += "|---|---|---|---|---|---|---|\n";
    for outcome in outcomes {
        let cores = if outcome.busy_cores > 0 { "busy" } else { "not kept busy" };
        text += &format!(
            "| {}, {} bytes | {cores} | {} of {} | {} | {} of {} | {} | ± {:.2} % |\n",
            outcome.algorithm,
            outcome.bytes,
            outcome.found,
            outcome.runs,
            range(&outcome.planted),
            outcome.claimed,
            outcome.runs,
            range(&outcome.itself),
            outcome.half_width * 100.0
        );
    }
    text
}

fn range(ratios: &[f64]) -> String {
    let (low, high) = ratios
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), ratio| (low.min(*ratio), high.max(*ratio)));
    format!("{low:.4} to {high:.4}")
}
