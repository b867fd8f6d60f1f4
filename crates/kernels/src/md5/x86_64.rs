//! Integer arithmetic in the order in which its terms arrive.
//!
//! Bound by the chain through the 64 steps. Of a step's sum all is added beforehand but what waits for the `b` of the
//! step before; then the rotation and one addition remain. That is five cycles a step in the rounds of F and I, whose
//! functions wait with two operations, and four in those of G and H, which wait with one: 288 a block, 4.5 a byte.
//!
//! Source of the sum for G: Anime Tosho, "MD5 Optimisation Tricks: Beating OpenSSL's Hand-tuned Assembly" (2020).

use super::{ROTATIONS, T};
use crate::simd::x86_64::opaque_u32;

kernel! {
    isa: [], timing: Constant,

    name: "md5.compress/x86_64", primitive: super::Compress,
    fn compress(state: &mut [u32; 4], blocks: &[[u8; 64]]) {
        for block in blocks {
            let (words, _) = block.as_chunks::<4>();
            let mut working = *state;
            sixteen!(I => step::<0, I>(&mut working, words[I]));
            sixteen!(I => step::<1, I>(&mut working, words[(5 * I + 1) % 16]));
            sixteen!(I => step::<2, I>(&mut working, words[(3 * I + 5) % 16]));
            sixteen!(I => step::<3, I>(&mut working, words[7 * I % 16]));
            for (word, working) in state.iter_mut().zip(working) {
                *word = word.wrapping_add(working);
            }
        }
    }
}

/// Step `I` of one of the four rounds (RFC 1321, section 3.4). Instead of moving the working variables, each step finds
/// them one place further.
#[inline(always)]
fn step<const ROUND: usize, const I: usize>(working: &mut [u32; 4], word: [u8; 4]) {
    let [a, b, c, d] = std::array::from_fn(|i| working[(i + 16 - I) % 4]);
    let early = a.wrapping_add(u32::from_le_bytes(word)).wrapping_add(T[16 * ROUND + I]);
    let (early, late) = match ROUND {
        0 => (early, ((c ^ d) & b) ^ d),
        // The halves of `(b & d) | (c & !d)` share no bit, so that they can be added one by one. Of the two operands of
        // the later half it is `d` that is copied, not `b`, for a copy of `b` would be a link of the chain.
        1 => (early.wrapping_add(c & !d), b & opaque_u32(d)),
        2 => (early, (c ^ d) ^ b),
        _ => (early, (!d | b) ^ c),
    };
    let sum = opaque_u32(early).wrapping_add(late);
    working[(16 - I) % 4] = b.wrapping_add(sum.rotate_left(ROTATIONS[ROUND][I % 4]));
}
