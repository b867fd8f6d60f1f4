//! Published answers: FIPS 197, appendices A to C, and SP 800-38A, appendix F.

use hex_literal::hex;

use crate::exercise::KnownAnswer;
use crate::lanes::{LANES, repeated, rows};

pub(super) const EXPAND_KEY: &[KnownAnswer] = &[
    KnownAnswer {
        source: "FIPS 197, appendix A.1",
        key: &hex!("2b7e1516 28aed2a6 abf71588 09cf4f3c"),
        chain: &[],
        input: &[],
        output: &[],
        result: &hex!(
            "2b7e1516 28aed2a6 abf71588 09cf4f3c  a0fafe17 88542cb1 23a33939 2a6c7605"
            "f2c295f2 7a96b943 5935807a 7359f67f  3d80477d 4716fe3e 1e237e44 6d7a883b"
            "ef44a541 a8525b7f b671253b db0bad00  d4d1c6f8 7c839d87 caf2b8bc 11f915bc"
            "6d88a37a 110b3efd dbf98641 ca0093fd  4e54f70e 5f5fc9f3 84a64fb2 4ea6dc4f"
            "ead27321 b58dbad2 312bf560 7f8d292f  ac7766f3 19fadc21 28d12941 575c006e"
            "d014f9a8 c9ee2589 e13f0cc8 b6630ca6"
        ),
    },
    KnownAnswer {
        source: "FIPS 197, appendix A.2",
        key: &hex!("8e73b0f7 da0e6452 c810f32b 809079e5 62f8ead2 522c6b7b"),
        chain: &[],
        input: &[],
        output: &[],
        result: &hex!(
            "8e73b0f7 da0e6452 c810f32b 809079e5  62f8ead2 522c6b7b fe0c91f7 2402f5a5"
            "ec12068e 6c827f6b 0e7a95b9 5c56fec2  4db7b4bd 69b54118 85a74796 e92538fd"
            "e75fad44 bb095386 485af057 21efb14f  a448f6d9 4d6dce24 aa326360 113b30e6"
            "a25e7ed5 83b1cf9a 27f93943 6a94f767  c0a69407 d19da4e1 ec1786eb 6fa64971"
            "485f7032 22cb8755 e26d1352 33f0b7b3  40beeb28 2f18a259 6747d26b 458c553e"
            "a7e1466c 9411f1df 821f750a ad07d753  ca400538 8fcc5006 282d166a bc3ce7b5"
            "e98ba06f 448c773c 8ecc7204 01002202"
        ),
    },
    KnownAnswer {
        source: "FIPS 197, appendix A.3",
        key: &hex!("603deb10 15ca71be 2b73aef0 857d7781 1f352c07 3b6108d7 2d9810a3 0914dff4"),
        chain: &[],
        input: &[],
        output: &[],
        result: &hex!(
            "603deb10 15ca71be 2b73aef0 857d7781  1f352c07 3b6108d7 2d9810a3 0914dff4"
            "9ba35411 8e6925af a51a8b5f 2067fcde  a8b09c1a 93d194cd be49846e b75d5b9a"
            "d59aecb8 5bf3c917 fee94248 de8ebe96  b5a9328a 2678a647 98312229 2f6c79b3"
            "812c81ad dadf48ba 24360af2 fab8b464  98c5bfc9 bebd198e 268c3ba7 09e04214"
            "68007bac b2df3316 96e939e4 6c518d80  c814e204 76a9fb8a 5025c02d 59c58239"
            "de136967 6ccc5a71 fa256395 9674ee15  5886ca5d 2e2f31d7 7e0af1fa 27cf73c3"
            "749c47ab 18501dda e2757e4f 7401905a  cafaaae3 e4d59b34 9adf6ace bd10190d"
            "fe4890d1 e6188d0b 046df344 706c631e"
        ),
    },
];

