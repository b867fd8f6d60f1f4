//! The first subject against each of the others, size by size.

use comfy_table::Table;
use speedwell_lab::result::{Comparison, Report};
use speedwell_lab::statistics::Verdict;

use super::table::{Row, align_right, name, new_table, sizes};

/// A table of ratios with their 95 % intervals and verdicts; `None` if nothing was compared.
pub fn table(report: &Report, rows: &[Row<'_>]) -> Option<Table> {
    let of_rows = |ratio: &&Comparison| rows.contains(&(ratio.algorithm.as_str(), ratio.operation));
    let first = report.ratios.iter().find(of_rows)?;
    let sides = Sides::of(report);
    let sizes = sizes(report, rows);
    let mut table = new_table();
    let mut head = sides.head(first).to_vec();
    head.extend(sizes.iter().map(|size| format!("{size} B")));
    table.set_header(head);
    for (algorithm, operation) in rows {
        for versus in &report.subjects {
            let of_row = |ratio: &&Comparison| {
                ratio.algorithm == *algorithm && ratio.operation == *operation && sides.row(ratio) == versus.name
            };
            let compared: Vec<&Comparison> = report.ratios.iter().filter(of_row).collect();
            if compared.is_empty() {
                continue;
            }
            let mut cells = vec![name(algorithm, *operation), versus.name.clone()];
            for size in &sizes {
                let ratio = compared.iter().find(|ratio| ratio.bytes == *size);
                cells.push(ratio.map_or("-".to_owned(), |ratio| cell(ratio)));
            }
            table.add_row(cells);
        }
    }
    align_right(&mut table, 2..sizes.len() + 2);
    Some(table)
}

/// Which side of the comparisons the rows of a table stand for: with a baseline, what is compared with it; without one, what
/// the first subject is compared with.
pub struct Sides {
    baseline: bool,
}

impl Sides {
    /// Those of a report.
    pub fn of(report: &Report) -> Sides {
        Sides { baseline: report.baseline.is_some() }
    }

    /// The first two heads of a table, given any of its comparisons.
    pub fn head(&self, any: &Comparison) -> [String; 2] {
        match self.baseline {
            true => [format!("times as fast as {}", any.versus), "is".to_owned()],
            false => [format!("{} is … times as fast", any.subject), "as".to_owned()],
        }
    }

    /// The subject that a comparison's row is named after.
    pub fn row<'a>(&self, ratio: &'a Comparison) -> &'a str {
        if self.baseline { &ratio.subject } else { &ratio.versus }
    }
}

/// `2.31 [2.30, 2.33] faster`
pub fn cell(ratio: &Comparison) -> String {
    let [low, high] = ratio.interval;
    match ratio.verdict {
        Verdict::Unknown => format!("{:.3}", ratio.ratio),
        verdict => format!("{:.3} [{low:.3}, {high:.3}] {verdict:6}", ratio.ratio),
    }
}
