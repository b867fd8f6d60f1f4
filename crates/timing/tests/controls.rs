//! The instrument itself is tested: what leaks is refuted, at the right place and for the right reason.
//!
//! The harness runs as a program, so that its runs are copies of a process with one thread. Where the system delivers no
//! single steps, or the processor lacks an instruction set, a line says so.

use std::process::Command;

use speedwell_timing::report::{Fault, Report, Verdict};

/// The report on a subject, unless it cannot be run here.
fn report(name: &str) -> Option<Report> {
    const NO_STEPS: i32 = 77;
    let output = Command::new(env!("CARGO_BIN_EXE_harness")).arg(name).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let skipped = output.status.code() == Some(NO_STEPS)
            || errors.contains("this processor lacks")
            || errors.contains("only implemented for");
        assert!(skipped, "{name}: {errors}");
        println!("skipped: {name}: {errors}");
        return None;
    }
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// That a subject is refuted by an instruction of this function, which begins so.
fn refuted(name: &str, function: &str, instruction: &str, what: &str) -> Option<Fault> {
    let report = report(name)?;
    assert_eq!(report.verdict, Verdict::Refuted, "{name}");
    let fault = report.faults.first().unwrap().clone();
    assert!(fault.function.iter().any(|name| name.contains(function)), "{fault:#?}");
    assert!(fault.instruction.starts_with(instruction), "{fault:#?}");
    assert!(fault.what.contains(what), "{fault:#?}");
    assert!(fault.place.contains(".rs:"), "{fault:#?}");
    Some(fault)
}

const NEXT: &str = "which instruction comes next";
const MEMORY: &str = "which memory is touched";

#[test]
fn an_early_exit_is_refuted_at_its_jump() {
    if let Some(fault) = refuted("control/early_exit", "controls::early_exit", "j", NEXT) {
        assert!(fault.place.contains("controls.rs"), "{fault:#?}");
        // The first secret whose first byte is that of the tag.
        assert_eq!(fault.runs[1].secret, "alternating bits");
        assert_ne!(fault.runs[0].address, fault.runs[1].address);
    }
}

#[test]
fn a_branch_on_a_key_bit_is_refuted_at_its_jump() {
    refuted("control/branch_on_bit", "controls::branch_on_bit", "j", NEXT);
}

#[test]
fn a_division_by_a_secret_is_refuted_though_its_traces_are_equal() {
    if let Some(fault) = refuted("control/division", "controls::division", "div", "division") {
        assert!(fault.runs.is_empty(), "{fault:#?}");
    }
}

#[test]
fn a_load_from_a_selected_address_is_refuted_at_the_load() {
    refuted("control/selected_load", "controls::selected_load", "mov", MEMORY);
}

#[test]
fn a_table_lookup_is_refuted_at_the_load() {
    refuted("control/table_lookup", "controls::table_lookup", "mov", MEMORY);
}

#[test]
fn one_lane_of_a_gather_is_enough() {
    refuted("control/gather", "gathered", "vpgatherdd", MEMORY);
}

#[test]
fn the_mask_of_a_gather_counts() {
    refuted("control/masked_gather", "gathered_under_mask", "vpgatherdd", MEMORY);
}

#[test]
fn the_mask_of_a_store_counts() {
    refuted("control/masked_store", "stored_under_mask", "vmovdqu32", MEMORY);
}

#[test]
fn an_instruction_that_is_not_declared_is_refuted() {
    if !cfg!(target_feature = "ssse3") {
        refuted("control/undeclared", "shuffled", "pshufb", "ssse3");
    }
}

#[test]
fn what_does_not_leak_is_not_refuted() {
    if let Some(report) = report("control/constant_compare") {
        assert_eq!((report.verdict, &report.faults[..]), (Verdict::Constant, &[][..]));
        assert!(report.cases[0].secrets >= 16 && report.cases[0].instructions > 20, "{report:#?}");
    }
}

#[test]
fn aes_by_tables_is_refuted_at_its_lookups() {
    for mode in ["encrypt_blocks", "decrypt_blocks", "ctr", "cbc_encrypt", "cbc_decrypt", "invert_key", "expand_key"] {
        if let Some(fault) = refuted(&format!("aes.{mode}/portable_tables"), "", "", MEMORY) {
            assert!(fault.place.starts_with("crates/kernels/src/aes/"), "{fault:#?}");
        }
    }
}

#[test]
fn rc4_is_refuted_at_its_table() {
    if let Some(fault) = refuted("rc4.xor/portable", "", "", MEMORY) {
        assert!(fault.place.starts_with("crates/kernels/src/rc4/"), "{fault:#?}");
    }
}

#[test]
fn a_comparison_of_tags_and_a_wrong_padding_are_not_refuted() {
    for operation in ["tag_comparison", "aes-128-cbc.wrong_padding", "aes-128-cbc.right_padding"] {
        if let Some(report) = report(&format!("operation/{operation}")) {
            assert_eq!((report.verdict, &report.faults[..]), (Verdict::Constant, &[][..]), "{operation}");
        }
    }
}
