//! `speedwell list`: every algorithm, its kernels, and why the chosen one was chosen.

use std::fmt::Write as _;

use anstyle::Style;
use anyhow::Result;
use serde_json::{Value, json};
use speedwell::names::{Algorithm, Kind, algorithms, find};
use speedwell::select::{CandidateReport, Evidence, Policy, PrimitiveReport, Selector, reports};

use crate::arguments::ListArguments;
use crate::output;
use crate::speed::table::significant;

/// Runs the command.
pub fn run(arguments: &ListArguments) -> Result<()> {
    let chosen: Vec<&Algorithm> = if arguments.algorithms.is_empty() {
        algorithms().collect()
    } else {
        arguments.algorithms.iter().map(|name| find(name)).collect::<Result<_, _>>()?
    };
    let selector = Selector::host();
    let listing: Vec<Listing> =
        chosen.into_iter().map(|algorithm| Listing::new(algorithm, selector, arguments)).collect();
    if arguments.json {
        let document = json!({
            "host": {
                "cpu": selector.cpu().identity().brand,
                "microarchitecture": selector.cpu().microarchitecture().name(),
                "fingerprint": selector.cpu().fingerprint(),
                "instruction_sets": selector.cpu().features().iter().map(|isa| isa.name()).collect::<Vec<_>>(),
            },
            "algorithms": listing.iter().map(Listing::json).collect::<Vec<_>>(),
        });
        return output::print(&format!("{}\n", serde_json::to_string_pretty(&document)?));
    }
    let mut text = format!("{}\ninstruction sets: {}\n", selector.cpu(), selector.cpu().features());
    for entry in &listing {
        entry.write(&mut text)?;
    }
    output::print(&text)
}

/// An algorithm with the reports on its primitives.
struct Listing {
    algorithm: &'static Algorithm,
    reports: Vec<PrimitiveReport>,
}

impl Listing {
    fn new(algorithm: &'static Algorithm, selector: &Selector, arguments: &ListArguments) -> Self {
        let policy = arguments.policy.unwrap_or(match algorithm.kind {
            Kind::Digest { .. } => Policy::Public,
            _ => Policy::Secret,
        });
        let mut reports = reports(selector, policy);
        reports.retain(|report| algorithm.primitives.contains(&report.primitive));
        Listing { algorithm, reports }
    }

