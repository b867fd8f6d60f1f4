//! One case: its subjects set up, verified, visited round by round, and what came of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use speedwell_kernels::cpu::Cpu;

use super::Settings;
use super::verify::judge;
use crate::case::Case;
use crate::clock::Clock;
use crate::limits::Limit;
use crate::result::{Comparison, LimitRow, Measurement, Report, Samples};
use crate::sampler::{self, Visit};
use crate::statistics::{Estimate, NoiseFloor, Outliers, Ratio, Resampler, median};
use crate::subjects::{Prepared, Skip, Subject, reference};

/// A case with the subjects that can do it.
pub(super) struct Cell<'a> {
    case: &'a Case,
    entrants: Vec<Entrant<'a>>,
    /// Subjects by their number, and why they are not among the entrants, or not any more.
    skips: Vec<(usize, Skip)>,
    limit: Option<Limit>,
    /// How long the rounds may take together.
    time: Duration,
    /// How many there may be.
    rounds: usize,
    random: Rng,
    /// Gigahertz, in even rounds; empty where nothing tells cycles.
    frequencies: Vec<f64>,
    /// What the limit would take for a call, in odd rounds; empty without a limit.
    limits: Vec<f64>,
}

/// A subject that has given the right answer.
struct Entrant<'a> {
    number: usize,
    subject: &'a mut dyn Subject,
    prepared: Prepared,
    visit: Visit,
    /// Nanoseconds per call, one value a round.
    times: Vec<f64>,
}

/// Samples in a row: the middle one stands for the round, so that a single interrupt does not count.
const SAMPLES: u32 = 3;

/// A sample of a team lasts at least this long, so that its members' samples overlap for the most part.
const TEAM_SAMPLE: Duration = Duration::from_millis(1);

/// Subjects are set up anew this many times in a cell, so that no figure hangs on where a context happened to lie.
const PLACES: u32 = 40;

/// Rounds that there must be for an interval, however long they take.
const FEWEST_ROUNDS: usize = 12;

/// About so many rounds make an interval as narrow as it gets: more time than they need goes into longer samples.
const MANY_ROUNDS: u32 = 4000;

/// A progress bar wants to hear this often.
const TELL: Duration = Duration::from_millis(100);

