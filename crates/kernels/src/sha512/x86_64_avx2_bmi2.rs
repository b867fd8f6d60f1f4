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

use std::arch::asm;
use std::arch::x86_64::{
    __m256i, _mm_set_epi64x, _mm256_add_epi64, _mm256_alignr_epi8, _mm256_broadcastsi128_si256, _mm256_or_si256,
    _mm256_shuffle_epi8, _mm256_slli_epi64, _mm256_srli_epi64, _mm256_xor_si256,
};

use super::schedule::{self, Addends, put};

kernel! {
    isa: ["avx2", "bmi1", "bmi2"], timing: Constant,

    name: "sha512.compress/x86_64_avx2_bmi2", primitive: super::Compress,
    fn compress(state: &mut [u64; 8], blocks: &[[u8; 128]]) {
        let mut addends = [[[0; 4]; 8]; 5];
        for two in blocks.chunks(2) {
            let [first, second] = schedule::pieces(two);
            let mut words = std::array::from_fn(|i| schedule::words(&first[i], &second[i]));
            for i in 0..8 {
                put(&mut addends[0][i], words[i], 0, i);
            }
            let mut working = *state;
            let mut b_xor_c = working[1] ^ working[2];
            for t in 0..4 {
                sixteen!(T => {
                    round::<T>(&mut working, &mut b_xor_c, of_block(&addends[t], 0));
                    if T.is_multiple_of(2) {
                        early_part::<{ T / 2 }>(&mut words);
                    } else {
                        late_part::<{ T / 2 }>(&mut words);
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
                let addends = of_block(&addends[t % 5], t / 5);
                sixteen!(T => round::<T>(&mut working, &mut b_xor_c, addends));
            }
            add(state, &working);
        }
    }

    helper fn add(state: &mut [u64; 8], working: &[u64; 8]) {
        for (word, working) in state.iter_mut().zip(working) {
            *word = word.wrapping_add(*working);
        }
    }

    /// Round `T`, counted modulo eight, in an order that keeps the four integer units busy: the compiler's own has a sum
    /// of Ch before that of T1, and takes a fifth longer (Zen 4).
    helper fn round<const T: usize>(working: &mut [u64; 8], b_xor_c: &mut u64, addends: &[u64; 30]) {
        let [a, b, _, d, e, f, g, h] = std::array::from_fn(|i| (i + 16 - T) % 8);
        let (mut new_e, mut new_a) = (working[d], working[h]);
        let a_xor_b;
        // SAFETY: only registers are written, and a word is read: of thirty the last is number 4 * 7 + 1.
        unsafe {
            asm!(
                "add {h}, qword ptr [{addends} + {offset}]",
                "rorx {s}, {e}, 41", "rorx {t}, {e}, 18", "andn {x}, {e}, {g}",
                "xor {s}, {t}", "rorx {t}, {e}, 14",
                "add {h}, {x}", "mov {x}, {e}", "and {x}, {f}", "xor {s}, {t}",
                "add {h}, {x}",
                "rorx {t}, {a}, 39", "rorx {x}, {a}, 34",
                "add {h}, {s}",
                "add {d}, {h}",
                "xor {t}, {x}", "mov {x}, {a}", "rorx {s}, {a}, 28", "xor {x}, {b}",
                "and {y}, {x}", "xor {y}, {b}",
                "xor {t}, {s}", "add {h}, {y}", "add {h}, {t}",
                a = in(reg) working[a], b = in(reg) working[b], d = inout(reg) new_e, e = in(reg) working[e],
                f = in(reg) working[f], g = in(reg) working[g], h = inout(reg) new_a, x = out(reg) a_xor_b,
                y = inout(reg) *b_xor_c => _, s = out(reg) _, t = out(reg) _, addends = in(reg) addends,
                offset = const 8 * (T / 2 * 4 + T % 2),
                options(pure, readonly, nostack),
            );
        }
        (working[d], working[h], *b_xor_c) = (new_e, new_a, a_xor_b);
    }

    /// The addends of the first or the second block among those of two.
    helper fn of_block(addends: &Addends, block: usize) -> &[u64; 30] {
        let Some(of_block) = addends.as_flattened()[2 * block..].first_chunk() else { unreachable!("32 less 2 are 30") };
        of_block
    }

    /// What the words `2 * I` and `2 * I + 1` of the next sixteen have of those long before, in the place of the words
    /// sixteen before them. In two parts, so that vectors and rounds alternate more finely.
    helper fn early_part<const I: usize>(words: &mut [__m256i; 8]) {
        let [w0, w2, _, _, w8, w10, _, _] = std::array::from_fn(|i| words[(I + i) % 8]);
        let (w1, w9) = (_mm256_alignr_epi8::<8>(w2, w0), _mm256_alignr_epi8::<8>(w10, w8));
        // A rotation by a whole byte is a shuffle.
        let by_8 = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x080f0e0d_0c0b0a09, 0x00070605_04030201));
        let sigma_0 = _mm256_xor_si256(
            _mm256_xor_si256(_mm256_srli_epi64::<7>(w1), _mm256_shuffle_epi8(w1, by_8)),
            _mm256_or_si256(_mm256_srli_epi64::<1>(w1), _mm256_slli_epi64::<63>(w1)),
        );
        words[I] = _mm256_add_epi64(_mm256_add_epi64(w0, w9), sigma_0);
    }

    /// And what they have of the words two before.
    helper fn late_part<const I: usize>(words: &mut [__m256i; 8]) {
        let w14 = words[(I + 7) % 8];
        let sigma_1 = _mm256_xor_si256(
            _mm256_xor_si256(
                _mm256_srli_epi64::<6>(w14),
                _mm256_or_si256(_mm256_srli_epi64::<19>(w14), _mm256_slli_epi64::<45>(w14)),
            ),
            _mm256_or_si256(_mm256_srli_epi64::<61>(w14), _mm256_slli_epi64::<3>(w14)),
        );
        words[I] = _mm256_add_epi64(words[I], sigma_1);
    }
}
