//! SHA-512's compression function (FIPS 180-4, section 6.4.2), which SHA-384, SHA-512/224 and SHA-512/256 share.

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod schedule;

use crate::compression::Compression;
use crate::exercise::{Data, KnownAnswer, Shape};
use crate::lanes::{Batching, Compressions, LANES, in_every_lane};

primitive! { "sha512.compress";
    /// Mixes whole 128-byte blocks into the eight words of the hash state, in order. No blocks is no change.
    pub trait Compress = fn(state: &mut [u64; 8], blocks: &[[u8; 128]]);
    shape: Shape { key: &[0], chain: 64, unit: 128, data: Data::Read };
    known_answers: &[ABC, TWO_BLOCKS];
    exercise: |kernel, _key, chain| {
        Compression::new(chain, u64::from_be_bytes, u64::to_be_bytes, move |state, blocks| kernel.call(state, blocks))
    };
}

primitive! { "sha512.compress_lanes";
    /// Mixes blocks of many messages into the states of their digests: into state `i` the blocks of message `i`, in order.
    /// Every message is taken as far as the shortest goes. There are as many states as messages, any number of them.
    pub trait CompressLanes = fn(states: &mut [[u64; 8]], messages: &[&[[u8; 128]]]);
    shape: Shape { key: &[0], chain: LANES * 64, unit: LANES * 128, data: Data::Read };
    known_answers: &[in_every_lane!(ABC: 1 of 128, 64), in_every_lane!(TWO_BLOCKS: 2 of 128, 64)];
    exercise: |kernel, _key, chain| {
        Compressions::new(chain, u64::from_be_bytes, u64::to_be_bytes, move |states, messages| {
            kernel.call(states, messages);
        })
    };
}

kernels! {
    #[cfg(target_arch = "x86_64")]
    x86_64_avx512_x8,
    #[cfg(target_arch = "x86_64")]
    x86_64_avx2_x4,
    #[cfg(target_arch = "x86_64")]
    x86_64_sha512ni,
    #[cfg(target_arch = "x86_64")]
    x86_64_avx512vl_bmi2,
    #[cfg(target_arch = "x86_64")]
    x86_64_avx512vl,
    #[cfg(target_arch = "x86_64")]
    x86_64_avx2_bmi2,
    portable,
}

/// Measured on Zen 4, with the kernels that come first there.
pub const BATCHING: Batching = Batching { lanes: 8, group: 8, break_even: 4 };

/// The state before the first block (FIPS 180-4, section 5.3.5).
pub const INITIAL: [u64; 8] = [
    0x6a09e667f3bcc908,
    0xbb67ae8584caa73b,
    0x3c6ef372fe94f82b,
    0xa54ff53a5f1d36f1,
    0x510e527fade682d1,
    0x9b05688c2b3e6c1f,
    0x1f83d9abfb41bd6b,
    0x5be0cd19137e2179,
];

/// The same for SHA-384 (section 5.3.4).
pub const INITIAL_384: [u64; 8] = [
    0xcbbb9d5dc1059ed8,
    0x629a292a367cd507,
    0x9159015a3070dd17,
    0x152fecd8f70e5939,
    0x67332667ffc00b31,
    0x8eb44a8768581511,
    0xdb0c2e0d64f98fa7,
    0x47b5481dbefa4fa4,
];

/// The same for SHA-512/224 (section 5.3.6.1).
pub const INITIAL_512_224: [u64; 8] = [
    0x8c3d37c819544da2,
    0x73e1996689dcd4d6,
    0x1dfab7ae32ff9c82,
    0x679dd514582f9fcf,
    0x0f6d2b697bd44da8,
    0x77e36f7304c48942,
    0x3f9d85a86a1d36c8,
    0x1112e6ad91d692a1,
];

/// The same for SHA-512/256 (section 5.3.6.2).
pub const INITIAL_512_256: [u64; 8] = [
    0x22312194fc2bf72c,
    0x9f555fa3c84c64c2,
    0x2393b86b6f53b151,
    0x963877195940eabd,
    0x96283ee2a88effe3,
    0xbe5e1e2553863992,
    0x2b0199fc2c85b8aa,
    0x0eb72ddc81c52ca2,
];

