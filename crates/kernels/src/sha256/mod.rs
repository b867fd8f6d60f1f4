//! SHA-256's compression function (FIPS 180-4, section 6.2.2), which SHA-224 shares.

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod streams;

use crate::compression::Compression;
use crate::exercise::{Data, KnownAnswer, Shape};
use crate::lanes::{Batching, Compressions, LANES, in_every_lane};

primitive! { "sha256.compress";
    /// Mixes whole 64-byte blocks into the eight words of the hash state, in order. No blocks is no change.
    pub trait Compress = fn(state: &mut [u32; 8], blocks: &[[u8; 64]]);
    shape: Shape { key: &[0], chain: 32, unit: 64, data: Data::Read };
    known_answers: &[ABC, TWO_BLOCKS];
    exercise: |kernel, _key, chain| {
        Compression::new(chain, u32::from_be_bytes, u32::to_be_bytes, move |state, blocks| kernel.call(state, blocks))
    };
}

primitive! { "sha256.compress_lanes";
    /// Mixes blocks of many messages into the states of their digests: into state `i` the blocks of message `i`, in order.
    /// Every message is taken as far as the shortest goes. There are as many states as messages, any number of them.
    pub trait CompressLanes = fn(states: &mut [[u32; 8]], messages: &[&[[u8; 64]]]);
    shape: Shape { key: &[0], chain: LANES * 32, unit: LANES * 64, data: Data::Read };
    known_answers: &[in_every_lane!(ABC: 1 of 64, 32), in_every_lane!(TWO_BLOCKS: 2 of 64, 32)];
    exercise: |kernel, _key, chain| {
        Compressions::new(chain, u32::from_be_bytes, u32::to_be_bytes, move |states, messages| {
            kernel.call(states, messages);
        })
    };
}

kernels! {
    #[cfg(target_arch = "x86_64")]
    x86_64_shani_x4,
    #[cfg(target_arch = "x86_64")]
    x86_64_avx512_x16,
    #[cfg(target_arch = "x86_64")]
    x86_64_shani_x2,
    #[cfg(target_arch = "x86_64")]
    x86_64_avx2_x8,
    #[cfg(target_arch = "x86_64")]
    x86_64_shani,
    #[cfg(target_arch = "x86_64")]
    x86_64_avx2_bmi2,
    portable,
}

/// Measured on Zen 4, with the kernels that come first there.
pub const BATCHING: Batching = Batching { lanes: 16, group: 4, break_even: 2 };

/// The state before the first block (FIPS 180-4, section 5.3.3).
pub const INITIAL: [u32; 8] =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/// The same for SHA-224 (section 5.3.2).
pub const INITIAL_224: [u32; 8] =
    [0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4];

/// The round constants (section 4.2.2).
const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
];

/// The one-block message "abc", padded.
const ABC: KnownAnswer = KnownAnswer {
    source: "FIPS 180-4 example SHA256.pdf, one-block message",
    key: &[],
    chain: &hex_literal::hex!("6a09e667 bb67ae85 3c6ef372 a54ff53a 510e527f 9b05688c 1f83d9ab 5be0cd19"),
    input: &hex_literal::hex!(
        "61626380 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
        "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000018"
    ),
    output: &[],
    result: &hex_literal::hex!("ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad"),
};

/// The two-block message "abcdbcdecdef…", padded.
const TWO_BLOCKS: KnownAnswer = KnownAnswer {
    source: "FIPS 180-4 example SHA256.pdf, two-block message",
    key: &[],
    chain: &hex_literal::hex!("6a09e667 bb67ae85 3c6ef372 a54ff53a 510e527f 9b05688c 1f83d9ab 5be0cd19"),
    input: &hex_literal::hex!(
        "61626364 62636465 63646566 64656667 65666768 66676869 6768696a 68696a6b"
        "696a6b6c 6a6b6c6d 6b6c6d6e 6c6d6e6f 6d6e6f70 6e6f7071 80000000 00000000"
        "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000"
        "00000000 00000000 00000000 00000000 00000000 00000000 00000000 000001c0"
    ),
    output: &[],
    result: &hex_literal::hex!("248d6a61 d20638b8 e5c02693 0c3e6039 a33ce459 64ff2167 f6ecedd4 19db06c1"),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Primitive;

    /// The published digests of "abc", one for each state to start from.
    #[test]
    fn every_initial_state_is_right() {
        let (blocks, _) = ABC.input.as_chunks();
        for (mut state, digest) in [
            (INITIAL, ABC.result),
            (INITIAL_224, &hex_literal::hex!("23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7")[..]),
        ] {
            Compress::portable().call(&mut state, blocks);
            let written: Vec<u8> = state.iter().flat_map(|word| word.to_be_bytes()).collect();
            assert_eq!(&written[..digest.len()], digest);
        }
    }
}
