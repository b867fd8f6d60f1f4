//! Primality by the Miller–Rabin test (FIPS 186-5, appendix B.3.1).

use super::{Number, Ring, bits, equal, is_zero, resized, subtract};
use crate::bignum::halve;

/// The rounds that candidates for RSA primes get which were drawn at random (FIPS 186-5, table B.1, error probability
/// 2⁻¹⁰⁰), by their bits. DSA's primes get what table C.1 of FIPS 186-4 has, which is more.
pub(crate) fn candidate_rounds(bits: usize) -> usize {
    match bits {
        0..512 => 64,
        512..1024 => 10,
        1024..1536 => 6,
        _ => 5,
    }
}

/// Whether an odd number greater than 3 passes so many rounds with bases that `random_below` draws: it gets a number, and
/// gives one from 2 to two less than that. A composite number that was not chosen by an adversary passes a round with a
/// probability of 1/4 at most.
///
/// What shows is the result, and in which round a composite number failed.
pub(crate) fn is_probable_prime(
    candidate: &[u64],
    rounds: usize,
    mut random_below: impl FnMut(&[u64]) -> Option<Number>,
) -> Option<bool> {
    let Ok(ring) = Ring::new(candidate) else { return Some(false) };
    let one = resized(&[1], candidate.len());
    let mut minus_one = resized(candidate, candidate.len());
    subtract(&mut minus_one, &one, u64::MAX);
    // candidate − 1 = odd · 2^twos.
    let mut odd = minus_one.clone();
    let mut twos = 0;
    while odd[0] & 1 == 0 {
        halve(&mut odd, 0);
        twos += 1;
        if twos > bits(candidate) {
            return Some(false);
        }
    }
    for _ in 0..rounds {
        let base = random_below(candidate)?;
        let mut power = ring.pow(&base, &odd);
        let mut passed = equal(&power, &one) | equal(&power, &minus_one);
        for _ in 1..twos {
            power = ring.mul(&power, &power);
            passed |= equal(&power, &minus_one);
        }
        if passed == 0 || is_zero(&power) != 0 {
            return Some(false);
        }
    }
    Some(true)
}
