//! What samples say: medians with intervals, paired ratios with verdicts, and the line through the sizes.
//!
//! Nothing here assumes a distribution, but one thing about order: values stand in the order in which they were
//! measured, because the noise of a shared machine comes in bursts.

mod bootstrap;
mod line;
mod ratio;
mod welch;

pub use bootstrap::{Estimate, Resampler};
pub use line::Line;
pub use ratio::{NoiseFloor, Ratio, Verdict};
pub use welch::{correlation_t, welch_t};

use serde::{Deserialize, Serialize};

/// The median, the mean of the two middle values if their number is even; NaN if there are none. Reorders the values.
pub fn median(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    let middle = values.len() / 2;
    let odd = values.len() % 2 == 1;
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if odd { upper } else { (below.iter().copied().fold(f64::NEG_INFINITY, f64::max) + upper) / 2.0 }
}

/// How many values lie far outside the others. They are labelled, not dropped: the median does not mind them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outliers {
    /// More than one and a half interquartile ranges below the first quartile.
    pub low: usize,
    /// So far above the third quartile: interrupts, and other tenants of the machine.
    pub high: usize,
}

impl Outliers {
    /// Counts them (Tukey's fences).
    pub fn among(values: &[f64]) -> Outliers {
        if values.len() < 4 {
            return Outliers::default();
        }
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let (first, third) = (quantile(&sorted, 0.25), quantile(&sorted, 0.75));
        let reach = 1.5 * (third - first);
        Outliers {
            low: sorted.iter().filter(|value| **value < first - reach).count(),
            high: sorted.iter().filter(|value| **value > third + reach).count(),
        }
    }

    /// All of them.
    pub fn total(self) -> usize {
        self.low + self.high
    }
}

/// The value at this fraction of the way through sorted values, interpolated.
fn quantile(sorted: &[f64], fraction: f64) -> f64 {
    let place = fraction * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_odd_even_one_and_none() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median(&mut [7.0]), 7.0);
        assert!(median(&mut []).is_nan());
    }

    #[test]
    fn outliers_are_counted_on_both_sides() {
        let mut values: Vec<f64> = (0..100).map(|n| 100.0 + f64::from(n % 10)).collect();
        assert_eq!(Outliers::among(&values), Outliers::default());
        values.extend([200.0, 300.0, 1.0]);
        assert_eq!(Outliers::among(&values), Outliers { low: 1, high: 2 });
        assert_eq!(Outliers::among(&[1.0, 1000.0]).total(), 0);
    }
}
