//! Whether the laboratory can be believed: differences that were planted must be found, and none where there is none.
//!
//! A [`Planted`] subject does more work in every call, and is timed like any other; no figure is touched. A [`trial`] measures a
//! subject, the same subject once more, and the planted one, in one experiment, time after time.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde::Serialize;

use crate::affinity;
use crate::case::{Case, Operation};
use crate::experiment::{Experiment, Settings};
use crate::result::{Comparison, Report};
use crate::sampler::Visit;
use crate::statistics::Verdict;
use crate::subjects::{Facts, Prepared, Skip, Subject};

/// A subject that works on a longer message than it is told.
pub struct Planted {
    facts: Facts,
    subject: Box<dyn Subject>,
    more: usize,
}

impl Planted {
    /// The subject, with so many bytes more in each message.
    pub fn new(subject: Box<dyn Subject>, more: usize) -> Planted {
        let facts = Facts { name: format!("{}+{more}B", subject.facts().name), ..subject.facts().clone() };
        Planted { facts, subject, more }
    }
}

impl Subject for Planted {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn prepare(&mut self, case: &Case) -> Result<Prepared, Skip> {
        // The answer is that of the case; what is visited afterwards is the longer one.
        let prepared = self.subject.prepare(case)?;
        self.subject.prepare(&Case { bytes: case.bytes + self.more, ..case.clone() })?;
        Ok(prepared)
    }

    fn visit(&mut self, visit: Visit) -> Result<Vec<f64>, Skip> {
        self.subject.visit(visit)
    }

    fn another(&self) -> Result<Box<dyn Subject>, Skip> {
        Ok(Box::new(Planted { facts: self.facts.clone(), subject: self.subject.another()?, more: self.more }))
    }

    fn pin(&mut self, core: usize) {
        self.subject.pin(core);
    }
}

/// An algorithm whose case is a hundred units of work, so that one unit more is one per cent.
#[derive(Clone, Copy, Debug)]
pub struct Hundred {
    /// The algorithm.
    pub algorithm: &'static str,
    operation: Operation,
    /// Bytes of the case.
    pub bytes: usize,
    /// Bytes of a unit.
    unit: usize,
}

/// Work bound by chains of dependent steps of several kinds, and by throughput. RC4 is not among them: how long it takes goes
/// with its state, which differs from instance to instance by about as much as is planted.
pub const HUNDREDS: &[Hundred] = &[
    // Padding and length take nine bytes of the hundredth block.
    Hundred { algorithm: "sha256", operation: Operation::Hash, bytes: 6400 - 9, unit: 64 },
    Hundred { algorithm: "md5", operation: Operation::Hash, bytes: 6400 - 9, unit: 64 },
    Hundred { algorithm: "aes-128-cbc", operation: Operation::Encrypt, bytes: 1600, unit: 16 },
    // Kernels take sixteen blocks at a time.
    Hundred { algorithm: "aes-128-ctr", operation: Operation::Encrypt, bytes: 25600, unit: 256 },
];

/// How a trial is made.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Experiments.
    pub runs: u32,
    /// How long each subject is visited in each.
    pub time_per_subject: Duration,
    /// How many per cent more work the planted subject does.
    pub percent: usize,
    /// Whether all other cores are kept busy meanwhile.
    pub load: bool,
}

/// What came of a trial.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The algorithm.
    pub algorithm: String,
    /// Bytes of a message.
    pub bytes: usize,
    /// Cores that were kept busy.
    pub busy_cores: usize,
    /// Experiments.
    pub runs: usize,
    /// In how many the planted slowdown was found.
    pub found: usize,
    /// In how many the subject was called faster or slower than itself.
    pub claimed: usize,
    /// The ratios to the planted subject, run by run: about 1.01 for one per cent.
    pub planted: Vec<f64>,
    /// The ratios of the subject to itself.
    pub itself: Vec<f64>,
    /// The widest half interval of all of them, as a part of 1.
    pub half_width: f64,
}

