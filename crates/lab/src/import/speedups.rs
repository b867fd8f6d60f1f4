//! Tables of speed-ups: a row for each algorithm, a column for each compiler or build, `1.00x` in that of the baseline.

use super::builder::{Builder, UNKNOWN, What};
use super::{ImportError, Imported, Source, labels};
use crate::case::Operation;

/// Reads all such tables of a text into one document.
pub fn read(source: Source<'_>) -> Result<Option<Imported>, ImportError> {
    let mut builder = Builder::new(UNKNOWN);
    let mut head: Option<(usize, &str)> = None;
    let mut table: Option<Table> = None;
    let mut heading = "";
    for (number, line) in source.lines() {
        if line.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("algorithm")) {
            head = Some((number, line));
            table = None;
            continue;
        }
        if let Some((at, text)) = head {
            let (label, cells) = split(line);
            if cells.is_empty() || label.is_empty() {
                check_label(source, number, line, table.is_some())?;
                (head, table, heading) = (None, None, line);
                continue;
            }
            if table.is_none() {
                table = Some(Table { columns: columns(text, cells.len()), bytes: size(heading) });
            }
            let Some(table) = &table else { continue };
            let (found, wanted) = (cells.len(), table.columns.len());
            if found < wanted {
                return Err(source.truncated(number, format!("the row of '{label}' has {found} of {wanted} figures")));
            }
            if found > wanted {
                let why = format!("the row of '{label}' has {found} figures, the head in line {at} {wanted} columns");
                return Err(source.malformed(number, why));
            }
            let Some(baseline) = cells.iter().position(|cell| *cell == Some(1.0)) else {
                return Err(
                    source.malformed(number, format!("no column of '{label}' is 1.00x: which is the baseline?"))
                );
            };
            let names: Vec<String> = table.columns.clone();
            let from = format!("read from {}, line {number}: speed-ups", source.name);
            names.iter().for_each(|name| drop(builder.subject(name, None, from.clone())));
            for (name, cell) in names.iter().zip(cells) {
                if let (Some(ratio), true) = (cell, name != &names[baseline]) {
                    builder.compared(name, &names[baseline], what(label, table.bytes), ratio);
                }
            }
        } else if !line.is_empty() {
            heading = line;
        }
    }
    Ok(builder.finish())
}

struct Table {
    columns: Vec<String>,
    bytes: usize,
}

/// A last line without figures and without an end has lost them.
fn check_label(source: Source<'_>, number: usize, line: &str, in_table: bool) -> Result<(), ImportError> {
    if in_table && source.ends_in(number) && !line.is_empty() {
        return Err(source.truncated(number, format!("the row of '{line}' has no figures")));
    }
    Ok(())
}

/// A row's label and its cells: a ratio, or nothing where there is none.
fn split(line: &str) -> (&str, Vec<Option<f64>>) {
    let mut label = line;
    let mut cells = Vec::new();
    while let Some((rest, word)) = label.trim_end().rsplit_once(char::is_whitespace) {
        match word.strip_suffix(['x', '×']).map(str::parse) {
            Some(Ok(ratio)) => cells.push(Some(ratio)),
            _ if matches!(word, "N/A" | "n/a" | "-" | "–") => cells.push(None),
            _ => break,
        }
        label = rest;
    }
    cells.reverse();
    // A line of a page that only says "not applicable" is no row.
    if cells.iter().all(Option::is_none) {
        cells.clear();
    }
    // A link to notes beside a name is no part of it.
    let label = label.trim();
    (label.strip_suffix(" notes").unwrap_or(label), cells)
}

/// The names of so many columns. Where a page's blanks do not tell them apart, brackets and versions belong to the word
/// before them, and what is too much then to the last column.
fn columns(head: &str, count: usize) -> Vec<String> {
    let wide: Vec<&str> = head.split(['\t', '|']).flat_map(|part| part.split("  ")).map(str::trim).collect();
    let wide: Vec<&str> = wide.into_iter().filter(|part| !part.is_empty()).skip(1).collect();
    if wide.len() == count {
        return wide.into_iter().map(str::to_owned).collect();
    }
    let mut names: Vec<String> = Vec::new();
    for word in head.split_whitespace().skip(1) {
        match names.last_mut() {
            Some(name) if word.starts_with(|first: char| first == '(' || first.is_ascii_digit()) => {
                *name += &format!(" {word}");
            }
            _ => names.push(word.to_owned()),
        }
    }
    while names.len() > count.max(1) {
        let last = names.pop().unwrap_or_default();
        if let Some(name) = names.last_mut() {
            *name += &format!(" {last}");
        }
    }
    (names.len()..count).for_each(|column| names.push(format!("column {}", column + 1)));
    names
}

/// The size that a heading names: `… on 8KB blocks`; 0 if it names none.
fn size(heading: &str) -> usize {
    heading
        .split_whitespace()
        .find_map(|word| {
            let digits = word.trim_end_matches(|last: char| last.is_ascii_alphabetic());
            let unit = match &word[digits.len()..] {
                "KB" | "kB" | "KiB" | "K" | "k" => 1024,
                "B" | "bytes" => 1,
                _ => return None,
            };
            digits.parse::<usize>().ok().map(|size| size * unit)
        })
        .unwrap_or(0)
}

/// What a row is about: `rc4`, or `rsa (512 bit, sign)`.
fn what(label: &str, bytes: usize) -> What {
    let operation = label
        .rsplit(['(', ',', ' '])
        .next()
        .and_then(|last| labels::operation(last.trim_end_matches(')')))
        .filter(|operation| matches!(operation, Operation::Sign | Operation::Verify));
    match operation {
        Some(operation) => {
            let key = label.rsplit_once([',', ' ']).map_or(label, |(key, _)| key);
            What { algorithm: labels::public_key(key.trim_end_matches([',', ' '])), operation, bytes: 0 }
        }
        None => labels::throughput(label, bytes),
    }
}
