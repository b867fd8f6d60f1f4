//! The system's libcrypto, in a worker process, against the reference kernels: whatever both can do, both do alike.
//! Where there is no libcrypto of version 3 or newer, a line says so and nothing fails.
#![cfg(unix)]

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use speedwell_kernels::cpu::Cpu;
use speedwell_lab::algorithm::Algorithm;
use speedwell_lab::case::{Case, Operation};
use speedwell_lab::composed::COMPOSED;
use speedwell_lab::experiment::{Experiment, Settings};
use speedwell_lab::sampler::Visit;
use speedwell_lab::subjects::openssl::{LoadError, openssl_subject, openssl_worker_main};
use speedwell_lab::subjects::worker::{Command, Worker};
use speedwell_lab::subjects::{Skip, Subject, kernel_subject, library_subject};

/// Not a test of anything: the worker that the tests below start, by running this file's program once more.
#[test]
#[ignore = "a worker for the other tests"]
fn worker() {
    openssl_worker_main(None).unwrap();
}

fn start() -> Option<Worker> {
    let program = std::env::current_exe().unwrap();
    match Worker::start(Command::new(program, ["worker", "--exact", "--ignored", "--nocapture"])) {
        Ok(worker) => Some(worker),
        Err(Skip::Unavailable(why)) => {
            println!("skipped: {why}");
            None
        }
        Err(other) => panic!("{other}"),
    }
}

const SIZES: [usize; 9] = [0, 1, 16, 55, 56, 64, 111, 112, 1024];

#[test]
fn every_kernel_and_our_library_do_what_openssl_does() {
    let Some(mut openssl) = start() else { return };
    let mut compared = 0;
    let kernels = speedwell_kernels::all().map(|kernel| kernel_subject(kernel, Cpu::host()));
    for mut ours in kernels.chain([library_subject()]) {
        for algorithm in Algorithm::all() {
            for operation in [Operation::Hash, Operation::Mac, Operation::Encrypt, Operation::Decrypt] {
                for bytes in SIZES {
                    let case = Case::new(algorithm.name, operation, bytes);
                    let (Ok(made), Ok(theirs)) = (ours.prepare(&case), openssl.prepare(&case)) else { continue };
                    assert_eq!(made.answer, theirs.answer, "{} against OpenSSL, {case}", ours.facts().name);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 50, "only {compared} cases were compared");
}

#[test]
fn composed_operations_are_the_same_bytes() {
    let Some(mut openssl) = start() else { return };
    let mut ours = library_subject();
    for composed in COMPOSED {
        for bytes in [1, 12, 64, 1400, 16384] {
            let case = Case::new(composed.name, Operation::Encrypt, bytes);
            let made = ours.prepare(&case).unwrap();
            match openssl.prepare(&case) {
                Ok(theirs) => assert_eq!(made.answer, theirs.answer, "{case}"),
                // RC4 and MD5 may be left out of a build.
                Err(why) => assert!(composed.name.starts_with("rc4"), "{case}: {why}"),
            }
            openssl.visit(Visit { warm_up: 1, calls: 3, samples: 1 }).ok();
        }
    }
}

#[test]
fn every_algorithm_is_there_and_can_be_measured() {
    let Some(mut openssl) = start() else { return };
    assert!(openssl.facts().name.starts_with("openssl-"), "{:?}", openssl.facts());
    assert!(openssl.facts().build.as_ref().unwrap().contains("compiler: "), "{:?}", openssl.facts());
    for algorithm in Algorithm::all() {
        for operation in algorithm.operations() {
            for whole in [false, true] {
                let case = Case { whole, ..Case::new(algorithm.name, *operation, 64) };
                match openssl.prepare(&case) {
                    Ok(_) => {
                        let times = openssl.visit(Visit { warm_up: 1, calls: 10, samples: 3 }).unwrap();
                        assert!(times.iter().all(|time| *time > 0.0), "{case}: {times:?}");
                    }
                    // Systems may leave out the legacy provider, or forbid MD5.
                    Err(why) => println!("skipped: {case}: {why}"),
                }
            }
        }
    }
}

#[test]
fn setting_up_again_gives_the_same_answer() {
    let Some(mut openssl) = start() else { return };
    for algorithm in ["sha256", "aes-128-cbc"] {
        let operation = Algorithm::named(algorithm).unwrap().operations()[0];
        let case = Case::new(algorithm, operation, 64);
        let first = openssl.prepare(&case).unwrap();
        openssl.visit(Visit { warm_up: 0, calls: 10, samples: 1 }).unwrap();
        assert_eq!(openssl.prepare(&case).unwrap(), first);
    }
}

#[test]
fn what_openssl_lacks_is_said() {
    let Some(mut openssl) = start() else { return };
    let why = openssl.prepare(&Case::new("no-such-hash", Operation::Hash, 16)).unwrap_err().to_string();
    assert!(why.contains("does not offer no-such-hash"), "{why}");
    let why = openssl.prepare(&Case::new("aes-128-cbc", Operation::Encrypt, 17)).unwrap_err().to_string();
    assert!(why.contains("16 bytes"), "{why}");
}

#[test]
fn a_library_that_cannot_be_loaded_is_named() {
    let error = openssl_subject(Some(Path::new("/no/such/libcrypto.so"))).map(|_| ()).unwrap_err();
    assert!(matches!(error, LoadError::Path { .. }) && error.to_string().contains("/no/such/libcrypto.so"), "{error}");
    let error = openssl_subject(Some(Path::new("Cargo.toml"))).map(|_| ()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("Cargo.toml") && !text.contains("dlopen failed"), "the linker's words are missing: {text}");
}

#[test]
fn an_experiment_with_openssl_has_all_rows() {
    let Some(openssl) = start() else { return };
    let kernel = speedwell_kernels::all().find(|kernel| kernel.descriptor().name == "sha256.compress/portable");
    let ours = kernel_subject(kernel.unwrap(), Cpu::host());
    let settings = Settings { time_per_subject: Duration::from_millis(20), ..Settings::default() };
    let cases = [16, 1024].map(|bytes| Case::new("sha256", Operation::Hash, bytes));
    let report = Experiment::new(vec![Box::new(ours), Box::new(openssl)], settings).run(
        &cases,
        &mut |_| (),
        &AtomicBool::new(false),
    );
    assert_eq!((report.results.len(), report.ratios.len()), (4, 2), "{:?}", report.skipped);
    assert!(report.skipped.is_empty() && report.complete);
    assert!(report.ratios.iter().all(|row| row.versus.starts_with("openssl-") && row.ratio > 0.0));
}
