//! Key generation (FIPS 186-5, appendix A.1.3: random probable primes).

use zeroize::Zeroizing;

use super::private_key::Parts;
use super::public_key::MOST_BITS;
use super::{PrivateKey, RsaError, Sizes};
use crate::bignum::{
    Number, are_coprime, bits, candidate_rounds, divide_small, is_probable_prime, less, product, resized, subtract,
    to_bytes,
};
use crate::random;

/// The public exponent of generated keys.
const EXPONENT: u64 = 65537;

impl PrivateKey {
    /// A new key of so many bits, an even number from 2048 to 8192, with two primes and the public exponent 65537.
    ///
    /// # Errors
    /// If the size is not allowed, or the operating system gives no random bytes.
    pub fn generate(bits: usize) -> Result<PrivateKey, RsaError> {
        PrivateKey::generate_with_sizes(bits, Sizes::Standard)
    }

    /// The same, with fewer bits if `sizes` says so.
    ///
    /// # Errors
    /// As [`PrivateKey::generate`].
    pub fn generate_with_sizes(bits: usize, sizes: Sizes) -> Result<PrivateKey, RsaError> {
        if bits < sizes.least() || bits > MOST_BITS || !bits.is_multiple_of(2) {
            return Err(RsaError::ModulusSize { bits, least: sizes.least() });
        }
        let half = bits / 2;
        loop {
            let p = prime(half)?;
            let q = prime(half)?;
            // |p − q| > 2^(half − 100): the upper hundred bits differ.
            let (mut large, mut small) = if less(&p, &q) == 0 { (p, q) } else { (q, p) };
            let mut difference = large.clone();
            subtract(&mut difference, &small, u64::MAX);
            if crate::bignum::bits(&difference) <= half - 100 {
                continue;
            }
            let modulus = product(&large, &small);
            large[0] -= 1;
            small[0] -= 1;
            let d = private_exponent(&large, &small);
            // d > 2^half, as the standard has it: nearly every one is.
            if crate::bignum::bits(&d) <= half {
                continue;
            }
            large[0] += 1;
            small[0] += 1;
            let bytes = |number: &Number, length| to_bytes(number, length);
            return PrivateKey::with_sizes(
                &Parts {
                    modulus: &bytes(&modulus, bits / 8 + usize::from(!bits.is_multiple_of(8))),
                    public_exponent: &EXPONENT.to_be_bytes(),
                    private_exponent: &bytes(&d, bits.div_ceil(8)),
                    primes: vec![&bytes(&large, half.div_ceil(8)), &bytes(&small, half.div_ceil(8))],
                },
                sizes,
            );
        }
    }
}

/// The inverse of the exponent modulo λ = (p − 1)(q − 1) / 2 / (what else they have in common), which is as good as modulo
/// the least common multiple: any common multiple is.
///
/// With e small and public, d = (1 + kλ) / e for the k below e that makes it whole.
fn private_exponent(p_less_one: &[u64], q_less_one: &[u64]) -> Number {
    let (multiple, _) = divide_small(&product(p_less_one, q_less_one), 2);
    let (_, rest) = divide_small(&multiple, EXPONENT);
    // k = −1/λ modulo e, which is prime: by Fermat.
    let (mut inverse, mut power, mut exponent) = (1u64, rest, EXPONENT - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            inverse = inverse_step(inverse, power);
        }
        power = inverse_step(power, power);
        exponent >>= 1;
    }
    let mut sum = product(&multiple, &[EXPONENT - inverse]);
    let one = resized(&[1], sum.len());
    crate::bignum::add(&mut sum, &one, u64::MAX);
    divide_small(&sum, EXPONENT).0
}

/// The product modulo the exponent, both factors being below it, without a division whose time depends on them.
fn inverse_step(a: u64, b: u64) -> u64 {
    divide_small(&[a * b], EXPONENT).1
}

/// A random prime of so many bits with the upper two set, so that the product of two has twice as many (the standard wants
/// it above √2 · 2^(bits − 1)), and which is not 1 modulo the exponent.
fn prime(count: usize) -> Result<Number, RsaError> {
    let limbs = count.div_ceil(64);
    loop {
        let mut candidate = random::with_bits(count, limbs).map_err(RsaError::Random)?;
        candidate[0] |= 1;
        for bit in [count - 1, count - 2] {
            candidate[bit / 64] |= 1 << (bit % 64);
        }
        if has_small_divisor(&candidate) || divide_small(&candidate, EXPONENT).1 <= 1 {
            continue;
        }
        debug_assert_eq!(bits(&candidate), count);
        let mut failure = None;
        let found = is_probable_prime(&candidate, candidate_rounds(count), |bound| {
            random::below(bound).map_err(|error| failure = Some(error)).ok()
        });
        match (found, failure) {
            (Some(true), _) => return Ok(candidate),
            (None, failure) => return Err(RsaError::Random(failure.unwrap_or_default())),
            _ => {}
        }
    }
}

/// Whether one of the primes up to 2000 or so divides an odd number. The products of some of them are tested at a time.
fn has_small_divisor(candidate: &[u64]) -> bool {
    let mut product: u64 = 1;
    for small in (3u64..2000).step_by(2).filter(|n| (3..*n).step_by(2).take_while(|d| d * d <= *n).all(|d| n % d != 0))
    {
        match product.checked_mul(small) {
            Some(more) => product = more,
            None => {
                if shares_divisor(candidate, product) {
                    return true;
                }
                product = small;
            }
        }
    }
    shares_divisor(candidate, product)
}

fn shares_divisor(candidate: &[u64], product: u64) -> bool {
    let (_, rest) = divide_small(candidate, product);
    !are_coprime(&[product], &Zeroizing::new(vec![rest]))
}
