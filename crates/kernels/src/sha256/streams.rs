//! SHA-256 of several messages with SHA-NI: while the chain of one waits for its `sha256rnds2`, others go on.

use std::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_castps_si128, _mm_castsi128_ps, _mm_set_epi64x, _mm_setzero_si128,
    _mm_sha256msg1_epu32, _mm_sha256msg2_epu32, _mm_sha256rnds2_epu32, _mm_shuffle_epi8, _mm_shuffle_epi32,
    _mm_shuffle_ps,
};

use super::K;
use crate::lanes::group;
use crate::simd::x86_64::{load_128, prefetch, store_128};

/// Mixes so many blocks of as many messages as there are streams into their states. Where there are fewer messages, the
/// last of them is in the streams left over.
#[inline]
#[target_feature(enable = "sha,ssse3")]
pub(super) fn compress_streams<const STREAMS: usize>(states: &mut [[u32; 8]], messages: &[&[[u8; 64]]], blocks: usize) {
    let messages: [_; STREAMS] = group(messages, blocks);
    let mut chains = load_states(states);
    for block in 0..blocks {
        for message in &messages {
            prefetch(message.as_ptr().wrapping_add(block + 4));
        }
        let mut words: [_; STREAMS] = std::array::from_fn(|stream| block_words(&messages[stream][block]));
        let mut working = chains;
        sixteen!(I => four_rounds::<I, STREAMS>(&mut working, &mut words));
        for (chain, working) in chains.iter_mut().zip(working) {
            *chain = [_mm_add_epi32(chain[0], working[0]), _mm_add_epi32(chain[1], working[1])];
        }
    }
    store_states(states, chains);
}

/// The states as the instructions want them: (f, e, b, a) and (h, g, d, c), lowest lane first.
#[inline]
#[target_feature(enable = "sha,ssse3")]
pub(super) fn load_states<const STREAMS: usize>(states: &[[u32; 8]]) -> [[__m128i; 2]; STREAMS] {
    let mut chains = [[_mm_setzero_si128(); 2]; STREAMS];
    for (chain, state) in chains.iter_mut().zip(states) {
        let [low, high] = state.as_chunks::<4>().0 else { unreachable!("eight words are twice four") };
        *chain = regroup(load_128(high), load_128(low));
    }
    chains
}

/// The way back.
#[inline]
#[target_feature(enable = "sha,ssse3")]
pub(super) fn store_states<const STREAMS: usize>(states: &mut [[u32; 8]], chains: [[__m128i; 2]; STREAMS]) {
    for (chain, state) in chains.iter().zip(states) {
        let [low, high] = state.as_chunks_mut::<4>().0 else { unreachable!("eight words are twice four") };
        let [efgh, abcd] = regroup(chain[0], chain[1]);
        store_128(low, abcd);
        store_128(high, efgh);
    }
}

/// Rounds `4 * I` to `4 * I + 3` of every stream, a step of each in turn; the schedule as in the kernel for one
/// message.
#[inline]
#[target_feature(enable = "sha,ssse3")]
fn four_rounds<const I: usize, const STREAMS: usize>(
    working: &mut [[__m128i; 2]; STREAMS],
    words: &mut [[__m128i; 4]; STREAMS],
) {
    let (before, this, after) = ((I + 3) % 4, I % 4, (I + 1) % 4);
    let constants = load_128(&K.as_chunks::<4>().0[I]);
    let mut addends = [constants; STREAMS];
    for ([abef, cdgh], (addends, words)) in working.iter_mut().zip(addends.iter_mut().zip(&*words)) {
        *addends = _mm_add_epi32(words[this], constants);
        (*abef, *cdgh) = (_mm_sha256rnds2_epu32(*cdgh, *abef, *addends), *abef);
    }
    for words in &mut *words {
        if I >= 3 && I < 15 {
            let seven_ago = _mm_alignr_epi8::<4>(words[this], words[before]);
            words[after] = _mm_sha256msg2_epu32(_mm_add_epi32(words[after], seven_ago), words[this]);
        }
    }
    for ([abef, cdgh], addends) in working.iter_mut().zip(addends) {
        let high = _mm_shuffle_epi32::<0b11_10>(addends);
        (*abef, *cdgh) = (_mm_sha256rnds2_epu32(*cdgh, *abef, high), *abef);
    }
    for words in words {
        if I >= 1 && I < 13 {
            words[before] = _mm_sha256msg1_epu32(words[before], words[this]);
        }
    }
}

/// The sixteen big-endian words of a block.
#[inline]
#[target_feature(enable = "sha,ssse3")]
fn block_words(block: &[u8; 64]) -> [__m128i; 4] {
    let swap = _mm_set_epi64x(0x0c0d0e0f_08090a0b, 0x04050607_00010203);
    let (quarters, _) = block.as_chunks::<16>();
    std::array::from_fn(|i| _mm_shuffle_epi8(load_128(&quarters[i]), swap))
}

/// Lanes 1 and 0 of both, and lanes 3 and 2 of both: its own way back.
#[inline]
#[target_feature(enable = "sha,ssse3")]
fn regroup(x: __m128i, y: __m128i) -> [__m128i; 2] {
    let (x, y) = (_mm_castsi128_ps(x), _mm_castsi128_ps(y));
    [_mm_castps_si128(_mm_shuffle_ps::<0b00_01_00_01>(x, y)), _mm_castps_si128(_mm_shuffle_ps::<0b10_11_10_11>(x, y))]
}
