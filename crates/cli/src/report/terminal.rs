//! Runs in the terminal: speed-ups with bars, then the figures, then advice.

use std::fmt::Write as _;

use anstyle::Style;
use speedwell_lab::recommend;
use speedwell_lab::report::Run;
use speedwell_lab::report::cell::size;
use speedwell_lab::report::speedup::{Speedup, default_baseline, speedups};

use crate::speed::table::{self, align_right, new_table};

/// All runs, one after the other.
pub fn text(runs: &[Run], baseline: Option<&str>) -> String {
    let mut text = String::new();
    for run in runs {
        let bold = Style::new().bold();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}{bold}{}{bold:#}", if text.is_empty() { "" } else { "\n" }, run.name);
        text += &table::text(&run.report);
        let Some(baseline) = baseline.or_else(|| default_baseline(&run.report)) else { continue };
        let rows = speedups(&run.report, baseline);
        if !rows.is_empty() {
            let _ = writeln!(text, "\n{bold}How many times as fast as {baseline}{bold:#}\n{}", bars(&rows));
        }
    }
    let advice = recommend::recommend(runs);
    if !advice.is_empty() {
        let _ = writeln!(text, "\nWhat to use\n{}", recommend::text(&advice));
    }
    text
}

fn bars(rows: &[Speedup]) -> comfy_table::Table {
    let most = rows.iter().map(|row| row.ratio).fold(1.0, f64::max);
    let mut table = new_table();
    table.set_header(["algorithm", "size", "subject", "×", "95 %", "verdict", ""]);
    for row in rows {
        let interval = row.interval.map_or(String::new(), |[low, high]| format!("{low:.3} to {high:.3}"));
        table.add_row([
            row.topic.name(),
            size(row.bytes),
            row.subject.clone(),
            format!("{:.3}", row.ratio),
            interval,
            if row.interval.is_some() { row.verdict.to_string() } else { String::new() },
            bar(row.ratio, most),
        ]);
    }
    align_right(&mut table, 1..2);
    align_right(&mut table, 3..5);
    table
}

/// Eighths of a character.
fn bar(ratio: f64, most: f64) -> String {
    const WIDTH: f64 = 24.0;
    let eighths = (ratio / most * WIDTH * 8.0).round() as usize;
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    "█".repeat(eighths / 8) + part
}
