//! Cases × subjects, measured side by side.
//!
//! A *cell* is one case. In it every subject is first set up and its answer checked; those that are right are visited
//! once a round, in an order drawn anew for every round, until the cell's time is up. The hardware's limit and the
//! frequency are looked at in the same rounds.
//!
//! What this cannot level out: a subject that makes the processor lower its frequency for longer than a visit (AVX-512
//! on Intel's processors before Ice Lake) slows its neighbours in the round as well.

mod cell;
mod verify;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::affinity;
use crate::case::Case;
use crate::clock::Clock;
use crate::host::Host;
use crate::result::{LineRow, Report};
use crate::statistics::{Line, Resampler, median};
use crate::subjects::{Facts, Subject, Team};

use cell::Cell;

/// How to measure.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long each subject is visited in each cell, all rounds together; set-up is not counted.
    pub time_per_subject: Duration,
    /// How many threads do the same at once, each with an independent instance of every subject on a core of its own.
    pub threads: usize,
    /// Whether to bind the thread, and workers, to one core.
    pub pin: bool,
    /// Whether to measure the hardware's limits.
    pub limits: bool,
    /// From which the order of visits and the resamples of the statistics come.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { time_per_subject: Duration::from_millis(400), threads: 1, pin: true, limits: true, seed: 1 }
    }
}

impl Settings {
    /// Settings for a first look: a fifth of the time, and still hundreds of rounds.
    pub fn quick() -> Settings {
        Settings { time_per_subject: Duration::from_millis(80), ..Settings::default() }
    }
}

/// How far an experiment is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The case being measured.
    pub case: &'a Case,
    /// Cells that are done.
    pub cells_done: usize,
    /// All cells.
    pub cells: usize,
    /// The part of all the work that is done, from 0 to 1.
    pub done: f64,
    /// The time that the rest will take; absent until there is something to tell it from.
    pub time_left: Option<Duration>,
}

/// Subjects to be measured against each other. The first one is what the others are compared with.
pub struct Experiment {
    subjects: Vec<Box<dyn Subject>>,
    names: Vec<String>,
    settings: Settings,
}

impl Experiment {
    /// Takes the subjects; those with the same name are told apart by a number: `speedwell#2`.
    pub fn new(subjects: Vec<Box<dyn Subject>>, settings: Settings) -> Experiment {
        let mut names: Vec<String> = Vec::new();
        for subject in &subjects {
            let name = &subject.facts().name;
            let namesakes = names.iter().filter(|other| other.split('#').next() == Some(name)).count();
            names.push(if namesakes == 0 { name.clone() } else { format!("{name}#{}", namesakes + 1) });
        }
        let subjects = if settings.threads > 1 {
            subjects.into_iter().map(|one| Box::new(Team::new(one, settings.threads)) as Box<dyn Subject>).collect()
        } else {
            subjects
        };
        Experiment { subjects, names, settings }
    }

    /// The names of the subjects, as the report will give them.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Measures all cases. `progress` is called some ten times a second; when `cancel` becomes true, the experiment
    /// ends as soon as it can and gives what it has.
    pub fn run(&mut self, cases: &[Case], progress: &mut dyn FnMut(Progress<'_>), cancel: &AtomicBool) -> Report {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let core = self.pin();
        let mut clock = Clock::new();
        let mut report = Report {
            host: Host::look(&mut clock, cores, core),
            subjects: self.facts(),
            noise_floor: None,
            results: Vec::new(),
            ratios: Vec::new(),
            limits: Vec::new(),
            lines: Vec::new(),
            skipped: Vec::new(),
            complete: true,
        };
        let mut resampler = Resampler::new(self.settings.seed);
        let mut floors = Vec::new();
        let begin = Instant::now();
        for (index, case) in cases.iter().enumerate() {
            let mut tell = |part: f64| {
                let done = (index as f64 + part) / cases.len() as f64;
                let time_left = (done > 0.0).then(|| begin.elapsed().mul_f64((1.0 - done) / done));
                progress(Progress { case, cells_done: index, cells: cases.len(), done, time_left });
            };
            tell(0.0);
            let mut cell = Cell::set_up(case, &mut self.subjects, &self.names, &clock, &self.settings);
            cell.measure(&mut clock, &mut tell, cancel);
            floors.extend(cell.evaluate(&self.names, &mut report, &mut resampler));
            if cancel.load(Ordering::Relaxed) {
                report.complete = false;
                break;
            }
        }
        report.noise_floor = (!floors.is_empty()).then(|| median(&mut floors));
        report.host.leave(&mut clock);
        report.lines = lines(&report);
        report
    }

    /// Binds this thread and the subjects that are elsewhere to the quietest core. Teams choose cores of their own.
    fn pin(&mut self) -> Option<usize> {
        if !self.settings.pin || self.settings.threads > 1 {
            return None;
        }
        let core = affinity::quietest_core().filter(|core| affinity::pin_thread(*core))?;
        self.subjects.iter_mut().for_each(|subject| subject.pin(core));
        Some(core)
    }

    fn facts(&self) -> Vec<Facts> {
        let facts = self.subjects.iter().map(|subject| subject.facts().clone());
        facts.zip(&self.names).map(|(facts, name)| Facts { name: name.clone(), ..facts }).collect()
    }
}

/// Fits a line for every subject and operation that was measured at two sizes or more.
fn lines(report: &Report) -> Vec<LineRow> {
    let frequency = report.host.frequency_before.zip(report.host.frequency_after).map(|(a, b)| (a + b) / 2.0);
    let mut rows: Vec<LineRow> = Vec::new();
    for result in &report.results {
        let belongs = |row: &LineRow| {
            row.subject == result.subject
                && row.algorithm == result.algorithm
                && row.operation == result.operation
                && row.whole == result.whole
        };
        if rows.iter().any(belongs) {
            continue;
        }
        let same = report.results.iter().filter(|other| {
            other.subject == result.subject
                && other.algorithm == result.algorithm
                && other.operation == result.operation
                && other.whole == result.whole
                && other.messages == 1
        });
        let points: Vec<(f64, f64)> = same.map(|other| (other.bytes as f64, other.ns_per_call)).collect();
        let Some(line) = Line::through(&points) else { continue };
        rows.push(LineRow {
            algorithm: result.algorithm.clone(),
            operation: result.operation,
            whole: result.whole,
            subject: result.subject.clone(),
            cycles_per_byte: frequency.map(|frequency| frequency * line.slope),
            line,
        });
    }
    rows
}
