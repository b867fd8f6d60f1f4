//! Eight messages in the lanes of AVX2 vectors, and two such groups at a time.
//!
//! Bound by the number of vector instructions: without rotations and three-input logic they are nine to eleven a step; 700
//! for eight blocks, of which three or four execute in a cycle. The chain through the 64 steps, of six to seven
//! instructions each, would take twice as long: hence two groups.

md5_lanes! {
    isa: ["avx2"], name: "md5.compress_lanes/x86_64_avx2_x8", vectors: avx2_32, groups: 2
}
