//! Rounds on integer registers, with BMI2's rotations that need no copy; the schedule in vector registers beside them.
//!
//! Two blocks share the work of the schedule, a lane of 128 bits each; the second one's words wait in memory.
//!
//! Bound by how many instructions a round takes: nine with the copies, and where vectors share the ports with them
//! (Intel), one and a half for the schedule: 2.6 cycles a round where four execute in a cycle. The chain through `a`, a
//! rotation and an addition, takes two.
//!
//! Source of the schedule: Locktyukhin and Farrel, "Improving the Performance of the Secure Hash Algorithm (SHA-1)"
//! (2010), which gives the recurrence for the words from number 32 on that reaches back 6, 16, 28 and 32 words.

use std::arch::asm;
use std::arch::x86_64::{
    __m256i, _mm_set_epi64x, _mm256_add_epi32, _mm256_alignr_epi8, _mm256_broadcastsi128_si256, _mm256_bslli_epi128,
    _mm256_bsrli_epi128, _mm256_or_si256, _mm256_set_m128i, _mm256_set1_epi32, _mm256_shuffle_epi8, _mm256_slli_epi32,
    _mm256_srli_epi32, _mm256_xor_si256,
};

use super::K;
use crate::simd::x86_64::{load_128, opaque_u32, store_256};

/// The schedules of two blocks with the round constants added, four words of each block in turn.
type Addends = [[u32; 8]; 20];

/// Repeats an expression for each round, with its number as a constant.
macro_rules! eighty {
    ($t:ident => $repeated:expr) => {
        sixteen!(I => { const $t: usize = I; $repeated });
        sixteen!(I => { const $t: usize = 16 + I; $repeated });
        sixteen!(I => { const $t: usize = 32 + I; $repeated });
        sixteen!(I => { const $t: usize = 48 + I; $repeated });
        sixteen!(I => { const $t: usize = 64 + I; $repeated });
    };
}

kernel! {
    isa: ["avx2", "bmi1", "bmi2"], timing: Constant,

    name: "sha1.compress/x86_64_avx2_bmi2", primitive: super::Compress,
    fn compress(state: &mut [u32; 5], blocks: &[[u8; 64]]) {
        let mut addends = [[0; 8]; 20];
        for two in blocks.chunks(2) {
            let mut words = block_words(&two[0], two.last().unwrap_or(&two[0]));
            for i in 0..4 {
                store_256(&mut addends[i], _mm256_add_epi32(words[i], _mm256_set1_epi32(K[0].cast_signed())));
            }
            let mut working = *state;
            eighty!(T => {
                round::<T, 0>(&mut working, &addends);
                if T % 4 == 3 && T < 64 {
                    next_words::<{ T / 4 + 4 }>(&mut words, &mut addends);
                }
            });
            add(state, &working);
            if two.len() == 2 {
                working = *state;
                eighty!(T => round::<T, 1>(&mut working, &addends));
                add(state, &working);
            }
        }
    }

    helper fn add(state: &mut [u32; 5], working: &[u32; 5]) {
        for (word, working) in state.iter_mut().zip(working) {
            *word = word.wrapping_add(*working);
        }
    }

    /// Instead of moving the working variables, each round finds them one place further.
    helper fn round<const T: usize, const SECOND: usize>(working: &mut [u32; 5], addends: &Addends) {
        let [a, b, c, d, e] = std::array::from_fn(|i| working[(i + 80 - T) % 5]);
        let early = add_addend::<T, SECOND>(e, addends);
        let early = match T / 20 {
            0 => early.wrapping_add(b & c).wrapping_add(!b & d),
            // The halves of Maj share no bit, so that they can be added one by one.
            2 => early.wrapping_add(b & c).wrapping_add((b ^ c) & d),
            _ => early.wrapping_add(b ^ c ^ d),
        };
        working[(1 + 80 - T) % 5] = b.rotate_left(30);
        working[(4 + 80 - T) % 5] = opaque_u32(early).wrapping_add(a.rotate_left(5));
    }

    /// Adds from memory: left to itself, the compiler would keep the words in vector registers and pick them out one by
    /// one.
    helper fn add_addend<const T: usize, const SECOND: usize>(e: u32, addends: &Addends) -> u32 {
        let mut sum = e;
        // SAFETY: it reads the word `T` of eighty.
        unsafe {
            asm!(
                "add {sum:e}, dword ptr [{addends} + {offset}]",
                sum = inout(reg) sum, addends = in(reg) addends,
                offset = const 32 * (T / 4) + 16 * SECOND + 4 * (T % 4),
                options(pure, readonly, nostack),
            );
        }
        sum
    }

    /// The words `4 * I` to `4 * I + 3`, in a window of the last 32.
    helper fn next_words<const I: usize>(words: &mut [__m256i; 8], addends: &mut Addends) {
        let ago = |n| words[(I + 8 - n) % 8];
        words[I % 8] = if I < 8 {
            let three_ago = _mm256_bsrli_epi128::<4>(ago(1));
            let fourteen_ago = _mm256_alignr_epi8::<8>(ago(3), ago(4));
            let sum = _mm256_xor_si256(_mm256_xor_si256(three_ago, ago(2)), _mm256_xor_si256(fourteen_ago, ago(4)));
            // The last of the four words needs the first, which was not there yet.
            let first = _mm256_bslli_epi128::<12>(sum);
            _mm256_xor_si256(rotate_left::<1, 31>(sum), rotate_left::<2, 30>(first))
        } else {
            let six_ago = _mm256_alignr_epi8::<8>(ago(1), ago(2));
            rotate_left::<2, 30>(_mm256_xor_si256(_mm256_xor_si256(six_ago, ago(4)), _mm256_xor_si256(ago(7), ago(8))))
        };
        let constants = _mm256_set1_epi32(K[I / 5].cast_signed());
        store_256(&mut addends[I], _mm256_add_epi32(words[I % 8], constants));
    }

    /// By `LEFT` bits, which with `RIGHT` are 32.
    helper fn rotate_left<const LEFT: i32, const RIGHT: i32>(x: __m256i) -> __m256i {
        _mm256_or_si256(_mm256_slli_epi32::<LEFT>(x), _mm256_srli_epi32::<RIGHT>(x))
    }

    /// The sixteen big-endian words of two blocks, those of `first` in the low lanes.
    helper fn block_words(first: &[u8; 64], second: &[u8; 64]) -> [__m256i; 8] {
        let swap = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d0e0f_08090a0b, 0x04050607_00010203));
        let (first, second) = (first.as_chunks::<16>().0, second.as_chunks::<16>().0);
        std::array::from_fn(|i| {
            let i = i % 4;
            _mm256_shuffle_epi8(_mm256_set_m128i(load_128(&second[i]), load_128(&first[i])), swap)
        })
    }
}
