//! The median with its 95 % interval, by a bootstrap over blocks of consecutive values.
//!
//! Drawing single values would take a burst of noise for many independent witnesses and make the interval too narrow;
//! drawing whole stretches of the run keeps bursts together (Künsch, "The jackknife and the bootstrap for general
//! stationary observations", 1989; stretches wrap around at the end, as Politis and Romano propose).

use fastrand::Rng;

use super::quantile;

/// A median and the interval that holds it in 95 of 100 cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The median of what was measured.
    pub median: f64,
    /// Lower and upper end of the interval.
    pub interval: [f64; 2],
}

impl Estimate {
    /// The same after a monotonic function, such as the step from a time to a speed; the ends are put in order.
    pub fn map(self, function: impl Fn(f64) -> f64) -> Estimate {
        let [a, b] = self.interval.map(&function);
        Estimate { median: function(self.median), interval: [a.min(b), a.max(b)] }
    }

    /// Half the width of the interval, as a part of the median.
    pub fn relative_half_width(&self) -> f64 {
        (self.interval[1] - self.interval[0]) / 2.0 / self.median.abs()
    }
}

/// Draws resamples, always the same ones for the same seed.
#[derive(Clone, Debug)]
pub struct Resampler {
    random: Rng,
}

impl Resampler {
    /// A resampler with that seed.
    pub fn new(seed: u64) -> Resampler {
        Resampler { random: Rng::with_seed(seed) }
    }

    /// Estimates the median of values in the order in which they were measured. NaN throughout if there are none.
    pub fn estimate(&mut self, values: &[f64]) -> Estimate {
        let n = values.len();
        if n < 2 {
            let only = values.first().copied().unwrap_or(f64::NAN);
            return Estimate { median: only, interval: [only; 2] };
        }
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_unstable_by(|a, b| values[*a].total_cmp(&values[*b]));
        let sorted: Vec<f64> = order.iter().map(|place| values[*place]).collect();
        // A resample needs only the ranks of what it drew: counting them sorts it.
        let mut ranks = vec![0usize; n];
        for (rank, place) in order.iter().enumerate() {
            ranks[*place] = rank;
        }
        ranks.extend_from_within(..);

        let block = (n / BLOCKS).max(1);
        let mut counts = vec![0u32; n];
        let mut medians: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                counts.fill(0);
                let mut drawn = 0;
                while drawn < n {
                    let length = block.min(n - drawn);
                    let start = self.random.usize(..n);
                    ranks[start..start + length].iter().for_each(|rank| counts[*rank] += 1);
                    drawn += length;
                }
                (at_rank(&counts, &sorted, (n - 1) / 2) + at_rank(&counts, &sorted, n / 2)) / 2.0
            })
            .collect();
        medians.sort_unstable_by(f64::total_cmp);
        Estimate {
            median: (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0,
            interval: [quantile(&medians, 0.025), quantile(&medians, 0.975)],
        }
    }
}

/// Resamples of one estimate: the ends of the interval then move by a few per cent of its width from seed to seed.
const RESAMPLES: usize = 1000;

/// A run is cut into about this many stretches: enough of them to draw from, each as long as can be.
const BLOCKS: usize = 40;

/// The value at this place of the resample whose values occur so often.
fn at_rank(counts: &[u32], sorted: &[f64], place: usize) -> f64 {
    let mut seen = 0;
    for (count, value) in counts.iter().zip(sorted) {
        seen += *count as usize;
        if seen > place {
            return *value;
        }
    }
    unreachable!("the counts sum up to more than the place")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_true_median_about_95_times_in_100() {
        let mut random = Rng::with_seed(1);
        let mut resampler = Resampler::new(2);
        let held = (0..200)
            .filter(|_| {
                // Exponential values: their median is ln 2.
                let values: Vec<f64> = (0..301).map(|_| -(1.0 - random.f64()).ln()).collect();
                let [low, high] = resampler.estimate(&values).interval;
                (low..=high).contains(&std::f64::consts::LN_2)
            })
            .count();
        assert!((180..=198).contains(&held), "{held} of 200");
    }

    #[test]
    fn bursts_widen_the_interval() {
        let mut random = Rng::with_seed(3);
        let noise: Vec<f64> = (0..1000).map(|_| 100.0 + random.f64()).collect();
        // The same noise, with slow stretches of 50 values.
        let bursts: Vec<f64> = noise.iter().enumerate().map(|(n, value)| value + (n / 50 % 2) as f64).collect();
        let mut shuffled = bursts.clone();
        random.shuffle(&mut shuffled);
        let width = |values: &[f64]| Resampler::new(4).estimate(values).relative_half_width();
        assert!(width(&bursts) > 2.0 * width(&shuffled), "{} against {}", width(&bursts), width(&shuffled));
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let values: Vec<f64> = (0..100).map(|n| f64::from(n * 37 % 101)).collect();
        assert_eq!(Resampler::new(5).estimate(&values), Resampler::new(5).estimate(&values));
        assert_eq!(Resampler::new(5).estimate(&[2.0]).interval, [2.0, 2.0]);
        assert!(Resampler::new(5).estimate(&[]).median.is_nan());
    }

    #[test]
    fn a_decreasing_function_turns_the_interval() {
        let time = Estimate { median: 4.0, interval: [2.0, 8.0] };
        assert_eq!(time.map(|time| 16.0 / time), Estimate { median: 4.0, interval: [2.0, 8.0] });
    }
}