impl<'a> Cell<'a> {
    /// Sets all subjects up, and keeps those whose answer is right.
    pub fn set_up(
        case: &'a Case,
        subjects: &'a mut [Box<dyn Subject>],
        names: &[String],
        clock: &Clock,
        settings: &Settings,
    ) -> Cell<'a> {
        let alone = settings.threads == 1;
        let sample = sampler::sample_time(clock.resolution());
        let sample = if alone { sample } else { sample.max(TEAM_SAMPLE) };
        let sample = sample.max(settings.time_per_subject / (MANY_ROUNDS * (SAMPLES + 1)));
        let mut cell = Cell {
            case,
            entrants: Vec::new(),
            skips: Vec::new(),
            limit: None,
            time: Duration::ZERO,
            rounds: settings.rounds.unwrap_or(usize::MAX),
            random: Rng::with_seed(settings.seed),
            frequencies: Vec::new(),
            limits: Vec::new(),
        };
        let mut prepared = Vec::new();
        for (number, subject) in subjects.iter_mut().enumerate() {
            match subject.prepare(case) {
                Ok(ready) => prepared.push((number, &mut **subject, ready)),
                Err(why) => cell.skips.push((number, why)),
            }
        }
        let reference = reference(case).ok();
        let answers: Vec<_> =
            prepared.iter().map(|(number, _, ready)| (names[*number].as_str(), &ready.answer)).collect();
        let verdicts = judge(&answers, reference.as_ref());
        for ((number, subject, prepared), verdict) in prepared.into_iter().zip(verdicts) {
            let calls = match verdict {
                Some(wrong) => Err(wrong),
                None => sampler::calls_to_fill(sample, |calls| {
                    subject.visit(Visit { warm_up: 0, calls, samples: 1 }).map(|times| times[0])
                }),
            };
            match calls {
                Ok(calls) => cell.entrants.push(Entrant {
                    number,
                    subject,
                    prepared,
                    visit: Visit { warm_up: calls.div_ceil(2), calls, samples: SAMPLES },
                    times: Vec::new(),
                }),
                Err(why) => cell.skips.push((number, why)),
            }
        }
        cell.limit = (settings.limits && alone).then(|| Limit::of(case, Cpu::host())).flatten();
        cell.time = settings.time_per_subject * cell.entrants.len() as u32;
        cell
    }

    /// Visits the entrants round by round until the time is up. `tell` hears which part of it is over.
    pub fn measure(&mut self, clock: &mut Clock, tell: &mut dyn FnMut(f64), cancel: &AtomicBool) {
        let begin = Instant::now();
        let mut told = begin;
        let mut moved = begin;
        let mut moving = Duration::ZERO;
        let mut order: Vec<usize> = (0..self.entrants.len()).collect();
        for round in 0.. {
            if order.is_empty() || cancel.load(Ordering::Relaxed) {
                return;
            }
            let over = begin.elapsed() >= self.time || round >= self.rounds;
            if over && round >= FEWEST_ROUNDS {
                return;
            }
            if told.elapsed() >= TELL {
                told = Instant::now();
                tell((begin.elapsed().as_secs_f64() / self.time.as_secs_f64()).min(1.0));
            }
            self.random.shuffle(&mut order);
            if moved.elapsed() >= (self.time / PLACES).max(moving * 10) {
                moved = Instant::now();
                order.retain(|place| self.set_up_again(*place));
                moving = moved.elapsed();
            }
            if round % 2 == 0 {
                self.frequencies.extend(clock.frequency_now());
            } else {
                self.limits.extend(self.limit.as_ref().map(Limit::look));
            }
            order.retain(|place| self.visit(*place));
        }
    }

    /// Pays an entrant its visit. One that fails is out, and `false`.
    fn visit(&mut self, place: usize) -> bool {
        let entrant = &mut self.entrants[place];
        let visited = entrant.subject.visit(entrant.visit);
        let visited = visited.map(|mut times| entrant.times.push(median(&mut times)));
        self.goes_on(place, visited)
    }

    /// Sets an entrant up anew, elsewhere in memory. One whose answer is another one then is out, and `false`.
    fn set_up_again(&mut self, place: usize) -> bool {
        let entrant = &mut self.entrants[place];
        let expected = &entrant.prepared.answer;
        let again = entrant.subject.prepare(self.case).and_then(|Prepared { answer, .. }| {
            let same = answer == *expected;
            same.then_some(()).ok_or_else(|| Skip::wrong(&answer, expected, "the same subject before"))
        });
        self.goes_on(place, again)
    }

    fn goes_on(&mut self, place: usize, outcome: Result<(), Skip>) -> bool {
        let Err(why) = outcome else { return true };
        let entrant = &mut self.entrants[place];
        entrant.times.clear();
        self.skips.push((entrant.number, why));
        false
    }

    /// Adds this cell's rows to the report, and gives the noise floors of its entrants.
    pub fn evaluate(
        mut self,
        names: &[String],
        settings: &Settings,
        report: &mut Report,
        resampler: &mut Resampler,
    ) -> Vec<f64> {
        for (number, why) in self.skips.drain(..) {
            if why != Skip::NotApplicable {
                report.skip(&names[number], self.case, why.to_string());
            }
        }
        self.entrants.retain(|entrant| entrant.times.len() >= FEWEST_ROUNDS);
        let floors: Vec<NoiseFloor> =
            self.entrants.iter().map(|entrant| NoiseFloor::of(&entrant.times, resampler)).collect();
        for entrant in &self.entrants {
            report.results.push(self.measurement(entrant, &names[entrant.number], resampler));
        }
        let one = self.entrants.iter().position(|entrant| entrant.number == settings.baseline.unwrap_or(0));
        for (place, entrant) in self.entrants.iter().enumerate() {
            let Some(one) = one.filter(|one| *one != place) else { continue };
            let floor = floors[one].max(floors[place]);
            let (subject, versus) = match settings.baseline {
                Some(_) => (entrant, &self.entrants[one]),
                None => (&self.entrants[one], entrant),
            };
            let ratio = Ratio::of(&subject.times, &versus.times, floor, resampler);
            report.ratios.push(self.comparison(&names[subject.number], &names[versus.number], ratio, floor));
        }
        report.limits.extend(self.limit_row());
        if settings.keep_samples {
            report.samples = self.entrants.iter().map(|entrant| self.samples(entrant, names)).collect();
        }
        floors.into_iter().map(|floor| floor.0).collect()
    }

    fn samples(&self, entrant: &Entrant<'_>, names: &[String]) -> Samples {
        Samples {
            algorithm: self.case.algorithm.clone(),
            operation: self.case.operation,
            bytes: self.case.bytes,
            messages: self.case.messages,
            whole: self.case.whole,
            subject: names[entrant.number].clone(),
            ns_per_call: entrant.times.clone(),
        }
    }

    fn measurement(&self, entrant: &Entrant<'_>, name: &str, resampler: &mut Resampler) -> Measurement {
        let time = resampler.estimate(&entrant.times);
        let bytes = (self.case.bytes * self.case.messages) as f64;
        let per_second = |amount: f64| time.map(|nanoseconds| amount * 1e9 / nanoseconds);
        let (bytes_rate, call_rate): (Option<Estimate>, Option<Estimate>) = if bytes > 0.0 {
            (Some(per_second(bytes)), None)
        } else {
            (None, Some(per_second(self.case.messages as f64)))
        };
        Measurement {
            algorithm: self.case.algorithm.clone(),
            operation: self.case.operation,
            bytes: self.case.bytes,
            messages: self.case.messages,
            whole: self.case.whole,
            subject: name.to_owned(),
            kernel: entrant.prepared.kernel.clone(),
            bytes_per_second: bytes_rate.map(|rate| rate.median),
            operations_per_second: call_rate.map(|rate| rate.median),
            interval: bytes_rate.or(call_rate).map_or([f64::NAN; 2], |rate| rate.interval),
            cycles_per_byte: paired(&entrant.times, &self.frequencies, 0, |time, frequency| time * frequency)
                .filter(|_| bytes > 0.0)
                .map(|cycles| cycles / bytes),
            ns_per_call: time.median,
            limit_fraction: paired(&entrant.times, &self.limits, 1, |time, limit| limit / time),
            samples: entrant.times.len() * entrant.visit.samples as usize,
            outliers: Outliers::among(&entrant.times),
        }
    }

    fn comparison(&self, name: &str, versus: &str, ratio: Ratio, floor: NoiseFloor) -> Comparison {
        Comparison {
            algorithm: self.case.algorithm.clone(),
            operation: self.case.operation,
            bytes: self.case.bytes,
            messages: self.case.messages,
            whole: self.case.whole,
            subject: name.to_owned(),
            versus: versus.to_owned(),
            ratio: ratio.estimate.median,
            interval: ratio.estimate.interval,
            verdict: ratio.verdict,
            noise_floor: floor.0,
        }
    }

    fn limit_row(&self) -> Option<LimitRow> {
        let limit = self.limit.as_ref().filter(|_| !self.limits.is_empty())?;
        let nanoseconds = median(&mut self.limits.clone());
        let bytes = Some((self.case.bytes * self.case.messages) as f64).filter(|bytes| *bytes > 0.0);
        let frequency = Some(median(&mut self.frequencies.clone())).filter(|frequency| frequency.is_finite());
        Some(LimitRow {
            algorithm: self.case.algorithm.clone(),
            operation: self.case.operation,
            bytes: self.case.bytes,
            what: limit.what().to_owned(),
            ns_per_call: nanoseconds,
            bytes_per_second: bytes.map(|bytes| bytes * 1e9 / nanoseconds),
            cycles_per_byte: bytes.zip(frequency).map(|(bytes, frequency)| nanoseconds * frequency / bytes),
        })
    }
}

/// The median of a function of a subject's time and of something looked at in every second round, `first` being the
/// first of them. `None` if there was nothing to look at.
fn paired(times: &[f64], looks: &[f64], first: usize, function: impl Fn(f64, f64) -> f64) -> Option<f64> {
    let rounds = times.iter().skip(first).step_by(2).zip(looks);
    let mut values: Vec<f64> = rounds.map(|(time, look)| function(*time, *look)).collect();
    (!values.is_empty()).then(|| median(&mut values))
}
