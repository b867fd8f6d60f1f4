//! Sixteen messages in the lanes of AVX-512 vectors.
//!
//! Bound by the number of vector instructions: seven a round (two rotations, the round's function, four sums), three for
//! each of the 64 words that the schedule makes, and 85 for transposing the blocks and for the chaining value; 840 for
//! sixteen blocks, of which two execute in a cycle (Zen 4): 420 cycles, or 0.41 a byte. No chain is the bound: a round
//! takes `a` through a rotation and an addition, two cycles of the five.
//!
//! SHA-NI streams beside the lanes would gain nothing: with its 120 instructions a block costs the vector units more there
//! than in a lane.

sha1_lanes! {
    isa: ["avx512f", "avx512bw"], name: "sha1.compress_lanes/x86_64_avx512_x16", vectors: avx512_32
}