pub(super) const INVERT_KEY: &[KnownAnswer] = &[
    KnownAnswer {
        source: "FIPS 197, appendix C.1, ik_sch",
        key: &hex!("00010203 04050607 08090a0b 0c0d0e0f"),
        chain: &[],
        input: &[],
        output: &[],
        result: &hex!(
            "13111d7f e3944a17 f307a78b 4d2b30c5  13aa29be 9c8faff6 f770f580 00f7bf03"
            "1362a463 8f258648 6bff5a76 f7874a83  8d82fc74 9c47222b e4dadc3e 9c7810f5"
            "72e3098d 11c5de5f 789dfe15 78a2cccb  2ec41027 6326d7d2 6958204a 003f32de"
            "a8a2f504 4de2c7f5 0a7ef798 69671294  c7c6e391 e54032f1 479c306d 6319e50c"
            "a0db0299 2286d160 a2dc029c 2485d561  8c56dff0 825dd3f9 805ad3fc 8659d7fd"
            "00010203 04050607 08090a0b 0c0d0e0f"
        ),
    },
    KnownAnswer {
        source: "FIPS 197, appendix C.2, ik_sch",
        key: &hex!("00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617"),
        chain: &[],
        input: &[],
        output: &[],
        result: &hex!(
            "a4970a33 1a78dc09 c418c271 e3a41d5d  d6bebd0d c209ea49 4db07380 3e021bb9"
            "8fb999c9 73b26839 c7f9d89d 85c68c72  f77d6ec1 423f54ef 5378317f 14b75744"
            "11476590 47cf663b 9b0ece8d fc0bf1f0  dcc1a8b6 67053f7d cc5c194a b5423a2e"
            "c6deb0ab 791e2364 a4055fbe 568803ab  dd1b7cda f28d5c15 8a49ab1d bbc497cb"
            "78c4f708 318d3cd6 9655b701 bfc093cf  60dcef10 299524ce 62dbef15 2f9620cf"
            "4b4ecbdb 4d4dcfda 5752d7c7 4949cbde  1a1f181d 1e1b1c19 4742c7d7 4949cbde"
            "00010203 04050607 08090a0b 0c0d0e0f"
        ),
    },
    KnownAnswer {
        source: "FIPS 197, appendix C.3, ik_sch",
        key: &hex!("00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617 18191a1b 1c1d1e1f"),
        chain: &[],
        input: &[],
        output: &[],
        result: &hex!(
            "24fc79cc bf0979e9 371ac23c 6d68de36  34f1d1ff bfceaa2f fce9e25f 2558016e"
            "5e1648eb 384c350a 7571b746 dc80e684  c8a30580 8b3f7bd0 43274870 d9b1e331"
            "b5708e13 665a7de1 4d3d824c a9f151c2  74da7ba3 439c7e50 c81833a0 9a96ab41"
            "3ca69715 d32af3f2 2b67ffad e4ccd38e  f85fc4f3 374605f3 8b844df0 528e98e1"
            "de69409a ef8c64e7 f84d0c5f cfab2c23  aed55816 cf19c100 bcc24803 d90ad511"
            "15c668bd 31e5247d 17c168b8 37e6207c  7fd7850f 61cc9916 73db8903 65c89d12"
            "2a2840c9 24234cc0 26244cc5 202748c4  1a1f181d 1e1b1c19 12171015 16131411"
            "00010203 04050607 08090a0b 0c0d0e0f"
        ),
    },
];

