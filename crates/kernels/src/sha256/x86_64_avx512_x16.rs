//! Sixteen messages in the lanes of AVX-512 vectors.
//!
//! Bound by the number of vector instructions: 17 a round (six rotations, two three-input additions, Ch, Maj, and seven
//! sums), eleven for each of the 48 words that the schedule makes, and 88 for transposing the blocks and for the chaining
//! value; 1,700 for sixteen blocks, of which two execute in a cycle (Zen 4): 850 cycles, or 0.83 a byte. Rotations and
//! shifts, 10.5 a round, are one a cycle and so not the bound. No chain through the rounds is: `e` needs five cycles of
//! the thirteen that a round takes.

sha256_lanes! {
    isa: ["avx512f", "avx512bw"], name: "sha256.compress_lanes/x86_64_avx512_x16", vectors: avx512_32
}
