//! Random bytes and numbers from the operating system.

use zeroize::Zeroizing;

use crate::bignum::{Number, bits, is_zero, less, resized};

/// Fills a buffer. The error is in the operating system's words.
pub(crate) fn fill(buffer: &mut [u8]) -> Result<(), String> {
    getrandom::fill(buffer).map_err(|error| error.to_string())
}

/// A random number from 2 to two less than `bound`, every one as likely: numbers of as many bits are drawn until one fits.
/// How many were thrown away shows, and nothing else.
pub(crate) fn below(bound: &[u64]) -> Result<Number, String> {
    let (count, one) = (bits(bound), resized(&[1], bound.len()));
    loop {
        let mut number = with_bits(count, bound.len())?;
        let mut above = number.clone();
        crate::bignum::add(&mut above, &one, u64::MAX);
        let is_large = less(&above, bound) == 0;
        let low = number[0] & !1;
        let is_small = is_zero(&number[1..]) != 0 && low == 0;
        if !is_large && !is_small {
            number.shrink_to_fit();
            return Ok(number);
        }
    }
}

/// A random number of up to `count` bits in so many limbs.
pub(crate) fn with_bits(count: usize, limbs: usize) -> Result<Number, String> {
    let mut bytes = Zeroizing::new(vec![0; 8 * count.div_ceil(64)]);
    fill(&mut bytes)?;
    let mut number = crate::bignum::from_bytes(&bytes);
    if !count.is_multiple_of(64)
        && let Some(top) = number.last_mut()
    {
        *top &= (1 << (count % 64)) - 1;
    }
    Ok(resized(&number, limbs))
}
