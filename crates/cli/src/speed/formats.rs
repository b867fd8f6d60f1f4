//! Results for programs: JSON lines, comma-separated values, and the machine format of `openssl speed`.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;
use serde_json::{Value, json};
use speedwell_lab::result::{Comparison, Measurement, Report};

/// One object a line, each with its `type`.
pub fn json_lines(report: &Report) -> Result<String> {
    let mut text = String::new();
    line(&mut text, "host", &report.host)?;
    for subject in &report.subjects {
        line(&mut text, "subject", subject)?;
    }
    for row in &report.results {
        line(&mut text, "result", row)?;
    }
    for row in &report.ratios {
        line(&mut text, "ratio", row)?;
    }
    for row in &report.limits {
        line(&mut text, "limit", row)?;
    }
    for row in &report.lines {
        line(&mut text, "line", row)?;
    }
    for row in &report.skipped {
        line(&mut text, "skipped", row)?;
    }
    for row in &report.samples {
        line(&mut text, "samples", row)?;
    }
    line(&mut text, "end", &json!({"complete": report.complete, "noise_floor": report.noise_floor}))?;
    Ok(text)
}

fn line(text: &mut String, kind: &str, row: &impl Serialize) -> Result<()> {
    let mut object = serde_json::Map::from_iter([("type".to_owned(), Value::from(kind))]);
    if let Value::Object(fields) = serde_json::to_value(row)? {
        object.extend(fields);
    }
    writeln!(text, "{}", Value::Object(object))?;
    Ok(())
}

/// A row a result; the last columns say how many times as fast as it the first subject is.
pub fn csv(report: &Report) -> String {
    const HEAD: &str = "algorithm,operation,bytes,messages,whole,subject,kernel,bytes_per_second,interval_low,\
                        interval_high,cycles_per_byte,ns_per_call,limit_fraction,samples,compared,ratio,ratio_low,\
                        ratio_high,verdict";
    let mut text = HEAD.to_owned() + "\n";
    for row in &report.results {
        let compared = report.ratios.iter().find(|ratio| is_about(ratio, row));
        let cells = [
            row.algorithm.clone(),
            row.operation.to_string(),
            row.bytes.to_string(),
            row.messages.to_string(),
            row.whole.to_string(),
            row.subject.clone(),
            row.kernel.clone().unwrap_or_default(),
            number(row.bytes_per_second),
            row.interval[0].to_string(),
            row.interval[1].to_string(),
            number(row.cycles_per_byte),
            row.ns_per_call.to_string(),
            number(row.limit_fraction),
            row.samples.to_string(),
            compared.map_or(String::new(), |ratio| ratio.subject.clone()),
            number(compared.map(|ratio| ratio.ratio)),
            number(compared.map(|ratio| ratio.interval[0])),
            number(compared.map(|ratio| ratio.interval[1])),
            compared.map_or(String::new(), |ratio| ratio.verdict.to_string()),
        ];
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

fn is_about(ratio: &Comparison, row: &Measurement) -> bool {
    ratio.versus == row.subject
        && (&ratio.algorithm, ratio.operation, ratio.bytes, ratio.messages, ratio.whole)
            == (&row.algorithm, row.operation, row.bytes, row.messages, row.whole)
}

fn number(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// RFC 4180, section 2: a field with a comma, a quote or a line break stands in quotes.
pub fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

/// What `openssl speed -mr` prints at the end of a run: `+H` with the sizes, then `+F`, a number, the name and the bytes
/// per second at each size. Sizes at which the subject has no figure are 0.
pub fn machine_readable(report: &Report) -> String {
    let mut sizes: Vec<usize> = report.results.iter().map(|row| row.bytes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut text = String::from("+H");
    for size in &sizes {
        text += &format!(":{size}");
    }
    text.push('\n');
    let Some(subject) = report.subjects.first() else { return text };
    let rows = || report.results.iter().filter(|row| row.subject == subject.name);
    let mut names: Vec<(&str, _)> = Vec::new();
    for row in rows() {
        if !names.contains(&(&row.algorithm, row.operation)) {
            names.push((&row.algorithm, row.operation));
        }
    }
    for (index, (algorithm, operation)) in names.into_iter().enumerate() {
        text += &format!("+F:{index}:{algorithm}");
        for size in &sizes {
            let same =
                |row: &&Measurement| row.algorithm == algorithm && row.operation == operation && row.bytes == *size;
            let rate = rows().find(same).and_then(|row| row.bytes_per_second).unwrap_or(0.0);
            text += &format!(":{rate:.2}");
        }
        text.push('\n');
    }
    text
}
