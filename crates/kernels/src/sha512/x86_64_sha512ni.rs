//! SHA512 instructions: `vsha512rnds2` does two rounds, `vsha512msg1` and `vsha512msg2` make four words of the
//! schedule.
//!
//! Bound by the latency of the chain of 40 `vsha512rnds2` a block; all else runs beside it.
//!
//! Source: Intel, "Intel Architecture Instruction Set Extensions and Future Features", chapter 1 on VSHA512MSG1,
//! VSHA512MSG2 and VSHA512RNDS2, for what the instructions compute.

use std::arch::x86_64::{
    __m256i, _mm_set_epi64x, _mm256_add_epi64, _mm256_blend_epi32, _mm256_broadcastsi128_si256, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_permute2x128_si256, _mm256_permute4x64_epi64, _mm256_sha512msg1_epi64,
    _mm256_sha512msg2_epi64, _mm256_sha512rnds2_epi64, _mm256_shuffle_epi8,
};

use super::K;
use crate::simd::x86_64::{load_256, store_256};

kernel! {
    isa: ["sha512", "avx2"], timing: Constant,

    name: "sha512.compress/x86_64_sha512ni", primitive: super::Compress,
    fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
        let [low, high] = state.as_chunks_mut::<4>().0 else { unreachable!("eight words are twice four") };
        // The instructions want the state as two registers of (f, e, b, a) and (h, g, d, c), lowest lane first.
        let (abcd, efgh) = (load_256(low), load_256(high));
        let mut abef = swap_neighbours(_mm256_permute2x128_si256::<0x20>(efgh, abcd));
        let mut cdgh = swap_neighbours(_mm256_permute2x128_si256::<0x31>(efgh, abcd));
        for block in blocks {
            let mut words = block_words(block);
            let mut working = (abef, cdgh);
            sixteen!(I => working = four_rounds::<I>(working, &mut words));
            working = four_rounds::<16>(working, &mut words);
            working = four_rounds::<17>(working, &mut words);
            working = four_rounds::<18>(working, &mut words);
            working = four_rounds::<19>(working, &mut words);
            abef = _mm256_add_epi64(abef, working.0);
            cdgh = _mm256_add_epi64(cdgh, working.1);
        }
        let (efab, ghcd) = (swap_neighbours(abef), swap_neighbours(cdgh));
        store_256(low, _mm256_permute2x128_si256::<0x31>(efab, ghcd));
        store_256(high, _mm256_permute2x128_si256::<0x20>(efab, ghcd));
    }

    /// Rounds `4 * I` to `4 * I + 3`. `words` is a window of the schedule's last sixteen words; the four of the next
    /// rounds are finished here, and those of twelve rounds later begun.
    helper fn four_rounds<const I: usize>(working: (__m256i, __m256i), words: &mut [__m256i; 4]) -> (__m256i, __m256i) {
        let (abef, cdgh) = working;
        let (before, this, after) = ((I + 3) % 4, I % 4, (I + 1) % 4);
        let addends = _mm256_add_epi64(words[this], load_256(&K.as_chunks::<4>().0[I]));
        let two_rounds_on = _mm256_sha512rnds2_epi64(cdgh, abef, _mm256_castsi256_si128(addends));
        if I >= 3 && I < 19 {
            let mixed = _mm256_blend_epi32::<0b0000_0011>(words[before], words[this]);
            let seven_ago = _mm256_permute4x64_epi64::<0b00_11_10_01>(mixed);
            words[after] = _mm256_sha512msg2_epi64(_mm256_add_epi64(words[after], seven_ago), words[this]);
        }
        let four_rounds_on = _mm256_sha512rnds2_epi64(abef, two_rounds_on, _mm256_extracti128_si256::<1>(addends));
        if I >= 1 && I < 17 {
            words[before] = _mm256_sha512msg1_epi64(words[before], _mm256_castsi256_si128(words[this]));
        }
        (four_rounds_on, two_rounds_on)
    }

    helper fn swap_neighbours(x: __m256i) -> __m256i {
        _mm256_permute4x64_epi64::<0b10_11_00_01>(x)
    }

    /// The sixteen big-endian words of a block.
    helper fn block_words(block: &[u8; 128]) -> [__m256i; 4] {
        let swap = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x08090a0b_0c0d0e0f, 0x00010203_04050607));
        let (quarters, _) = block.as_chunks::<32>();
        std::array::from_fn(|i| _mm256_shuffle_epi8(load_256(&quarters[i]), swap))
    }
}
