//! Selection: what is masked does not run, what is forced does, and nothing forces an unsafe kernel.

use speedwell::digest::{Digest, Sha256};
use speedwell::select::{Evidence, Policy, Reason, SelectError, Selector, plan, primitives, reports};
use speedwell_kernels::cpu::Cpu;
use speedwell_kernels::{Timing, sha256};

fn leaked(selector: &Selector) -> &'static speedwell::select::Plan<sha256::Compress> {
    Box::leak(Box::new(selector.plan(Policy::Public).unwrap()))
}

#[test]
fn the_first_usable_kernel_of_the_list_runs() {
    for report in reports(&Selector::unforced(), Policy::Public) {
        let first = report.candidates.iter().find(|candidate| candidate.excluded.is_none()).unwrap();
        assert_eq!(report.chosen.unwrap(), [(0, first.name)]);
        assert_eq!(report.reason, Some(Reason::Order));
    }
}

#[test]
fn secrets_are_shown_to_a_proven_kernel_where_one_can_run() {
    for mask in ["", "-vaes", "-avx512f", "-avx2", "-aes,-sha"] {
        for report in reports(&Selector::new("", mask).unwrap(), Policy::Secret) {
            let usable = || report.candidates.iter().filter(|candidate| candidate.excluded.is_none());
            let proven = usable().find(|candidate| candidate.evidence == Some(Evidence::Proven));
            let expected = proven.or(usable().next()).unwrap();
            assert_eq!(report.chosen.as_ref().unwrap(), &[(0, expected.name)], "{mask}");
            let passed_by = usable().next().unwrap().name != expected.name;
            assert_eq!(report.reason, Some(if passed_by { Reason::Proven } else { Reason::Order }), "{mask}");
        }
    }
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