/// Makes a trial. `make` gives independent instances of the subject. `told` hears of every experiment that is done; when
/// `cancel` becomes true, the trial ends as soon as it can.
///
/// # Errors
/// What keeps the subject from doing the case.
pub fn trial(
    make: &(dyn Fn() -> Box<dyn Subject> + Sync),
    hundred: &Hundred,
    plan: &Plan,
    told: &mut dyn FnMut(u32),
    cancel: &AtomicBool,
) -> Result<Outcome, Skip> {
    let load = plan.load.then(Load::start);
    let case = Case::new(hundred.algorithm, hundred.operation, hundred.bytes);
    let mut outcome = Outcome {
        algorithm: hundred.algorithm.to_owned(),
        bytes: hundred.bytes,
        busy_cores: load.as_ref().map_or(0, |load| load.threads.len()),
        runs: 0,
        found: 0,
        claimed: 0,
        planted: Vec::new(),
        itself: Vec::new(),
        half_width: 0.0,
    };
    for run in 0..plan.runs {
        let settings = Settings {
            time_per_subject: plan.time_per_subject,
            limits: false,
            seed: u64::from(run) + 1,
            ..Settings::default()
        };
        // A thread of its own: an experiment binds the one that it runs in.
        let experiment = || {
            let planted = Planted::new(make(), plan.percent * hundred.unit);
            let subjects = vec![make(), make(), Box::new(planted) as Box<dyn Subject>];
            Experiment::new(subjects, settings).run(std::slice::from_ref(&case), &mut |_| (), cancel)
        };
        let report = thread::scope(|scope| scope.spawn(experiment).join())
            .map_err(|_| Skip::Failed("the experiment panicked".to_owned()))?;
        if cancel.load(Ordering::Relaxed) {
            return Ok(outcome);
        }
        outcome.add(&report)?;
        told(run + 1);
    }
    Ok(outcome)
}

impl Outcome {
    fn add(&mut self, report: &Report) -> Result<(), Skip> {
        let [itself, planted] = &report.ratios[..] else {
            let why = report.skipped.first().map_or("too few rounds", |row| row.why.as_str());
            return Err(Skip::Failed(why.to_owned()));
        };
        self.runs += 1;
        self.found += usize::from(planted.verdict == Verdict::Faster);
        self.claimed += usize::from(itself.verdict != Verdict::Same);
        self.planted.push(planted.ratio);
        self.itself.push(itself.ratio);
        let half = |row: &Comparison| (row.interval[1] - row.interval[0]) / 2.0;
        self.half_width = self.half_width.max(half(itself)).max(half(planted));
        Ok(())
    }

    /// Whether 19 of 20 planted slowdowns were found, and a difference claimed in no more than one of 20 where there was none.
    pub fn is_well(&self) -> bool {
        self.found * 20 >= self.runs * 19 && self.claimed * 20 <= self.runs
    }
}

/// Threads that keep all cores busy but the one that is measured on.
struct Load {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    fn start() -> Load {
        let stop = Arc::new(AtomicBool::new(false));
        let measured = affinity::quietest_core();
        let others = affinity::allowed_cores().into_iter().filter(|core| Some(*core) != measured);
        let threads = others.map(|core| {
            let stop = Arc::clone(&stop);
            thread::spawn(move || {
                affinity::pin_thread(core);
                // More than the caches hold, so that memory is busy as well.
                let mut memory = vec![1u64; 4 << 20];
                while !stop.load(Ordering::Relaxed) {
                    for part in memory.chunks_mut(1 << 16) {
                        part.iter_mut().for_each(|word| *word = word.wrapping_mul(0x5851_f42d_4c95_7f2d) + 1);
                        black_box(part);
                    }
                }
            })
        });
        Load { threads: threads.collect(), stop }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::library_subject;

    #[test]
    fn a_planted_subject_does_more_and_answers_the_same() {
        let case = Case::new("sha256", Operation::Hash, 6391);
        let mut planted = Planted::new(Box::new(library_subject()), 64 * 100);
        assert_eq!(planted.prepare(&case).unwrap().answer, library_subject().prepare(&case).unwrap().answer);
        let visit = Visit { warm_up: 10, calls: 100, samples: 9 };
        let longer = crate::statistics::median(&mut planted.visit(visit).unwrap());
        planted.subject.prepare(&case).unwrap();
        let shorter = crate::statistics::median(&mut planted.visit(visit).unwrap());
        assert!((1.7..2.3).contains(&(longer / shorter)), "{longer} against {shorter}");
    }

    #[test]
    fn a_difference_of_a_fifth_is_found_even_in_no_time() {
        let plan = Plan { runs: 2, time_per_subject: Duration::from_millis(20), percent: 20, load: true };
        let make = || Box::new(library_subject()) as Box<dyn Subject>;
        let outcome = trial(&make, &HUNDREDS[0], &plan, &mut |_| (), &AtomicBool::new(false)).unwrap();
        assert_eq!((outcome.runs, outcome.found), (2, 2), "{outcome:?}");
    }
}
