//! The schedules of two blocks in vector registers, a lane of 128 bits each: what the kernels for one message share.
//!
//! The second block's words wait in memory while the first one's rounds go on.

use std::arch::x86_64::{
    __m256i, _mm_set_epi64x, _mm256_add_epi64, _mm256_alignr_epi8, _mm256_broadcastsi128_si256, _mm256_ror_epi64,
    _mm256_set_m128i, _mm256_shuffle_epi8, _mm256_srli_epi64, _mm256_ternarylogic_epi64,
};

use super::K;
use crate::simd::x86_64::{load_128, store_256};

/// Sixteen words of the schedules of two blocks, two of each block in turn, with the round constants added.
pub(super) type Addends = [[u64; 4]; 8];

/// Selects every bit in which an odd number of the three operands is set.
pub(super) const XOR: i32 = 0b1001_0110;

/// The first two of some blocks in pieces of two words; if there is but one, twice that.
pub(super) fn pieces(blocks: &[[u8; 128]]) -> [&[[u8; 16]; 8]; 2] {
    [&blocks[0], blocks.get(1).unwrap_or(&blocks[0])].map(|block| {
        let Some(pieces) = block.as_chunks().0.first_chunk() else { unreachable!("128 bytes are eight times sixteen") };
        pieces
    })
}

/// Two big-endian words of each of two blocks, the first block's in the low lane.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn words(first: &[u8; 16], second: &[u8; 16]) -> __m256i {
    let swap = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x08090a0b_0c0d0e0f, 0x00010203_04050607));
    _mm256_shuffle_epi8(_mm256_set_m128i(load_128(second), load_128(first)), swap)
}

/// Adds the round constants of the words `2 * i` and `2 * i + 1` of the `t`-th sixteen.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn put(addends: &mut [u64; 4], words: __m256i, t: usize, i: usize) {
    let constants = load_128(&K.as_chunks::<16>().0[t].as_chunks::<2>().0[i]);
    store_256(addends, _mm256_add_epi64(words, _mm256_broadcastsi128_si256(constants)));
}

/// What the words `2 * I` and `2 * I + 1` of the next sixteen have of those long before, in the place of the words
/// sixteen before them. In two parts, so that each round has one beside it.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn early_part<const I: usize>(words: &mut [__m256i; 8]) {
    let [w0, w2, _, _, w8, w10, _, _] = std::array::from_fn(|i| words[(I + i) % 8]);
    let (w1, w9) = (_mm256_alignr_epi8::<8>(w2, w0), _mm256_alignr_epi8::<8>(w10, w8));
    let sigma_0 = _mm256_ternarylogic_epi64::<XOR>(
        _mm256_ror_epi64::<1>(w1),
        _mm256_ror_epi64::<8>(w1),
        _mm256_srli_epi64::<7>(w1),
    );
    words[I] = _mm256_add_epi64(_mm256_add_epi64(w0, w9), sigma_0);
}

/// And what they have of the words two before.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn late_part<const I: usize>(words: &mut [__m256i; 8]) {
    let w14 = words[(I + 7) % 8];
    let sigma_1 = _mm256_ternarylogic_epi64::<XOR>(
        _mm256_ror_epi64::<19>(w14),
        _mm256_ror_epi64::<61>(w14),
        _mm256_srli_epi64::<6>(w14),
    );
    words[I] = _mm256_add_epi64(words[I], sigma_1);
}
