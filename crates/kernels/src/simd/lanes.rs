//! Vectors whose lanes belong to different messages: the words of as many messages as a vector has lanes, side by side.
//!
//! Each module has the same functions for one instruction set and one size of word, so that a hash is written once. A
//! row is what lies in a message's memory; [`transpose`](avx512_32::transpose) makes of a row of each message the vectors
//! that have one word of every message, and the other way round.

#![allow(dead_code, reason = "not every hash uses every function of its vectors")]

/// Functions of two or three vectors, without constants.
macro_rules! functions {
    ($feature:literal, $vector:ty; $($(#[$meta:meta])* fn $name:ident($($argument:ident),*) = $body:expr;)*) => {
        $(
            $(#[$meta])*
            #[inline]
            #[target_feature(enable = $feature)]
            pub fn $name($($argument: $vector),*) -> $vector {
                $body
            }
        )*
    };
}

/// What is the same for both sizes of word of an instruction set with three-input logic.
macro_rules! ternary_logic {
    ($feature:literal, $vector:ty, $ternary:ident, $xor:ident) => {
        functions! { $feature, $vector;
            /// x + y in GF(2).
            fn xor(x, y) = $xor(x, y);
            /// x + y + z in GF(2).
            fn parity(x, y, z) = $ternary::<0b1001_0110>(x, y, z);
            /// y where x is one, z where it is zero.
            fn choose(x, y, z) = $ternary::<0b1100_1010>(x, y, z);
            /// What two of the three have.
            fn majority(x, y, z) = $ternary::<0b1110_1000>(x, y, z);
            /// y + (x or not z).
            fn xor_or_not(x, y, z) = $ternary::<0b0011_1001>(x, y, z);
        }
    };
}

/// The same from logic of two inputs.
macro_rules! binary_logic {
    () => {
        functions! { "avx2", __m256i;
            /// x + y in GF(2).
            fn xor(x, y) = _mm256_xor_si256(x, y);
            /// x + y + z in GF(2).
            fn parity(x, y, z) = _mm256_xor_si256(_mm256_xor_si256(y, z), x);
            /// y where x is one, z where it is zero.
            fn choose(x, y, z) = _mm256_xor_si256(_mm256_and_si256(_mm256_xor_si256(y, z), x), z);
            /// What two of the three have. `x + y` is the `y + z` of the next round of a hash.
            fn majority(x, y, z) =
                _mm256_xor_si256(_mm256_and_si256(_mm256_xor_si256(x, y), _mm256_xor_si256(y, z)), y);
            /// y + (x or not z).
            fn xor_or_not(x, y, z) =
                _mm256_xor_si256(y, _mm256_or_si256(x, _mm256_xor_si256(z, _mm256_set1_epi32(-1))));
        }
    };
}

/// Loads and stores of rows and constants.
macro_rules! memory {
    ($feature:literal, $vector:ty, $register:ident, $word:ty, $bytes:literal, $load:ident, $store:ident, $splat:expr) => {
        /// The vector.
        pub type Vector = $vector;
        /// The word in a lane.
        pub type Word = $word;
        /// Lanes of a vector, and words of a row.
        pub const LANES: usize = $bytes / size_of::<$word>();

        /// The states of up to [`LANES`] messages, but not of none: vector `i` has word `i` of each, in the lanes for
        /// which there is no message that of the last.
        #[inline]
        #[target_feature(enable = $feature)]
        pub fn load_states<const N: usize>(states: &[[Word; N]]) -> [Vector; N] {
            let mut padded = [[0; 16]; LANES];
            for lane in 0..LANES {
                padded[lane][..N].copy_from_slice(&states[lane.min(states.len() - 1)]);
            }
            let mut vectors = [splat(0); N];
            for part in 0..N.div_ceil(LANES) {
                let rows = std::array::from_fn(|lane| $load(&padded[lane].as_chunks::<LANES>().0[part]));
                for (vector, column) in vectors[part * LANES..].iter_mut().zip(transpose(rows)) {
                    *vector = column;
                }
            }
            vectors
        }

        /// The way back.
        #[inline]
        #[target_feature(enable = $feature)]
        pub fn store_states<const N: usize>(states: &mut [[Word; N]], vectors: [Vector; N]) {
            let mut padded = [[0; 16]; LANES];
            for part in 0..N.div_ceil(LANES) {
                let columns = std::array::from_fn(|i| vectors.get(part * LANES + i).copied().unwrap_or(splat(0)));
                let rows = transpose(columns);
                for lane in 0..LANES {
                    $store(&mut padded[lane].as_chunks_mut::<LANES>().0[part], rows[lane]);
                }
            }
            for (state, padded) in states.iter_mut().zip(&padded) {
                state.copy_from_slice(&padded[..N]);
            }
        }

        /// The sixteen words of a block of each message, bytes in the order of memory.
        #[inline]
        #[target_feature(enable = $feature)]
        pub fn load_blocks(blocks: [&[u8; 16 * size_of::<$word>()]; LANES]) -> [Vector; 16] {
            let mut vectors = [splat(0); 16];
            for part in 0..16 / LANES {
                let columns = transpose(std::array::from_fn(|lane| $load(&blocks[lane].as_chunks::<$bytes>().0[part])));
                vectors[part * LANES..][..LANES].copy_from_slice(&columns);
            }
            vectors
        }

        /// A block of every message in memory, for hashes that come back to its words: no vector lies across two cache
        /// lines.
        #[derive(Clone, Copy)]
        #[repr(C, align(64))]
        pub struct Words([[Word; LANES]; 16]);

        impl Words {
            /// Zeros.
            pub const ZERO: Words = Words([[0; LANES]; 16]);

            /// Stores all of them.
            #[inline]
            #[target_feature(enable = $feature)]
            pub fn store(&mut self, words: [Vector; 16]) {
                for i in 0..16 {
                    $store(&mut self.0[i], words[i]);
                }
            }

            /// Loads one.
            #[inline]
            #[target_feature(enable = $feature)]
            pub fn load(&self, i: usize) -> Vector {
                $load(&self.0[i])
            }
        }

        /// The value `then`, no sooner than `first` is computed: where `first` is the last but one use of `then`, three-input
        /// logic can write its result over it and needs no copy, which would cost as much as the logic.
        #[inline]
        #[target_feature(enable = $feature)]
        pub fn after(first: Vector, mut then: Vector) -> Vector {
            // SAFETY: there is no instruction.
            unsafe {
                std::arch::asm!(
                    "/* {0} {1} */", in($register) first, inout($register) then,
                    options(nomem, nostack, preserves_flags),
                );
            }
            then
        }

        /// The value `then`, behind both of the others in the order of instructions.
        #[inline]
        #[target_feature(enable = $feature)]
        pub fn behind(one: Vector, other: Vector, mut then: Vector) -> Vector {
            // SAFETY: there is no instruction.
            unsafe {
                std::arch::asm!(
                    "/* {0} {1} {2} */", in($register) one, in($register) other, inout($register) then,
                    options(nomem, nostack, preserves_flags),
                );
            }
            then
        }

        /// The word in every lane.
        #[inline]
        #[target_feature(enable = $feature)]
        pub fn splat(word: Word) -> Vector {
            $splat(word.cast_signed())
        }
    };
}

/// Arithmetic with a constant amount.
macro_rules! shifts {
    ($feature:literal; $($(#[$meta:meta])* fn $name:ident<$amount:ident>($x:ident) = $body:expr;)*) => {
        $(
            $(#[$meta])*
            #[inline]
            #[target_feature(enable = $feature)]
            pub fn $name<const $amount: i32>($x: Vector) -> Vector {
                $body
            }
        )*
    };
}

/// Words of 32 bits, eight messages: AVX2.
pub mod avx2_32 {
    use std::arch::x86_64::*;

    use crate::simd::x86_64::{load_256, store_256};

    memory! { "avx2", __m256i, ymm_reg, u32, 32, load_256, store_256, _mm256_set1_epi32 }
    binary_logic! {}
    functions! { "avx2", __m256i;
        /// The sum.
        fn add(x, y) = _mm256_add_epi32(x, y);
        /// Reverses the bytes of every word.
        fn swap_bytes(x) = _mm256_shuffle_epi8(
            x, _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d0e0f_08090a0b, 0x04050607_00010203)),
        );
    }

    /// Rotates every word to the left.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn rotate_left<const BITS: i32>(x: Vector) -> Vector {
        // Whole bytes can be shuffled, in one instruction instead of three.
        match BITS {
            8 => bytes(x, [3, 0, 1, 2]),
            16 => bytes(x, [2, 3, 0, 1]),
            24 => bytes(x, [1, 2, 3, 0]),
            _ => _mm256_or_si256(
                _mm256_sll_epi32(x, _mm_cvtsi32_si128(BITS)),
                _mm256_srl_epi32(x, _mm_cvtsi32_si128(32 - BITS)),
            ),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn bytes(x: Vector, order: [u8; 4]) -> Vector {
        let order = i32::from_le_bytes(order);
        let each = _mm_set_epi32(order + 0x0c0c_0c0c, order + 0x0808_0808, order + 0x0404_0404, order);
        _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(each))
    }

    shifts! { "avx2";
        /// Shifts every word to the right.
        fn shift_right<BITS>(x) = _mm256_srli_epi32::<BITS>(x);
    }

    /// Exchanges rows and columns: word `i` of row `j` becomes word `j` of row `i`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn transpose(rows: [Vector; 8]) -> [Vector; 8] {
        let pairs: [Vector; 8] = std::array::from_fn(|i| {
            let (x, y) = (rows[i & !1], rows[i | 1]);
            if i % 2 == 0 { _mm256_unpacklo_epi32(x, y) } else { _mm256_unpackhi_epi32(x, y) }
        });
        // Number 4 * h + c has the columns c and c + 4 of the rows 4 * h to 4 * h + 3.
        let fours: [Vector; 8] = std::array::from_fn(|i| {
            let (half, column) = (i & 4, i & 3);
            let (x, y) = (pairs[half + column / 2], pairs[half + 2 + column / 2]);
            if column % 2 == 0 { _mm256_unpacklo_epi64(x, y) } else { _mm256_unpackhi_epi64(x, y) }
        });
        std::array::from_fn(|i| {
            let (x, y) = (fours[i & 3], fours[4 + (i & 3)]);
            if i < 4 { _mm256_permute2x128_si256::<0x20>(x, y) } else { _mm256_permute2x128_si256::<0x31>(x, y) }
        })
    }
}

/// Words of 64 bits, four messages: AVX2.
pub mod avx2_64 {
    use std::arch::x86_64::*;

    use crate::simd::x86_64::{load_256, store_256};

    memory! { "avx2", __m256i, ymm_reg, u64, 32, load_256, store_256, _mm256_set1_epi64x }
    binary_logic! {}
    functions! { "avx2", __m256i;
        /// The sum.
        fn add(x, y) = _mm256_add_epi64(x, y);
        /// Reverses the bytes of every word.
        fn swap_bytes(x) = _mm256_shuffle_epi8(
            x, _mm256_broadcastsi128_si256(_mm_set_epi64x(0x08090a0b_0c0d0e0f, 0x00010203_04050607)),
        );
    }

    /// Rotates every word to the left.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn rotate_left<const BITS: i32>(x: Vector) -> Vector {
        match BITS {
            // One whole byte to the right.
            56 => _mm256_shuffle_epi8(
                x,
                _mm256_broadcastsi128_si256(_mm_set_epi64x(0x080f0e0d_0c0b0a09, 0x00070605_04030201)),
            ),
            _ => _mm256_or_si256(
                _mm256_sll_epi64(x, _mm_cvtsi32_si128(BITS)),
                _mm256_srl_epi64(x, _mm_cvtsi32_si128(64 - BITS)),
            ),
        }
    }

    shifts! { "avx2";
        /// Shifts every word to the right.
        fn shift_right<BITS>(x) = _mm256_srli_epi64::<BITS>(x);
    }

    /// Exchanges rows and columns: word `i` of row `j` becomes word `j` of row `i`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub fn transpose(rows: [Vector; 4]) -> [Vector; 4] {
        let pairs: [Vector; 4] = std::array::from_fn(|i| {
            let (x, y) = (rows[i & !1], rows[i | 1]);
            if i % 2 == 0 { _mm256_unpacklo_epi64(x, y) } else { _mm256_unpackhi_epi64(x, y) }
        });
        std::array::from_fn(|i| {
            let (x, y) = (pairs[i & 1], pairs[2 + (i & 1)]);
            if i < 2 { _mm256_permute2x128_si256::<0x20>(x, y) } else { _mm256_permute2x128_si256::<0x31>(x, y) }
        })
    }
}

/// Words of 32 bits, sixteen messages: AVX-512.
pub mod avx512_32 {
    use std::arch::x86_64::*;

    use crate::simd::x86_64::{load_512, store_512};

    memory! { "avx512f", __m512i, zmm_reg, u32, 64, load_512, store_512, _mm512_set1_epi32 }
    ternary_logic! { "avx512f", __m512i, _mm512_ternarylogic_epi32, _mm512_xor_si512 }
    functions! { "avx512f", __m512i;
        /// The sum.
        fn add(x, y) = _mm512_add_epi32(x, y);
    }
    functions! { "avx512f,avx512bw", __m512i;
        /// Reverses the bytes of every word.
        fn swap_bytes(x) = _mm512_shuffle_epi8(
            x, _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f_08090a0b, 0x04050607_00010203)),
        );
    }
    shifts! { "avx512f";
        /// Rotates every word to the left.
        fn rotate_left<BITS>(x) = _mm512_rolv_epi32(x, _mm512_set1_epi32(BITS));
        /// Shifts every word to the right.
        fn shift_right<BITS>(x) = _mm512_srlv_epi32(x, _mm512_set1_epi32(BITS));
    }

    /// Exchanges rows and columns: word `i` of row `j` becomes word `j` of row `i`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn transpose(rows: [Vector; 16]) -> [Vector; 16] {
        let pairs: [Vector; 16] = std::array::from_fn(|i| {
            let (x, y) = (rows[i & !1], rows[i | 1]);
            if i % 2 == 0 { _mm512_unpacklo_epi32(x, y) } else { _mm512_unpackhi_epi32(x, y) }
        });
        // Number 4 * q + c has, of the rows 4 * q to 4 * q + 3, the columns c, c + 4, c + 8 and c + 12.
        let fours: [Vector; 16] = std::array::from_fn(|i| {
            let (quarter, column) = (i & 12, i & 3);
            let (x, y) = (pairs[quarter + column / 2], pairs[quarter + 2 + column / 2]);
            if column % 2 == 0 { _mm512_unpacklo_epi64(x, y) } else { _mm512_unpackhi_epi64(x, y) }
        });
        // Of eight rows, the columns c and c + 8, or c + 4 and c + 12.
        let eights: [Vector; 16] = std::array::from_fn(|i| {
            let (x, y) = (fours[(i & 8) + (i & 3)], fours[(i & 8) + 4 + (i & 3)]);
            if i & 4 == 0 {
                _mm512_shuffle_i32x4::<0b10_00_10_00>(x, y)
            } else {
                _mm512_shuffle_i32x4::<0b11_01_11_01>(x, y)
            }
        });
        std::array::from_fn(|i| {
            let (x, y) = (eights[i & 7], eights[8 + (i & 7)]);
            if i & 8 == 0 {
                _mm512_shuffle_i32x4::<0b10_00_10_00>(x, y)
            } else {
                _mm512_shuffle_i32x4::<0b11_01_11_01>(x, y)
            }
        })
    }
}

