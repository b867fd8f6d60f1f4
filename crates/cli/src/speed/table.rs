//! Results for people: the machine, then a table for each kind of algorithm, then what was skipped.

use std::fmt::Write as _;

use anstyle::Style;

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use speedwell::names;
use speedwell_lab::case::Operation;
use speedwell_lab::result::{Measurement, Report};

use super::{public_key, ratios};

/// The whole report.
pub fn text(report: &Report) -> String {
    let mut text = head(report);
    groups(report).iter().for_each(|group| text += &tables(group));
    text += &limits(report);
    text += &skipped(report);
    if !report.complete {
        text += "\nInterrupted: this is what was measured until then.\n";
    }
    text
}

/// Parts of a report whose tables have nothing but the size in their columns: one number of messages, whole operations or not.
/// A key has no message: it goes with the first part that has any.
fn groups(report: &Report) -> Vec<Report> {
    let mut keys: Vec<(usize, bool)> = Vec::new();
    for row in report.results.iter().filter(|row| row.bytes > 0) {
        if !keys.contains(&(row.messages, row.whole)) {
            keys.push((row.messages, row.whole));
        }
    }
    if keys.len() < 2 {
        return vec![report.clone()];
    }
    let first = keys[0];
    let belongs =
        |key: (usize, bool), bytes: usize, row: (usize, bool)| if bytes == 0 { key == first } else { key == row };
    let part = |key: &(usize, bool)| {
        let mut part = report.clone();
        part.results.retain(|row| belongs(*key, row.bytes, (row.messages, row.whole)));
        part.ratios.retain(|row| belongs(*key, row.bytes, (row.messages, row.whole)));
        // A line is one through single messages.
        part.lines.retain(|row| key.0 == 1 && row.whole == key.1);
        part
    };
    keys.iter().map(part).collect()
}

fn tables(report: &Report) -> String {
    let mut text = String::new();
    for (kind, rows) in kinds(report) {
        let bold = Style::new().bold();
        if public_key::is_shown(rows[0].0) {
            let _ = writeln!(text, "\n{bold}{kind}, operations a second{bold:#}\n{}", public_key::rates(report, &rows));
            if let Some(table) = public_key::ratios(report, &rows) {
                let _ = writeln!(text, "\n{table}");
            }
            continue;
        }
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{bold}{kind}{bold:#}, MB/s (10⁶ bytes a second)\n{}", throughput(report, &rows));
        if let Some(table) = ratios::table(report, &rows) {
            let _ = writeln!(text, "\n{table}");
        }
    }
    text
}

/// An algorithm and an operation: a row of a table for each subject.
pub type Row<'a> = (&'a str, Operation);

