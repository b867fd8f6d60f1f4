//! One message at a time, its rounds in vector registers.
//!
//! Of the eight working variables only `a` and `e` are made anew in a round. They are kept as a pair in the two lanes
//! of one register, `a` two rounds behind `e`; the other six are the pairs of the three rounds before. So one rotation
//! serves Σ0 and Σ1, and one selection Ch and Maj, for Maj(a, b, c) is Ch(a, b | c, b & c). The lag gives T1 time to
//! change lanes, and `a`, which `e` takes in as `d`, changes with it in the same instruction: both are of the same
//! round.
//!
//! Two blocks share the work of the schedule, a lane of 128 bits each; the second one's words wait in memory.
//!
//! Bound by the vector units: thirteen instructions a round and three and a half for the schedule, which is 4.1 cycles
//! a round where four execute in a cycle (Zen 4) and 5.5 where three do (Skylake-X). The chain through `e` is shorter:
//! a rotation, an xor and an addition. Rounds on integer registers take 22 instructions besides the schedule.

use std::arch::asm;
use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi64, _mm_alignr_epi8, _mm_mask_add_epi64, _mm_rorv_epi64, _mm_set_epi64x,
    _mm_sub_epi64, _mm_ternarylogic_epi64, _mm_unpackhi_epi64, _mm_unpacklo_epi64,
};

use super::schedule::{self, Addends, XOR, early_part, late_part, put};
use crate::simd::x86_64::{load_128, opaque_128, store_128};

/// The state as `round` wants it.
struct Chain {
    /// (c, e), then with an unused low lane h and g, then (d, f): round t takes number t mod 4, and before that t - 1 …
    pairs: [__m128i; 4],
    /// b and a, in the low lane.
    newest: [__m128i; 2],
}

kernel! {
    isa: ["avx512f", "avx512vl"], timing: Constant,

    name: "sha512.compress/x86_64_avx512vl", primitive: super::Compress,
    fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
        let [ab, cd, ef, gh] = state.as_chunks_mut::<2>().0 else { unreachable!("eight words are four times two") };
        let mut chain = {
            let (ab, cd, ef, gh) = (load_128(ab), load_128(cd), load_128(ef), load_128(gh));
            Chain {
                pairs: [_mm_unpacklo_epi64(cd, ef), gh, _mm_unpacklo_epi64(gh, gh), _mm_unpackhi_epi64(cd, ef)],
                newest: [_mm_unpackhi_epi64(ab, ab), ab],
            }
        };
        let mut addends = [[[0; 4]; 8]; 5];
        for two in blocks.chunks(2) {
            let [first, second] = schedule::pieces(two);
            let mut words = std::array::from_fn(|i| schedule::words(&first[i], &second[i]));
            for i in 0..8 {
                put(&mut addends[0][i], words[i], 0, i);
            }
            rounds::<0>(&mut chain, &mut words, &mut addends);
            if two.len() == 2 {
                rounds::<1>(&mut chain, &mut words, &mut addends);
            }
        }
        let ([ce, h, g, df], [b, a]) = (chain.pairs, chain.newest);
        store_128(ab, _mm_unpacklo_epi64(a, b));
        store_128(cd, _mm_unpacklo_epi64(ce, df));
        store_128(ef, _mm_unpackhi_epi64(ce, df));
        store_128(gh, _mm_unpackhi_epi64(g, h));
    }

    /// Mixes in the first or the second of two blocks; the first one's rounds make the schedule of both on the way.
    helper fn rounds<const SECOND: usize>(chain: &mut Chain, words: &mut [__m256i; 8], addends: &mut [Addends; 5]) {
        let mut pairs = chain.pairs;
        let mut sums = chain.newest;
        // The `a` that the first two rounds would make is known already, and stays.
        let mut lanes = 0b10;
        for t in 0..5 {
            sixteen!(T => {
                round::<T, SECOND>(&mut pairs, &mut sums, &addends[t], lanes, &chain.newest);
                if SECOND == 0 && t < 4 && T.is_multiple_of(2) {
                    early_part::<{ T / 2 }>(words);
                } else if SECOND == 0 && t < 4 {
                    late_part::<{ T / 2 }>(words);
                    put(&mut addends[t + 1][T / 2], words[T / 2], t + 1, T / 2);
                }
            });
            lanes = 0b11;
        }
        let last = pairs;
        // Two more rounds, for `a` to catch up. What they take besides is of no consequence.
        round::<0, SECOND>(&mut pairs, &mut sums, &addends[0], lanes, &chain.newest);
        round::<1, SECOND>(&mut pairs, &mut sums, &addends[0], lanes, &chain.newest);
        chain.newest = [_mm_add_epi64(chain.newest[0], pairs[1]), _mm_add_epi64(chain.newest[1], pairs[2])];
        for (chain, last) in chain.pairs.iter_mut().zip(last) {
            *chain = _mm_add_epi64(*chain, last);
        }
    }

    /// Round `T`, counted modulo sixteen. Only `lanes` of the new pair are made in the first two, the others are
    /// `known`.
    helper fn round<const T: usize, const SECOND: usize>(
        pairs: &mut [__m128i; 4], sums: &mut [__m128i; 2], addends: &Addends, lanes: u8, known: &[__m128i; 2]
    ) {
        let low = _mm_set_epi64x(0, -1);
        let [ae, bf, cg, dh] = std::array::from_fn(|i| pairs[(16 + T - i) % 4]);
        let sigma = _mm_ternarylogic_epi64::<XOR>(
            _mm_rorv_epi64(ae, _mm_set_epi64x(14, 28)),
            _mm_rorv_epi64(ae, _mm_set_epi64x(18, 34)),
            _mm_rorv_epi64(ae, _mm_set_epi64x(41, 39)),
        );
        // f and g in the high lane, b | c and b & c in the low one; and of each bit, the one that `ae` selects.
        let if_one = _mm_ternarylogic_epi64::<0b1111_1000>(bf, cg, low);
        let if_zero = _mm_ternarylogic_epi64::<0b1011_0000>(cg, low, bf);
        let chosen = _mm_ternarylogic_epi64::<0b1100_1010>(ae, if_one, if_zero);
        // T1 of two rounds ago in the low lane, and d.
        let crossed = _mm_alignr_epi8::<8>(bf, sums[T % 2]);
        let early = opaque_128(_mm_add_epi64(add_high::<T, SECOND>(dh, addends), crossed));
        let early = opaque_128(_mm_add_epi64(early, chosen));
        let new = match T {
            0 | 1 => _mm_mask_add_epi64(known[T], lanes, early, sigma),
            _ => _mm_add_epi64(early, sigma),
        };
        sums[T % 2] = _mm_sub_epi64(new, crossed);
        pairs[(T + 1) % 4] = new;
    }

    /// Zero, and h and the addend of round `T`: `vpaddq` masked, with its memory operand, which the compiler would not
    /// use.
    helper fn add_high<const T: usize, const SECOND: usize>(dh: __m128i, addends: &Addends) -> __m128i {
        let sum;
        // SAFETY: it reads the word `T` of sixteen.
        unsafe {
            asm!(
                "vpaddq {sum} {{{high}}}{{z}}, {dh}, qword ptr [{addends} + {offset}]{{1to2}}",
                sum = out(xmm_reg) sum, dh = in(xmm_reg) dh, addends = in(reg) addends, high = in(kreg) 0b10_u8,
                offset = const 32 * (T / 2) + 16 * SECOND + 8 * (T % 2),
                options(pure, readonly, nostack, preserves_flags),
            );
        }
        sum
    }
}
