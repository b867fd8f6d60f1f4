//! An experiment among workers that crash, hang, and lie about their format or their work: each is a row among those
//! skipped, and the others are measured. The planted workers are shell scripts.
#![cfg(unix)]

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use speedwell_lab::case::{Case, Operation};
use speedwell_lab::experiment::{Experiment, Settings};
use speedwell_lab::result::Report;
use speedwell_lab::subjects::worker::{Command, Worker};
use speedwell_lab::subjects::{Subject, library_subject};

/// What every worker makes of SHA-256 of the 16 bytes, as ours does.
fn right_answer() -> String {
    let mut ours = library_subject();
    let prepared = ours.prepare(&case()).unwrap();
    format!(r#"echo '{{"prepared":{}}}'"#, serde_json::to_string(&prepared).unwrap())
}

fn case() -> Case {
    Case::new("sha256", Operation::Hash, 16)
}

/// A worker that greets, and then answers each request by one of these lines, the last of them for ever.
fn planted(name: &str, lines: &[&str]) -> Box<dyn Subject> {
    let hello = format!(r#"echo '{{"hello":{{"protocol":1,"facts":{{"name":"{name}","version":null,"build":null}}}}}}'"#);
    let (last, first) = lines.split_last().unwrap();
    let first: String = first.iter().map(|line| format!("read request; {line}\n")).collect();
    let script = format!("{hello}\n{first}while read request; do\n{last}\ndone");
    let command = Command { patience: Duration::from_millis(2500), ..Command::new("/bin/sh", ["-c", &script]) };
    Box::new(Worker::start(command).unwrap())
}

fn run(planted: Box<dyn Subject>) -> Report {
    let settings = Settings { time_per_subject: Duration::from_millis(20), ..Settings::default() };
    let subjects: Vec<Box<dyn Subject>> = vec![Box::new(library_subject()), planted];
    Experiment::new(subjects, settings).run(&[case()], &mut |_| (), &AtomicBool::new(false))
}

/// That ours is measured, and the other one is a row with this reason.
fn is_skipped(report: &Report, reason: &str) {
    assert!(report.complete);
    assert!(report.results.iter().any(|row| row.subject == "speedwell"), "{:?}", report.results);
    assert!(report.results.iter().all(|row| row.subject == "speedwell"), "{:?}", report.results);
    let [row] = &report.skipped[..] else { panic!("{:?}", report.skipped) };
    assert!(row.why.contains(reason), "{}", row.why);
}

#[test]
fn one_that_crashes_is_a_row() {
    is_skipped(&run(planted("crasher", &["kill -SEGV $$"])), "segmentation fault");
    is_skipped(&run(planted("late", &[&right_answer(), "kill -ILL $$"])), "illegal instruction");
}

#[test]
fn one_that_hangs_is_a_row() {
    is_skipped(&run(planted("sleeper", &["exec sleep 600"])), "hung");
    is_skipped(&run(planted("drowsy", &[&right_answer(), "exec sleep 600"])), "hung");
}

#[test]
fn one_that_lies_about_its_format_is_a_row() {
    is_skipped(&run(planted("liar", &[r#"echo '{"samples":[1.0]}'"#])), "does not keep to the protocol");
    is_skipped(&run(planted("counter", &[&right_answer(), r#"echo '{"samples":[1.0]}'"#])), "expected 3 samples");
    is_skipped(&run(planted("negative", &[&right_answer(), r#"echo '{"samples":[1.0,-1.0,1.0]}'"#])), "expected 3 samples");
}

#[test]
fn one_that_is_wrong_is_a_row_and_not_timed() {
    let wrong = right_answer().replace(r#""start":""#, r#""start":"00"#);
    is_skipped(&run(planted("wrong", &[&wrong, r#"echo '{"samples":[0.001,0.001,0.001]}'"#])), "wrong: made 00");
}
