//! One message at a time, half of each round on integer registers and half in vector registers.
//!
//! `e` to `h` and T1 = h + Σ1(e) + Ch(e, f, g) + K + W are integers; `a` to `c` and T2 = Σ0(a) + Maj(a, b, c) are vectors
//! of which only the low lane counts, for there one instruction is Maj and another adds up Σ0's three rotations. T1 goes
//! over to become `a`, and `a` comes back as `d` three rounds later, so that the ways there and back delay nothing.
//! The schedule is in vector registers as well; two blocks share its work, a lane of 128 bits each, and the second one's
//! words wait in memory.
//!
//! Bound by the chain through `a`, five cycles a round on Zen 4: a rotation takes two, the sum of three nearly two, the
//! addition one. The chain through `e` is four instructions of one cycle, and four and two thirds is what a processor needs
//! that takes up six instructions in a cycle: sixteen on integers, eight on vectors and four for the schedule. Bare rounds
//! measure 5.07 cycles, whole blocks 6.2 a round.

use std::arch::asm;
use std::arch::x86_64::{__m128i, __m256i, _mm_cvtsi64_si128, _mm_cvtsi128_si64};

use super::schedule::{self, Addends, early_part, late_part, put};

kernel! {
    isa: ["avx512f", "avx512vl", "bmi1", "bmi2"], timing: Constant,

    name: "sha512.compress/x86_64_avx512vl_bmi2", primitive: super::Compress,
    fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
        let mut addends = [[[0; 4]; 8]; 5];
        for two in blocks.chunks(2) {
            let [first, second] = schedule::pieces(two);
            let mut words = std::array::from_fn(|i| schedule::words(&first[i], &second[i]));
            for i in 0..8 {
                put(&mut addends[0][i], words[i], 0, i);
            }
            rounds::<0>(state, &mut words, &mut addends);
            if two.len() == 2 {
                rounds::<1>(state, &mut words, &mut addends);
            }
        }
    }

    /// Mixes in the first or the second of two blocks; the first one's rounds make the schedule of both on the way.
    helper fn rounds<const SECOND: usize>(state: &mut [u64; 8], words: &mut [__m256i; 8], addends: &mut [Addends; 5]) {
        let [a, b, c, d, e, f, g, h] = *state;
        let mut vectors = [a, b, c].map(|word| _mm_cvtsi64_si128(word.cast_signed()));
        let mut integers = [d, e, f, g, h];
        for t in 0..5 {
            sixteen!(T => {
                round::<T, SECOND>(&mut vectors, &mut integers, &addends[t]);
                if SECOND == 0 && t < 4 && T.is_multiple_of(2) {
                    early_part::<{ T / 2 }>(words);
                } else if SECOND == 0 && t < 4 {
                    late_part::<{ T / 2 }>(words);
                    put(&mut addends[t + 1][T / 2], words[T / 2], t + 1, T / 2);
                }
            });
        }
        let [a, b, c] = vectors.map(|vector| _mm_cvtsi128_si64(vector).cast_unsigned());
        let [d, e, f, g, h] = integers;
        for (word, more) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(more);
        }
    }

    /// Round `T`, counted modulo sixteen, in the best of nine hundred orders that were measured: units take what came first,
    /// so that the chains come before what feeds them.
    helper fn round<const T: usize, const SECOND: usize>(
        vectors: &mut [__m128i; 3], integers: &mut [u64; 5], addends: &Addends
    ) {
        let [a, b, mut c] = *vectors;
        let [mut d, e, f, g, mut h] = *integers;
        // SAFETY: only registers are written, and the word `T` of sixteen is read.
        unsafe {
            asm!(
                "vprorq {w}, {a}, 39", "rorx {s}, {e}, 41", "vprorq {v}, {a}, 34", "rorx {t}, {e}, 18", "mov {y}, {e}",
                "rorx {r}, {e}, 14", "xor {s}, {t}", "and {y}, {f}",
                "add {h}, qword ptr [{addends} + {offset}]",
                "add {d}, {h}", "xor {s}, {r}", "andn {x}, {e}, {g}", "xor {x}, {y}",
                "add {h}, {x}", "add {d}, {x}", "add {d}, {s}", "add {h}, {s}",
                "vmovq {z}, {h}", "vmovq {h}, {c}",
                "vpternlogq {c}, {a}, {b}, 0xe8", "vpaddq {c}, {c}, {z}",
                "vprorq {u}, {a}, 28", "vpternlogq {u}, {v}, {w}, 0x96",
                "vpaddq {c}, {u}, {c}",
                a = in(xmm_reg) a, b = in(xmm_reg) b, c = inout(xmm_reg) c, d = inout(reg) d, e = in(reg) e,
                f = in(reg) f, g = in(reg) g, h = inout(reg) h, r = out(reg) _, s = out(reg) _, t = out(reg) _,
                x = out(reg) _, y = out(reg) _, u = out(xmm_reg) _, v = out(xmm_reg) _, w = out(xmm_reg) _,
                z = out(xmm_reg) _, addends = in(reg) addends,
                offset = const 32 * (T / 2) + 16 * SECOND + 8 * (T % 2),
                options(pure, readonly, nostack),
            );
        }
        *vectors = [c, a, b];
        *integers = [h, d, e, f, g];
    }
}
