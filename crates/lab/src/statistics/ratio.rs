//! Comparing two subjects by what they did in the same rounds.
//!
//! Whatever slows the machine down for longer than a round slows both, and cancels in the ratio of that round.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Estimate, Resampler};

/// How many times as fast one subject is as another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The ratio of speeds, over 1 if the subject is faster, with its interval.
    pub estimate: Estimate,
    /// What may be said of it.
    pub verdict: Verdict,
}

impl Ratio {
    /// Compares the times per call of a subject and of another, which belong together round by round.
    pub fn of(subject: &[f64], versus: &[f64], floor: NoiseFloor, resampler: &mut Resampler) -> Ratio {
        let logarithms: Vec<f64> =
            subject.iter().zip(versus).map(|(subject, versus)| (versus / subject).ln()).collect();
        let estimate = resampler.estimate(&logarithms).map(f64::exp);
        Ratio { estimate, verdict: Verdict::on(estimate.interval, floor) }
    }
}

/// What may be said of a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The whole interval is above 1, by more than the noise floor.
    Faster,
    /// The whole interval is below 1, by more than the noise floor.
    Slower,
    /// Anything else: no difference can be told on this machine now.
    Same,
    /// There is no interval to judge: a figure that was read in from elsewhere.
    Unknown,
}

impl Verdict {
    /// Judges an interval of a ratio of speeds.
    pub fn on([low, high]: [f64; 2], floor: NoiseFloor) -> Verdict {
        let margin = 1.0 + floor.0;
        if low > margin {
            Verdict::Faster
        } else if high < margin.recip() {
            Verdict::Slower
        } else {
            Verdict::Same
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Same => "same",
            Verdict::Unknown => "unknown",
        })
    }
}

/// The difference that a subject shows against itself, as a part of 1: no smaller one is called a difference.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
pub struct NoiseFloor(pub f64);

impl NoiseFloor {
    /// What even a silent machine does not tell apart: code that is the same but lies elsewhere in memory.
    pub const LEAST: NoiseFloor = NoiseFloor(0.002);

    /// Compares a subject with itself, in neighbouring rounds, and takes the end of the interval that is further from
    /// no difference. An A/A run that costs nothing: the rounds are those measured anyway.
    ///
    /// The neighbours are further apart in time than two subjects of one round: it errs on the side of "same".
    pub fn of(times: &[f64], resampler: &mut Resampler) -> NoiseFloor {
        let logarithms: Vec<f64> = times.as_chunks().0.iter().map(|[one, next]| (next / one).ln()).collect();
        if logarithms.len() < 2 {
            return NoiseFloor(f64::INFINITY);
        }
        let [low, high] = resampler.estimate(&logarithms).interval;
        NoiseFloor(low.abs().max(high.abs()).exp_m1()).max(NoiseFloor::LEAST)
    }

    /// The higher of two.
    pub fn max(self, other: NoiseFloor) -> NoiseFloor {
        NoiseFloor(self.0.max(other.0))
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    /// A machine with other tenants: slow drift, bursts of a few per cent, jitter, and interrupts.
    struct Machine {
        random: Rng,
        drift: f64,
        burst: u32,
    }

    impl Machine {
        fn new(seed: u64) -> Machine {
            Machine { random: Rng::with_seed(seed), drift: 0.0, burst: 0 }
        }

        fn next_round(&mut self) {
            self.drift = self.drift * 0.999 + (self.random.f64() - 0.5) * 0.002;
            self.burst = match self.burst {
                0 if self.random.u32(..200) == 0 => self.random.u32(5..60),
                burst => burst.saturating_sub(1),
            };
        }

        fn time(&mut self, nanoseconds: f64) -> f64 {
            let jitter = (0..6).map(|_| self.random.f64() - 0.5).sum::<f64>() * 0.014;
            let burst = if self.burst > 0 { 0.04 * self.random.f64() } else { 0.0 };
            let interrupt = if self.random.u32(..30) == 0 { self.random.f64() * 0.5 } else { 0.0 };
            nanoseconds * (1.0 + self.drift + jitter + burst + interrupt)
        }

        /// 500 rounds of two subjects, of which the second takes `factor` times as long.
        fn rounds(&mut self, factor: f64) -> (Vec<f64>, Vec<f64>) {
            (0..500)
                .map(|_| {
                    self.next_round();
                    (self.time(100.0), self.time(100.0 * factor))
                })
                .unzip()
        }
    }

    fn verdicts(factor: f64) -> Vec<Ratio> {
        (0..20)
            .map(|seed| {
                let (subject, versus) = Machine::new(seed).rounds(factor);
                let resampler = &mut Resampler::new(seed);
                let floor = NoiseFloor::of(&subject, resampler);
                Ratio::of(&subject, &versus, floor, resampler)
            })
            .collect()
    }

    #[test]
    fn one_per_cent_is_found_in_19_of_20_runs() {
        for (factor, verdict) in [(1.01, Verdict::Faster), (0.99, Verdict::Slower)] {
            let ratios = verdicts(factor);
            let found = ratios.iter().filter(|ratio| ratio.verdict == verdict).count();
            assert!(found >= 19, "{verdict} in {found} of 20: {ratios:?}");
            for ratio in ratios {
                assert!((ratio.estimate.median - factor).abs() < 0.004, "{ratio:?}");
            }
        }
    }

    #[test]
    fn none_is_claimed_against_itself() {
        let ratios = verdicts(1.0);
        assert!(ratios.iter().all(|ratio| ratio.verdict == Verdict::Same), "{ratios:?}");
        assert!(ratios.iter().all(|ratio| ratio.estimate.relative_half_width() < 0.005), "{ratios:?}");
    }

    #[test]
    fn a_difference_inside_the_floor_is_none() {
        assert_eq!(Verdict::on([1.002, 1.004], NoiseFloor(0.001)), Verdict::Faster);
        assert_eq!(Verdict::on([1.002, 1.004], NoiseFloor(0.005)), Verdict::Same);
        assert_eq!(Verdict::on([0.98, 0.99], NoiseFloor(0.005)), Verdict::Slower);
        assert_eq!(Verdict::on([0.98, 1.02], NoiseFloor(0.0)), Verdict::Same);
    }

    #[test]
    fn too_few_rounds_claim_nothing() {
        let floor = NoiseFloor::of(&[1.0, 1.0], &mut Resampler::new(0));
        assert_eq!(Verdict::on([2.0, 3.0], floor), Verdict::Same);
    }
}