pub(super) const ENCRYPT_BLOCKS: &[KnownAnswer] = &[
    KnownAnswer {
        source: "FIPS 197, appendix C",
        key: &hex!("00010203 04050607 08090a0b 0c0d0e0f"),
        chain: &[],
        input: &hex!("00112233 44556677 8899aabb ccddeeff"),
        output: &hex!("69c4e0d8 6a7b0430 d8cdb780 70b4c55a"),
        result: &[],
    },
    KnownAnswer {
        source: "FIPS 197, appendix C",
        key: &hex!("00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617"),
        chain: &[],
        input: &hex!("00112233 44556677 8899aabb ccddeeff"),
        output: &hex!("dda97ca4 864cdfe0 6eaf70a0 ec0d7191"),
        result: &[],
    },
    KnownAnswer {
        source: "FIPS 197, appendix C",
        key: &hex!("00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617 18191a1b 1c1d1e1f"),
        chain: &[],
        input: &hex!("00112233 44556677 8899aabb ccddeeff"),
        output: &hex!("8ea2b7ca 516745bf eafc4990 4b496089"),
        result: &[],
    },
    KnownAnswer {
        source: "SP 800-38A, F.1",
        key: &hex!("2b7e1516 28aed2a6 abf71588 09cf4f3c"),
        chain: &[],
        input: PLAIN,
        output: &hex!(
            "3ad77bb4 0d7a3660 a89ecaf3 2466ef97  f5d3d585 03b9699d e785895a 96fdbaaf"
            "43b1cd7f 598ece23 881b00e3 ed030688  7b0c785e 27e8ad3f 82232071 04725dd4"
        ),
        result: &[],
    },
    KnownAnswer {
        source: "SP 800-38A, F.1",
        key: &hex!("8e73b0f7 da0e6452 c810f32b 809079e5 62f8ead2 522c6b7b"),
        chain: &[],
        input: PLAIN,
        output: &hex!(
            "bd334f1d 6e45f25f f712a214 571fa5cc  97410484 6d0ad3ad 7734ecb3 ecee4eef"
            "ef7afd22 70e2e60a dce0ba2f ace6444e  9a4b41ba 738d6c72 fb166916 03c18e0e"
        ),
        result: &[],
    },
    KnownAnswer {
        source: "SP 800-38A, F.1",
        key: &hex!("603deb10 15ca71be 2b73aef0 857d7781 1f352c07 3b6108d7 2d9810a3 0914dff4"),
        chain: &[],
        input: PLAIN,
        output: &hex!(
            "f3eed1bd b5d2a03c 064b5a7e 3db181f8  591ccb10 d410ed26 dc5ba74a 31362870"
            "b6ed21b9 9ca6f4f9 f153e7b1 beafed1d  23304b7a 39f9f3ff 067d8d8f 9e24ecc7"
        ),
        result: &[],
    },
];

pub(super) const DECRYPT_BLOCKS: &[KnownAnswer] = &[
    KnownAnswer {
        source: "FIPS 197, appendix C",
        key: &hex!("00010203 04050607 08090a0b 0c0d0e0f"),
        chain: &[],
        input: &hex!("69c4e0d8 6a7b0430 d8cdb780 70b4c55a"),
        output: &hex!("00112233 44556677 8899aabb ccddeeff"),
        result: &[],
    },
    KnownAnswer {
        source: "FIPS 197, appendix C",
        key: &hex!("00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617"),
        chain: &[],
        input: &hex!("dda97ca4 864cdfe0 6eaf70a0 ec0d7191"),
        output: &hex!("00112233 44556677 8899aabb ccddeeff"),
        result: &[],
    },
    KnownAnswer {
        source: "FIPS 197, appendix C",
        key: &hex!("00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617 18191a1b 1c1d1e1f"),
        chain: &[],
        input: &hex!("8ea2b7ca 516745bf eafc4990 4b496089"),
        output: &hex!("00112233 44556677 8899aabb ccddeeff"),
        result: &[],
    },
    KnownAnswer {
        source: "SP 800-38A, F.1",
        key: &hex!("2b7e1516 28aed2a6 abf71588 09cf4f3c"),
        chain: &[],
        input: &hex!(
            "3ad77bb4 0d7a3660 a89ecaf3 2466ef97  f5d3d585 03b9699d e785895a 96fdbaaf"
            "43b1cd7f 598ece23 881b00e3 ed030688  7b0c785e 27e8ad3f 82232071 04725dd4"
        ),
        output: PLAIN,
        result: &[],
    },
    KnownAnswer {
        source: "SP 800-38A, F.1",
        key: &hex!("8e73b0f7 da0e6452 c810f32b 809079e5 62f8ead2 522c6b7b"),
        chain: &[],
        input: &hex!(
            "bd334f1d 6e45f25f f712a214 571fa5cc  97410484 6d0ad3ad 7734ecb3 ecee4eef"
            "ef7afd22 70e2e60a dce0ba2f ace6444e  9a4b41ba 738d6c72 fb166916 03c18e0e"
        ),
        output: PLAIN,
        result: &[],
    },
    KnownAnswer {
        source: "SP 800-38A, F.1",
        key: &hex!("603deb10 15ca71be 2b73aef0 857d7781 1f352c07 3b6108d7 2d9810a3 0914dff4"),
        chain: &[],
        input: &hex!(
            "f3eed1bd b5d2a03c 064b5a7e 3db181f8  591ccb10 d410ed26 dc5ba74a 31362870"
            "b6ed21b9 9ca6f4f9 f153e7b1 beafed1d  23304b7a 39f9f3ff 067d8d8f 9e24ecc7"
        ),
        output: PLAIN,
        result: &[],
    },
];

