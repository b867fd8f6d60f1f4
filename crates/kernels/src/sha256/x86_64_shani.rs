//! SHA-NI: `sha256rnds2` does two rounds, `sha256msg1` and `sha256msg2` make four words of the schedule.
//!
//! Bound by the latency of the chain of 32 `sha256rnds2` a block: four cycles each on Zen, so 128 a block and one more
//! for adding the chaining value. All else runs beside the chain, the loads and the byte swap of the next block
//! included.
//!
//! Source: Intel, "Intel SHA Extensions: New Instructions Supporting the Secure Hash Algorithm" (2013), for what the
//! instructions compute.

use std::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_castps_si128, _mm_castsi128_ps, _mm_set_epi64x, _mm_sha256msg1_epu32,
    _mm_sha256msg2_epu32, _mm_sha256rnds2_epu32, _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_shuffle_ps,
};

use super::K;
use crate::simd::x86_64::{load_128, store_128};

kernel! {
    isa: ["sha", "ssse3"], timing: Constant,

    name: "sha256.compress/x86_64_shani", primitive: super::Compress,
    fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
        let [low, high] = state.as_chunks_mut::<4>().0 else { unreachable!("eight words are twice four") };
        // The instructions want the state as two registers of (f, e, b, a) and (h, g, d, c), lowest lane first.
        let (mut abef, mut cdgh) = regroup(load_128(high), load_128(low));
        for block in blocks {
            let (before_abef, before_cdgh) = (abef, cdgh);
            let mut words = block_words(block);
            sixteen!(I => (abef, cdgh) = four_rounds::<I>(abef, cdgh, &mut words));
            abef = _mm_add_epi32(abef, before_abef);
            cdgh = _mm_add_epi32(cdgh, before_cdgh);
        }
        let (efgh, abcd) = regroup(abef, cdgh);
        store_128(low, abcd);
        store_128(high, efgh);
    }

    /// Rounds `4 * I` to `4 * I + 3`. `words` is a window of the schedule's last sixteen words; the four that these
    /// rounds have in common with the next ones are finished here, and those twelve words ahead begun.
    helper fn four_rounds<const I: usize>(
        abef: __m128i, cdgh: __m128i, words: &mut [__m128i; 4]
    ) -> (__m128i, __m128i) {
        let (before, this, after) = ((I + 3) % 4, I % 4, (I + 1) % 4);
        let addends = _mm_add_epi32(words[this], load_128(&K.as_chunks::<4>().0[I]));
        let two_rounds_on = _mm_sha256rnds2_epu32(cdgh, abef, addends);
        if I >= 3 && I < 15 {
            let seven_ago = _mm_alignr_epi8::<4>(words[this], words[before]);
            words[after] = _mm_sha256msg2_epu32(_mm_add_epi32(words[after], seven_ago), words[this]);
        }
        let four_rounds_on = _mm_sha256rnds2_epu32(abef, two_rounds_on, _mm_shuffle_epi32::<0b11_10>(addends));
        if I >= 1 && I < 13 {
            words[before] = _mm_sha256msg1_epu32(words[before], words[this]);
        }
        (four_rounds_on, two_rounds_on)
    }

    /// The sixteen big-endian words of a block.
    helper fn block_words(block: &[u8; 64]) -> [__m128i; 4] {
        let swap = _mm_set_epi64x(0x0c0d0e0f_08090a0b, 0x04050607_00010203);
        let (quarters, _) = block.as_chunks::<16>();
        std::array::from_fn(|i| _mm_shuffle_epi8(load_128(&quarters[i]), swap))
    }

    /// Lanes 1 and 0 of both, and lanes 3 and 2 of both: from (e, f, g, h) and (a, b, c, d) to (f, e, b, a) and (h, g,
    /// d, c), and from those to (e, f, g, h) and (a, b, c, d).
    helper fn regroup(x: __m128i, y: __m128i) -> (__m128i, __m128i) {
        let (x, y) = (_mm_castsi128_ps(x), _mm_castsi128_ps(y));
        (
            _mm_castps_si128(_mm_shuffle_ps::<0b00_01_00_01>(x, y)),
            _mm_castps_si128(_mm_shuffle_ps::<0b10_11_10_11>(x, y)),
        )
    }
}
