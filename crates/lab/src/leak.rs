//! Whether the time of an operation goes with its secret: a second opinion beside the tracer, on the clock.
//!
//! Two questions are asked of the same interleaved run. Do operations under one fixed secret take another time on average
//! than those under random ones? (Welch's t; J. Gilbert Goodwill et al., "A testing methodology for side-channel
//! resistance validation", NIST workshop 2011; O. Reparaz, J. Balasch and I. Verbauwhede, "Dude, is my code constant
//! time?", DATE 2017.) And does the time go with the number of ones in the secret? (Correlation with the Hamming weight.)
//!
//! The tracer sees every instruction and address of the runs that it makes and nothing of their time; this sees time and
//! nothing of its cause. A small leak may hide in the noise: "nothing seen" is no proof.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde::{Deserialize, Serialize};

use crate::case::{Case, Operation, Secret};
use crate::sampler::{Visit, calls_to_fill};
use crate::statistics::{correlation_t, welch_t};
use crate::subjects::{Skip, Subject};

/// What the run showed of a subject.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Leakage {
    /// What was run.
    pub algorithm: String,
    /// Which way.
    pub operation: Operation,
    /// Bytes of a message.
    pub bytes: usize,
    /// Whether a call is the whole operation, from the key on.
    pub whole: bool,
    /// Who ran it.
    pub subject: String,
    /// The kernel that did the work, if it is known.
    pub kernel: Option<String>,
    /// Samples of all classes together.
    pub samples: usize,
    /// The Welch's t farthest from zero, fixed against random, of those for each crop.
    pub t: f64,
    /// The part of the samples, from the shortest on, that this t is of: 1 for all.
    pub crop: f64,
    /// The t of the correlation between time and the number of ones in the secret.
    pub weight_t: f64,
    /// What that means.
    pub verdict: LeakVerdict,
}

/// What the larger of the two t means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeakVerdict {
    /// Above ten: the time depends on the secret.
    Leaks,
    /// Five to ten: measure longer.
    LookCloser,
    /// Below five.
    NothingSeen,
}

impl LeakVerdict {
    /// Of a t.
    pub fn of(t: f64) -> LeakVerdict {
        match t.abs() {
            ..5.0 => LeakVerdict::NothingSeen,
            5.0..=10.0 => LeakVerdict::LookCloser,
            _ => LeakVerdict::Leaks,
        }
    }

    /// In plain words.
    pub fn words(self) -> &'static str {
        match self {
            LeakVerdict::Leaks => "leaks: the time depends on the secret",
            LeakVerdict::LookCloser => "look closer: measure for longer",
            LeakVerdict::NothingSeen => "nothing seen",
        }
    }
}

/// Runs one case under many secrets for so long, and compares their times. What is secret is the key, or the message of
/// an algorithm that has none.
///
/// # Errors
/// If the subject cannot do the case.
pub fn examine(
    subject: &mut dyn Subject,
    case: &Case,
    time: Duration,
    cancel: &AtomicBool,
    mut progress: impl FnMut(f64),
) -> Result<Leakage, Skip> {
    let kernel = subject.prepare(case)?.kernel;
    let calls = calls_to_fill(SAMPLE, |calls| time_of(subject, calls))?;
    let mut random = Rng::new();
    let mut classes = Classes::default();
    let start = Instant::now();
    let mut turn = 0;
    while start.elapsed() < time && !cancel.load(Ordering::Relaxed) {
        turn += 1;
        let (class, seed, density) = match random.u32(..3) {
            0 => (Class::Fixed, FIXED, 128),
            1 => (Class::Random, random.u64(..), 128),
            _ => (Class::Weighted, random.u64(..), random.u8(..)),
        };
        let secret = Secret { seed, density, turn };
        let case = Case { secret: Some(secret), ..case.clone() };
        subject.prepare(&case)?;
        let value = time_of(subject, calls)?;
        match class {
            Class::Fixed => classes.fixed.push(value),
            Class::Random => classes.random.push(value),
            Class::Weighted => classes.weighted.push((case.ones() as f64, value)),
        }
        if turn % 256 == 0 {
            progress(start.elapsed().as_secs_f64() / time.as_secs_f64());
        }
    }
    let (t, crop) = classes.fixed_against_random();
    let weight_t = classes.weight();
    Ok(Leakage {
        algorithm: case.algorithm.clone(),
        operation: case.operation,
        bytes: case.bytes,
        whole: case.whole,
        subject: subject.facts().name.clone(),
        kernel,
        samples: classes.fixed.len() + classes.random.len() + classes.weighted.len(),
        t,
        crop,
        weight_t,
        verdict: LeakVerdict::of(if weight_t.abs() > t.abs() { weight_t } else { t }),
    })
}

/// A sample after as many calls that bring the caches to the same state for every class.
fn time_of(subject: &mut dyn Subject, calls: u64) -> Result<f64, Skip> {
    let values = subject.visit(Visit { warm_up: calls, calls, samples: 1 })?;
    values.first().copied().ok_or_else(|| Skip::Failed("a visit without a sample".to_owned()))
}

