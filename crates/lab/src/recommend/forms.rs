//! The advice in forms one can use: text, a local profile of the library, `openssl.cnf`, and lines for the C preprocessor.

use std::fmt::Write as _;

use super::{Advice, Tier, is_plain, span};
use crate::report::Run;
use crate::report::cell::{rate, size};
use crate::statistics::Verdict;

/// For people: a paragraph for each algorithm, host by host.
pub fn text(advice: &[Advice]) -> String {
    let mut text = String::new();
    let mut host = "";
    for one in advice {
        if one.cpu != host {
            let _ = writeln!(text, "{}{}", if host.is_empty() { "" } else { "\n" }, one.cpu);
            host = &one.cpu;
        }
        for (index, tier) in one.tiers.iter().enumerate() {
            let name = if index == 0 { one.topic.name() } else { String::new() };
            let _ = writeln!(text, "  {name:24} {:18} {}", span(&tier.sizes), sentence(tier));
        }
        if one.differs {
            let _ = writeln!(text, "  {:24} (another host of these runs chooses otherwise)", "");
        }
    }
    if advice.is_empty() {
        text += "No advice: in none of these runs has an algorithm figures of two subjects.\n";
    }
    text
}

/// `x86_64_shani: 1.31 times as fast as portable (95 % between …), at 8 KiB, 2110 MB/s`.
pub fn sentence(tier: &Tier) -> String {
    let Some(lead) = &tier.next else { return format!("{}: nothing to compare with", tier.winner) };
    let at = if lead.bytes == 0 { String::new() } else { format!(" at {}", size(lead.bytes)) };
    let row = tier.evidence.as_ref().map_or(String::new(), |row| format!("; {}", rate(row)));
    match lead.verdict {
        Verdict::Same => format!("{} or {}: {}{at}{row}", tier.winner, lead.subject, lead.certainty()),
        _ => {
            let least = if tier.sizes.len() > 1 { "at least " } else { "" };
            let certainty = lead.certainty();
            format!("{}: {least}{:.3} × {} ({certainty}){at}{row}", tier.winner, lead.ratio, lead.subject)
        }
    }
}

/// A local profile, as `speedwell tune` writes it; from its runs only.
///
/// # Errors
/// Why none can be made, in words.
pub fn profile(runs: &[Run]) -> Result<String, String> {
    let [run] = runs else { return Err("a profile is of one host: name one run".to_owned()) };
    let build = run.report.subjects.iter().find_map(|facts| facts.build.as_deref()?.strip_prefix("build "));
    let Some(build) = build else {
        return Err(format!(
            "{} has no times of primitives, of which a profile is made; `speedwell tune --json` measures them",
            run.name
        ));
    };
    let speeds = crate::tune::speeds(&run.report);
    Ok(speedwell::select::profile_text(&run.report.host.fingerprint, build, &speeds))
}

/// For `openssl.cnf`: where Speedwell's provider is to be asked first, and what is then better fetched by hand.
pub fn openssl_cnf(advice: &[Advice]) -> String {
    let is_ours = |tier: &Tier| tier.winner.starts_with("speedwell");
    let largest = |one: &Advice| one.tiers.last().map(is_ours);
    let ours = advice.iter().filter(|one| largest(one) == Some(true)).count();
    let (preferred, other, prefer_ours) =
        if 2 * ours > advice.len() { ("speedwell", "default", true) } else { ("default", "speedwell", false) };
    let mut text =
        String::from("# Which provider OpenSSL 3 and later ask first, by measurement. The question mark lets the\n");
    text += "# other one answer for what the first does not have.\n";
    text += "openssl_conf = openssl_init\n\n[openssl_init]\nproviders = provider_section\n";
    text += "alg_section = evp_properties\n\n[provider_section]\ndefault = provider_active\n";
    text += "speedwell = provider_active\n\n[provider_active]\nactivate = 1\n\n[evp_properties]\n";
    let _ = writeln!(text, "default_properties = ?provider={preferred}");
    let exceptions: Vec<&Advice> = advice.iter().filter(|one| largest(one) == Some(!prefer_ours)).collect();
    if !exceptions.is_empty() {
        let _ = writeln!(text, "\n# Faster elsewhere: fetch these with the property query \"provider={other}\".");
        for one in exceptions {
            for tier in &one.tiers {
                let _ =
                    writeln!(text, "#   {} {} ({}): {}", one.topic.name(), span(&tier.sizes), one.cpu, sentence(tier));
            }
        }
    }
    text
}

/// For the C preprocessor: a `#define` for each choice, host by host.
pub fn cpp(advice: &[Advice]) -> String {
    let mut text = String::from("/* Which implementation to use, by measurement. */\n");
    let mut hosts: Vec<(&str, &str)> = Vec::new();
    for one in advice {
        if !hosts.contains(&(&one.cpu, &one.microarchitecture)) {
            hosts.push((&one.cpu, &one.microarchitecture));
        }
    }
    for (index, (cpu, microarchitecture)) in hosts.iter().enumerate() {
        let (condition, remark) = match macro_of(microarchitecture) {
            Some(name) => (format!("defined({name})"), ""),
            None => (
                format!("defined(HOST_{})", identifier(cpu)),
                "; compilers have no macro for it: the build defines this one",
            ),
        };
        let word = if index == 0 { "if" } else { "elif" };
        if hosts.len() > 1 || macro_of(microarchitecture).is_some() {
            let _ = writeln!(text, "#{word} {condition} /* {cpu}{remark} */");
        } else {
            let _ = writeln!(text, "/* {cpu} */");
        }
        for one in advice.iter().filter(|one| one.cpu == *cpu) {
            let operation =
                if is_plain(one.topic.operation) { String::new() } else { format!("_{}", one.topic.operation) };
            let many = if one.topic.messages > 1 { format!("_x{}", one.topic.messages) } else { String::new() };
            for (place, tier) in one.tiers.iter().enumerate() {
                let from = if place == 0 { String::new() } else { format!("_from_{}", tier.sizes[0]) };
                let name = format!("USE_{}_FOR_{}{operation}{many}{from}", tier.winner, one.topic.algorithm);
                let why = sentence(tier);
                let _ = writeln!(text, "#  define {} 1 /* {why} */", identifier(&name));
            }
        }
    }
    if hosts.len() > 1 || hosts.first().is_some_and(|(_, name)| macro_of(name).is_some()) {
        text += "#endif\n";
    }
    text
}

/// Upper case, with `_` for what a C identifier cannot have.
fn identifier(name: &str) -> String {
    name.chars().map(|one| if one.is_ascii_alphanumeric() { one.to_ascii_uppercase() } else { '_' }).collect()
}

/// What GCC and Clang define under the `-march` of a design (GCC manual, x86 options; `gcc -march=… -dM -E`).
fn macro_of(microarchitecture: &str) -> Option<&'static str> {
    Some(match microarchitecture {
        "zen" | "zen+" => "__znver1__",
        "zen2" => "__znver2__",
        "zen3" => "__znver3__",
        "zen4" => "__znver4__",
        "zen5" => "__znver5__",
        "core2" | "penryn" => "__core2__",
        "nehalem" | "westmere" => "__nehalem__",
        "sandybridge" | "ivybridge" => "__sandybridge__",
        "haswell" | "broadwell" => "__haswell__",
        "skylake" => "__skylake__",
        "skylake-avx512" => "__skylake_avx512__",
        "cascadelake" => "__cascadelake__",
        "icelake-client" => "__icelake_client__",
        "icelake-server" => "__icelake_server__",
        "sapphirerapids" => "__sapphirerapids__",
        _ => return None,
    })
}
