//! Plain integer arithmetic: the reference for every other kernel, and the kernel of last resort.
//!
//! Bound by the chain through the 64 steps: the function's part that waits for the step before, two additions, the
//! rotation and one more addition, five cycles or six.

use super::{ROTATIONS, T};
use crate::lanes::in_common;

kernel! {
    isa: [], timing: Constant,

    name: "md5.compress/portable", primitive: super::Compress,
    fn compress(state: &mut [u32; 4], blocks: &[[u8; 64]]) {
        for block in blocks {
            let mut words = [0u32; 16];
            for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
                *word = u32::from_le_bytes(*bytes);
            }
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

    name: "md5.compress_lanes/portable", primitive: super::CompressLanes,
    fn compress_lanes(states: &mut [[u32; 4]], messages: &[&[[u8; 64]]]) {
        let blocks = in_common(messages);
        for (state, message) in states.iter_mut().zip(messages) {
            compress(state, &message[..blocks]);
        }
    }
}

/// Step `I` of one of the four rounds (RFC 1321, section 3.4). Instead of moving the working variables, each step finds
/// them one place further.
#[inline(always)]
fn step<const ROUND: usize, const I: usize>(working: &mut [u32; 4], word: u32) {
    let [a, b, c, d] = std::array::from_fn(|i| working[(i + 16 - I) % 4]);
    let early = a.wrapping_add(word).wrapping_add(T[16 * ROUND + I]);
    let sum = match ROUND {
        0 => early.wrapping_add(((c ^ d) & b) ^ d),
        // The halves of RFC 1321's `(b & d) | (c & !d)` share no bit, so that they can be added one by one: only the
        // first waits for the `b` of the step before.
        1 => early.wrapping_add(c & !d).wrapping_add(b & d),
        2 => early.wrapping_add((c ^ d) ^ b),
        _ => early.wrapping_add(c ^ (b | !d)),
    };
    working[(16 - I) % 4] = b.wrapping_add(sum.rotate_left(ROTATIONS[ROUND][I % 4]));
}
