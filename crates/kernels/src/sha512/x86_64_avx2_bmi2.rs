//! Rounds on integer registers, with BMI2's rotations that need no copy; the schedule in vector registers beside them.
//!
//! Two blocks share the work of the schedule, a lane of 128 bits each; the second one's words wait in memory.
//!
//! Bound by how many instructions a round takes: 22, and where vectors share the ports with them (Intel), five and a
//! half for the schedule. That is 5.5 cycles a round where four integer instructions execute in a cycle (Zen), 7 where
//! four of both kinds do. The chain through `e`, Σ1 and two additions, takes five.
//!
//! Source of the arrangement: Guilford, Cote and Gopal, "Fast SHA512 Implementations on Intel Architecture Processors"
//! (2012).

use std::arch::x86_64::{
    __m256i, _mm_set_epi64x, _mm256_add_epi64, _mm256_alignr_epi8, _mm256_broadcastsi128_si256, _mm256_or_si256,
    _mm256_set_m128i, _mm256_shuffle_epi8, _mm256_slli_epi64, _mm256_srli_epi64, _mm256_xor_si256,
};

use super::K;
use crate::simd::x86_64::{load_128, opaque_u64, store_256};

kernel! {
    isa: ["avx2", "bmi1", "bmi2"], timing: Constant,

    name: "sha512.compress/x86_64_avx2_bmi2", primitive: super::Compress,
    fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
        // The schedules of two blocks with the round constants added, two words of each block in turn.
        let mut addends = [[[0; 4]; 8]; 5];
        for two in blocks.chunks(2) {
            let mut words = block_words(&two[0], two.last().unwrap_or(&two[0]));
            for i in 0..8 {
                put(&mut addends[0][i], words[i], 0, i);
            }
            let mut working = *state;
            let mut b_xor_c = working[1] ^ working[2];
            for t in 0..4 {
                sixteen!(T => {
                    round::<T>(&mut working, &mut b_xor_c, addends[t][T / 2][T % 2]);
                    if T % 2 == 1 {
                        next_words::<{ T / 2 }>(&mut words);
                        put(&mut addends[t + 1][T / 2], words[T / 2], t + 1, T / 2);
                    }
                });
            }
            // The rounds without a schedule to make, one loop for both blocks: so all the code fits the cache of
            // decoded instructions.
            for t in 4..5 * two.len() {
                if t == 5 {
                    add(state, &working);
                    working = *state;
                    b_xor_c = working[1] ^ working[2];
                }
                sixteen!(T => round::<T>(&mut working, &mut b_xor_c, addends[t % 5][T / 2][t / 5 * 2 + T % 2]));
            }
            add(state, &working);
        }
    }

    helper fn add(state: &mut [u64; 8], working: &[u64; 8]) {
        for (word, working) in state.iter_mut().zip(working) {
            *word = word.wrapping_add(*working);
        }
    }

    /// Round `T`, counted modulo eight.
    helper fn round<const T: usize>(working: &mut [u64; 8], b_xor_c: &mut u64, addend: u64) {
        let [a, b, _, d, e, f, g, h] = std::array::from_fn(|i| working[(i + 16 - T) % 8]);
        let sigma_1 = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
        let early = opaque_u64(h.wrapping_add(addend)).wrapping_add(e & f);
        let t1 = opaque_u64(early.wrapping_add(!e & g)).wrapping_add(sigma_1);
        let sigma_0 = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
        let a_xor_b = a ^ b;
        let majority = (a_xor_b & *b_xor_c) ^ b;
        *b_xor_c = a_xor_b;
        working[(3 + 16 - T) % 8] = d.wrapping_add(t1);
        working[(7 + 16 - T) % 8] = opaque_u64(t1.wrapping_add(majority)).wrapping_add(sigma_0);
    }

    /// The words `2 * I` and `2 * I + 1` of the next sixteen, in the place of those sixteen before them.
    helper fn next_words<const I: usize>(words: &mut [__m256i; 8]) {
        let [w0, w2, _, _, w8, w10, _, w14] = std::array::from_fn(|i| words[(I + i) % 8]);
        let (w1, w9) = (_mm256_alignr_epi8::<8>(w2, w0), _mm256_alignr_epi8::<8>(w10, w8));
        // A rotation by a whole byte is a shuffle.
        let by_8 = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x080f0e0d_0c0b0a09, 0x00070605_04030201));
        let sigma_0 = _mm256_xor_si256(
            _mm256_xor_si256(_mm256_srli_epi64::<7>(w1), _mm256_shuffle_epi8(w1, by_8)),
            _mm256_or_si256(_mm256_srli_epi64::<1>(w1), _mm256_slli_epi64::<63>(w1)),
        );
        let sigma_1 = _mm256_xor_si256(
            _mm256_xor_si256(
                _mm256_srli_epi64::<6>(w14),
                _mm256_or_si256(_mm256_srli_epi64::<19>(w14), _mm256_slli_epi64::<45>(w14)),
            ),
            _mm256_or_si256(_mm256_srli_epi64::<61>(w14), _mm256_slli_epi64::<3>(w14)),
        );
        words[I] = _mm256_add_epi64(_mm256_add_epi64(w0, w9), _mm256_add_epi64(sigma_0, sigma_1));
    }

    /// Adds the round constants of the words `2 * i` and `2 * i + 1` of the `t`-th sixteen.
    helper fn put(addends: &mut [u64; 4], words: __m256i, t: usize, i: usize) {
        let constants = load_128(&K.as_chunks::<16>().0[t].as_chunks::<2>().0[i]);
        store_256(addends, _mm256_add_epi64(words, _mm256_broadcastsi128_si256(constants)));
    }

    /// The sixteen big-endian words of two blocks, those of `first` in the low lanes.
    helper fn block_words(first: &[u8; 128], second: &[u8; 128]) -> [__m256i; 8] {
        let swap = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x08090a0b_0c0d0e0f, 0x00010203_04050607));
        let (first, second) = (first.as_chunks::<16>().0, second.as_chunks::<16>().0);
        std::array::from_fn(|i| _mm256_shuffle_epi8(_mm256_set_m128i(load_128(&second[i]), load_128(&first[i])), swap))
    }
}
