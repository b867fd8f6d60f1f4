//! `speedwell results export`: runs in the forms of other programs.

use std::fmt::Write as _;
use std::fs;
use std::io::{IsTerminal, Write as _};

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use speedwell_lab::host::moment;
use speedwell_lab::result::{Comparison, Measurement, Report, Samples};

use super::arguments::{ExportArguments, Form};
use super::parquet::{self, Column};
use crate::output;
use crate::runs;
use crate::speed::{UsageError, formats, table};
use crate::stored::StoreArguments;

/// Runs the command.
pub fn run(from: &StoreArguments, arguments: &ExportArguments) -> Result<()> {
    let mut reports = Vec::new();
    for name in &arguments.runs {
        let run = runs::one(name, from)?;
        reports.push((run.name, run.report));
    }
    let bytes = match arguments.format {
        Form::Jsonl => json_lines(&mut reports, arguments.samples)?.into_bytes(),
        Form::Csv => csv(&columns(&reports, arguments.samples)).into_bytes(),
        Form::Parquet => parquet::file(&columns(&reports, arguments.samples)),
        Form::Junit => junit(&reports).into_bytes(),
        Form::Bencher => bencher(&reports)?.into_bytes(),
    };
    match &arguments.output {
        Some(path) => fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display())),
        None if arguments.format == Form::Parquet && std::io::stdout().is_terminal() => {
            Err(UsageError("a Parquet file is not for a terminal: name a file with -o".to_owned()).into())
        }
        None if arguments.format == Form::Parquet => {
            std::io::stdout().write_all(&bytes).context("cannot write to standard output")
        }
        None => output::print(&String::from_utf8_lossy(&bytes)),
    }
}

fn json_lines(reports: &mut [(String, Report)], samples: bool) -> Result<String> {
    let mut text = String::new();
    for (_, report) in reports {
        if !samples {
            report.samples.clear();
        }
        text += &formats::json_lines(report)?;
    }
    Ok(text)
}

type Columns = Vec<(&'static str, Column)>;

fn columns(reports: &[(String, Report)], samples: bool) -> Columns {
    if samples { rounds(reports) } else { figures(reports) }
}

/// A row a figure.
fn figures(reports: &[(String, Report)]) -> Columns {
    let rows: Vec<(&str, &Report, &Measurement)> = reports
        .iter()
        .flat_map(|(name, report)| report.results.iter().map(move |row| (name.as_str(), report, row)))
        .collect();
    let ratio = |(_, report, row): &(&str, &Report, &Measurement)| comparison(report, row).cloned();
    let ratios: Vec<Option<Comparison>> = rows.iter().map(ratio).collect();
    let text = |value: &dyn Fn(&Report, &Measurement) -> Option<String>| {
        Column::Text(rows.iter().map(|(_, report, row)| value(report, row)).collect())
    };
    let integer = |value: &dyn Fn(&Report, &Measurement) -> usize| {
        Column::Integer(rows.iter().map(|(_, report, row)| Some(value(report, row) as i64)).collect())
    };
    let number = |value: &dyn Fn(&Measurement) -> Option<f64>| {
        Column::Number(rows.iter().map(|(_, _, row)| value(row)).collect())
    };
    let compared = |value: &dyn Fn(&Comparison) -> f64| {
        Column::Number(ratios.iter().map(|ratio| ratio.as_ref().map(value)).collect())
    };
    let of_ratio = |value: &dyn Fn(&Comparison) -> String| {
        Column::Text(ratios.iter().map(|ratio| ratio.as_ref().map(value)).collect())
    };
    vec![
        ("run", Column::Text(rows.iter().map(|(name, ..)| Some((*name).to_owned())).collect())),
        ("title", text(&|report, _| report.title.clone())),
        ("started", integer(&|report, _| report.host.started as usize)),
        ("cpu", text(&|report, _| Some(report.host.cpu.clone()))),
        ("threads", integer(&|report, _| report.threads)),
        ("algorithm", text(&|_, row| Some(row.algorithm.clone()))),
        ("operation", text(&|_, row| Some(row.operation.to_string()))),
        ("bytes", integer(&|_, row| row.bytes)),
        ("messages", integer(&|_, row| row.messages)),
        ("whole", integer(&|_, row| row.whole.into())),
        ("subject", text(&|_, row| Some(row.subject.clone()))),
        ("kernel", text(&|_, row| row.kernel.clone())),
        ("bytes_per_second", number(&|row| row.bytes_per_second)),
        ("operations_per_second", number(&|row| row.operations_per_second)),
        ("interval_low", number(&|row| Some(row.interval[0]))),
        ("interval_high", number(&|row| Some(row.interval[1]))),
        ("cycles_per_byte", number(&|row| row.cycles_per_byte)),
        ("ns_per_call", number(&|row| Some(row.ns_per_call))),
        ("limit_fraction", number(&|row| row.limit_fraction)),
        ("samples", integer(&|_, row| row.samples)),
        ("compared_subject", of_ratio(&|ratio| ratio.subject.clone())),
        ("compared_versus", of_ratio(&|ratio| ratio.versus.clone())),
        ("ratio", compared(&|ratio| ratio.ratio)),
        ("ratio_low", compared(&|ratio| ratio.interval[0])),
        ("ratio_high", compared(&|ratio| ratio.interval[1])),
        ("verdict", of_ratio(&|ratio| ratio.verdict.to_string())),
    ]
}

/// The comparison that a figure's subject is in: with the baseline, or with the first subject.
fn comparison<'a>(report: &'a Report, row: &Measurement) -> Option<&'a Comparison> {
    report.ratios.iter().find(|ratio| {
        let other = if report.baseline.is_some() { &ratio.subject } else { &ratio.versus };
        *other == row.subject
            && (&ratio.algorithm, ratio.operation, ratio.bytes, ratio.messages, ratio.whole)
                == (&row.algorithm, row.operation, row.bytes, row.messages, row.whole)
    })
}

