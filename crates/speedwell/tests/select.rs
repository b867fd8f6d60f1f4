//! Selection: what is masked does not run, what is forced does, and nothing forces an unsafe kernel.

use speedwell::digest::{Digest, Sha256};
use speedwell::select::{
    CandidateReport, Evidence, Point, Policy, PrimitiveReport, Profile, Reason, SelectError, Selector, Speeds,
    build_id, plan, primitives, profile_text, reports,
};
use speedwell_kernels::cpu::Cpu;
use speedwell_kernels::{Primitive, Timing, sha256};

fn leaked(selector: &Selector) -> &'static speedwell::select::Plan<sha256::Compress> {
    Box::leak(Box::new(selector.plan(Policy::Public).unwrap()))
}

/// The kernels that may be chosen: those that pass the filters, and for secrets the proven ones if there are any.
fn trusted(report: &PrimitiveReport) -> Vec<&CandidateReport> {
    let usable = || report.candidates.iter().filter(|candidate| candidate.excluded.is_none());
    let proven: Vec<_> = usable().filter(|candidate| candidate.evidence == Some(Evidence::Proven)).collect();
    if report.policy == Policy::Public || proven.is_empty() { usable().collect() } else { proven }
}

/// Whether the choice is what the rules say.
fn assert_rules(report: &PrimitiveReport, mask: &str) {
    let trusted = trusted(report);
    let chosen = report.chosen.as_ref().unwrap();
    match report.reason.unwrap() {
        Reason::Order => assert_eq!(chosen, &[(0, trusted[0].name)], "{mask}"),
        Reason::Proven => {
            assert_eq!(chosen, &[(0, trusted[0].name)], "{mask}");
            let first = report.candidates.iter().find(|candidate| candidate.excluded.is_none()).unwrap();
            assert_ne!(first.name, trusted[0].name, "{mask}");
        }
        Reason::Forced | Reason::Cycle => panic!("nothing is forced"),
        measured => {
            let first = &trusted[0].speeds;
            assert!(!first.is_empty() && report.measured.is_some(), "{measured:?} {mask}");
            assert!((1..=3).contains(&chosen.len()) && chosen[0].0 == 0, "{chosen:?}");
            for (from, name) in chosen {
                let kernel = trusted.iter().find(|candidate| candidate.name == *name).unwrap();
                let start = first.iter().find(|point| *from == 0 || point.bytes == *from).unwrap();
                let same = |point: &&Point| point.bytes == start.bytes;
                let time = kernel.speeds.iter().find(same).unwrap().nanoseconds;
                assert!(time <= start.nanoseconds * 1.1, "{name} from {from} on is slower than the first of the list");
            }
        }
    }
}

#[test]
fn the_list_or_a_measurement_decides() {
    for report in reports(&Selector::unforced(), Policy::Public) {
        assert_rules(&report, "");
    }
}

#[test]
fn secrets_are_shown_to_a_proven_kernel_where_one_can_run() {
    for mask in ["", "-vaes", "-avx512f", "-avx2", "-aes,-sha"] {
        for report in reports(&Selector::new("", mask).unwrap(), Policy::Secret) {
            assert_rules(&report, mask);
        }
    }
}

/// A profile in which each kernel is faster than the one before it in the list: what must not run is the fastest.
fn lying_profile() -> Profile {
    let mut speeds = Speeds::default();
    for (place, kernel) in speedwell_kernels::all().enumerate() {
        for bytes in [16, 64, 1024] {
            let nanoseconds =
                if kernel.descriptor().timing == Timing::Constant { 1e6 - place as f64 * 1e3 } else { 0.001 };
            speeds.add(kernel.descriptor().name, Point { bytes, nanoseconds });
        }
    }
    Profile::parse(&profile_text(&Cpu::host().fingerprint(), &build_id(), &speeds)).unwrap()
}

