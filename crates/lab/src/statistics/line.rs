//! The line through the times of several sizes: its slope is the cost of a byte, its intercept the cost of a call.

use serde::{Deserialize, Serialize};

use super::median;

/// Time per call = `intercept` + `slope` × bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Nanoseconds per byte.
    pub slope: f64,
    /// Nanoseconds per call.
    pub intercept: f64,
}

impl Line {
    /// Fits points of bytes and nanoseconds: the median of the slopes between any two, each weighted by their distance
    /// (Theil and Sen, with the weights of Jaeckel 1972), so that one size where a kernel stumbles does not bend it.
    /// `None` with fewer than two sizes.
    pub fn through(points: &[(f64, f64)]) -> Option<Line> {
        let mut slopes: Vec<(f64, f64)> = Vec::new();
        for (index, (x1, y1)) in points.iter().enumerate() {
            for (x2, y2) in &points[index + 1..] {
                if x1 != x2 {
                    slopes.push(((y2 - y1) / (x2 - x1), (x2 - x1).abs()));
                }
            }
        }
        let slope = weighted_median(slopes)?;
        let mut intercepts: Vec<f64> = points.iter().map(|(x, y)| y - slope * x).collect();
        Some(Line { slope, intercept: median(&mut intercepts) })
    }
}

fn weighted_median(mut values: Vec<(f64, f64)>) -> Option<f64> {
    values.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
    let half = values.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
    let mut seen = 0.0;
    values.into_iter().find_map(|(value, weight)| {
        seen += weight;
        (seen >= half).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [f64; 6] = [16.0, 64.0, 256.0, 1024.0, 8192.0, 16384.0];

    #[test]
    fn a_line_is_found_again() {
        let line = Line::through(&SIZES.map(|bytes| (bytes, 30.0 + 0.5 * bytes))).unwrap();
        assert!((line.slope - 0.5).abs() < 1e-9 && (line.intercept - 30.0).abs() < 1e-6, "{line:?}");
    }

    #[test]
    fn one_size_that_stumbles_does_not_bend_it() {
        let mut points = SIZES.map(|bytes| (bytes, 30.0 + 0.5 * bytes));
        points[2].1 *= 3.0;
        let line = Line::through(&points).unwrap();
        assert!((line.slope - 0.5).abs() < 0.01 && (line.intercept - 30.0).abs() < 2.0, "{line:?}");
    }

    #[test]
    fn one_size_is_no_line() {
        assert_eq!(Line::through(&[(16.0, 30.0), (16.0, 31.0)]), None);
        assert_eq!(Line::through(&[]), None);
    }
}