/// A published answer for one message, as that for every lane.
macro_rules! in_every_lane {
    ($answer:literal, key of $key:literal) => {
        KnownAnswer {
            key: &repeated::<{ LANES * $key }>(CBC_ENCRYPT[$answer].key),
            chain: &repeated::<{ LANES * 16 }>(CBC_ENCRYPT[$answer].chain),
            input: &rows::<16, { LANES * 64 }>(CBC_ENCRYPT[$answer].input),
            output: &rows::<16, { LANES * 64 }>(CBC_ENCRYPT[$answer].output),
            result: &repeated::<{ LANES * 16 }>(CBC_ENCRYPT[$answer].result),
            ..CBC_ENCRYPT[$answer]
        }
    };
}

/// The same in every lane.
pub(super) const CBC_ENCRYPT_LANES: &[KnownAnswer] =
    &[in_every_lane!(0, key of 16), in_every_lane!(1, key of 24), in_every_lane!(2, key of 32)];

pub(super) const CBC_ENCRYPT: &[KnownAnswer] = &[
    KnownAnswer {
        source: "SP 800-38A, F.2",
        key: &hex!("2b7e1516 28aed2a6 abf71588 09cf4f3c"),
        chain: &hex!("00010203 04050607 08090a0b 0c0d0e0f"),
        input: PLAIN,
        output: &hex!(
            "7649abac 8119b246 cee98e9b 12e9197d  5086cb9b 507219ee 95db113a 917678b2"
            "73bed6b8 e3c1743b 7116e69e 22229516  3ff1caa1 681fac09 120eca30 7586e1a7"
        ),
        result: &hex!("3ff1caa1 681fac09 120eca30 7586e1a7"),
    },
    KnownAnswer {
        source: "SP 800-38A, F.2",
        key: &hex!("8e73b0f7 da0e6452 c810f32b 809079e5 62f8ead2 522c6b7b"),
        chain: &hex!("00010203 04050607 08090a0b 0c0d0e0f"),
        input: PLAIN,
        output: &hex!(
            "4f021db2 43bc633d 7178183a 9fa071e8  b4d9ada9 ad7dedf4 e5e73876 3f69145a"
            "571b2420 12fb7ae0 7fa9baac 3df102e0  08b0e279 88598881 d920a9e6 4f5615cd"
        ),
        result: &hex!("08b0e279 88598881 d920a9e6 4f5615cd"),
    },
    KnownAnswer {
        source: "SP 800-38A, F.2",
        key: &hex!("603deb10 15ca71be 2b73aef0 857d7781 1f352c07 3b6108d7 2d9810a3 0914dff4"),
        chain: &hex!("00010203 04050607 08090a0b 0c0d0e0f"),
        input: PLAIN,
        output: &hex!(
            "f58c4c04 d6e5f1ba 779eabfb 5f7bfbd6  9cfc4e96 7edb808d 679f777b c6702c7d"
            "39f23369 a9d9bacf a530e263 04231461  b2eb05e2 c39be9fc da6c1907 8c6a9d1b"
        ),
        result: &hex!("b2eb05e2 c39be9fc da6c1907 8c6a9d1b"),
    },
];