/// The round constants (section 4.2.3).
const K: [u64; 80] = [
    0x428a2f98d728ae22,
    0x7137449123ef65cd,
    0xb5c0fbcfec4d3b2f,
    0xe9b5dba58189dbbc,
    0x3956c25bf348b538,
    0x59f111f1b605d019,
    0x923f82a4af194f9b,
    0xab1c5ed5da6d8118,
    0xd807aa98a3030242,
    0x12835b0145706fbe,
    0x243185be4ee4b28c,
    0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f,
    0x80deb1fe3b1696b1,
    0x9bdc06a725c71235,
    0xc19bf174cf692694,
    0xe49b69c19ef14ad2,
    0xefbe4786384f25e3,
    0x0fc19dc68b8cd5b5,
    0x240ca1cc77ac9c65,
    0x2de92c6f592b0275,
    0x4a7484aa6ea6e483,
    0x5cb0a9dcbd41fbd4,
    0x76f988da831153b5,
    0x983e5152ee66dfab,
    0xa831c66d2db43210,
    0xb00327c898fb213f,
    0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2,
    0xd5a79147930aa725,
    0x06ca6351e003826f,
    0x142929670a0e6e70,
    0x27b70a8546d22ffc,
    0x2e1b21385c26c926,
    0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df,
    0x650a73548baf63de,
    0x766a0abb3c77b2a8,
    0x81c2c92e47edaee6,
    0x92722c851482353b,
    0xa2bfe8a14cf10364,
    0xa81a664bbc423001,
    0xc24b8b70d0f89791,
    0xc76c51a30654be30,
    0xd192e819d6ef5218,
    0xd69906245565a910,
    0xf40e35855771202a,
    0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8,
    0x1e376c085141ab53,
    0x2748774cdf8eeb99,
    0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63,
    0x4ed8aa4ae3418acb,
    0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc,
    0x78a5636f43172f60,
    0x84c87814a1f0ab72,
    0x8cc702081a6439ec,
    0x90befffa23631e28,
    0xa4506cebde82bde9,
    0xbef9a3f7b2c67915,
    0xc67178f2e372532b,
    0xca273eceea26619c,
    0xd186b8c721c0c207,
    0xeada7dd6cde0eb1e,
    0xf57d4f7fee6ed178,
    0x06f067aa72176fba,
    0x0a637dc5a2c898a6,
    0x113f9804bef90dae,
    0x1b710b35131c471b,
    0x28db77f523047d84,
    0x32caab7b40c72493,
    0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6,
    0x597f299cfc657e2a,
    0x5fcb6fab3ad6faec,
    0x6c44198c4a475817,
];

/// The one-block message "abc", padded.
const ABC: KnownAnswer = KnownAnswer {
    source: "FIPS 180-4 example SHA512.pdf, one-block message",
    key: &[],
    chain: &hex_literal::hex!(
        "6a09e667f3bcc908 bb67ae8584caa73b 3c6ef372fe94f82b a54ff53a5f1d36f1"
        "510e527fade682d1 9b05688c2b3e6c1f 1f83d9abfb41bd6b 5be0cd19137e2179"
    ),
    input: &hex_literal::hex!(
        "6162638000000000 0000000000000000 0000000000000000 0000000000000000"
        "0000000000000000 0000000000000000 0000000000000000 0000000000000000"
        "0000000000000000 0000000000000000 0000000000000000 0000000000000000"
        "0000000000000000 0000000000000000 0000000000000000 0000000000000018"
    ),
    output: &[],
    result: &hex_literal::hex!(
        "ddaf35a193617aba cc417349ae204131 12e6fa4e89a97ea2 0a9eeee64b55d39a"
        "2192992a274fc1a8 36ba3c23a3feebbd 454d4423643ce80e 2a9ac94fa54ca49f"
    ),
};

/// The two-block message "abcdefghbcde…", padded.
const TWO_BLOCKS: KnownAnswer = KnownAnswer {
    source: "FIPS 180-4 example SHA512.pdf, two-block message",
    key: &[],
    chain: &hex_literal::hex!(
        "6a09e667f3bcc908 bb67ae8584caa73b 3c6ef372fe94f82b a54ff53a5f1d36f1"
        "510e527fade682d1 9b05688c2b3e6c1f 1f83d9abfb41bd6b 5be0cd19137e2179"
    ),
    input: &hex_literal::hex!(
        "6162636465666768 6263646566676869 636465666768696a 6465666768696a6b"
        "65666768696a6b6c 666768696a6b6c6d 6768696a6b6c6d6e 68696a6b6c6d6e6f"
        "696a6b6c6d6e6f70 6a6b6c6d6e6f7071 6b6c6d6e6f707172 6c6d6e6f70717273"
        "6d6e6f7071727374 6e6f707172737475 8000000000000000 0000000000000000"
        "0000000000000000 0000000000000000 0000000000000000 0000000000000000"
        "0000000000000000 0000000000000000 0000000000000000 0000000000000000"
        "0000000000000000 0000000000000000 0000000000000000 0000000000000000"
        "0000000000000000 0000000000000000 0000000000000000 0000000000000380"
    ),
    output: &[],
    result: &hex_literal::hex!(
        "8e959b75dae313da 8cf4f72814fc143f 8f7779c6eb9f7fa1 7299aeadb6889018"
        "501d289e4900f7e4 331b99dec4b5433a c7d329eeb6dd2654 5e96e55b874be909"
    ),
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
            (
                INITIAL_384,
                &hex_literal::hex!(
                    "cb00753f45a35e8b b5a03d699ac65007 272c32ab0eded163"
                    "1a8b605a43ff5bed 8086072ba1e7cc23 58baeca134c825a7"
                )[..],
            ),
            (INITIAL_512_224, &hex_literal::hex!("4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa")[..]),
            (
                INITIAL_512_256,
                &hex_literal::hex!("53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23")[..],
            ),
        ] {
            Compress::portable().call(&mut state, blocks);
            let written: Vec<u8> = state.iter().flat_map(|word| word.to_be_bytes()).collect();
            assert_eq!(&written[..digest.len()], digest);
        }
    }
}
