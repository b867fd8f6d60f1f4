//! Plain integer arithmetic, as FIPS 180-4 writes it: the reference for every other kernel, and the kernel of last
//! resort.
//!
//! Bound by how many instructions a round takes: a dozen, and half as many for the schedule.

use super::K;
use crate::lanes::in_common;

kernel! {
    isa: [], timing: Constant,

    name: "sha1.compress/portable", primitive: super::Compress,
    fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
        for block in blocks {
            // The schedule is kept as a window of the last sixteen words (FIPS 180-4, section 6.1.3).
            let mut w = [0u32; 16];
            for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
                *word = u32::from_be_bytes(*bytes);
            }
            let mut working = *state;
            sixteen!(T => round::<T>(&mut working, w[T]));
            sixteen!(T => round::<{ 16 + T }>(&mut working, next(&mut w, T)));
            sixteen!(T => round::<{ 32 + T }>(&mut working, next(&mut w, T)));
            sixteen!(T => round::<{ 48 + T }>(&mut working, next(&mut w, T)));
            sixteen!(T => round::<{ 64 + T }>(&mut working, next(&mut w, T)));
            for (word, working) in state.iter_mut().zip(working) {
                *word = word.wrapping_add(working);
            }
        }
    }

    name: "sha1.compress_lanes/portable", primitive: super::CompressLanes,
    fn compress_lanes(states: &mut [[u32; 5]], messages: &[&[[u8; 64]]]) {
        let blocks = in_common(messages);
        for (state, message) in states.iter_mut().zip(messages) {
            compress(state, &message[..blocks]);
        }
    }
}

/// Round `T`. Instead of moving the working variables, each round finds them one place further.
#[inline(always)]
fn round<const T: usize>(working: &mut [u32; 5], word: u32) {
    let [a, b, c, d, e] = std::array::from_fn(|i| working[(i + 80 - T) % 5]);
    let mixed = match T / 20 {
        0 => ((c ^ d) & b) ^ d,
        // The halves share no bit, so that each can be added as soon as it is there.
        2 => (b & c).wrapping_add((b ^ c) & d),
        _ => b ^ c ^ d,
    };
    let sum = e.wrapping_add(K[T / 20]).wrapping_add(word).wrapping_add(mixed).wrapping_add(a.rotate_left(5));
    working[(1 + 80 - T) % 5] = b.rotate_left(30);
    working[(4 + 80 - T) % 5] = sum;
}

/// Makes the next word of the schedule, number `t` modulo sixteen.
#[inline(always)]
fn next(w: &mut [u32; 16], t: usize) -> u32 {
    w[t] = (w[(t + 13) % 16] ^ w[(t + 8) % 16] ^ w[(t + 2) % 16] ^ w[t]).rotate_left(1);
    w[t]
}
