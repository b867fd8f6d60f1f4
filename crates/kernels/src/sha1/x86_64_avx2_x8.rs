//! Eight messages in the lanes of AVX2 vectors.
//!
//! Bound by the number of vector instructions: without rotations and three-input logic they are twelve to fourteen a round
//! and six for each of the 64 words that the schedule makes; 1,500 for eight blocks, of which three or four execute in a
//! cycle.

sha1_lanes! {
    isa: ["avx2"], name: "sha1.compress_lanes/x86_64_avx2_x8", vectors: avx2_32
}
