//! Measures every kernel of every primitive on this host, at the sizes where a plan may change its mind: what
//! `speedwell tune` writes its profile from, and `cargo xtask table` the table that is compiled in.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use speedwell::names;
use speedwell::select::{Point, Speeds, build_id, primitives};
use speedwell_kernels::AnyKernel;
use speedwell_kernels::cpu::Cpu;
use speedwell_kernels::exercise::Data;

use crate::algorithm::Algorithm;
use crate::case::{Case, Operation};
use crate::experiment::{Experiment, Progress, Settings};
use crate::result::Report;
use crate::subjects::{Facts, Subject, primitive_subject};

/// Measures for about so long. The report's algorithms are primitives, its subjects implementations.
pub fn measure(time: Duration, progress: &mut dyn FnMut(Progress<'_>), cancel: &AtomicBool) -> Report {
    let cases = cases();
    let visits: usize = cases.iter().map(entrants).sum();
    let settings = Settings { time_per_subject: time / visits.max(1) as u32, limits: false, ..Settings::default() };
    let mut report = Experiment::new(subjects(), settings).run(&cases, progress, cancel);
    report.title = Some("tune".to_owned());
    report
}

/// What the calls of each kernel take, from the report of [`measure`].
pub fn speeds(report: &Report) -> Speeds {
    let mut speeds = Speeds::default();
    for row in &report.results {
        if let Some(kernel) = row.kernel.as_deref().filter(|kernel| kernel.contains('/')) {
            // Of algorithms there are only those that carry the primitives of many messages.
            if row.messages > 1 || row.algorithm.contains('.') {
                speeds.add(kernel, Point { bytes: row.bytes * row.messages, nanoseconds: row.ns_per_call });
            }
        }
    }
    speeds
}

/// Each implementation once, with all its kernels.
fn subjects() -> Vec<Box<dyn Subject>> {
    let mut implementations: Vec<(&str, Vec<&'static dyn AnyKernel>)> = Vec::new();
    for kernel in speedwell_kernels::all() {
        let name = kernel.descriptor().implementation();
        match implementations.iter_mut().find(|(known, _)| *known == name) {
            Some((_, kernels)) => kernels.push(kernel),
            None => implementations.push((name, vec![kernel])),
        }
    }
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    let build = Some(format!("build {}", build_id()));
    implementations
        .into_iter()
        .map(|(name, kernels)| {
            let facts = Facts { version: version.clone(), build: build.clone(), ..Facts::named(name) };
            Box::new(primitive_subject(facts, kernels, Cpu::host())) as Box<dyn Subject>
        })
        .collect()
}

/// Every primitive at its sizes.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for primitive in primitives() {
        if let Some(case) = of_many(primitive) {
            cases.push(case);
            continue;
        }
        let Some(kernel) = speedwell_kernels::all().find(|kernel| kernel.descriptor().primitive() == primitive) else {
            continue;
        };
        let sizes = if kernel.shape().data == Data::Absent { key_sizes(kernel) } else { sizes(kernel.shape().unit) };
        let operation = operation(primitive, kernel.shape().data);
        cases.extend(sizes.into_iter().map(|bytes| Case::new(primitive, operation, bytes)));
    }
    cases
}

/// How many kernels a case has that this processor can run.
fn entrants(case: &Case) -> usize {
    let carrier = Algorithm::named(&case.algorithm).and_then(|algorithm| algorithm.carrier(case));
    let primitive = carrier.unwrap_or(&case.algorithm);
    let of_case = |kernel: &&'static dyn AnyKernel| kernel.descriptor().primitive() == primitive;
    speedwell_kernels::all().filter(of_case).filter(|kernel| kernel.missing(Cpu::host()).is_empty()).count()
}

/// Bytes of a call: where short messages are, and where nothing but the loop counts.
fn sizes(unit: usize) -> Vec<usize> {
    let mut sizes: Vec<usize> = [16, 64, 256, 1024, 8192].map(|bytes: usize| bytes.next_multiple_of(unit)).to_vec();
    sizes.dedup();
    sizes
}

/// The sizes of keys at which a primitive without data is measured. Those of `bn` are the moduli of RSA and DSA, as the
/// shape lists them; the exercise's key has its operands one behind the other.
pub(crate) fn key_sizes(kernel: &'static dyn AnyKernel) -> Vec<usize> {
    let family = kernel.descriptor().primitive().split('.').next();
    if family != Some("bn") {
        return vec![16];
    }
    let factors = speedwell_kernels::all().find(|kernel| kernel.descriptor().primitive() == "bn.mont_mul");
    let moduli = factors.map_or(&[][..], |kernel| kernel.shape().key);
    moduli.iter().map(|length| length / 3).collect()
}

/// The case of an algorithm that a primitive for many messages carries.
fn of_many(primitive: &str) -> Option<Case> {
    primitive.strip_suffix("_lanes")?;
    let algorithm = names::algorithms().find(|algorithm| algorithm.primitives.contains(&primitive))?;
    let operation = if algorithm.name.contains("cbc") { Operation::Encrypt } else { Operation::Hash };
    Some(Case { messages: MANY, ..Case::new(algorithm.name, operation, LONG) })
}

/// As many messages as fill the lanes of every kernel, and their length.
const MANY: usize = 64;
const LONG: usize = 1024;

/// The word for what a primitive does.
fn operation(primitive: &str, data: Data) -> Operation {
    match data {
        Data::Absent if primitive.starts_with("bn.public") => Operation::Verify,
        Data::Absent if primitive.starts_with("bn.") => Operation::Sign,
        Data::Absent => Operation::Generate,
        Data::Read => Operation::Hash,
        Data::Transform | Data::Whole if primitive.contains("decrypt") || primitive.ends_with("open") => {
            Operation::Decrypt
        }
        Data::Transform | Data::Whole => Operation::Encrypt,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_primitive_is_measured() {
        let cases = cases();
        for primitive in primitives() {
            let covers = |case: &&Case| {
                let carrier = Algorithm::named(&case.algorithm).and_then(|algorithm| algorithm.carrier(case));
                carrier.unwrap_or(&case.algorithm) == primitive
            };
            let found: Vec<&Case> = cases.iter().filter(covers).collect();
            assert!(!found.is_empty(), "{primitive} is not measured");
            assert!(found.iter().all(|case| entrants(case) > 0), "{primitive}");
        }
    }

    #[test]
    fn every_kernel_gives_the_same_answer() {
        for case in cases().iter().filter(|case| case.bytes <= 1024) {
            let mut answers: Vec<_> = subjects()
                .iter_mut()
                .filter_map(|subject| subject.prepare(case).ok().map(|ready| ready.answer))
                .collect();
            // A batch under secrets takes no kernel that looks tables up.
            assert!((1..=entrants(case)).contains(&answers.len()), "{case}");
            answers.dedup();
            assert_eq!(answers.len(), 1, "{case}");
        }
    }
}
