//! One message in the lowest lane of vector registers, for their three-input logic.
//!
//! Bound by the chain through the 64 steps: `vpternlogd` makes any of the four functions of MD5 in one instruction, and
//! each step is that, an addition, `vprold` and an addition, four cycles where each of them takes one: 256 a block, 4 a
//! byte. On integer registers the functions F and I take two instructions, and their steps five cycles. Where a vector
//! rotation takes two cycles, this kernel loses.
//!
//! Source of the idea: Anime Tosho, "MD5 Optimisation Tricks: Beating OpenSSL's Hand-tuned Assembly" (2020).

use std::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_cvtsi32_si128, _mm_cvtsi128_si32, _mm_rol_epi32, _mm_set1_epi32, _mm_ternarylogic_epi32,
};

use super::{ROTATIONS, T};
use crate::simd::x86_64::opaque_128;

kernel! {
    isa: ["avx512f", "avx512vl"], timing: Constant,

    name: "md5.compress/x86_64_avx512vl", primitive: super::Compress,
    fn compress(state: &mut [u32; 4], blocks: &[[u8; 64]]) {
        let mut chain = state.map(|word| _mm_cvtsi32_si128(word.cast_signed()));
        for block in blocks {
            let (words, _) = block.as_chunks::<4>();
            let mut working = chain;
            sixteen!(I => step::<0, I>(&mut working, words[I]));
            sixteen!(I => step::<1, I>(&mut working, words[(5 * I + 1) % 16]));
            sixteen!(I => step::<2, I>(&mut working, words[(3 * I + 5) % 16]));
            sixteen!(I => step::<3, I>(&mut working, words[7 * I % 16]));
            for (word, working) in chain.iter_mut().zip(working) {
                *word = _mm_add_epi32(*word, working);
            }
        }
        *state = chain.map(|word| _mm_cvtsi128_si32(word).cast_unsigned());
    }

    /// Step `I` of one of the four rounds (RFC 1321, section 3.4). Instead of moving the working variables, each step
    /// finds them one place further.
    helper fn step<const ROUND: usize, const I: usize>(working: &mut [__m128i; 4], word: [u8; 4]) {
        let [a, b, c, d] = std::array::from_fn(|i| working[(i + 16 - I) % 4]);
        let early = _mm_add_epi32(a, _mm_set1_epi32(i32::from_le_bytes(word)));
        let early = _mm_add_epi32(early, _mm_set1_epi32(T[16 * ROUND + I].cast_signed()));
        // Bit `4 * d + 2 * c + b` of the constant is the function's value.
        let late = match ROUND {
            0 => _mm_ternarylogic_epi32::<0b1101_1000>(d, c, b),
            1 => _mm_ternarylogic_epi32::<0b1010_1100>(d, c, b),
            2 => _mm_ternarylogic_epi32::<0b1001_0110>(d, c, b),
            _ => _mm_ternarylogic_epi32::<0b0110_0011>(d, c, b),
        };
        let sum = _mm_add_epi32(opaque_128(early), late);
        let rotated = match ROTATIONS[ROUND][I % 4] {
            4 => _mm_rol_epi32::<4>(sum), 5 => _mm_rol_epi32::<5>(sum), 6 => _mm_rol_epi32::<6>(sum),
            7 => _mm_rol_epi32::<7>(sum), 9 => _mm_rol_epi32::<9>(sum), 10 => _mm_rol_epi32::<10>(sum),
            11 => _mm_rol_epi32::<11>(sum), 12 => _mm_rol_epi32::<12>(sum), 14 => _mm_rol_epi32::<14>(sum),
            15 => _mm_rol_epi32::<15>(sum), 16 => _mm_rol_epi32::<16>(sum), 17 => _mm_rol_epi32::<17>(sum),
            20 => _mm_rol_epi32::<20>(sum), 21 => _mm_rol_epi32::<21>(sum), 22 => _mm_rol_epi32::<22>(sum),
            _ => _mm_rol_epi32::<23>(sum),
        };
        working[(16 - I) % 4] = _mm_add_epi32(b, rotated);
    }
}
