//! Whether two classes of samples have the same mean, and whether samples go with a number.

/// Welch's t of two classes: the difference of their means over its standard error, with a variance for each (B. L. Welch,
/// "The generalization of Student's problem when several different population variances are involved", 1947). Positive if
/// the first is larger. Zero if a class has fewer than two values or neither varies.
pub fn welch_t(first: &[f64], second: &[f64]) -> f64 {
    let [(n1, mean1, variance1), (n2, mean2, variance2)] = [moments(first), moments(second)];
    let error = (variance1 / n1 + variance2 / n2).sqrt();
    if n1 < 2.0 || n2 < 2.0 || error == 0.0 { 0.0 } else { (mean1 - mean2) / error }
}

/// The t of a correlation between two lists of values: Pearson's r times √((n - 2) / (1 - r²)). Zero if one of them does
/// not vary.
pub fn correlation_t(pairs: &[(f64, f64)]) -> f64 {
    let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let [(n, mean_x, variance_x), (_, mean_y, variance_y)] = [moments(&x), moments(&y)];
    if n < 3.0 || variance_x == 0.0 || variance_y == 0.0 {
        return 0.0;
    }
    let covariance = pairs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / (n - 1.0);
    let r = covariance / (variance_x * variance_y).sqrt();
    r * ((n - 2.0) / (1.0 - r * r).max(f64::EPSILON)).sqrt()
}

/// How many, the mean, and the variance of the whole of which these are a sample.
fn moments(values: &[f64]) -> (f64, f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n.max(1.0);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (n, mean, squares / (n - 1.0).max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worked_example_of_welch() {
        // Means 3 and 6, variances 2.5 and 2.5 of five values each: the error is 1.
        assert!((welch_t(&[1.0, 2.0, 3.0, 4.0, 5.0], &[4.0, 5.0, 6.0, 7.0, 8.0]) + 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_worked_example_of_a_correlation() {
        // r = 0.8 of five pairs: t = 0.8 √(3 / 0.36).
        let pairs = [(1.0, 2.0), (2.0, 1.0), (3.0, 4.0), (4.0, 3.0), (5.0, 5.0)];
        assert!((correlation_t(&pairs) - 0.8 * (3.0f64 / 0.36).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn what_does_not_vary_shows_nothing() {
        assert_eq!(
            (welch_t(&[2.0; 9], &[2.0; 9]), welch_t(&[], &[1.0]), correlation_t(&[(1.0, 2.0); 9])),
            (0.0, 0.0, 0.0)
        );
    }
}
