//! `speedwell results compare`

use std::fmt::Write as _;

use anyhow::{Result, bail};
use speedwell_lab::change::{Change, Changes};
use speedwell_lab::host::{Host, moment};
use speedwell_lab::result::Report;

use super::arguments::CompareArguments;
use crate::output;
use crate::runs;
use crate::speed::table::{align_right, name, new_table, significant};
use crate::stored::StoreArguments;
use crate::sums::Failed;

/// Runs the command.
pub fn run(from: &StoreArguments, arguments: &CompareArguments) -> Result<()> {
    let [before, after] = [runs::one(&arguments.before, from)?.report, runs::one(&arguments.after, from)?.report];
    let changes = Changes::between(&before, &after, arguments.threshold / 100.0);
    if arguments.json {
        output::print(&(serde_json::to_string_pretty(&changes)? + "\n"))?;
    } else {
        output::print(&text(&changes, [&before, &after], arguments.threshold))?;
    }
    if changes.changes.is_empty() {
        bail!("the two have no case of the same subject in common: there is nothing to compare");
    }
    // What is slower has been printed.
    if changes.slower().next().is_some() { Err(Failed.into()) } else { Ok(()) }
}

fn text(changes: &Changes, reports: [&Report; 2], threshold: f64) -> String {
    let mut text = String::new();
    for (what, report) in ["before", "after "].iter().zip(reports) {
        let Host { cpu, started, .. } = &report.host;
        let title = report.title.as_ref().map_or(String::new(), |title| format!("{title}, "));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{what}  {title}{} UTC, {cpu}", moment(*started));
    }
    if !changes.same_machine {
        text += "These are different machines: the ratios say which is faster, and nothing of the subjects.\n";
    }
    let mut table = new_table();
    table.set_header(["case", "subject", "ns before", "ns after", "after is … times as fast", ""]);
    table.add_rows(changes.changes.iter().map(row));
    align_right(&mut table, 2..5);
    if !changes.changes.is_empty() {
        let _ = writeln!(text, "\n{table}\n");
    }
    for (what, names) in ["before", "after"].iter().zip(&changes.unmatched) {
        if !names.is_empty() {
            let _ = writeln!(text, "only {what}: {}", names.join(", "));
        }
    }
    let slower = changes.slower().count();
    let _ = match slower {
        0 => writeln!(text, "Nothing of {} is slower by more than {threshold} %.", changes.changes.len()),
        _ => writeln!(text, "{slower} of {} are slower by more than {threshold} %.", changes.changes.len()),
    };
    text
}

fn row(change: &Change) -> [String; 6] {
    let mut case = name(&change.algorithm, change.operation);
    if change.messages > 1 {
        case += &format!(" {} ×", change.messages);
    }
    if change.bytes > 0 {
        case += &format!(" {} B", change.bytes);
    }
    if change.whole {
        case += " whole";
    }
    let [low, high] = change.interval;
    let beyond = if change.beyond { ", beyond the threshold" } else { "" };
    [
        case,
        change.subject.clone(),
        significant(change.ns_per_call[0]),
        significant(change.ns_per_call[1]),
        format!("{:.3} [{low:.3}, {high:.3}]", change.ratio),
        format!("{}{beyond}", change.verdict),
    ]
}
