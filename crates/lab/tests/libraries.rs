//! Every library of the catalogue that is on this machine, in a worker process, against ours: whatever both can do, both do
//! alike. What is not here is named in a line, and nothing fails.
#![cfg(unix)]

use std::path::{Path, PathBuf};

use speedwell_lab::algorithm::Algorithm;
use speedwell_lab::case::{Case, Operation};
use speedwell_lab::sampler::Visit;
use speedwell_lab::subjects::worker::{Command, Worker};
use speedwell_lab::subjects::{KNOWN, OpenError, Place, Skip, Subject, library_subject, open, worker_main};

/// Not a test of anything: the worker that the tests below start, by running this file's program once more.
#[test]
#[ignore = "a worker for the other tests"]
fn worker() {
    let path = std::env::var_os("WORKER_PATH").map(PathBuf::from);
    worker_main(&std::env::var("WORKER_SUBJECT").unwrap(), path.as_deref()).unwrap();
}

/// The command that starts a worker for a library.
fn command(subject: &str, path: Option<&str>) -> Command {
    let program = std::env::current_exe().unwrap();
    let path = path.map_or(String::new(), |path| format!("WORKER_PATH='{path}' "));
    let script =
        format!("WORKER_SUBJECT={subject} {path}exec '{}' worker --exact --ignored --nocapture", program.display());
    Command::new("/bin/sh", ["-c", &script])
}

fn start(subject: &str) -> Option<Worker> {
    match Worker::start(command(subject, None)) {
        Ok(worker) => Some(worker),
        Err(Skip::Unavailable(why)) => {
            println!("skipped: {subject}: {why}");
            None
        }
        Err(other) => panic!("{subject}: {other}"),
    }
}

/// Compares all that a subject offers, and gives how many cases that were.
fn compare(theirs: &mut dyn Subject) -> usize {
    const SIZES: [usize; 9] = [0, 1, 16, 55, 64, 111, 128, 1024, 20_000];
    let mut ours = library_subject();
    let mut compared = 0;
    for algorithm in Algorithm::all() {
        let with_size = !algorithm.name.starts_with("rsa") && !algorithm.name.starts_with("dsa");
        for operation in algorithm.operations() {
            for bytes in if with_size { &SIZES[..] } else { &[0] } {
                for (messages, whole) in [(1, false), (1, true), (5, false)] {
                    let case = Case { messages, whole, ..Case::new(algorithm.name, *operation, *bytes) };
                    let (Ok(made), Ok(answer)) = (ours.prepare(&case), theirs.prepare(&case)) else { continue };
                    assert_eq!(made.answer, answer.answer, "{} and we, {case}, whole: {whole}", theirs.facts().name);
                    compared += 1;
                }
            }
        }
    }
    compared
}

#[test]
fn every_library_does_what_ours_does() {
    for known in KNOWN.iter().filter(|known| matches!(known.place, Place::Library | Place::Nothing)) {
        let Some(mut theirs) = start(known.name) else { continue };
        let compared = compare(&mut theirs);
        println!("{}: {compared} cases", theirs.facts().name);
        assert!(compared > 100, "only {compared} cases of {} were compared", known.name);
    }
}

/// The workers of `cargo xtask peers`, where they are built.
#[test]
fn every_peer_does_what_ours_does() {
    for known in KNOWN.iter().filter(|known| known.place == Place::Peer) {
        let mut theirs = open(known.name, Path::new("/no/such/program")).unwrap();
        if let Err(why @ Skip::Unavailable(_)) = theirs.prepare(&Case::new("sha256", Operation::Hash, 16)) {
            println!("skipped: {}: {why}", known.name);
            continue;
        }
        let compared = compare(&mut *theirs);
        assert!(compared > 50, "only {compared} cases of {} were compared", known.name);
    }
}

#[test]
fn every_library_can_be_timed_and_goes_on() {
    const VISIT: Visit = Visit { warm_up: 1, calls: 10, samples: 3 };
    for known in KNOWN.iter().filter(|known| matches!(known.place, Place::Library | Place::Nothing)) {
        let Some(mut theirs) = start(known.name) else { continue };
        for algorithm in Algorithm::all().filter(|algorithm| !algorithm.name.ends_with("3072")) {
            for operation in algorithm.operations() {
                for whole in [false, true] {
                    let case = Case { whole, ..Case::new(algorithm.name, *operation, 64) };
                    if theirs.prepare(&case).is_ok() {
                        let times = theirs.visit(VISIT).unwrap_or_else(|why| panic!("{}, {case}: {why}", known.name));
                        assert!(times.iter().all(|time| *time > 0.0), "{}, {case}: {times:?}", known.name);
                    }
                }
            }
        }
    }
}

#[test]
fn facts_name_the_file_and_its_digest() {
    for known in KNOWN.iter().filter(|known| known.place == Place::Library) {
        let Some(theirs) = start(known.name) else { continue };
        let facts = theirs.facts();
        let file = facts.file.as_ref().unwrap_or_else(|| panic!("{facts:?}"));
        assert!(file.is_file(), "{facts:?}");
        assert_eq!(facts.sha256.as_ref().map(String::len), Some(64), "{facts:?}");
        assert!(facts.version.is_some() && facts.name.contains('-'), "{facts:?}");
    }
}

#[test]
fn a_wrong_file_is_said_to_be_one() {
    for known in KNOWN.iter().filter(|known| known.place == Place::Library) {
        for path in ["/no/such/library.so", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")] {
            let why = Worker::start(command(known.name, Some(path))).map(|_| ()).unwrap_err();
            assert!(matches!(&why, Skip::Unavailable(why) if why.contains(path)), "{}: {why:?}", known.name);
        }
    }
    // A library is there, and is another one.
    let Some(nettle) = start("nettle") else { return };
    let path = nettle.facts().file.clone().unwrap();
    for known in KNOWN.iter().filter(|known| known.place == Place::Library && known.name != "nettle") {
        let why = Worker::start(command(known.name, path.to_str())).map(|_| ()).unwrap_err();
        assert!(matches!(&why, Skip::Unavailable(why) if why.contains("has no ")), "{}: {why:?}", known.name);
    }
}

#[test]
fn a_name_is_looked_up() {
    let program = Path::new("/no/such/program");
    let error = |name| open(name, program).map(|_| ()).unwrap_err();
    assert_eq!(error("libgrcypt").to_string(), "unknown subject 'libgrcypt'; did you mean 'libgcrypt'?");
    assert!(matches!(error("cryptlib-of-mine"), OpenError::Unknown { nearest: None, .. }));
    assert!(
        error("cryptlib-of-mine").to_string().contains("known are speedwell, speedwell=PATH, openssl, openssl=PATH")
    );
    assert!(matches!(error("ring=/usr/lib"), OpenError::NoPath { name: "ring" }));
    assert!(matches!(error("openssl=/x"), OpenError::Start { .. }));
    assert!(matches!(error("worker="), OpenError::Unknown { .. }));
    // What is not there without a path is a subject that says so.
    let mut absent = open("openssl", program).unwrap();
    let why = absent.prepare(&Case::new("sha256", Operation::Hash, 16)).unwrap_err();
    assert!(matches!(why, Skip::NotStarted(_)), "{why}");
}
