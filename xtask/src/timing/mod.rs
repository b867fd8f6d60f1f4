//! `cargo xtask timing`: runs the tracer over kernels and operations, keeps the records under `measurements/timing`, and
//! generates the table of evidence that the selection reads.

mod evidence;
mod harness;
mod matrix;
mod records;
mod sources;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, bail};
use speedwell_timing::report::{Report, Verdict};

use harness::{Build, Harness, Listed};
use records::{Record, Records, Toolchain};

/// What to examine.
#[derive(clap::Args)]
pub struct Arguments {
    /// Kernels, primitives or operations: every one whose name begins so
    names: Vec<String>,
    /// Everything, whatever the records say
    #[arg(long, conflicts_with_all = ["names", "check"])]
    all: bool,
    /// What changed since its record; writes nothing, and fails on a refuted claim or a record that must be made anew
    #[arg(long, conflicts_with = "names")]
    check: bool,
    /// Optimisation levels 1, 2, 3 and s, with and without link-time optimisation, for the target's baseline and for this
    /// processor: one table, no records
    #[arg(long, conflicts_with_all = ["all", "check"])]
    matrix: bool,
    /// A program that runs the harness, such as an emulator: 'qemu-x86_64 -cpu max'
    #[arg(long, value_name = "COMMAND", default_value = "")]
    runner: String,
    /// Secrets of each case, at most
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    secrets: usize,
}

/// Secrets that a record needs of every case.
const LEAST_SECRETS: usize = 16;

/// Runs the task.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        bail!("single steps are only implemented for Linux on x86-64");
    }
    if arguments.matrix {
        return matrix::print(root, &arguments.names, arguments.secrets);
    }
    if arguments.secrets < LEAST_SECRETS {
        bail!("a record needs {LEAST_SECRETS} secrets of each case");
    }
    let toolchain = Toolchain::of(root)?;
    let mut records = Records::read(root)?;
    let harness = Harness::build(root, &Build::delivered(), &arguments.runner)?;
    let listed: Vec<Listed> = harness.list()?.into_iter().filter(Listed::is_recorded).collect();
    let named = |subject: &Listed| arguments.names.iter().any(|name| subject.name.starts_with(name.as_str()));
    if let Some(unknown) = arguments.names.iter().find(|name| !listed.iter().any(|s| s.name.starts_with(*name))) {
        bail!("nothing is named '{unknown}…'; there are:\n  {}", names(&listed).join("\n  "));
    }
    let mut wanted = Vec::new();
    for subject in &listed {
        let source = sources::hash(root, &subject.name)?;
        let why = records.why_stale(&subject.name, &source, &toolchain);
        let is_wanted = arguments.all || named(subject) || (arguments.names.is_empty() && why.is_some());
        if !is_wanted {
            continue;
        }
        if subject.missing.is_empty() {
            wanted.push(subject);
        } else {
            let state = why.map_or("its record stands".to_owned(), |why| format!("unproven: {why}"));
            println!("{}: cannot run here, which lacks {}; {state}", subject.name, subject.missing.join(" "));
        }
    }
    let reports;
    if arguments.check {
        reports = harness.examine(&wanted, arguments.secrets, |_| Ok(()))?;
        check(root, &records, &reports)?;
    } else {
        // A record of sources that are no more says nothing.
        let mut sources = BTreeMap::new();
        for subject in &listed {
            sources.insert(subject.name.as_str(), sources::hash(root, &subject.name)?);
        }
        records.retain(|name, record| sources.get(name) == Some(&record.source));
        records.write(root)?;
        evidence::write(root, &records)?;
        let claims = |name: &str| listed.iter().any(|subject| subject.name == name && subject.claims_constant);
        reports = harness.examine(&wanted, arguments.secrets, |report| {
            let (source, toolchain) = (sources[report.name.as_str()].clone(), toolchain.clone());
            let (claims_constant, report) = (claims(&report.name), report.clone());
            records.insert(Record { source, toolchain, claims_constant, report });
            records.write(root)?;
            evidence::write(root, &records)
        })?;
    }
    let refuted = refuted_claims(&listed, &reports);
    if !refuted.is_empty() {
        bail!("{} claims are refuted: {}", refuted.len(), refuted.join(", "));
    }
    Ok(())
}

/// That the committed records are of the present sources, as far as this processor can tell.
fn check(root: &Path, records: &Records, reports: &[Report]) -> Result<()> {
    let mut old = Vec::new();
    for report in reports {
        let source = sources::hash(root, &report.name)?;
        if records.get(&report.name).is_none_or(|record| record.source != source) {
            old.push(report.name.as_str());
        }
    }
    if !old.is_empty() {
        bail!(
            "the sources of {} changed since their records: run `cargo xtask timing` and commit what it writes",
            old.join(", ")
        );
    }
    evidence::check(root, records)
}

/// The names of what claims to be constant and is not.
fn refuted_claims(listed: &[Listed], reports: &[Report]) -> Vec<String> {
    let claims = |name: &str| listed.iter().any(|subject| subject.name == name && subject.claims_constant);
    let refuted = reports.iter().filter(|report| report.verdict == Verdict::Refuted && claims(&report.name));
    refuted.map(|report| report.name.clone()).collect()
}

fn names(listed: &[Listed]) -> Vec<&str> {
    listed.iter().map(|subject| subject.name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The library reads the table; the table must say what the records say of the present sources.
    #[test]
    fn the_table_of_evidence_is_what_the_records_say() {
        let root = crate::workspace();
        evidence::check(&root, &Records::read(&root).unwrap()).unwrap();
    }

    #[test]
    fn every_kernel_that_claims_to_be_constant_has_a_record_or_is_named() {
        let root = crate::workspace();
        let records = Records::read(&root).unwrap();
        for kernel in speedwell_kernels::all().map(|kernel| kernel.descriptor()) {
            let source = sources::hash(&root, kernel.name).unwrap();
            match records.get(kernel.name) {
                Some(record) if record.source == source => {
                    let refuted = record.report.verdict == Verdict::Refuted;
                    assert!(!(refuted && record.claims_constant), "{} is refuted", kernel.name);
                    assert_eq!(record.claims_constant, kernel.timing == speedwell_kernels::Timing::Constant);
                }
                _ => println!("unproven: {}", kernel.name),
            }
        }
    }
}