/// A row a round of a subject.
fn rounds(reports: &[(String, Report)]) -> Columns {
    let mut rows: Vec<(&str, &Samples, usize, f64)> = Vec::new();
    for (name, report) in reports {
        for samples in &report.samples {
            rows.extend(
                samples.ns_per_call.iter().enumerate().map(|(round, time)| (name.as_str(), samples, round, *time)),
            );
        }
    }
    let text = |value: &dyn Fn(&Samples) -> &str| {
        Column::Text(rows.iter().map(|(_, samples, ..)| Some(value(samples).to_owned())).collect())
    };
    let integer = |value: &dyn Fn(&Samples, usize) -> usize| {
        Column::Integer(rows.iter().map(|(_, samples, round, _)| Some(value(samples, *round) as i64)).collect())
    };
    vec![
        ("run", Column::Text(rows.iter().map(|(name, ..)| Some((*name).to_owned())).collect())),
        ("algorithm", text(&|samples| &samples.algorithm)),
        ("operation", text(&|samples| samples.operation.name())),
        ("bytes", integer(&|samples, _| samples.bytes)),
        ("messages", integer(&|samples, _| samples.messages)),
        ("whole", integer(&|samples, _| samples.whole.into())),
        ("subject", text(&|samples| &samples.subject)),
        ("round", integer(&|_, round| round)),
        ("ns_per_call", Column::Number(rows.iter().map(|(.., time)| Some(*time)).collect())),
    ]
}

fn csv(columns: &[(&str, Column)]) -> String {
    let cell = |column: &Column, row: usize| match column {
        Column::Text(values) => formats::quoted(values[row].as_deref().unwrap_or_default()),
        Column::Integer(values) => values[row].map_or(String::new(), |value| value.to_string()),
        Column::Number(values) => values[row].map_or(String::new(), |value| value.to_string()),
    };
    let rows = match columns {
        [(_, Column::Text(values)), ..] => values.len(),
        _ => 0,
    };
    let mut text = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",") + "\n";
    for row in 0..rows {
        let cells: Vec<String> = columns.iter().map(|(_, column)| cell(column, row)).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

/// A suite a run, a case a figure; `time` is what a call takes in seconds.
fn junit(reports: &[(String, Report)]) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
    for (name, report) in reports {
        let skipped: Vec<_> =
            report.skipped.iter().flat_map(|row| row.bytes.iter().map(move |bytes| (row, *bytes))).collect();
        let failures = skipped.iter().filter(|(row, _)| row.why.starts_with("wrong")).count();
        let title = escaped(report.title.as_deref().unwrap_or(name.as_str()));
        let when = moment(report.host.started).replace(' ', "T");
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  <testsuite name=\"{title}\" timestamp=\"{when}:00\" hostname=\"{}\" tests=\"{}\" failures=\"{failures}\" \
             errors=\"0\" skipped=\"{}\">",
            escaped(&report.host.cpu),
            report.results.len() + skipped.len(),
            skipped.len() - failures
        );
        for row in &report.results {
            let _ = writeln!(
                text,
                "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.12}\"/>",
                escaped(&row.subject),
                escaped(&case_name(row)),
                row.ns_per_call / 1e9
            );
        }
        for (row, bytes) in skipped {
            let what = if row.why.starts_with("wrong") { "failure" } else { "skipped" };
            let _ = writeln!(
                text,
                "    <testcase classname=\"{}\" name=\"{} {bytes} bytes\"><{what} message=\"{}\"/></testcase>",
                escaped(&row.subject),
                escaped(&table::name(&row.algorithm, row.operation)),
                escaped(&row.why)
            );
        }
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

fn case_name(row: &Measurement) -> String {
    let many = if row.messages > 1 { format!(" {} messages of", row.messages) } else { String::new() };
    let whole = if row.whole { " whole" } else { "" };
    format!("{}{many} {} bytes{whole}", table::name(&row.algorithm, row.operation), row.bytes)
}

/// XML 1.0, section 2.4; characters that it does not know at all become a question mark.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\n' | '\t' | '\r' => escaped.push(' '),
            character if character.is_control() => escaped.push('?'),
            character => escaped.push(character),
        }
    }
    escaped
}

/// A benchmark a figure: `latency` is nanoseconds a call, `throughput` is calls a second, each with its interval.
fn bencher(reports: &[(String, Report)]) -> Result<String> {
    let [(_, report)] = reports else {
        return Err(UsageError("Bencher takes one run at a time".to_owned()).into());
    };
    let mut benchmarks = Map::new();
    for row in &report.results {
        // Either rate stands in the same relation to the ends of its interval as calls do to theirs.
        let rate = row.bytes_per_second.or(row.operations_per_second).unwrap_or(f64::NAN);
        let calls = 1e9 / row.ns_per_call;
        let [low, high] = row.interval.map(|end| end / rate);
        let measure =
            |value: f64, low: f64, high: f64| json!({"value": value, "lower_value": low, "upper_value": high});
        benchmarks.insert(
            format!("{} {}", row.subject, case_name(row)),
            json!({
                "latency": measure(row.ns_per_call, row.ns_per_call / high, row.ns_per_call / low),
                "throughput": measure(calls, calls * low, calls * high),
            }),
        );
    }
    Ok(serde_json::to_string_pretty(&Value::Object(benchmarks))? + "\n")
}
