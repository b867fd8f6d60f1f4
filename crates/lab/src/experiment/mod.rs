//! Cases × subjects, measured side by side.
//!
//! A *cell* is one case. In it every subject is first set up and its answer checked; those that are right are visited
//! once a round, in an order drawn anew for every round, until the cell's time is up. The hardware's limit and the
//! frequency are looked at in the same rounds.
//!
//! What this cannot level out: a subject that makes the processor lower its frequency for longer than a visit (AVX-512
//! on Intel's processors before Ice Lake) slows its neighbours in the round as well.

mod cell;
mod file;
mod profiles;
mod verify;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::affinity;
use crate::case::Case;
use crate::clock::Clock;
use crate::host::Host;
use crate::result::Report;
use crate::statistics::{Resampler, median};
use crate::subjects::{Facts, Subject, Team};

use cell::Cell;

pub use file::{Description, FileError, Placed};
pub use profiles::{PROFILES, Profile};

/// How to measure.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long each subject is visited in each cell, all rounds together; set-up is not counted.
    pub time_per_subject: Duration,
    /// How many rounds a cell has at most, if not only its time ends it; twelve are the fewest.
    pub rounds: Option<usize>,
    /// How many threads do the same at once, each with an independent instance of every subject on a core of its own.
    pub threads: usize,
    /// Whether to bind the thread, and workers, to one core.
    pub pin: bool,
    /// Whether to measure the hardware's limits.
    pub limits: bool,
    /// Whether the report keeps what each round took.
    pub keep_samples: bool,
    /// The number of the subject that all others are compared with; without it, the first one is compared with all others.
    pub baseline: Option<usize>,
    /// From which the order of visits and the resamples of the statistics come.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            time_per_subject: Duration::from_millis(400),
            rounds: None,
            threads: 1,
            pin: true,
            limits: true,
            keep_samples: false,
            baseline: None,
            seed: 1,
        }
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

/// Who hears of an experiment while it runs.
pub trait Observer {
    /// Some ten times a second.
    fn progress(&mut self, _progress: Progress<'_>) {}

    /// Once, before the first case: the report has the host and the subjects, and no figure yet.
    fn begin(&mut self, _head: &Report) {}

    /// After every case, which is `part.complete` unless it was interrupted: the report has the rows of this case alone.
    fn measured(&mut self, _case: &Case, _part: &Report) {}
}

/// An observer who looks at nothing but the progress.
struct Onlooker<'a>(&'a mut dyn FnMut(Progress<'_>));

impl Observer for Onlooker<'_> {
    fn progress(&mut self, progress: Progress<'_>) {
        (self.0)(progress);
    }
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
        self.observe(cases, &mut Onlooker(progress), cancel)
    }

    /// Measures all cases and tells the observer of each as soon as it is done.
    pub fn observe(&mut self, cases: &[Case], observer: &mut dyn Observer, cancel: &AtomicBool) -> Report {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let core = self.pin();
        let mut clock = Clock::new();
        let mut report = Report::new(Host::look(&mut clock, cores, core), self.facts());
        report.threads = self.settings.threads;
        report.baseline = self.settings.baseline.and_then(|number| self.names.get(number).cloned());
        observer.begin(&report);
        let mut resampler = Resampler::new(self.settings.seed);
        let mut floors = Vec::new();
        let begin = Instant::now();
        for (index, case) in cases.iter().enumerate() {
            let mut tell = |part: f64| {
                let done = (index as f64 + part) / cases.len() as f64;
                let time_left = (done > 0.0).then(|| begin.elapsed().mul_f64((1.0 - done) / done));
                observer.progress(Progress { case, cells_done: index, cells: cases.len(), done, time_left });
            };
            tell(0.0);
            let mut part = Report::new(report.host.clone(), Vec::new());
            let mut cell = Cell::set_up(case, &mut self.subjects, &self.names, &clock, &self.settings);
            cell.measure(&mut clock, &mut tell, cancel);
            let mut cell_floors = cell.evaluate(&self.names, &self.settings, &mut part, &mut resampler);
            floors.extend_from_slice(&cell_floors);
            part.noise_floor = (!cell_floors.is_empty()).then(|| median(&mut cell_floors));
            part.complete = !cancel.load(Ordering::Relaxed);
            report.complete = part.complete;
            observer.measured(case, &part);
            report.extend(part);
            if !report.complete {
                break;
            }
        }
        report.noise_floor = (!floors.is_empty()).then(|| median(&mut floors));
        report.host.leave(&mut clock);
        report.fit_lines();
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

    /// What the subjects are, under the names that the report will give them.
    pub fn facts(&self) -> Vec<Facts> {
        let facts = self.subjects.iter().map(|subject| subject.facts().clone());
        facts.zip(&self.names).map(|(facts, name)| Facts { name: name.clone(), ..facts }).collect()
    }
}
