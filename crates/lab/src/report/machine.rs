//! Hosts, builds, and what was not measured.

use std::fmt::Write as _;

use super::cell::size;
use super::html::{Table, escape};
use super::view::View;
use crate::result::Report;

/// Whether figures were read in: then there was no clock of ours.
pub fn is_imported(report: &Report) -> bool {
    report.host.clock_resolution == 0
}

/// For each run its host, and its subjects with versions and compilers' flags.
pub fn hosts(view: &View<'_>) -> String {
    let mut html = String::new();
    for (place, run) in view.runs.iter().enumerate() {
        let host = &run.report.host;
        let _ = write!(html, "<article class=\"card\" data-run=\"{place}\">\n<h3>{}</h3>\n<dl>", escape(run.name));
        let mut line = |name: &str, value: Option<String>| {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                let _ = write!(html, "<dt>{name}</dt><dd>{}</dd>", escape(&value));
            }
        };
        let gigahertz = |value: Option<f64>| value.map(|value| format!("{value:.3} GHz"));
        let frequency = gigahertz(host.frequency_before).zip(gigahertz(host.frequency_after));
        let measured = !is_imported(run.report);
        line("Processor", Some(host.cpu.clone()));
        line("Design", measured.then(|| host.microarchitecture.clone()));
        line("Fingerprint", measured.then(|| host.fingerprint.clone()));
        line("Instruction sets", Some(host.features.join(" ")));
        line("Microcode", host.microcode.clone());
        line("Hypervisor", host.hypervisor.clone());
        line(
            "Cores",
            measured.then(|| {
                format!(
                    "{}{}",
                    host.cores,
                    host.pinned_to.map_or(String::new(), |core| format!(", pinned to core {core}"))
                )
            }),
        );
        line("Frequency", frequency.map(|(before, after)| format!("{before} before, {after} after ({})", host.cycles)));
        line("Frequency policy", host.frequency_policy.clone());
        line("System", host.kernel.clone());
        line("Memory", host.memory.map(|bytes| format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30))));
        line("Clock", measured.then(|| format!("resolution {} ns", host.clock_resolution)));
        line(
            "Noise floor",
            run.report.noise_floor.map(|floor| format!("{:.2} %: smaller differences are none", floor * 100.0)),
        );
        line("Threads", (run.report.threads > 1).then(|| run.report.threads.to_string()));
        line("Began", (host.started > 0).then(|| date(host.started)));
        html += "</dl>\n";
        let mut table = Table::new("Subjects: versions, compilers and flags", &["Subject", "Version", "Build"]);
        for facts in &run.report.subjects {
            let build = facts.build.as_deref().map_or(String::new(), |build| format!("<pre>{}</pre>", escape(build)));
            table.row(
                &format!("data-subject=\"{}\"", escape(&facts.name)),
                &[
                    format!("<td class=\"name\">{}</td>", escape(&facts.name)),
                    format!("<td>{}</td>", escape(facts.version.as_deref().unwrap_or("not told"))),
                    format!("<td>{build}</td>"),
                ],
            );
        }
        html += &table.finish();
        let mut limits: Vec<(&str, Vec<&str>)> = Vec::new();
        for row in &run.report.limits {
            match limits.iter_mut().find(|(what, _)| *what == row.what) {
                Some((_, names)) if names.contains(&row.algorithm.as_str()) => {}
                Some((_, names)) => names.push(&row.algorithm),
                None => limits.push((&row.what, vec![&row.algorithm])),
            }
        }
        if !limits.is_empty() {
            html += "<h4>Limits, measured in the same rounds</h4>\n<dl>";
            for (what, names) in limits {
                let _ = write!(html, "<dt>{}</dt><dd>{}</dd>", escape(&names.join(", ")), escape(what));
            }
            html += "</dl>\n";
        }
        html += "</article>\n";
    }
    html
}

/// What has no figure, wrong answers first.
pub fn skipped(view: &View<'_>) -> String {
    if view.runs.iter().all(|run| run.report.skipped.is_empty()) {
        return String::new();
    }
    let mut table = Table::new("What was not timed, and why", &["Subject", "Algorithm", "Sizes", "Why", "Run"]);
    for is_wrong in [true, false] {
        for (place, run) in view.runs.iter().enumerate() {
            for row in run.report.skipped.iter().filter(|row| row.why.starts_with("wrong") == is_wrong) {
                let sizes: Vec<String> = row.bytes.iter().map(|bytes| size(*bytes)).collect();
                let class = if is_wrong { "class=\"wrong\" " } else { "" };
                let name = format!("{} {}", row.algorithm, row.operation);
                table.row(
                    &format!(
                        "{class}data-topic=\"{}\" data-run=\"{place}\" data-subject=\"{}\"",
                        escape(&name),
                        escape(&row.subject)
                    ),
                    &[
                        format!("<td class=\"name\">{}</td>", escape(&row.subject)),
                        format!("<td class=\"name\">{}</td>", escape(&name)),
                        format!("<td>{}</td>", sizes.join(", ")),
                        format!("<td>{}</td>", escape(&row.why)),
                        format!("<td>{}</td>", escape(run.name)),
                    ],
                );
            }
        }
    }
    table.finish()
}

/// `2026-11-21 16:30 UTC`, from seconds since 1970 (days to a date of the Gregorian calendar, eras of 400 years from March on).
pub fn date(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute) = (seconds % 86_400 / 3600, seconds % 3600 / 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates() {
        assert_eq!(super::date(0), "1970-01-01 00:00 UTC");
        assert_eq!(super::date(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(super::date(1_795_278_600), "2026-11-21 16:30 UTC");
    }
}
