//! Whole numbers for RSA and DSA, around the kernels of `bn`: limbs of 64 bits, the lowest first.
//!
//! Unless a function says otherwise its time depends on the lengths of its operands alone.

mod primes;
mod ring;

use std::hint::black_box;

use zeroize::Zeroizing;

pub(crate) use primes::{candidate_rounds, is_probable_prime};
pub(crate) use ring::Ring;

/// A number that is wiped on drop.
pub(crate) type Number = Zeroizing<Vec<u64>>;

/// The number that these bytes are, the highest first, in as many limbs as they need.
pub(crate) fn from_bytes(bytes: &[u8]) -> Number {
    let limb = |chunk: &[u8]| chunk.iter().fold(0, |limb, byte| limb << 8 | u64::from(*byte));
    Zeroizing::new(bytes.rchunks(8).map(limb).collect())
}

/// The number in so many bytes, the highest first. What does not fit is left out.
pub(crate) fn to_bytes(number: &[u64], length: usize) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(vec![0; length]);
    for (chunk, limb) in bytes.rchunks_mut(8).zip(number) {
        chunk.copy_from_slice(&limb.to_be_bytes()[8 - chunk.len()..]);
    }
    bytes
}

/// The number with so many limbs: zeros are added, or high limbs cut off.
pub(crate) fn resized(number: &[u64], limbs: usize) -> Number {
    let mut output = Zeroizing::new(vec![0; limbs]);
    output.iter_mut().zip(number).for_each(|(output, limb)| *output = *limb);
    output
}

/// How many bits it takes to write the number: public from then on.
pub(crate) fn bits(number: &[u64]) -> usize {
    let top = number.iter().rposition(|limb| *limb != 0);
    top.map_or(0, |top| 64 * (top + 1) - number[top].leading_zeros() as usize)
}

/// All ones if the numbers are equal, otherwise zero. They have the same length.
pub(crate) fn equal(a: &[u64], b: &[u64]) -> u64 {
    let difference = a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b));
    mask(u64::from(difference == 0))
}

/// All ones if the number is zero.
pub(crate) fn is_zero(a: &[u64]) -> u64 {
    mask(u64::from(a.iter().fold(0, |all, limb| all | limb) == 0))
}

/// All ones if a < b. They have the same length.
pub(crate) fn less(a: &[u64], b: &[u64]) -> u64 {
    let borrow = a.iter().zip(b).fold(false, |borrow, (a, b)| difference(*a, *b, borrow).1);
    mask(u64::from(borrow))
}

/// a ← a − (b & mask), and whether it borrowed.
pub(crate) fn subtract(a: &mut [u64], b: &[u64], mask: u64) -> bool {
    let mut borrow = false;
    for (a, b) in a.iter_mut().zip(b) {
        (*a, borrow) = difference(*a, b & mask, borrow);
    }
    borrow
}

/// a ← a + (b & mask), and the carry.
pub(crate) fn add(a: &mut [u64], b: &[u64], mask: u64) -> u64 {
    let mut carry = 0;
    for (a, b) in a.iter_mut().zip(b) {
        let sum = u128::from(*a) + u128::from(b & mask) + u128::from(carry);
        (*a, carry) = (sum as u64, (sum >> 64) as u64);
    }
    carry
}

/// a · b, in as many limbs as both have.
pub(crate) fn product(a: &[u64], b: &[u64]) -> Number {
    let mut output = Zeroizing::new(vec![0; a.len() + b.len()]);
    for (i, factor) in b.iter().enumerate() {
        let mut carry = 0;
        for (j, limb) in a.iter().enumerate() {
            let sum = u128::from(*limb) * u128::from(*factor) + u128::from(output[i + j]) + u128::from(carry);
            (output[i + j], carry) = (sum as u64, (sum >> 64) as u64);
        }
        output[i + a.len()] = carry;
    }
    output
}

/// Exchanges the numbers where the mask is all ones.
fn exchange(a: &mut [u64], b: &mut [u64], mask: u64) {
    for (a, b) in a.iter_mut().zip(b) {
        let difference = (*a ^ *b) & mask;
        *a ^= difference;
        *b ^= difference;
    }
}

/// a / 2, with `top` as the new highest bit.
fn halve(a: &mut [u64], mut top: u64) {
    for limb in a.iter_mut().rev() {
        (*limb, top) = (*limb >> 1 | top << 63, *limb & 1);
    }
}

/// `value` modulo any modulus but zero: for once in a key's life.
pub(crate) fn remainder(value: &[u64], modulus: &[u64]) -> Number {
    divide(value, modulus).1
}

