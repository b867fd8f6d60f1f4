//! Experiments on subjects whose nature is known: wrong ones, slower ones, ones that fail on the way.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use speedwell_lab::case::{Answer, Case, Operation};
use speedwell_lab::experiment::{Experiment, Settings};
use speedwell_lab::result::Report;
use speedwell_lab::sampler::Visit;
use speedwell_lab::statistics::Verdict;
use speedwell_lab::subjects::{Absent, Facts, InProcess, Prepared, Setup, Skip, Subject};

/// A subject that does so many rounds of arithmetic a call, and gives that answer.
fn planted(name: &str, rounds: u32, answer: &'static [u8]) -> Box<dyn Subject> {
    let facts = Facts::named(name);
    Box::new(InProcess::new(facts, move |_| {
        Ok(Setup {
            answer: Answer::new(answer),
            kernel: None,
            run: Box::new(move |calls| {
                for _ in 0..calls {
                    (0..rounds).fold(1u32, |x, _| black_box(x.wrapping_mul(5)));
                }
            }),
        })
    }))
}

/// Cases that the lab has no reference for: the majority decides.
fn cases() -> Vec<Case> {
    [16, 64].map(|bytes| Case::new("planted", Operation::Hash, bytes)).to_vec()
}

fn run(subjects: Vec<Box<dyn Subject>>) -> Report {
    let settings = Settings { time_per_subject: Duration::from_millis(30), ..Settings::default() };
    Experiment::new(subjects, settings).run(&cases(), &mut |_| (), &AtomicBool::new(false))
}

#[test]
fn a_wrong_subject_is_listed_and_not_timed() {
    let right = || planted("right", 100, b"42");
    let report = run(vec![right(), planted("wrong", 1, b"43"), right()]);
    assert!(report.results.iter().all(|row| row.subject != "wrong"), "{:?}", report.results);
    assert!(report.ratios.iter().all(|row| row.versus == "right#2"));
    assert_eq!(report.results.len(), 4);
    let [row] = &report.skipped[..] else { panic!("{:?}", report.skipped) };
    assert_eq!((row.subject.as_str(), &row.bytes[..]), ("wrong", &[16, 64][..]));
    assert!(row.why.starts_with("wrong: made 3433") && row.why.contains("3432"), "{}", row.why);
}

#[test]
fn the_reference_kernel_catches_a_wrong_subject_that_is_alone() {
    let case = Case::new("sha256", Operation::Hash, 16);
    let settings = Settings { time_per_subject: Duration::from_millis(5), ..Settings::default() };
    let mut experiment = Experiment::new(vec![planted("wrong", 1, b"43")], settings);
    let report = experiment.run(&[case], &mut |_| (), &AtomicBool::new(false));
    assert!(report.results.is_empty());
    assert!(report.skipped[0].why.contains("the reference kernel"), "{:?}", report.skipped);
}

#[test]
fn twice_the_work_is_half_the_speed() {
    let report = run(vec![planted("one", 100, b"1"), planted("two", 200, b"1")]);
    for row in &report.ratios {
        assert_eq!(row.verdict, Verdict::Faster, "{row:?}");
        assert!((1.5..2.5).contains(&row.ratio), "{row:?}");
        assert!(row.interval[0] <= row.ratio && row.ratio <= row.interval[1], "{row:?}");
    }
    for row in &report.results {
        assert!(row.samples > 0 && row.ns_per_call > 0.0, "{row:?}");
        let speed = row.bytes_per_second.unwrap();
        assert!((speed * row.ns_per_call / 1e9 / row.bytes as f64 - 1.0).abs() < 1e-6, "{row:?}");
    }
    assert_eq!(report.lines.len(), 2);
    assert!(report.noise_floor.is_some());
}

#[test]
fn one_that_is_absent_is_a_row() {
    let absent = Absent::new("openssl", Skip::NotStarted("not installed".to_owned()));
    let report = run(vec![planted("one", 100, b"1"), Box::new(absent)]);
    assert_eq!(report.results.len(), 2);
    assert!(report.skipped[0].why.contains("not installed"), "{:?}", report.skipped);
}

