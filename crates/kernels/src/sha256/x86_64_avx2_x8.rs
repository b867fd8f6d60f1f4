//! Eight messages in the lanes of AVX2 vectors.
//!
//! Bound by the number of vector instructions: without rotations and three-input logic they are 37 a round and 19 for each
//! of the 48 words that the schedule makes; 3,400 for eight blocks, of which three or four execute in a cycle.

sha256_lanes! {
    isa: ["avx2"], name: "sha256.compress_lanes/x86_64_avx2_x8", vectors: avx2_32
}
