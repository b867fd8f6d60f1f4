//! `speedwell speed --leak`: whether times go with secrets.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};
use comfy_table::CellAlignment;
use serde::Serialize;
use speedwell_lab::case::{Case, Operation};
use speedwell_lab::leak::{LeakVerdict, Leakage, examine};
use speedwell_lab::result::Skipped;
use speedwell_lab::subjects::{Skip, Subject};

use super::progress::Bar;
use super::table::{name, new_table};
use crate::arguments::SpeedArguments;
use crate::output;

/// Examines every subject on every case and prints what was seen.
pub fn run(
    arguments: &SpeedArguments,
    cases: &[Case],
    mut subjects: Vec<Box<dyn Subject>>,
    bar: &Bar,
    cancel: &AtomicBool,
) -> Result<()> {
    let time = arguments.seconds.map_or(if arguments.quick { QUICK } else { USUAL }, Duration::from_secs_f64);
    let mut found = Found { leaks: Vec::new(), skipped: Vec::new() };
    let all = (cases.len() * subjects.len()) as f64;
    let mut done = 0.0;
    for case in cases {
        for subject in &mut subjects {
            let show = |part: f64| bar.part((done + part.min(1.0)) / all, case.to_string());
            match examine(&mut **subject, case, time, cancel, show) {
                Ok(leakage) => found.leaks.push(leakage),
                // A kernel has nothing to do with most algorithms.
                Err(Skip::NotApplicable) => {}
                Err(why) => found.skipped.push(Skipped {
                    subject: subject.facts().name.clone(),
                    algorithm: case.algorithm.clone(),
                    operation: case.operation,
                    bytes: vec![case.bytes],
                    why: why.to_string(),
                }),
            }
            done += 1.0;
            if cancel.load(Ordering::Relaxed) {
                break;
            }
        }
    }
    bar.finish();
    output::print(&match (arguments.json, arguments.jsonl) {
        (true, _) => serde_json::to_string_pretty(&found)? + "\n",
        (_, true) => found.leaks.iter().map(|row| Ok(serde_json::to_string(row)? + "\n")).collect::<Result<_>>()?,
        _ => found.text(),
    })?;
    match found.leaks.iter().filter(|row| row.verdict == LeakVerdict::Leaks).count() {
        0 if found.leaks.is_empty() => bail!("nothing could be examined; the reasons are listed under 'skipped'"),
        0 => Ok(()),
        count => bail!("{count} of {} leak", found.leaks.len()),
    }
}

/// Seconds for a row.
const USUAL: Duration = Duration::from_secs(3);
const QUICK: Duration = Duration::from_secs(1);

#[derive(Serialize)]
struct Found {
    leaks: Vec<Leakage>,
    skipped: Vec<Skipped>,
}

impl Found {
    fn text(&self) -> String {
        let mut text = String::new();
        if !self.leaks.is_empty() {
            let mut table = new_table();
            table.set_header(["algorithm", "bytes", "subject", "kernel", "samples", "t", "of the", "weight t", "seen"]);
            for row in &self.leaks {
                table.add_row([
                    name(&row.algorithm, row.operation)
                        + if row.whole && row.operation != Operation::Hash { ", whole" } else { "" },
                    row.bytes.to_string(),
                    row.subject.clone(),
                    row.kernel.clone().unwrap_or_else(|| "-".to_owned()),
                    row.samples.to_string(),
                    format!("{:.1}", row.t),
                    format!("{:.0} %", row.crop * 100.0),
                    format!("{:.1}", row.weight_t),
                    row.verdict.words().to_owned(),
                ]);
            }
            for column in [1, 4, 5, 6, 7] {
                if let Some(column) = table.column_mut(column) {
                    column.set_cell_alignment(CellAlignment::Right);
                }
            }
            let _ = writeln!(text, "{table}");
            text += EXPLANATION;
        }
        for row in &self.skipped {
            let _ = writeln!(text, "skipped: {} {}: {}", row.subject, row.algorithm, row.why);
        }
        text
    }
}

const EXPLANATION: &str = "
t: how far the mean times under one fixed secret and under random ones are apart, in standard errors (Welch), of the
shortest samples, that part of all for which it is largest. weight t: the same for the correlation of the time with the
number of ones in the secret. The secret is the key, or the message of an algorithm without a key. Above 10 the time depends
on the secret; from 5 to 10, measure for longer (--seconds). \"Nothing seen\" is no proof: `speedwell list` shows what the
tracer has proven of each kernel.
";
