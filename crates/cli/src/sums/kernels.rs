//! `--debug`: which kernels run.

use std::io::Write;

use anyhow::Result;
use speedwell::names::Kind;
use speedwell::select::{Policy, Selector, reports};

use super::function::Function;

/// Names, on standard error, the kernels that a function's work is done by.
pub fn describe(function: &Function) -> Result<()> {
    let policy = match function.algorithm.kind {
        Kind::Digest { .. } => Policy::Public,
        _ => Policy::Secret,
    };
    let mut reports = reports(Selector::host(), policy);
    reports.retain(|report| {
        let lanes = report.primitive.strip_suffix("_lanes");
        function.algorithm.primitives.contains(&lanes.unwrap_or(report.primitive))
    });
    let mut stderr = std::io::stderr().lock();
    for report in reports {
        for (from, kernel) in report.chosen? {
            writeln!(stderr, "{}: {kernel} from {from} bytes", function.algorithm.name)?;
        }
    }
    Ok(())
}