/// The rows of the report, by kind of algorithm, in the order in which they were measured.
fn kinds(report: &Report) -> Vec<(String, Vec<Row<'_>>)> {
    let mut kinds: Vec<(String, Vec<Row<'_>>)> = Vec::new();
    for result in &report.results {
        let composed = if result.algorithm.contains('+') { "record" } else { "other" };
        let kind = names::find(&result.algorithm).map_or(composed, |algorithm| algorithm.kind.name());
        let whole = if result.whole { ", whole operation" } else { "" };
        let many = if result.messages > 1 { format!(", {} messages at once", result.messages) } else { String::new() };
        let title = format!("{}{}s{whole}{many}", kind[..1].to_uppercase(), &kind[1..]);
        let row = (result.algorithm.as_str(), result.operation);
        match kinds.iter_mut().find(|(known, _)| *known == title) {
            Some((_, rows)) if rows.contains(&row) => {}
            Some((_, rows)) => rows.push(row),
            None => kinds.push((title, vec![row])),
        }
    }
    kinds
}

fn throughput(report: &Report, rows: &[Row<'_>]) -> Table {
    let sizes = sizes(report, rows);
    let mut table = new_table();
    let mut head = vec!["algorithm".to_owned(), "subject".to_owned()];
    head.extend(sizes.iter().map(|size| format!("{size} B")));
    head.extend(["c/B", "ns/call", "of limit", "kernel"].map(String::from));
    table.set_header(head);
    for (algorithm, operation) in rows {
        for subject in &report.subjects {
            let of_row = |row: &&Measurement| {
                row.algorithm == *algorithm && row.operation == *operation && row.subject == subject.name
            };
            let measured: Vec<&Measurement> = report.results.iter().filter(of_row).collect();
            let Some(largest) = measured.iter().max_by_key(|row| row.bytes) else { continue };
            let line = report.lines.iter().find(|line| {
                line.algorithm == *algorithm && line.operation == *operation && line.subject == subject.name
            });
            let mut cells = vec![name(algorithm, *operation), subject.name.clone()];
            for size in &sizes {
                let row = measured.iter().find(|row| row.bytes == *size);
                cells.push(
                    row.and_then(|row| row.bytes_per_second).map_or("-".to_owned(), |rate| significant(rate / 1e6)),
                );
            }
            let cycles = line.and_then(|line| line.cycles_per_byte).or(largest.cycles_per_byte);
            cells.push(cycles.map_or("-".to_owned(), |cycles| format!("{cycles:.2}")));
            cells.push(line.map_or("-".to_owned(), |line| significant(line.line.intercept.max(0.0))));
            cells.push(largest.limit_fraction.map_or("-".to_owned(), |part| format!("{:.0} %", part * 100.0)));
            cells.push(kernels(&measured));
            table.add_row(cells);
        }
    }
    align_right(&mut table, 2..sizes.len() + 5);
    table
}

/// The implementations that ran, in the order of the sizes.
pub fn kernels(measured: &[&Measurement]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for kernel in measured.iter().filter_map(|row| row.kernel.as_deref()) {
        let implementation = kernel.split_once('/').map_or(kernel, |(_, implementation)| implementation);
        if !names.contains(&implementation) {
            names.push(implementation);
        }
    }
    names.join(" ")
}

fn head(report: &Report) -> String {
    let host = &report.host;
    if host.clock_resolution == 0 {
        return format!("{}; figures read in from elsewhere: there are no intervals\n", host.cpu);
    }
    let mut lines = vec![format!("{} ({})", host.cpu, host.microarchitecture)];
    let gigahertz = |frequency: Option<f64>| frequency.map_or("unknown".to_owned(), |ghz| format!("{ghz:.3} GHz"));
    let mut frequency = format!(
        "frequency {} before, {} after ({})",
        gigahertz(host.frequency_before),
        gigahertz(host.frequency_after),
        host.cycles
    );
    if let Some(policy) = &host.frequency_policy {
        frequency += &format!(", {policy}");
    }
    lines.push(frequency);
    let hypervisor = host.hypervisor.as_deref().map_or(String::new(), |name| format!(", under {name}"));
    let pinned = host.pinned_to.map_or(String::new(), |core| format!(", pinned to core {core}"));
    lines.push(format!(
        "{} cores{hypervisor}{pinned}; {}",
        host.cores,
        host.kernel.as_deref().unwrap_or("unknown kernel")
    ));
    let floor = report.noise_floor.map_or("unknown".to_owned(), |floor| format!("{:.2} %", floor * 100.0));
    lines.push(format!("wall clock, resolution {} ns; noise floor {floor}", host.clock_resolution));
    // Forced kernels are parts of this program: they have no build of their own.
    for subject in report.subjects.iter().filter(|subject| subject.build.is_some()) {
        let version = subject.version.as_deref().unwrap_or("unknown version");
        lines.push(format!("{}: {version}", subject.name));
        for line in subject.build.iter().flat_map(|build| build.lines()) {
            lines.push(format!("    {line}"));
        }
    }
    lines.join("\n") + "\n"
}

/// What the limits are, a line for each that is different.
fn limits(report: &Report) -> String {
    let mut seen: Vec<(&str, String)> = Vec::new();
    for limit in &report.limits {
        let name = name(&limit.algorithm, limit.operation);
        match seen.iter_mut().find(|(what, _)| *what == limit.what) {
            Some((_, names)) if names.split(", ").any(|known| known == name) => {}
            Some((_, names)) => *names += &format!(", {name}"),
            None => seen.push((&limit.what, name)),
        }
    }
    if seen.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = seen.into_iter().map(|(what, names)| format!("  {names}: {what}")).collect();
    format!("\nLimits, measured in the same rounds\n{}\n", lines.join("\n"))
}

fn skipped(report: &Report) -> String {
    if report.skipped.is_empty() {
        return String::new();
    }
    let mut text = "\nSkipped\n".to_owned();
    for row in &report.skipped {
        let sizes: Vec<String> = row.bytes.iter().map(ToString::to_string).collect();
        let name = name(&row.algorithm, row.operation);
        text += &format!("  {} on {name} ({} bytes): {}\n", row.subject, sizes.join(", "), row.why);
    }
    text
}

/// The sizes at which any of the rows was measured.
pub fn sizes(report: &Report, rows: &[Row<'_>]) -> Vec<usize> {
    let of_rows = report.results.iter().filter(|result| rows.contains(&(result.algorithm.as_str(), result.operation)));
    let mut sizes: Vec<usize> = of_rows.map(|result| result.bytes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// `sha256`, `aes-128-cbc encrypt`.
pub fn name(algorithm: &str, operation: Operation) -> String {
    match operation {
        Operation::Hash | Operation::Mac => algorithm.to_owned(),
        other => format!("{algorithm} {other}"),
    }
}

/// A table with a line under its head. Whoever has a narrow terminal scrolls; no figure is broken over two lines.
pub fn new_table() -> Table {
    let mut table = Table::new();
    let line = LineStyle::none().fill('─').junction('─');
    table.load_style(TableStyle::new().header_separator(line)).set_content_arrangement(ContentArrangement::Disabled);
    table
}

/// Sets columns of figures to the right.
pub fn align_right(table: &mut Table, columns: std::ops::Range<usize>) {
    for index in columns {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// Three or four significant digits, which is what a measurement here is good for.
pub fn significant(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
