//! Workers that crash, hang, chatter or speak something else: each is a reason to skip, never the end of the run. The
//! misbehaving workers are shell scripts.
#![cfg(unix)]

use std::time::Duration;

use speedwell_lab::case::{Case, Operation};
use speedwell_lab::sampler::Visit;
use speedwell_lab::subjects::worker::{Command, Worker};
use speedwell_lab::subjects::{Skip, Subject};

const HELLO: &str = r#"echo '{"hello":{"protocol":1,"facts":{"name":"mock","version":null,"build":null}}}'"#;
const PREPARED: &str =
    r#"echo '{"prepared":{"answer":{"length":1,"start":"00","checksum":"af63bd4c8601b7df"},"kernel":null}}'"#;

fn start(script: &[&str]) -> Result<Worker, Skip> {
    start_with(Duration::from_secs(60), script)
}

fn start_with(patience: Duration, script: &[&str]) -> Result<Worker, Skip> {
    Worker::start(Command { patience, ..Command::new("/bin/sh", ["-c", &script.join("\n")]) })
}

fn case() -> Case {
    Case::new("sha256", Operation::Hash, 16)
}

const VISIT: Visit = Visit { warm_up: 1, calls: 2, samples: 3 };

#[test]
fn one_that_behaves() {
    let script = [HELLO, "read request", PREPARED, "read request", r#"echo '{"samples":[1.5,2.5,3.5]}'"#];
    let mut worker = start(&script).unwrap();
    assert_eq!(worker.facts().name, "mock");
    assert_eq!(worker.prepare(&case()).unwrap().answer.length, 1);
    assert_eq!(worker.visit(VISIT), Ok(vec![1.5, 2.5, 3.5]));
}

#[test]
fn a_crash_is_told_with_signal_and_last_words_and_the_next_case_starts_anew() {
    let script = [HELLO, "read request", "echo 'cannot go on' >&2", "kill -SEGV $$"];
    let mut worker = start(&script).unwrap();
    for _ in 0..2 {
        let why = worker.prepare(&case()).unwrap_err();
        assert!(matches!(why, Skip::Crashed { .. }), "{why:?}");
        let text = why.to_string();
        assert!(text.contains("segmentation fault") && text.contains("cannot go on"), "{text}");
        assert!(text.contains("setting up sha256 16 bytes"), "{text}");
    }
}

#[test]
fn a_crash_while_it_is_measured() {
    let mut worker = start(&[HELLO, "read request", PREPARED, "read request", "exit 3"]).unwrap();
    worker.prepare(&case()).unwrap();
    let why = worker.visit(VISIT).unwrap_err();
    assert!(why.to_string().contains("exit code 3"), "{why}");
    assert!(worker.visit(VISIT).is_err());
    assert!(worker.prepare(&case()).is_ok());
}

#[test]
fn one_that_hangs_is_not_waited_for() {
    let patience = Duration::from_millis(2500);
    let mut worker = start_with(patience, &[HELLO, "read request", "exec sleep 600"]).unwrap();
    let why = worker.prepare(&case()).unwrap_err();
    assert!(matches!(why, Skip::Hung { .. }), "{why:?}");
    assert_eq!(why.to_string(), "the worker hung: no answer for 2.5 s while setting up sha256 16 bytes");
    assert!(matches!(start_with(patience, &["exec sleep 600"]), Err(Skip::Hung { .. })));
}

#[test]
fn noise_is_passed_over_up_to_a_measure() {
    let noise = "echo; echo 'Hello there'; echo '{\"unknown\": 1}'; printf '\\377\\n'";
    let mut worker = start(&[noise, HELLO, "read request", noise, PREPARED]).unwrap();
    assert!(worker.prepare(&case()).is_ok());
    let why = start(&["while true; do echo chatter; done"]).map(|_| ()).unwrap_err();
    assert!(matches!(&why, Skip::Protocol(text) if text.contains("chatter")), "{why:?}");
}

#[test]
fn reasons_of_the_worker_come_through() {
    let why = start(&[r#"echo '{"unavailable":"no such library"}'"#]).map(|_| ()).unwrap_err();
    assert_eq!(why, Skip::Unavailable("no such library".to_owned()));
    let mut worker = start(&[HELLO, "read request", r#"echo '{"skip":"too old"}'"#]).unwrap();
    assert_eq!(worker.prepare(&case()), Err(Skip::Failed("too old".to_owned())));
}

#[test]
fn replies_must_fit_requests() {
    let mut worker = start(&[HELLO, "read request", r#"echo '{"samples":[1.0]}'"#]).unwrap();
    assert!(matches!(worker.prepare(&case()), Err(Skip::Protocol(_))));
    let mut worker = start(&[HELLO, "read request", PREPARED, "read request", r#"echo '{"samples":[1.0]}'"#]).unwrap();
    worker.prepare(&case()).unwrap();
    assert!(matches!(worker.visit(VISIT), Err(Skip::Protocol(text)) if text.contains("expected 3 samples")));
    let old = HELLO.replace("\"protocol\":1", "\"protocol\":7");
    assert!(matches!(start(&[&old]).map(|_| ()), Err(Skip::Protocol(text)) if text.contains("version 7")));
}

#[test]
fn a_program_that_is_not_there() {
    let why = Worker::start(Command::new("/no/such/program", ["x"])).map(|_| ()).unwrap_err();
    assert!(why.to_string().contains("/no/such/program"), "{why}");
}
