//! MD5's compression function (RFC 1321, section 3.4).

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod lanes;

use crate::compression::Compression;
use crate::exercise::{Data, KnownAnswer, Shape};
use crate::lanes::{Batching, Compressions, LANES, in_every_lane};

primitive! { "md5.compress";
    /// Mixes whole 64-byte blocks into the four words of the hash state, in order. No blocks is no change.
    pub trait Compress = fn(state: &mut [u32; 4], blocks: &[[u8; 64]]);
    shape: Shape { key: &[0], chain: 16, unit: 64, data: Data::Read };
    known_answers: &[ABC, DIGITS];
    exercise: |kernel, _key, chain| {
        Compression::new(chain, u32::from_le_bytes, u32::to_le_bytes, move |state, blocks| kernel.call(state, blocks))
    };
}

primitive! { "md5.compress_lanes";
    /// Mixes blocks of many messages into the states of their digests: into state `i` the blocks of message `i`, in order.
    /// Every message is taken as far as the shortest goes. There are as many states as messages, any number of them.
    pub trait CompressLanes = fn(states: &mut [[u32; 4]], messages: &[&[[u8; 64]]]);
    shape: Shape { key: &[0], chain: LANES * 16, unit: LANES * 64, data: Data::Read };
    known_answers: &[in_every_lane!(ABC: 1 of 64, 16), in_every_lane!(DIGITS: 2 of 64, 16)];
    exercise: |kernel, _key, chain| {
        Compressions::new(chain, u32::from_le_bytes, u32::to_le_bytes, move |states, messages| {
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
    x86_64,
    #[cfg(target_arch = "x86_64")]
    x86_64_avx512vl,
    portable,
}

/// Measured on Zen 4, with the kernels that come first there.
pub const BATCHING: Batching = Batching { lanes: 64, group: 16, break_even: 2 };

/// The state before the first block (section 3.3).
pub const INITIAL: [u32; 4] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];

/// The constants added in each step: 2³² times the absolute value of the sine of 1, 2, 3 … radians (section 3.4).
const T: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8,
    0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340,
    0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87,
    0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
    0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039,
    0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92,
    0xffeff47d, 0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
    0xeb86d391,
];

/// How far each step rotates: four amounts in turn for each of the four functions.
const ROTATIONS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// The message "abc", padded to one block.
const ABC: KnownAnswer = KnownAnswer {
    source: "RFC 1321, appendix A.5",
    key: &[],
    chain: &hex_literal::hex!("01234567 89abcdef fedcba98 76543210"),
    input: &hex_literal::hex!(
        "61626380 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
        "00000000 00000000 00000000 00000000 00000000 00000000 18000000 00000000"
    ),
    output: &[],
    result: &hex_literal::hex!("90015098 3cd24fb0 d6963f7d 28e17f72"),
};

/// The message of eight times "1234567890", padded to two blocks.
const DIGITS: KnownAnswer = KnownAnswer {
    source: "RFC 1321, appendix A.5",
    key: &[],
    chain: &hex_literal::hex!("01234567 89abcdef fedcba98 76543210"),
    input: &hex_literal::hex!(
        "31323334 35363738 39303132 33343536 37383930 31323334 35363738 39303132"
        "33343536 37383930 31323334 35363738 39303132 33343536 37383930 31323334"
        "35363738 39303132 33343536 37383930 80000000 00000000 00000000 00000000"
        "00000000 00000000 00000000 00000000 00000000 00000000 80020000 00000000"
    ),
    output: &[],
    result: &hex_literal::hex!("57edf4a2 2be3c955 ac49da2e 2107b67a"),
};
