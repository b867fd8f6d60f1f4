//! Public-key operations: a row for each size, a column for each operation, as such tables have always been.

use comfy_table::Table;
use speedwell::names::{self, Kind};
use speedwell_lab::case::Operation;
use speedwell_lab::result::{Comparison, Measurement, Report};

use super::ratios::{Sides, cell};
use super::table::{Row, align_right, kernels, new_table, significant};

/// Whether rows of this algorithm belong into such a table.
pub fn is_shown(algorithm: &str) -> bool {
    names::find(algorithm).is_ok_and(|algorithm| matches!(algorithm.kind, Kind::PublicKey { .. }))
}

/// Operations a second, the time of one, the part of the limit, and the kernel of the slowest.
pub fn rates(report: &Report, rows: &[Row<'_>]) -> Table {
    let operations = operations(rows);
    let mut table = new_table();
    let mut head = vec!["algorithm".to_owned(), "subject".to_owned()];
    for operation in &operations {
        head.extend([format!("{operation}/s"), "µs".to_owned(), "of limit".to_owned()]);
    }
    head.extend(["messages", "kernel"].map(String::from));
    table.set_header(head);
    for algorithm in algorithms(rows) {
        for subject in &report.subjects {
            let of_row = |row: &&Measurement| row.algorithm == algorithm && row.subject == subject.name;
            let measured: Vec<&Measurement> = report.results.iter().filter(of_row).collect();
            if measured.is_empty() {
                continue;
            }
            let mut cells = vec![algorithm.to_owned(), subject.name.clone()];
            for operation in &operations {
                let row = measured.iter().find(|row| row.operation == *operation);
                let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
                let rate = row.and_then(|row| row.operations_per_second);
                cells.push(or_none(rate.map(significant)));
                cells.push(or_none(rate.map(|rate| significant(1e6 / rate))));
                let part = row.and_then(|row| row.limit_fraction);
                cells.push(or_none(part.map(|part| format!("{:.0} %", part * 100.0))));
            }
            cells.push(measured.iter().map(|row| row.messages).max().unwrap_or(1).to_string());
            cells.push(kernels(&measured));
            table.add_row(cells);
        }
    }
    align_right(&mut table, 2..3 * operations.len() + 3);
    table
}

/// The first subject against each of the others; `None` if nothing was compared.
pub fn ratios(report: &Report, rows: &[Row<'_>]) -> Option<Table> {
    let first = report.ratios.iter().find(|ratio| rows.contains(&(ratio.algorithm.as_str(), ratio.operation)))?;
    let operations = operations(rows);
    let mut table = new_table();
    let sides = Sides::of(report);
    let mut head = sides.head(first).to_vec();
    head.extend(operations.iter().map(ToString::to_string));
    table.set_header(head);
    for algorithm in algorithms(rows) {
        for versus in &report.subjects {
            let of_row = |ratio: &&Comparison| ratio.algorithm == algorithm && sides.row(ratio) == versus.name;
            let compared: Vec<&Comparison> = report.ratios.iter().filter(of_row).collect();
            if compared.is_empty() {
                continue;
            }
            let mut cells = vec![algorithm.to_owned(), versus.name.clone()];
            for operation in &operations {
                let ratio = compared.iter().find(|ratio| ratio.operation == *operation);
                cells.push(ratio.map_or("-".to_owned(), |ratio| cell(ratio)));
            }
            table.add_row(cells);
        }
    }
    align_right(&mut table, 2..operations.len() + 2);
    Some(table)
}

fn operations(rows: &[Row<'_>]) -> Vec<Operation> {
    let mut operations = Vec::new();
    for (_, operation) in rows {
        if !operations.contains(operation) {
            operations.push(*operation);
        }
    }
    operations
}

fn algorithms<'a>(rows: &[Row<'a>]) -> Vec<&'a str> {
    let mut algorithms = Vec::new();
    for (algorithm, _) in rows {
        if !algorithms.contains(algorithm) {
            algorithms.push(*algorithm);
        }
    }
    algorithms
}