/// A subject that fails after some visits.
struct Failing(Facts, u32);

impl Subject for Failing {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn prepare(&mut self, _case: &Case) -> Result<Prepared, Skip> {
        Ok(Prepared { answer: Answer::new(b"1"), kernel: None })
    }

    fn visit(&mut self, visit: Visit) -> Result<Vec<f64>, Skip> {
        self.1 = self.1.checked_sub(1).ok_or_else(|| Skip::Failed("out of breath".to_owned()))?;
        Ok(vec![1000.0; visit.samples as usize])
    }

    fn another(&self) -> Result<Box<dyn Subject>, Skip> {
        Err(Skip::NotApplicable)
    }
}

#[test]
fn one_that_fails_on_the_way_does_not_end_the_run() {
    let facts = Facts::named("failing");
    let report = run(vec![planted("one", 100, b"1"), Box::new(Failing(facts, 20))]);
    assert_eq!(report.results.len(), 2, "{:?}", report.skipped);
    assert_eq!(report.skipped[0].why, "out of breath");
    assert!(report.ratios.is_empty() && report.complete);
}

#[test]
fn an_interrupted_run_gives_what_it_has() {
    let cancel = AtomicBool::new(false);
    let mut heard = 0;
    let settings = Settings { time_per_subject: Duration::from_millis(20), ..Settings::default() };
    let mut experiment = Experiment::new(vec![planted("one", 100, b"1")], settings);
    let report = experiment.run(
        &cases(),
        &mut |progress| {
            heard += 1;
            assert!((0.0..=1.0).contains(&progress.done) && progress.cells == 2);
            if progress.cells_done == 1 {
                assert!(progress.time_left.is_some());
                cancel.store(true, Ordering::Relaxed);
            }
        },
        &cancel,
    );
    assert!(heard >= 2);
    assert!(!report.complete);
    assert_eq!(report.results.len(), 1, "{:?}", report.results);
}

#[test]
fn threads_work_side_by_side() {
    static INSTANCES: AtomicU32 = AtomicU32::new(0);
    let facts = Facts::named("many");
    let subject = InProcess::new(facts, |_| {
        INSTANCES.fetch_add(1, Ordering::Relaxed);
        let run = Box::new(|calls| {
            black_box((0..calls).sum::<u64>());
        });
        Ok(Setup { answer: Answer::new(b"1"), kernel: None, run })
    });
    let settings = Settings { threads: 2, time_per_subject: Duration::from_millis(40), ..Settings::default() };
    let report = Experiment::new(vec![Box::new(subject)], settings).run(&cases(), &mut |_| (), &AtomicBool::new(false));
    assert_eq!(report.results.len(), 2, "{:?}", report.skipped);
    assert!(INSTANCES.load(Ordering::Relaxed) >= 4);
}

#[test]
fn the_report_is_the_document_that_is_promised() {
    let report = run(vec![planted("one", 100, b"1"), planted("two", 100, b"1")]);
    let document = serde_json::to_value(&report).unwrap();
    for key in ["host", "results", "ratios", "skipped"] {
        assert!(document.get(key).is_some(), "{key}");
    }
    let row = &document["results"][0];
    for key in ["algorithm", "operation", "bytes", "messages", "subject", "kernel", "bytes_per_second", "interval"] {
        assert!(row.get(key).is_some(), "{key}");
    }
    for key in ["cycles_per_byte", "ns_per_call", "limit_fraction", "samples"] {
        assert!(row.get(key).is_some(), "{key}");
    }
    let row = &document["ratios"][0];
    for key in ["algorithm", "operation", "bytes", "messages", "subject", "versus", "ratio", "interval", "verdict"] {
        assert!(row.get(key).is_some(), "{key}");
    }
    let back: Report = serde_json::from_value(document).unwrap();
    assert_eq!(back.ratios.len(), report.ratios.len());
}
