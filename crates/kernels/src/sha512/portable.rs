//! Plain integer arithmetic, as FIPS 180-4 writes it: the reference for every other kernel, and the kernel of last
//! resort.
//!
//! Bound by how many instructions a round takes: some forty with the schedule's, which is ten cycles where four execute
//! in a cycle.

use super::K;
use crate::lanes::in_common;

kernel! {
    isa: [], timing: Constant,

    name: "sha512.compress/portable", primitive: super::Compress,
    fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
        for block in blocks {
            // The schedule is kept as a window of the last sixteen words (FIPS 180-4, section 6.1.3's trick).
            let mut w = [0u64; 16];
            for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
                *word = u64::from_be_bytes(*bytes);
            }
            let (constants, _) = K.as_chunks::<16>();
            let mut working = *state;
            sixteen!(T => round::<T>(&mut working, constants[0][T].wrapping_add(w[T])));
            for constants in &constants[1..] {
                sixteen!(T => {
                    w[T] = small_sigma_1(w[(T + 14) % 16])
                        .wrapping_add(w[(T + 9) % 16])
                        .wrapping_add(small_sigma_0(w[(T + 1) % 16]))
                        .wrapping_add(w[T]);
                    round::<T>(&mut working, constants[T].wrapping_add(w[T]));
                });
            }
            for (word, working) in state.iter_mut().zip(working) {
                *word = word.wrapping_add(working);
            }
        }
    }

    name: "sha512.compress_lanes/portable", primitive: super::CompressLanes,
    fn compress_lanes(states: &mut [[u64; 8]], messages: &[&[[u8; 128]]]) {
        let blocks = in_common(messages);
        for (state, message) in states.iter_mut().zip(messages) {
            compress(state, &message[..blocks]);
        }
    }
}

/// Round `T`, counted modulo eight. Instead of moving the working variables, each round finds them one place further.
///
/// The functions are written for few instructions without a rotation that copies: each rotation of Σ takes up where the
/// one before ended, Ch and Maj are selections by xor, and one round's `a ^ b` is the next one's `b ^ c`.
#[inline(always)]
fn round<const T: usize>(working: &mut [u64; 8], addend: u64) {
    let [a, b, c, d, e, f, g, h] = std::array::from_fn(|i| working[(i + 16 - T) % 8]);
    let sigma_1 = ((e.rotate_right(23) ^ e).rotate_right(4) ^ e).rotate_right(14);
    let choose = ((f ^ g) & e) ^ g;
    let t1 = h.wrapping_add(addend).wrapping_add(choose).wrapping_add(sigma_1);
    let sigma_0 = ((a.rotate_right(5) ^ a).rotate_right(6) ^ a).rotate_right(28);
    let majority = ((a ^ b) & (b ^ c)) ^ b;
    working[(3 + 16 - T) % 8] = d.wrapping_add(t1);
    working[(7 + 16 - T) % 8] = t1.wrapping_add(sigma_0).wrapping_add(majority);
}

fn small_sigma_0(x: u64) -> u64 {
    x.rotate_right(1) ^ x.rotate_right(8) ^ (x >> 7)
}

fn small_sigma_1(x: u64) -> u64 {
    x.rotate_right(19) ^ x.rotate_right(61) ^ (x >> 6)
}