pub(super) const CBC_DECRYPT: &[KnownAnswer] = &[
    KnownAnswer {
        source: "SP 800-38A, F.2",
        key: &hex!("2b7e1516 28aed2a6 abf71588 09cf4f3c"),
        chain: &hex!("00010203 04050607 08090a0b 0c0d0e0f"),
        input: &hex!(
            "7649abac 8119b246 cee98e9b 12e9197d  5086cb9b 507219ee 95db113a 917678b2"
            "73bed6b8 e3c1743b 7116e69e 22229516  3ff1caa1 681fac09 120eca30 7586e1a7"
        ),
        output: PLAIN,
        result: &hex!("3ff1caa1 681fac09 120eca30 7586e1a7"),
    },
    KnownAnswer {
        source: "SP 800-38A, F.2",
        key: &hex!("8e73b0f7 da0e6452 c810f32b 809079e5 62f8ead2 522c6b7b"),
        chain: &hex!("00010203 04050607 08090a0b 0c0d0e0f"),
        input: &hex!(
            "4f021db2 43bc633d 7178183a 9fa071e8  b4d9ada9 ad7dedf4 e5e73876 3f69145a"
            "571b2420 12fb7ae0 7fa9baac 3df102e0  08b0e279 88598881 d920a9e6 4f5615cd"
        ),
        output: PLAIN,
        result: &hex!("08b0e279 88598881 d920a9e6 4f5615cd"),
    },
    KnownAnswer {
        source: "SP 800-38A, F.2",
        key: &hex!("603deb10 15ca71be 2b73aef0 857d7781 1f352c07 3b6108d7 2d9810a3 0914dff4"),
        chain: &hex!("00010203 04050607 08090a0b 0c0d0e0f"),
        input: &hex!(
            "f58c4c04 d6e5f1ba 779eabfb 5f7bfbd6  9cfc4e96 7edb808d 679f777b c6702c7d"
            "39f23369 a9d9bacf a530e263 04231461  b2eb05e2 c39be9fc da6c1907 8c6a9d1b"
        ),
        output: PLAIN,
        result: &hex!("b2eb05e2 c39be9fc da6c1907 8c6a9d1b"),
    },
];

pub(super) const CTR: &[KnownAnswer] = &[
    KnownAnswer {
        source: "SP 800-38A, F.5",
        key: &hex!("2b7e1516 28aed2a6 abf71588 09cf4f3c"),
        chain: &hex!("f0f1f2f3 f4f5f6f7 f8f9fafb fcfdfeff"),
        input: PLAIN,
        output: &hex!(
            "874d6191 b620e326 1bef6864 990db6ce  9806f66b 7970fdff 8617187b b9fffdff"
            "5ae4df3e dbd5d35e 5b4f0902 0db03eab  1e031dda 2fbe03d1 792170a0 f3009cee"
        ),
        result: &hex!("f0f1f2f3 f4f5f6f7 f8f9fafb fcfdff03"),
    },
    KnownAnswer {
        source: "SP 800-38A, F.5",
        key: &hex!("8e73b0f7 da0e6452 c810f32b 809079e5 62f8ead2 522c6b7b"),
        chain: &hex!("f0f1f2f3 f4f5f6f7 f8f9fafb fcfdfeff"),
        input: PLAIN,
        output: &hex!(
            "1abc9324 17521ca2 4f2b0459 fe7e6e0b  090339ec 0aa6faef d5ccc2c6 f4ce8e94"
            "1e36b26b d1ebc670 d1bd1d66 5620abf7  4f78a7f6 d2980958 5a97daec 58c6b050"
        ),
        result: &hex!("f0f1f2f3 f4f5f6f7 f8f9fafb fcfdff03"),
    },
    KnownAnswer {
        source: "SP 800-38A, F.5",
        key: &hex!("603deb10 15ca71be 2b73aef0 857d7781 1f352c07 3b6108d7 2d9810a3 0914dff4"),
        chain: &hex!("f0f1f2f3 f4f5f6f7 f8f9fafb fcfdfeff"),
        input: PLAIN,
        output: &hex!(
            "601ec313 775789a5 b7a7f504 bbf3d228  f443e3ca 4d62b59a ca84e990 cacaf5c5"
            "2b0930da a23de94c e87017ba 2d84988d  dfc9c58d b67aada6 13c2dd08 457941a6"
        ),
        result: &hex!("f0f1f2f3 f4f5f6f7 f8f9fafb fcfdff03"),
    },
];

/// The four blocks that SP 800-38A encrypts in all its examples.
const PLAIN: &[u8] = &hex!(
    "6bc1bee2 2e409f96 e93d7e11 7393172a  ae2d8a57 1e03ac9c 9eb76fac 45af8e51"
    "30c81c46 a35ce411 e5fbc119 1a0a52ef  f69f2445 df4f9b17 ad2b417b e66c3710"
);