/// Words of 64 bits, eight messages: AVX-512.
pub mod avx512_64 {
    use std::arch::x86_64::*;

    use crate::simd::x86_64::{load_512, store_512};

    memory! { "avx512f", __m512i, zmm_reg, u64, 64, load_512, store_512, _mm512_set1_epi64 }
    ternary_logic! { "avx512f", __m512i, _mm512_ternarylogic_epi64, _mm512_xor_si512 }
    functions! { "avx512f", __m512i;
        /// The sum.
        fn add(x, y) = _mm512_add_epi64(x, y);
    }
    functions! { "avx512f,avx512bw", __m512i;
        /// Reverses the bytes of every word.
        fn swap_bytes(x) = _mm512_shuffle_epi8(
            x, _mm512_broadcast_i32x4(_mm_set_epi64x(0x08090a0b_0c0d0e0f, 0x00010203_04050607)),
        );
    }
    shifts! { "avx512f";
        /// Rotates every word to the left.
        fn rotate_left<BITS>(x) = _mm512_rolv_epi64(x, _mm512_set1_epi64(BITS as i64));
        /// Shifts every word to the right.
        fn shift_right<BITS>(x) = _mm512_srlv_epi64(x, _mm512_set1_epi64(BITS as i64));
    }

    /// Exchanges rows and columns: word `i` of row `j` becomes word `j` of row `i`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub fn transpose(rows: [Vector; 8]) -> [Vector; 8] {
        let pairs: [Vector; 8] = std::array::from_fn(|i| {
            let (x, y) = (rows[i & !1], rows[i | 1]);
            if i % 2 == 0 { _mm512_unpacklo_epi64(x, y) } else { _mm512_unpackhi_epi64(x, y) }
        });
        // Of four rows, the columns c and c + 4, or c + 2 and c + 6.
        let fours: [Vector; 8] = std::array::from_fn(|i| {
            let (x, y) = (pairs[(i & 4) + (i & 1)], pairs[(i & 4) + 2 + (i & 1)]);
            if i & 2 == 0 {
                _mm512_shuffle_i64x2::<0b10_00_10_00>(x, y)
            } else {
                _mm512_shuffle_i64x2::<0b11_01_11_01>(x, y)
            }
        });
        std::array::from_fn(|i| {
            let (x, y) = (fours[i & 3], fours[4 + (i & 3)]);
            if i & 4 == 0 {
                _mm512_shuffle_i64x2::<0b10_00_10_00>(x, y)
            } else {
                _mm512_shuffle_i64x2::<0b11_01_11_01>(x, y)
            }
        })
    }
}