#[test]
fn no_profile_picks_what_the_filters_drop() {
    for mask in ["", "-vaes", "-avx512f", "-avx2", "-aes,-sha"] {
        let selector = Selector::new("", mask).unwrap().with_profile(lying_profile());
        for policy in Policy::ALL {
            for report in reports(&selector, policy) {
                let Ok(chosen) = &report.chosen else { continue };
                let trusted = trusted(&report);
                for (_, name) in chosen {
                    assert!(
                        trusted.iter().any(|candidate| candidate.name == *name),
                        "{name} under {policy} with {mask}"
                    );
                }
                assert_eq!(report.reason, Some(Reason::Profile));
                if policy != Policy::Public && trusted.iter().any(|candidate| candidate.timing == Timing::Constant) {
                    let is_constant = |name: &str| {
                        trusted.iter().any(|candidate| candidate.name == name && candidate.timing == Timing::Constant)
                    };
                    assert!(chosen.iter().all(|(_, name)| is_constant(name)), "{chosen:?}");
                }
            }
        }
    }
}

#[test]
fn a_profile_decides_by_length() {
    let kernels: Vec<_> = sha256::Compress::kernels()
        .map(|kernel| kernel.descriptor())
        .filter(|descriptor| Cpu::host().features().contains(descriptor.needs))
        .collect();
    let (first, last) = (kernels[0], kernels[kernels.len() - 1]);
    if first.name == last.name {
        return println!("skipped: this processor has one kernel of {}", first.primitive());
    }
    let mut speeds = Speeds::default();
    for (bytes, one, other) in [(64, 100.0, 50.0), (1024, 1000.0, 900.0), (8192, 8000.0, 9000.0)] {
        speeds.add(first.name, Point { bytes, nanoseconds: one });
        speeds.add(last.name, Point { bytes, nanoseconds: other });
    }
    let text = profile_text(&Cpu::host().fingerprint(), &build_id(), &speeds);
    let selector = Selector::unforced().with_profile(Profile::parse(&text).unwrap());
    let plan = selector.plan::<sha256::Compress>(Policy::Public).unwrap();
    let tiers: Vec<(usize, &str)> = plan.tiers().map(|(from, kernel)| (from, kernel.descriptor().name)).collect();
    assert_eq!(tiers, [(0, last.name), (8192, first.name)]);
    assert_eq!(plan.kernel(8191).descriptor().name, last.name);
    assert_eq!(plan.kernel(8192).descriptor().name, first.name);
    assert_eq!(plan.reason(), Reason::Profile);
    let forced = Selector::new("sha256.compress=portable", "").unwrap().with_profile(Profile::parse(&text).unwrap());
    assert_eq!(forced.plan::<sha256::Compress>(Policy::Public).unwrap().reason(), Reason::Forced);
}

#[test]
fn every_primitive_has_its_report() {
    let mut reported: Vec<_> = reports(&Selector::unforced(), Policy::Public).iter().map(|r| r.primitive).collect();
    let mut registered = primitives();
    reported.sort_unstable();
    registered.sort_unstable();
    assert_eq!(reported, registered, "select/planned.rs must list every primitive");
}

#[test]
fn a_masked_feature_makes_another_kernel_run() {
    for report in reports(&Selector::unforced(), Policy::Secret) {
        let chosen = report.chosen.unwrap()[0].1;
        let needs = report.candidates.iter().find(|candidate| candidate.name == chosen).unwrap().needs;
        for isa in needs.iter() {
            let masked = Selector::new("", &format!("-{isa}")).unwrap();
            let reports = reports(&masked, Policy::Secret);
            let other = reports.iter().find(|other| other.primitive == report.primitive).unwrap();
            assert_ne!(other.chosen.as_ref().unwrap()[0].1, chosen, "{chosen} runs without {isa}");
        }
    }
}

#[test]
fn a_forced_kernel_runs_and_says_so() {
    let selector = Selector::new("sha256.compress=portable", "").unwrap();
    let plan = leaked(&selector);
    assert_eq!(plan.kernel(1).descriptor().name, "sha256.compress/portable");
    assert_eq!(plan.reason(), Reason::Forced);
    let mut hasher = Sha256::with_plan(plan);
    hasher.update(b"abc");
    assert_eq!(hasher.finalize(), Sha256::digest(b"abc"));
}

