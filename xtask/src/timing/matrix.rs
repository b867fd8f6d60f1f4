//! The claims under other settings of the compiler, which is free to turn a mask into a branch.

use std::path::Path;

use anyhow::{Result, bail};
use speedwell_timing::report::{Report, Verdict};

use super::harness::{Build, Harness, Listed, words};

/// Builds and runs every combination, and prints one table.
///
/// # Errors
/// If a build or a run fails, or a claim is refuted in any of them.
pub fn print(root: &Path, names: &[String], most_secrets: usize) -> Result<()> {
    let mut rows: Vec<(String, Vec<Report>)> = Vec::new();
    let builds = builds();
    for (number, (title, build)) in builds.iter().enumerate() {
        println!("== {} of {}: {title}", number + 1, builds.len());
        let harness = Harness::build(root, build, "")?;
        let listed = harness.list()?;
        let wanted = |subject: &&Listed| {
            let is_named = names.is_empty() || names.iter().any(|name| subject.name.starts_with(name.as_str()));
            subject.is_recorded() && subject.claims_constant && subject.missing.is_empty() && is_named
        };
        let wanted: Vec<_> = listed.iter().filter(wanted).collect();
        rows.push((title.clone(), harness.examine(&wanted, most_secrets, |_| Ok(()))?));
    }
    let width = rows.iter().map(|(title, _)| title.len()).max().unwrap_or(0);
    println!("\n{:width$}  constant  refuted", "release profile with");
    let mut refuted = 0;
    for (title, reports) in &rows {
        let wrong: Vec<&Report> = reports.iter().filter(|report| report.verdict == Verdict::Refuted).collect();
        println!("{title:width$}  {:8}  {:7}", reports.len() - wrong.len(), wrong.len());
        refuted += wrong.len();
    }
    for (title, reports) in &rows {
        for report in reports.iter().filter(|report| report.verdict == Verdict::Refuted) {
            println!("\n{} with {title}", report.name);
            report.faults.iter().for_each(|fault| print!("{}", words(fault)));
        }
    }
    if refuted > 0 {
        bail!("{refuted} claims are refuted");
    }
    Ok(())
}

fn builds() -> Vec<(String, Build)> {
    let mut builds = Vec::new();
    for (cpu, flags) in [("baseline", ""), ("native", "-C target-cpu=native")] {
        for lto in ["off", "thin"] {
            for level in ["1", "2", "3", "\"s\""] {
                let name = level.trim_matches('"');
                let profile =
                    vec![format!("profile.release.opt-level={level}"), format!("profile.release.lto=\"{lto}\"")];
                let folder = format!("timing-matrix/{cpu}-{lto}-{name}");
                let title = format!("opt-level={name} lto={lto:4} target-cpu={cpu}");
                builds.push((title, Build { profile, flags: flags.to_owned(), folder }));
            }
        }
    }
    builds
}
