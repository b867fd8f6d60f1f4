//! The end of a message of a Merkle–Damgård digest: a one bit, zeros, and the length (RFC 1321, sections 3.1 and 3.2; FIPS
//! 180-4, section 5.1).

use std::cmp::Ordering;

use speedwell_kernels::simd::write_16;

/// Writes what is left of a message and its padding. `low` and `high` are the halves of the last sixteen bytes, which hold
/// the length where the digest has it, as little-endian numbers. `rest` must leave room for them and a byte more.
///
/// Whole vectors are written, for kernels that load vectors soon after.
#[inline(always)]
pub(crate) fn pad(pieces: &mut [[u8; 16]], rest: &[u8], low: u64, high: u64) {
    let last = pieces.len() - 1;
    let (whole, part) = rest.as_chunks::<16>();
    let part = little_endian(part) | 0x80 << (8 * part.len());
    for (i, piece) in pieces.iter_mut().enumerate() {
        let mut value = match i.cmp(&whole.len()) {
            Ordering::Less => u128::from_le_bytes(whole[i]),
            Ordering::Equal => part,
            Ordering::Greater => 0,
        };
        if i == last {
            value |= u128::from(high) << 64 | u128::from(low);
        }
        write_16(piece, value as u64, (value >> 64) as u64);
    }
}

/// The last sixteen bytes of a message of so many bytes, of which the digest has the last eight or all for the length.
#[inline(always)]
pub(crate) fn length_halves(length_bytes: usize, bytes: u64, length: fn(u64) -> [u8; 8]) -> (u64, u64) {
    // The length may be 128 bits wide; a 64-bit count of bytes makes 67 bits of it.
    let low = if length_bytes == 16 { bytes >> 61 << 56 } else { 0 };
    (low, u64::from_le_bytes(length(bytes.wrapping_mul(8))))
}

/// Fewer than sixteen bytes as a number, read in as few pieces as possible.
#[inline]
fn little_endian(bytes: &[u8]) -> u128 {
    /// `N` of the bytes from a place on, as a number in its place.
    fn read<const N: usize>(bytes: &[u8], at: usize) -> u128 {
        let mut number = [0; 16];
        number[..N].copy_from_slice(&bytes[at..at + N]);
        u128::from_le_bytes(number) << (8 * at)
    }
    let length = bytes.len();
    match length {
        8.. => read::<8>(bytes, 0) | read::<8>(bytes, length - 8),
        4.. => read::<4>(bytes, 0) | read::<4>(bytes, length - 4),
        1.. => read::<1>(bytes, 0) | read::<1>(bytes, length / 2) | read::<1>(bytes, length - 1),
        0 => 0,
    }
}