    fn write(&self, text: &mut String) -> Result<()> {
        let (bold, dim) = (Style::new().bold(), Style::new().dimmed());
        let Algorithm { name, aliases, standard, .. } = self.algorithm;
        let sizes = sizes(self.algorithm.kind);
        writeln!(text, "\n{bold}{name}{bold:#}  {sizes} ({standard}){dim}  also {}{dim:#}", aliases.join(", "))?;
        for report in &self.reports {
            let measured = report.measured.as_ref().map_or(String::new(), |place| format!("; measured: {place}"));
            writeln!(text, "  {} {dim}(policy: {}{measured}){dim:#}", report.primitive, report.policy)?;
            let width =
                report.candidates.iter().map(|candidate| implementation(candidate.name).len()).max().unwrap_or(0);
            for candidate in &report.candidates {
                let is_chosen = is_chosen(report, candidate.name);
                let (mark, style) = if is_chosen { ("*", bold) } else { (" ", Style::new()) };
                let status = match &candidate.excluded {
                    Some(why) => why.to_string(),
                    None if is_chosen => chosen(report, candidate.name),
                    None => "usable".to_owned(),
                };
                let (name, timing) = (implementation(candidate.name), timing(candidate));
                let speed = speed(candidate).unwrap_or_default();
                writeln!(text, "  {mark} {style}{name:width$}{style:#}  {timing:18}  {speed:22}  {status}")?;
            }
            if let Err(error) = &report.chosen {
                writeln!(text, "    none chosen: {error}")?;
            }
            if let Some(error) = &report.unmet_force {
                writeln!(text, "    the force is not followed: {error}")?;
            }
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let Algorithm { name, aliases, kind, standard, .. } = self.algorithm;
        json!({
            "algorithm": name,
            "aliases": aliases,
            "kind": kind.name(),
            "standard": standard,
            "primitives": self.reports.iter().map(primitive_json).collect::<Vec<_>>(),
        })
    }
}

fn primitive_json(report: &PrimitiveReport) -> Value {
    let kernels: Vec<Value> = report
        .candidates
        .iter()
        .map(|candidate| {
            json!({
                "kernel": candidate.name,
                "instruction_sets": candidate.needs.iter().map(|isa| isa.name()).collect::<Vec<_>>(),
                "timing": candidate.timing.name(),
                "evidence": candidate.evidence.map(Evidence::name),
                "measured": candidate.speeds.iter()
                    .map(|point| json!({"bytes": point.bytes, "ns_per_call": point.nanoseconds}))
                    .collect::<Vec<_>>(),
                "usable": candidate.excluded.is_none(),
                "why_not": candidate.excluded.as_ref().map(ToString::to_string),
            })
        })
        .collect();
    let chosen: Option<Vec<Value>> = report
        .chosen
        .as_ref()
        .ok()
        .map(|tiers| tiers.iter().map(|(from, kernel)| json!({"from_bytes": from, "kernel": kernel})).collect());
    json!({
        "primitive": report.primitive,
        "policy": report.policy.name(),
        "chosen": chosen,
        "reason": report.reason.map(|reason| reason.text()),
        "measured": report.measured,
        "unmet_force": report.unmet_force.as_ref().map(ToString::to_string),
        "error": report.chosen.as_ref().err().map(ToString::to_string),
        "kernels": kernels,
    })
}

fn is_chosen(report: &PrimitiveReport, kernel: &str) -> bool {
    report.chosen.as_ref().is_ok_and(|tiers| tiers.iter().any(|(_, name)| *name == kernel))
}

/// Why a kernel was chosen, and where not at every length, from which to which.
fn chosen(report: &PrimitiveReport, kernel: &str) -> String {
    let reason = report.reason.map_or("", |reason| reason.text());
    let tiers = report.chosen.as_deref().unwrap_or_default();
    let spans: Vec<String> = tiers
        .iter()
        .enumerate()
        .filter(|(_, (_, name))| *name == kernel)
        .map(|(index, (from, _))| match tiers.get(index + 1) {
            Some((next, _)) if *from == 0 => format!("below {next} bytes"),
            Some((next, _)) => format!("from {from} bytes, below {next}"),
            None => format!("from {from} bytes"),
        })
        .collect();
    if tiers.len() > 1 { format!("chosen {}: {reason}", spans.join(" and ")) } else { format!("chosen: {reason}") }
}

/// The speed that was measured at the largest size: `2110 MB/s at 8192 B`, or the time of a call that has no data.
fn speed(candidate: &CandidateReport) -> Option<String> {
    let point = candidate.speeds.last()?;
    let has_data = !["expand_key", "invert_key"].iter().any(|end| candidate.name.contains(end));
    if has_data && !candidate.name.starts_with("bn.") {
        return Some(format!(
            "{} MB/s at {} B",
            significant(1e3 * point.bytes as f64 / point.nanoseconds),
            point.bytes
        ));
    }
    Some(format!("{} ns at {} B", significant(point.nanoseconds), point.bytes))
}

/// The timing class and, where it is a claim, what supports it.
fn timing(candidate: &CandidateReport) -> String {
    match candidate.evidence {
        Some(evidence) => format!("{}, {evidence}", candidate.timing),
        None => candidate.timing.to_string(),
    }
}

fn implementation(kernel: &str) -> &str {
    kernel.split_once('/').map_or(kernel, |(_, implementation)| implementation)
}

fn sizes(kind: Kind) -> String {
    match kind {
        Kind::Digest { block, output } => format!("digest of {output} bytes, blocks of {block}"),
        Kind::Aead { key, nonce, tag } => {
            format!("authenticated cipher, key of {key} bytes, nonce of {nonce}, tag of {tag}")
        }
        Kind::Mac { key, tag } => format!("message authentication code, key of {key} bytes, tag of {tag}"),
        Kind::BlockCipher { key, block, .. } => format!("block cipher, key of {key} bytes, blocks of {block}"),
        Kind::StreamCipher { key } => format!("stream cipher, key of {key} bytes"),
        Kind::PublicKey { bits, .. } => format!("public key, modulus of {bits} bits"),
    }
}
