//! Exponentiation by fixed windows (Handbook of Applied Cryptography, algorithm 14.82) around any Montgomery multiplication
//! of 64-bit limbs, and the windows themselves.

use zeroize::Zeroize;

use super::{Exponentiation, Modulus};

/// Bits of a window. Five cost a multiplication in 6 squarings, and a table of 32 entries.
pub(super) const WINDOW: usize = 5;

/// How many windows of so many bits an exponent of so many limbs has.
pub(super) fn count<const BITS: usize>(limbs: usize) -> usize {
    (64 * limbs).div_ceil(BITS)
}

/// The window of that number, the lowest being 0. The number is public.
#[inline(always)]
pub(super) fn window<const BITS: usize>(exponent: &[u64], number: usize) -> u64 {
    let (limb, shift) = (number * BITS / 64, number * BITS % 64);
    let mut bits = exponent[limb] >> shift;
    if shift > 64 - BITS && limb + 1 < exponent.len() {
        bits |= exponent[limb + 1] << (64 - shift);
    }
    bits & ((1 << BITS) - 1)
}

/// Exponentiation with `multiply(output, a, b)`, which is Montgomery multiplication, and `square(output, a)`.
#[inline(always)]
pub(super) fn exponentiate(
    job: &mut Exponentiation<'_>,
    multiply: impl Fn(&mut [u64], &[u64], &[u64]),
    square: impl Fn(&mut [u64], &[u64]),
) {
    let length = job.modulus.limbs().len();
    let windows = count::<WINDOW>(job.exponent.len());
    let mut room = vec![0u64; length * ((1 << WINDOW) + 3)];
    let (table, rest) = room.split_at_mut(length << WINDOW);
    let (mut value, rest) = rest.split_at_mut(length);
    let (mut next, chosen) = rest.split_at_mut(length);

    chosen[0] = 1;
    multiply(&mut table[..length], chosen, job.modulus.r_squared());
    multiply(&mut table[length..2 * length], job.base, job.modulus.r_squared());
    for i in 2..1 << WINDOW {
        let (known, entry) = table.split_at_mut(i * length);
        multiply(&mut entry[..length], &known[(i - 1) * length..], &known[length..2 * length]);
    }
    value.copy_from_slice(&table[..length]);
    for number in (0..windows).rev() {
        if number + 1 < windows {
            for _ in 0..WINDOW {
                square(next, value);
                std::mem::swap(&mut value, &mut next);
            }
        }
        select(chosen, table, window::<WINDOW>(job.exponent, number));
        multiply(next, value, chosen);
        std::mem::swap(&mut value, &mut next);
    }
    chosen.fill(0);
    chosen[0] = 1;
    multiply(job.output, value, chosen);
    room.zeroize();
}

/// Reads an entry by reading all.
#[inline(always)]
fn select(chosen: &mut [u64], table: &[u64], index: u64) {
    chosen.fill(0);
    let mut rest = table;
    for number in 0..1 << WINDOW {
        // No iterator over chunks: it would divide to find out how many they are.
        let (entry, others) = rest.split_at(chosen.len());
        rest = others;
        // All ones where the numbers are equal.
        let difference = number ^ index;
        let mask = std::hint::black_box((difference.wrapping_sub(1) & !difference) >> 63).wrapping_neg();
        for (chosen, limb) in chosen.iter_mut().zip(entry) {
            *chosen |= limb & mask;
        }
    }
}

/// Exponentiation by squarings and multiplications as the bits of a public exponent say.
///
/// Where the lowest bit is one, the last factor is the base itself and not its Montgomery form, which brings the result
/// out of that form.
#[inline(always)]
pub(super) fn exponentiate_public(
    output: &mut [u64],
    base: &[u64],
    exponent: u64,
    modulus: &Modulus,
    multiply: impl Fn(&mut [u64], &[u64], &[u64]),
    square: impl Fn(&mut [u64], &[u64]),
) {
    let length = modulus.limbs().len();
    let mut room = vec![0u64; 3 * length];
    let (form, rest) = room.split_at_mut(length);
    let (mut value, mut next) = rest.split_at_mut(length);
    multiply(form, base, modulus.r_squared());
    value.copy_from_slice(form);
    for bit in (0..u64::BITS - 1 - exponent.max(1).leading_zeros()).rev() {
        square(next, value);
        std::mem::swap(&mut value, &mut next);
        if bit > 0 && exponent >> bit & 1 == 1 {
            multiply(next, value, form);
            std::mem::swap(&mut value, &mut next);
        }
    }
    if exponent & 1 == 1 && exponent > 1 {
        multiply(output, value, base);
    } else {
        next.fill(0);
        next[0] = 1;
        multiply(output, value, next);
    }
    room.zeroize();
}
