//! SHA-1's compression function (FIPS 180-4, section 6.1.2).

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod lanes;

use crate::compression::Compression;
use crate::exercise::{Data, KnownAnswer, Shape};
use crate::lanes::{Batching, Compressions, LANES, in_every_lane};

primitive! { "sha1.compress";
    /// Mixes whole 64-byte blocks into the five words of the hash state, in order. No blocks is no change.
    pub trait Compress = fn(state: &mut [u32; 5], blocks: &[[u8; 64]]);
    shape: Shape { key: &[0], chain: 20, unit: 64, data: Data::Read };
    known_answers: &[ABC, TWO_BLOCKS];
    exercise: |kernel, _key, chain| {
        Compression::new(chain, u32::from_be_bytes, u32::to_be_bytes, move |state, blocks| kernel.call(state, blocks))
    };
}

primitive! { "sha1.compress_lanes";
    /// Mixes blocks of many messages into the states of their digests: into state `i` the blocks of message `i`, in order.
    /// Every message is taken as far as the shortest goes. There are as many states as messages, any number of them.
    pub trait CompressLanes = fn(states: &mut [[u32; 5]], messages: &[&[[u8; 64]]]);
    shape: Shape { key: &[0], chain: LANES * 20, unit: LANES * 64, data: Data::Read };
    known_answers: &[in_every_lane!(ABC: 1 of 64, 20), in_every_lane!(TWO_BLOCKS: 2 of 64, 20)];
    exercise: |kernel, _key, chain| {
        Compressions::new(chain, u32::from_be_bytes, u32::to_be_bytes, move |states, messages| {
            kernel.call(states, messages);
        })
    };
}

kernels! {
    #[cfg(target_arch = "x86_64")]
    x86_64_avx512_x16,
    #[cfg(target_arch = "x86_64")]
    x86_64_avx2_x8,
    #[cfg(target_arch = "x86_64")]
    x86_64_shani,
    #[cfg(target_arch = "x86_64")]
    x86_64_avx2_bmi2,
    portable,
}

/// Measured on Zen 4, with the kernels that come first there.
pub const BATCHING: Batching = Batching { lanes: 16, group: 16, break_even: 5 };

/// The state before the first block (FIPS 180-4, section 5.3.1).
pub const INITIAL: [u32; 5] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

/// The constants of the four groups of twenty rounds (section 4.2.1).
const K: [u32; 4] = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];

/// The one-block message "abc", padded.
const ABC: KnownAnswer = KnownAnswer {
    source: "FIPS 180-4 example SHA1.pdf, one-block message",
    key: &[],
    chain: &hex_literal::hex!("67452301 efcdab89 98badcfe 10325476 c3d2e1f0"),
    input: &hex_literal::hex!(
        "61626380 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
        "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000018"
    ),
    output: &[],
    result: &hex_literal::hex!("a9993e36 4706816a ba3e2571 7850c26c 9cd0d89d"),
};

/// The two-block message "abcdbcdecdef…", padded.
const TWO_BLOCKS: KnownAnswer = KnownAnswer {
    source: "FIPS 180-4 example SHA1.pdf, two-block message",
    key: &[],
    chain: &hex_literal::hex!("67452301 efcdab89 98badcfe 10325476 c3d2e1f0"),
    input: &hex_literal::hex!(
        "61626364 62636465 63646566 64656667 65666768 66676869 6768696a 68696a6b"
        "696a6b6c 6a6b6c6d 6b6c6d6e 6c6d6e6f 6d6e6f70 6e6f7071 80000000 00000000"
        "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
        "00000000 00000000 00000000 00000000 00000000 00000000 00000000 000001c0"
    ),
    output: &[],
    result: &hex_literal::hex!("84983e44 1c3bd26e baae4aa1 f95129e5 e54670f1"),
};