/// A sample takes at least this long: fifty times what the wall clock can tell on most machines.
const SAMPLE: Duration = Duration::from_micros(2);

/// Where the fixed secret comes from.
const FIXED: u64 = 0x0123_4567_89ab_cdef;

enum Class {
    Fixed,
    Random,
    Weighted,
}

#[derive(Default)]
struct Classes {
    fixed: Vec<f64>,
    random: Vec<f64>,
    weighted: Vec<(f64, f64)>,
}

/// The parts of the samples that are looked at. Interrupts and other tenants make the long ones, whose noise hides a
/// leak; cropping all classes at the same time takes them away.
const CROPS: [f64; 6] = [1.0, 0.99, 0.95, 0.9, 0.75, 0.5];

impl Classes {
    /// The t farthest from zero, and its crop.
    fn fixed_against_random(&self) -> (f64, f64) {
        let all: Vec<f64> = self.fixed.iter().chain(&self.random).copied().collect();
        let of = |crop| {
            let longest = quantile(all.clone(), crop);
            let [fixed, random] =
                [&self.fixed, &self.random].map(|class| cropped(class.iter().copied(), |value| *value, longest));
            (welch_t(&fixed, &random), crop)
        };
        CROPS.into_iter().map(of).max_by(|a, b| a.0.abs().total_cmp(&b.0.abs())).unwrap_or((0.0, 1.0))
    }

    fn weight(&self) -> f64 {
        let longest = quantile(self.weighted.iter().map(|pair| pair.1).collect(), 0.95);
        correlation_t(&cropped(self.weighted.iter().copied(), |pair| pair.1, longest))
    }
}

fn cropped<T>(values: impl Iterator<Item = T>, time: impl Fn(&T) -> f64, longest: f64) -> Vec<T> {
    values.filter(|value| time(value) <= longest).collect()
}

/// The value that this part of them does not exceed.
fn quantile(mut values: Vec<f64>, part: f64) -> f64 {
    if values.is_empty() {
        return f64::INFINITY;
    }
    values.sort_unstable_by(f64::total_cmp);
    values[((values.len() as f64 * part).ceil() as usize).clamp(1, values.len()) - 1]
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;
    use crate::case::Answer;
    use crate::subjects::{Facts, InProcess, Setup};

    /// A subject whose work under a key is as long as told.
    fn subject(work: fn(&[u8]) -> u32) -> InProcess {
        let facts = Facts::named("planted");
        InProcess::new(facts, move |case| {
            let key = case.key(16);
            let run = move |calls| {
                for _ in 0..calls {
                    for i in 0..black_box(work(&key)) {
                        black_box(i);
                    }
                }
            };
            Ok(Setup { answer: Answer::new(&[]), kernel: None, run: Box::new(run) })
        })
    }

    fn examined(work: fn(&[u8]) -> u32) -> Leakage {
        let case = Case::new("aes-128-cbc", Operation::Encrypt, 16);
        let time = Duration::from_millis(400);
        examine(&mut subject(work), &case, time, &AtomicBool::new(false), |_| {}).unwrap()
    }

    #[test]
    fn work_that_grows_with_the_ones_of_a_key_is_found_by_both() {
        let found = examined(|key| 20 + 8 * key.iter().map(|byte| byte.count_ones()).sum::<u32>());
        assert_eq!(found.verdict, LeakVerdict::Leaks, "{found:?}");
        assert!(found.weight_t > 10.0, "{found:?}");
    }

    #[test]
    fn work_on_one_bit_of_a_key_is_found() {
        let found = examined(|key| 400 + 400 * u32::from(key[3] & 1));
        assert_eq!(found.verdict, LeakVerdict::Leaks, "{found:?}");
    }

    #[test]
    fn t_means_what_the_words_say() {
        let verdicts = [0.0, -4.9, 5.0, -10.0, 10.1, -99.0].map(LeakVerdict::of);
        use LeakVerdict::{Leaks, LookCloser, NothingSeen};
        assert_eq!(verdicts, [NothingSeen, NothingSeen, LookCloser, LookCloser, Leaks, Leaks]);
    }

    #[test]
    fn a_crop_takes_the_longest_away() {
        assert_eq!(quantile((1..=100).map(f64::from).collect(), 0.95), 95.0);
        assert_eq!(quantile(vec![3.0], 0.5), 3.0);
    }

    #[test]
    fn equal_classes_show_nothing() {
        // Not timed, so that it cannot fail by chance: the same values in both classes, in another order.
        let values: Vec<f64> = (0..1000u32).map(|i| f64::from(i.wrapping_mul(2_654_435_761) % 997)).collect();
        let classes = Classes {
            random: values.iter().rev().copied().collect(),
            weighted: values.iter().enumerate().map(|(i, value)| ((i % 7) as f64, *value)).collect(),
            fixed: values,
        };
        let (t, _) = classes.fixed_against_random();
        assert!(t.abs() < 1e-9 && classes.weight().abs() < 5.0, "{t} {}", classes.weight());
    }
}
