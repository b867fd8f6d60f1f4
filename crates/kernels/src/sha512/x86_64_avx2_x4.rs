//! Four messages in the lanes of AVX2 vectors.
//!
//! Bound by the number of vector instructions: without rotations and three-input logic they are 37 a round and 17 for each
//! of the 64 words that the schedule makes; 4,100 for four blocks, of which three or four execute in a cycle.

sha512_lanes! {
    isa: ["avx2"], name: "sha512.compress_lanes/x86_64_avx2_x4", vectors: avx2_64
}