#[test]
fn cycle_changes_the_kernel_at_every_call_and_not_the_answer() {
    let plan = leaked(&Selector::new("sha256.compress=cycle", "").unwrap());
    let usable = sha256_kernels().len();
    let seen: std::collections::BTreeSet<_> = (0..usable).map(|_| plan.kernel(64).descriptor().name).collect();
    assert_eq!(seen.len(), usable, "{seen:?}");

    let message: Vec<u8> = (0..5000u32).map(|i| i as u8).collect();
    let mut hasher = Sha256::with_plan(plan);
    for part in message.chunks(100) {
        hasher.update(part);
    }
    assert_eq!(hasher.finalize(), Sha256::digest(&message));
}

fn sha256_kernels() -> Vec<&'static str> {
    speedwell_kernels::all()
        .filter(|kernel| kernel.descriptor().primitive() == "sha256.compress" && kernel.missing(Cpu::host()).is_empty())
        .map(|kernel| kernel.descriptor().name)
        .collect()
}

#[test]
fn no_force_and_no_policy_gets_a_table_kernel_past_a_constant_one() {
    for kernel in speedwell_kernels::all() {
        let descriptor = kernel.descriptor();
        if descriptor.timing == Timing::Constant {
            continue;
        }
        let force = format!("{}={}", descriptor.primitive(), descriptor.implementation());
        let selector = Selector::new(&force, "").unwrap();
        for policy in [Policy::Secret, Policy::Strict] {
            let reports = reports(&selector, policy);
            let report = reports.iter().find(|report| report.primitive == descriptor.primitive()).unwrap();
            let has_constant = report.candidates.iter().any(|other| other.timing == Timing::Constant);
            match &report.chosen {
                Ok(chosen) => {
                    let timing = |name| report.candidates.iter().find(|other| other.name == name).unwrap().timing;
                    let allowed = policy == Policy::Secret && !has_constant;
                    assert!(chosen.iter().all(|(_, name)| allowed || timing(*name) == Timing::Constant), "{report:?}");
                }
                Err(error) => {
                    assert!(matches!(error, SelectError::NotPermitted { .. } | SelectError::NoKernel { .. }), "{error}")
                }
            }
        }
    }
}

/// A library cannot complain: it runs what it would without the force, and the report says so.
#[test]
fn a_force_that_cannot_be_met_is_told_and_passed_by() {
    let selector = Selector::new("aes.ctr=portable_tables", "").unwrap();
    let reports = reports(&selector, Policy::Secret);
    let report = reports.iter().find(|report| report.primitive == "aes.ctr").unwrap();
    assert!(matches!(report.unmet_force, Some(SelectError::NotPermitted { .. })), "{report:?}");
    assert!(matches!(report.reason, Some(Reason::Order | Reason::Proven)), "{report:?}");
    assert!(!report.chosen.as_ref().unwrap()[0].1.ends_with("portable_tables"));
    assert!(reports.iter().filter(|report| report.primitive != "aes.ctr").all(|report| report.unmet_force.is_none()));
}

#[test]
fn mistakes_are_told_with_what_would_be_right() {
    let message = |force: &str, mask: &str| Selector::new(force, mask).unwrap_err().to_string();
    assert!(
        message("sha256.compress=fast", "").contains("it has ")
            && message("sha256.compress=fast", "").contains("portable")
    );
    assert!(message("sha265.compress=portable", "").contains("known are md5.compress"));
    assert!(message("portable", "").contains("sha256.compress=portable"));
    assert!(message("", "avx2").contains("-avx512f"));
    assert!(message("", "-mmx").contains("unknown instruction set 'mmx'"));
    assert_eq!(Selector::host().check(), Ok(()));
    assert!(plan::<sha256::Compress>(Policy::Strict).is_ok());
}
