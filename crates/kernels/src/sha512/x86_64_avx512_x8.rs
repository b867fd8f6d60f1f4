//! Eight messages in the lanes of AVX-512 vectors.
//!
//! Bound by the number of vector instructions: 17 a round (six rotations, two three-input additions, Ch, Maj, and seven
//! sums), eleven for each of the 64 words that the schedule makes, and 72 for transposing the blocks and for the chaining
//! value; 2,140 for eight blocks, of which two execute in a cycle (Zen 4): 1,070 cycles, or 1.04 a byte.

sha512_lanes! {
    isa: ["avx512f", "avx512bw"], name: "sha512.compress_lanes/x86_64_avx512_x8", vectors: avx512_64
}
