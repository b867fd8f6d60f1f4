//! SHA-NI: `sha1rnds4` does four rounds, `sha1nexte` makes what they need of the variable `e`, `sha1msg1` and
//! `sha1msg2` make four words of the schedule.
//!
//! Bound by the latency of the chain of 20 `sha1rnds4` a block: six cycles each on Zen, so 120 a block and one more for
//! adding the chaining value. All else runs beside the chain, the loads and the byte swap of the next block included.
//!
//! Source: Intel, "Intel SHA Extensions: New Instructions Supporting the Secure Hash Algorithm" (2013), for what the
//! instructions compute.

use std::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_cvtsi32_si128, _mm_cvtsi128_si32, _mm_set_epi64x, _mm_sha1msg1_epu32,
    _mm_sha1msg2_epu32, _mm_sha1nexte_epu32, _mm_sha1rnds4_epu32, _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_slli_si128,
    _mm_srli_si128, _mm_xor_si128,
};

use crate::simd::x86_64::{load_128, store_128};

kernel! {
    isa: ["sha", "ssse3"], timing: Constant,

    name: "sha1.compress/x86_64_shani", primitive: super::Compress,
    fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
        let [a_to_d @ .., last] = state;
        // The instructions want `a` in the highest lane, and `e` in the highest lane of a register of its own.
        let mut abcd = _mm_shuffle_epi32::<0b00_01_10_11>(load_128(a_to_d));
        let mut e = _mm_slli_si128::<12>(_mm_cvtsi32_si128(last.cast_signed()));
        for block in blocks {
            let mut words = block_words(block);
            let mut working = (abcd, e);
            sixteen!(I => working = four_rounds::<I>(working, &mut words));
            working = four_rounds::<16>(working, &mut words);
            working = four_rounds::<17>(working, &mut words);
            working = four_rounds::<18>(working, &mut words);
            working = four_rounds::<19>(working, &mut words);
            abcd = _mm_add_epi32(working.0, abcd);
            e = _mm_sha1nexte_epu32(working.1, e);
        }
        store_128(a_to_d, _mm_shuffle_epi32::<0b00_01_10_11>(abcd));
        *last = _mm_cvtsi128_si32(_mm_srli_si128::<12>(e)).cast_unsigned();
    }

    /// Rounds `4 * I` to `4 * I + 3`. `working` is (a, b, c, d) before them and before the four rounds ahead of them,
    /// from which the instructions derive `e`; a block's first four rounds take `e` itself. `words` is a window of the
    /// schedule's last sixteen words; the four of the next rounds are made here.
    helper fn four_rounds<const I: usize>(working: (__m128i, __m128i), words: &mut [__m128i; 4]) -> (__m128i, __m128i) {
        let (abcd, earlier) = working;
        let (before, this, after, beyond) = ((I + 3) % 4, I % 4, (I + 1) % 4, (I + 2) % 4);
        let addends = match I {
            0 => _mm_add_epi32(earlier, words[this]),
            _ => _mm_sha1nexte_epu32(earlier, words[this]),
        };
        if I >= 3 && I < 19 {
            let begun = _mm_xor_si128(_mm_sha1msg1_epu32(words[after], words[beyond]), words[before]);
            words[after] = _mm_sha1msg2_epu32(begun, words[this]);
        }
        let next = match I / 5 {
            0 => _mm_sha1rnds4_epu32::<0>(abcd, addends),
            1 => _mm_sha1rnds4_epu32::<1>(abcd, addends),
            2 => _mm_sha1rnds4_epu32::<2>(abcd, addends),
            _ => _mm_sha1rnds4_epu32::<3>(abcd, addends),
        };
        (next, abcd)
    }

    /// The sixteen big-endian words of a block, the first in the highest lane.
    helper fn block_words(block: &[u8; 64]) -> [__m128i; 4] {
        let reverse = _mm_set_epi64x(0x00010203_04050607, 0x08090a0b_0c0d0e0f);
        let (quarters, _) = block.as_chunks::<16>();
        std::array::from_fn(|i| _mm_shuffle_epi8(load_128(&quarters[i]), reverse))
    }
}
