//! Rounds on integer registers, with BMI2's rotations that need no copy; the schedule in vector registers beside them.
//!
//! Two blocks share the work of the schedule, a lane of 128 bits each; the second one's words wait in memory.
//!
//! Bound by how many instructions a round takes: 22, two copies, and where vectors share the ports with them (Intel),
//! four for the schedule: seven cycles a round where four execute in a cycle. The chain through `e`, Σ1 and two
//! additions, takes five.
//!
//! Source of the arrangement: Gulley, Gopal, Yap, Feghali, Guilford and Wolrich, "Fast SHA-256 Implementations on Intel
//! Architecture Processors" (2012).

use std::arch::x86_64::{
    __m128i, __m256i, _mm_set_epi64x, _mm256_add_epi32, _mm256_alignr_epi8, _mm256_broadcastsi128_si256,
    _mm256_or_si256, _mm256_set_m128i, _mm256_shuffle_epi8, _mm256_shuffle_epi32, _mm256_slli_epi32, _mm256_srli_epi32,
    _mm256_srli_epi64, _mm256_xor_si256,
};

use super::K;
use crate::simd::x86_64::{load_128, opaque_u32, store_256};

kernel! {
    isa: ["avx2", "bmi1", "bmi2"], timing: Constant,

    name: "sha256.compress/x86_64_avx2_bmi2", primitive: super::Compress,
    fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
        // The schedules of two blocks with the round constants added, four words of each block in turn.
        let mut addends = [[[0; 8]; 4]; 4];
        for two in blocks.chunks(2) {
            let mut words = block_words(&two[0], two.last().unwrap_or(&two[0]));
            for i in 0..4 {
                put(&mut addends[0][i], words[i], 0, i);
            }
            let mut working = *state;
            let mut b_xor_c = working[1] ^ working[2];
            for t in 0..3 {
                sixteen!(T => {
                    round::<T>(&mut working, &mut b_xor_c, addends[t][T / 4][T % 4]);
                    if T % 4 == 3 {
                        next_words::<{ T / 4 }>(&mut words);
                        put(&mut addends[t + 1][T / 4], words[T / 4], t + 1, T / 4);
                    }
                });
            }
            // The rounds without a schedule to make, one loop for both blocks: so all the code fits the cache of
            // decoded instructions.
            for t in 3..4 * two.len() {
                if t == 4 {
                    add(state, &working);
                    working = *state;
                    b_xor_c = working[1] ^ working[2];
                }
                sixteen!(T => round::<T>(&mut working, &mut b_xor_c, addends[t % 4][T / 4][t / 4 * 4 + T % 4]));
            }
            add(state, &working);
        }
    }

    helper fn add(state: &mut [u32; 8], working: &[u32; 8]) {
        for (word, working) in state.iter_mut().zip(working) {
            *word = word.wrapping_add(*working);
        }
    }

    /// Round `T`, counted modulo eight.
    helper fn round<const T: usize>(working: &mut [u32; 8], b_xor_c: &mut u32, addend: u32) {
        let [a, b, _, d, e, f, g, h] = std::array::from_fn(|i| working[(i + 16 - T) % 8]);
        let sigma_1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let early = opaque_u32(h.wrapping_add(addend)).wrapping_add(e & f);
        let t1 = opaque_u32(early.wrapping_add(!e & g)).wrapping_add(sigma_1);
        let sigma_0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let a_xor_b = a ^ b;
        let majority = (a_xor_b & *b_xor_c) ^ b;
        *b_xor_c = a_xor_b;
        working[(3 + 16 - T) % 8] = d.wrapping_add(t1);
        working[(7 + 16 - T) % 8] = opaque_u32(t1.wrapping_add(majority)).wrapping_add(sigma_0);
    }

    /// The words `4 * I` to `4 * I + 3` of the next sixteen, in the place of those sixteen before them.
    helper fn next_words<const I: usize>(words: &mut [__m256i; 4]) {
        let [w0, w4, w8, w12] = std::array::from_fn(|i| words[(I + i) % 4]);
        let (w1, w9) = (_mm256_alignr_epi8::<4>(w4, w0), _mm256_alignr_epi8::<4>(w12, w8));
        let sigma_0 = _mm256_xor_si256(
            _mm256_xor_si256(
                _mm256_srli_epi32::<3>(w1),
                _mm256_or_si256(_mm256_srli_epi32::<7>(w1), _mm256_slli_epi32::<25>(w1)),
            ),
            _mm256_or_si256(_mm256_srli_epi32::<18>(w1), _mm256_slli_epi32::<14>(w1)),
        );
        let sum = _mm256_add_epi32(_mm256_add_epi32(w0, w9), sigma_0);
        // The last two of the four words need the first two.
        let low = _mm_set_epi64x(-1, 0x0b0a0908_03020100);
        let high = _mm_set_epi64x(0x0b0a0908_03020100, -1);
        let half = _mm256_add_epi32(sum, small_sigma_1(_mm256_shuffle_epi32::<0b11_11_10_10>(w12), low));
        words[I] = _mm256_add_epi32(half, small_sigma_1(_mm256_shuffle_epi32::<0b01_01_00_00>(half), high));
    }

    /// Of two words, each given twice in 64 bits so that a shift rotates the lower half, and placed by `place`, whose
    /// ones make zeros.
    helper fn small_sigma_1(twice: __m256i, place: __m128i) -> __m256i {
        let rotated = _mm256_xor_si256(_mm256_srli_epi64::<17>(twice), _mm256_srli_epi64::<19>(twice));
        let sigma = _mm256_xor_si256(rotated, _mm256_srli_epi32::<10>(twice));
        _mm256_shuffle_epi8(sigma, _mm256_broadcastsi128_si256(place))
    }

    /// Adds the round constants of the words `4 * i` to `4 * i + 3` of the `t`-th sixteen.
    helper fn put(addends: &mut [u32; 8], words: __m256i, t: usize, i: usize) {
        let constants = load_128(&K.as_chunks::<16>().0[t].as_chunks::<4>().0[i]);
        store_256(addends, _mm256_add_epi32(words, _mm256_broadcastsi128_si256(constants)));
    }

    /// The sixteen big-endian words of two blocks, those of `first` in the low lanes.
    helper fn block_words(first: &[u8; 64], second: &[u8; 64]) -> [__m256i; 4] {
        let swap = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d0e0f_08090a0b, 0x04050607_00010203));
        let (first, second) = (first.as_chunks::<16>().0, second.as_chunks::<16>().0);
        std::array::from_fn(|i| _mm256_shuffle_epi8(_mm256_set_m128i(load_128(&second[i]), load_128(&first[i])), swap))
    }
}
