//! The harness: examines the subjects that it is told, in a process of its own, and prints a report of each as a line of
//! JSON. `cargo xtask timing` builds and runs it.
//!
//! ```text
//! harness list                       every subject, a line each: name, claim, what this processor lacks
//! harness [--secrets N] NAME...      a report of each, or why there is none
//! ```

use std::process::ExitCode;

/// Every run is to find its buffers at the same addresses.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[global_allocator]
static ALLOCATOR: &speedwell_timing::Arena = &speedwell_timing::ARENA;

/// The exit code for a system that cannot be stepped: tests skip on it.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const NO_STEPS: u8 = 77;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let subjects = speedwell_timing::subjects();
    let host = speedwell_kernels::cpu::Cpu::host();
    if arguments == ["list"] {
        for subject in &subjects {
            let missing: Vec<&str> = subject.missing(host).iter().map(|isa| isa.name()).collect();
            let line = serde_json::json!({
                "name": subject.name(), "claims_constant": subject.claims_constant(), "missing": missing,
            });
            println!("{line}");
        }
        return ExitCode::SUCCESS;
    }
    let mut most_secrets = usize::MAX;
    if arguments.first().is_some_and(|argument| argument == "--secrets") {
        let Some(most) = arguments.get(1).and_then(|text| text.parse().ok()).filter(|most| *most >= 2) else {
            return fail("--secrets wants a number of at least 2");
        };
        most_secrets = most;
        arguments.drain(..2);
    }
    let mut examiner = match speedwell_timing::Examiner::new(most_secrets) {
        Ok(examiner) => examiner,
        Err(error) => {
            eprintln!("harness: {error}");
            return ExitCode::from(NO_STEPS);
        }
    };
    for name in &arguments {
        let Some(subject) = subjects.iter().find(|subject| subject.name() == name) else {
            return fail(&format!("there is no subject '{name}'; `harness list` has them"));
        };
        let missing: Vec<&str> = subject.missing(host).iter().map(|isa| isa.name()).collect();
        if !missing.is_empty() {
            return fail(&format!("{name} needs {}, which this processor lacks", missing.join(" ")));
        }
        match examiner.examine(&**subject) {
            Ok(report) => println!("{}", serde_json::to_string(&report).expect("a report is plain data")),
            Err(error) => return fail(&format!("{name}: {error}")),
        }
    }
    ExitCode::SUCCESS
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() -> ExitCode {
    fail("single steps are only implemented for Linux on x86-64")
}

fn fail(why: &str) -> ExitCode {
    eprintln!("harness: {why}");
    ExitCode::FAILURE
}
