//! `speedwell tune`: measures every kernel on this host and writes the local profile.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use speedwell::select::{PROFILE_VARIABLE, Policy, PrimitiveReport, Profile, Selector, Speeds, profile_text, reports};
use speedwell_lab::report::cell::size;
use speedwell_lab::tune;

use crate::speed::{cancelled_by_keyboard, progress};
use crate::{json_lines, output};

/// `speedwell tune`
#[derive(Debug, Args)]
pub struct TuneArguments {
    /// Where to write the profile [default: speedwell/profile in the user's configuration folder]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Seconds that it may take
    #[arg(long, value_name = "S", default_value_t = 50.0, value_parser = parse_seconds)]
    seconds: f64,
    /// Print the measurements as one JSON document instead of writing a profile
    #[arg(long, conflicts_with = "output")]
    json: bool,
    /// Print them as one JSON object a line, as measurements/ keeps them
    #[arg(long, conflicts_with_all = ["output", "json"])]
    jsonl: bool,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (1.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("seconds are a number from 1 to 3600".to_owned()),
    }
}

/// Runs the command.
pub fn run(arguments: &TuneArguments) -> Result<()> {
    // Before a minute of work, not after it.
    let path = arguments.output.clone().map_or_else(default_path, Ok)?;
    let cancel = cancelled_by_keyboard()?;
    let bar = progress::Bar::new(std::io::stderr().is_terminal());
    // Setting up, and the samples that find out how many calls fill one, take about a fifth more.
    let time = Duration::from_secs_f64(arguments.seconds * 0.8);
    let report = tune::measure(time, &mut |progress| bar.show(&progress), &cancel);
    bar.finish();
    if arguments.json {
        return output::print(&(serde_json::to_string_pretty(&report)? + "\n"));
    }
    if arguments.jsonl {
        return output::print(&json_lines(&report)?);
    }
    if !report.complete {
        bail!("interrupted: no profile is written");
    }
    let speeds = tune::speeds(&report);
    let text = profile_text(&report.host.fingerprint, &speedwell::select::build_id(), &speeds);
    let profile = Profile::parse(&text).context("the profile is not one that counts here")?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    output::write_file(&path, text.as_bytes())?;
    let mut text = gains(&speeds, &Selector::unforced(), &Selector::unforced().with_profile(profile))?;
    writeln!(text, "\n{} is the profile of {}.", path.display(), Selector::host().cpu())?;
    writeln!(text, "It is used where {PROFILE_VARIABLE} names it, on this host and with this build:")?;
    writeln!(text, "  export {PROFILE_VARIABLE}={}", path.display())?;
    output::print(&text)
}

/// `XDG_CONFIG_HOME`, or `~/.config` (XDG Base Directory Specification).
fn default_path() -> Result<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    variable("XDG_CONFIG_HOME")
        .or_else(|| variable("HOME").map(|home| home.join(".config")))
        .map(|folder| folder.join("speedwell/profile"))
        .context("there is no home folder: name a place with --output")
}

/// Where the profile chooses other kernels than are chosen without it, and what that gains.
fn gains(speeds: &Speeds, without: &Selector, with: &Selector) -> Result<String> {
    let mut text = String::new();
    for policy in [Policy::Public, Policy::Secret] {
        for (old, new) in reports(without, policy).iter().zip(reports(with, policy)) {
            // Hashing is public, and everything else has secrets: see `speedwell list`.
            let is_hash = old.primitive.contains(".compress");
            if is_hash != (policy == Policy::Public) {
                continue;
            }
            for (bytes, old, new, ratio) in changes(speeds, old, &new) {
                let ((primitive, new), (_, old)) = (parts(new), parts(old));
                writeln!(text, "  {primitive:22} {:>8}  {new} instead of {old}: {ratio:.3} ×", size(bytes))?;
            }
        }
    }
    if text.is_empty() {
        return Ok(
            "The profile chooses the kernels that are chosen without it: there is nothing to gain here.\n".to_owned()
        );
    }
    Ok(format!("What the profile gains\n{text}"))
}

/// A kernel's primitive and implementation.
fn parts(kernel: &str) -> (&str, &str) {
    kernel.split_once('/').unwrap_or((kernel, ""))
}

/// At each size that was measured: the old and the new kernel where they differ, and how many times as fast the new one is.
fn changes<'a>(
    speeds: &'a Speeds,
    old: &'a PrimitiveReport,
    new: &'a PrimitiveReport,
) -> Vec<(usize, &'static str, &'static str, f64)> {
    let mut found = Vec::new();
    let at = |report: &PrimitiveReport, bytes: usize| {
        let tiers = report.chosen.as_ref().ok()?;
        tiers.iter().rev().find(|(from, _)| *from <= bytes).map(|(_, kernel)| *kernel)
    };
    let time = |kernel: &str, bytes: usize| {
        speeds.of(kernel)?.iter().find(|point| point.bytes == bytes).map(|point| point.nanoseconds)
    };
    let sizes = new.candidates.iter().find_map(|candidate| speeds.of(candidate.name)).unwrap_or_default();
    for point in sizes {
        let (Some(before), Some(after)) = (at(old, point.bytes), at(new, point.bytes)) else { continue };
        if before == after {
            continue;
        }
        if let (Some(slow), Some(fast)) = (time(before, point.bytes), time(after, point.bytes)) {
            found.push((point.bytes, before, after, slow / fast));
        }
    }
    found
}
