//! Sixteen messages in the lanes of AVX-512 vectors, and up to four such groups at a time.
//!
//! Bound by the number of vector instructions: six a step (the step's function, a rotation, four sums), and 68 for
//! transposing the blocks and for the chaining value; 452 for sixteen blocks, of which two execute in a cycle (Zen 4): 226
//! cycles, or 0.22 a byte. The chain through the 64 steps, a function, a sum, a rotation of two cycles and a sum, takes 320:
//! hence several groups; four reach three cycles for a step of each. Where messages lie a multiple of 4 KiB apart, their
//! blocks share eight places of the first cache, and a quarter of the time goes to waiting for them.

md5_lanes! {
    isa: ["avx512f", "avx512bw"], name: "md5.compress_lanes/x86_64_avx512_x16", vectors: avx512_32, groups: 4
}