/// `value` / `divisor` for any divisor but zero, and the rest, bit by bit: for once in a key's life.
pub(crate) fn divide(value: &[u64], divisor: &[u64]) -> (Number, Number) {
    let mut quotient = Zeroizing::new(vec![0; value.len()]);
    let mut rest = Zeroizing::new(vec![0; divisor.len()]);
    for (quotient, limb) in quotient.iter_mut().zip(value).rev() {
        for bit in (0..64).rev() {
            let mut top = limb >> bit & 1;
            for rest in rest.iter_mut() {
                (*rest, top) = (*rest << 1 | top, *rest >> 63);
            }
            let enough = mask(top) | !less(&rest, divisor);
            subtract(&mut rest, divisor, enough);
            *quotient = *quotient << 1 | (enough & 1);
        }
    }
    (quotient, rest)
}

/// `value` / `divisor` for a divisor of one limb that is public and not zero, and the rest.
pub(crate) fn divide_small(value: &[u64], divisor: u64) -> (Number, u64) {
    let mut quotient = Zeroizing::new(vec![0; value.len()]);
    let mut rest = 0u64;
    for (quotient, limb) in quotient.iter_mut().zip(value).rev() {
        for bit in (0..64).rev() {
            let (shifted, out) = (rest << 1 | (limb >> bit & 1), rest >> 63);
            let enough = mask(out | u64::from(shifted >= divisor));
            rest = shifted.wrapping_sub(divisor & enough);
            *quotient = *quotient << 1 | (enough & 1);
        }
    }
    (quotient, rest)
}

/// The inverse of `a` modulo an odd `modulus` of the same length, if there is one; that there is none shows.
///
/// Stein's binary algorithm in a fixed number of steps: each halves one of two numbers whose divisors are those of the
/// operands, so that after as many steps as both have bits one is zero and the other the greatest common divisor.
pub(crate) fn inverse(a: &[u64], modulus: &[u64]) -> Option<Number> {
    let (mut u, mut v) = (resized(a, modulus.len()), resized(modulus, modulus.len()));
    // u = a · x and v = a · y modulo the modulus.
    let (mut x, mut y) = (resized(&[1], modulus.len()), resized(&[0], modulus.len()));
    for _ in 0..2 * 64 * modulus.len() {
        let odd = mask(u[0] & 1);
        let swap = odd & less(&u, &v);
        exchange(&mut u, &mut v, swap);
        exchange(&mut x, &mut y, swap);
        subtract(&mut u, &v, odd);
        let borrowed = mask(u64::from(subtract(&mut x, &y, odd)));
        add(&mut x, modulus, borrowed);
        halve(&mut u, 0);
        let odd = mask(x[0] & 1);
        let carry = add(&mut x, modulus, odd);
        halve(&mut x, carry);
    }
    (equal(&v, &resized(&[1], v.len())) != 0).then_some(y)
}

/// Whether an odd number and another one, of the same length, have no divisor in common.
pub(crate) fn are_coprime(odd: &[u64], other: &[u64]) -> bool {
    inverse(other, odd).is_some()
}

/// All ones for 1, nothing for 0, in a way that the optimiser does not make a branch of.
fn mask(bit: u64) -> u64 {
    black_box(bit).wrapping_neg()
}

fn difference(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (difference, first) = a.overflowing_sub(b);
    let (difference, second) = difference.overflowing_sub(u64::from(borrow));
    (difference, first | second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_back() {
        let number = from_bytes(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(*number, [0x0203_0405_0607_0809, 1]);
        assert_eq!(bits(&number), 65);
        assert_eq!(*to_bytes(&number, 10), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(*to_bytes(&number, 2), [8, 9]);
        assert_eq!(bits(&[0, 0]), 0);
    }

    #[test]
    fn inverses_multiply_to_one() {
        let modulus = [0xffff_ffff_ffff_ff43, 0xffff_ffff_ffff_ffff];
        for a in [[2, 0], [3, 5], [u64::MAX, 17], [0xffff_ffff_ffff_ff42, u64::MAX]] {
            let inverse = inverse(&a, &modulus).unwrap();
            assert_eq!(*remainder(&product(&a, &inverse), &modulus), [1, 0], "{a:?}");
        }
        assert_eq!(inverse(&[0, 0], &modulus), None);
        assert_eq!(inverse(&[6], &[15]), None);
        assert!(are_coprime(&[15], &[4]) && !are_coprime(&[15], &[10]));
    }

    #[test]
    fn division_has_a_rest() {
        let (quotient, rest) = divide_small(&[5, 7], u64::MAX);
        let mut back = product(&quotient, &[u64::MAX]);
        add(&mut back, &[rest, 0, 0], u64::MAX);
        assert_eq!(*back, [5, 7, 0]);
        assert_eq!(*remainder(&[5, 7], &[u64::MAX]), [rest]);
    }
}
