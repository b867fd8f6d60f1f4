//! Two messages at a time with SHA-NI: as many as sixteen registers hold.
//!
//! Bound by the latency of `sha256rnds2` still, 32 times four cycles for two blocks, where the compiler finds registers for
//! all: it spills some.

use super::streams::compress_streams;
use crate::lanes::in_common;

kernel! {
    isa: ["sha", "ssse3"], timing: Constant,

    name: "sha256.compress_lanes/x86_64_shani_x2", primitive: super::CompressLanes,
    fn compress_lanes(states: &mut [[u32; 8]], messages: &[&[[u8; 64]]]) {
        let blocks = in_common(messages);
        for (states, messages) in states.chunks_mut(2).zip(messages.chunks(2)) {
            if states.len() == 2 {
                compress_streams::<2>(states, messages, blocks);
            } else {
                compress_streams::<1>(states, messages, blocks);
            }
        }
    }
}
