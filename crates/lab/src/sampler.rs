//! Samples and visits: how often something is called, and how long that took.
//!
//! A *sample* is K calls timed together, with K so large that the wall clock's resolution and the cost of reading it
//! are lost in it. A *visit* is a warm-up and a few samples in a row; a round of an experiment visits every subject.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// A warm-up and a few samples in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// Calls before the first sample, untimed: they bring back caches, branch predictors and the wide vector units.
    pub warm_up: u64,
    /// Calls in each sample.
    pub calls: u64,
    /// Samples.
    pub samples: u32,
}

/// How long a sample takes at least, by the clock's resolution.
pub fn sample_time(resolution: Duration) -> Duration {
    (resolution * MARGIN).max(SHORTEST)
}

/// Pays the visit to something that runs as many calls as it is told, and gives nanoseconds per call, one value a
/// sample.
pub fn visit(run: &mut dyn FnMut(u64), visit: Visit) -> Vec<f64> {
    if visit.warm_up > 0 {
        run(visit.warm_up);
    }
    (0..visit.samples)
        .map(|_| {
            let start = Instant::now();
            run(visit.calls);
            start.elapsed().as_nanos() as f64 / visit.calls as f64
        })
        .collect()
}

/// Finds how many calls fill `target`. `time` runs so many calls and gives nanoseconds per call.
///
/// # Errors
/// Those of `time`.
pub fn calls_to_fill<E>(target: Duration, mut time: impl FnMut(u64) -> Result<f64, E>) -> Result<u64, E> {
    let target = target.as_nanos() as f64;
    let mut calls = 1;
    loop {
        let sample = time(calls)? * calls as f64;
        if sample >= target || calls >= MOST {
            return Ok(calls);
        }
        // A short sample mostly shows the clock and the cold start: trust it for no more than a factor of eight.
        let factor = if sample > 0.0 { (target * HEADROOM / sample).clamp(1.0, 8.0) } else { 8.0 };
        calls = ((calls as f64 * factor).ceil() as u64).max(calls + 1).min(MOST);
    }
}

/// A sample is this many times the clock's resolution.
const MARGIN: u32 = 200;

/// And no shorter than this, whatever the clock: it also hides the loop around the calls.
const SHORTEST: Duration = Duration::from_micros(30);

/// Aim a little over the target, so that the next try is the last.
const HEADROOM: f64 = 1.02;

/// Calls that no sample exceeds: something that takes no time at all must not hold the lab up.
const MOST: u64 = 1 << 32;

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn calls_at(nanoseconds: f64, target: Duration) -> u64 {
        let Ok(calls) = calls_to_fill::<Infallible>(target, |_| Ok(nanoseconds));
        calls
    }

    #[test]
    fn a_sample_grows_until_it_fills_the_target() {
        let target = sample_time(Duration::from_nanos(25));
        assert_eq!(target, SHORTEST);
        for nanoseconds in [0.3, 5.0, 94.0, 999.0] {
            let filled = calls_at(nanoseconds, target) as f64 * nanoseconds;
            assert!((30_000.0..33_000.0).contains(&filled), "{nanoseconds} ns a call fills {filled} ns");
        }
        assert_eq!(calls_at(40_000.0, target), 1);
        assert_eq!(calls_at(0.0, target), MOST);
        assert_eq!(sample_time(Duration::from_micros(1)), Duration::from_micros(200));
    }

    #[test]
    fn a_visit_warms_up_and_takes_its_samples() {
        let mut runs = Vec::new();
        let samples = visit(&mut |calls| runs.push(calls), Visit { warm_up: 7, calls: 3, samples: 2 });
        assert_eq!(samples.len(), 2);
        assert_eq!(runs, [7, 3, 3]);
    }

    #[test]
    fn an_error_ends_the_search() {
        assert_eq!(calls_to_fill(SHORTEST, |_| Err("gone")), Err("gone"));
    }
}
