//! Published answers. "GCM" is D. McGrew and J. Viega, "The Galois/Counter Mode of Operation (GCM)", 2005, appendix B;
//! the intermediate values are those that it lists.

use hex_literal::hex;

use crate::exercise::KnownAnswer;

/// The table has H divided by x, and so on: worked out bit by bit as SP 800-38D, section 6.3, defines the product.
pub(super) const EXPAND_KEY: &[KnownAnswer] = &[KnownAnswer {
    source: "SP 800-38D, section 6.3, with H of GCM, test case 2",
    key: &hex!("66e94bd4ef8a2c3b884cfa59ca342b2e"),
    chain: &[],
    input: &[],
    output: &[],
    result: &hex!(
        "040194e5cb754919a7a020ba966ed41e 0d0387f31d012c5f5fd4b2a6f9f98843"
        "d3d6b972bfda1c23f806f36830c36aa8 3e4539b8fc3c89535223f47c5707787e"
        "fdb993e206ddb3d5b264419d79a2579f a9c842462e8c3b6f70024e7aed9777bb"
        "9fba95761b3873de7b50d13c8d138204 d95f53731588bc7422f1af8a15412c88"
        "24c9eafb3d657ca4a41be65fa017e4d0 ee1e1db3e0e609f1745454fcbc98197d"
        "1eee4a181824f34a4e1c9de1b0cf87ec 5da5b00b635b847db4102d631f1b15f9"
        "65710c443ec2ade44591bd4873d98b56 9523fb8b4fa0c135f9fa22c302e79586"
        "9b20b98c483a0bea0d1263693720d388 5c566894b3f49910775814dfa997d2cd"
    ),
}];

pub(super) const GHASH: &[KnownAnswer] = &[
    KnownAnswer {
        source: "GCM, test case 2: ciphertext and lengths",
        key: &hex!("66e94bd4ef8a2c3b884cfa59ca342b2e"),
        chain: &[0; 16],
        input: &hex!("0388dace60b6a392f328c2b971b2fe78 00000000000000000000000000000080"),
        output: &[],
        result: &hex!("f38cbb1ad69223dcc3457ae5b6b0f885"),
    },
    KnownAnswer {
        source: "GCM, test case 3: from X1 to X4",
        key: &hex!("b83b533708bf535d0aa6e52980d53b78"),
        chain: &hex!("59ed3f2bb1a0aaa07c9f56c6a504647b"),
        input: CIPHERTEXT_3.split_at(16).1,
        output: &[],
        result: &hex!("4796cf49464704b5dd91f159bb1b7f95"),
    },
];

const KEY_3: &[u8] = &hex!("feffe9928665731c6d6a8f9467308308");
const KEY_9: &[u8] = &hex!("feffe9928665731c6d6a8f9467308308feffe9928665731c");
const KEY_15: &[u8] = &hex!("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308");

const PLAINTEXT: &[u8] = &hex!(
    "d9313225f88406e5a55909c5aff5269a 86a7a9531534f7da2e4c303d8a318a72"
    "1c3c0c95956809532fcf0e2449a6b525 b16aedf5aa0de657ba637b391aafd255"
);

const CIPHERTEXT_3: &[u8] = &hex!(
    "42831ec2217774244b7221b784d0d49c e3aa212f2c02a4e035c17e2329aca12e"
    "21d514b25466931c7d8f6a5aac84aa05 1ba30b396a0aac973d58e091473f5985"
);

const CIPHERTEXT_9: &[u8] = &hex!(
    "3980ca0b3c00e841eb06fac4872a2757 859e1ceaa6efd984628593b40ca1e19c"
    "7d773d00c144c525ac619d18c84a3f47 18e2448b2fe324d9ccda2710acade256"
);

const CIPHERTEXT_15: &[u8] = &hex!(
    "522dc1f099567d07f47f37a32a84427d 643a8cdcbfe5c0c97598a2bd2555d1aa"
    "8cb08e48590dbb3da7b08b1056828838 c5f61e6393ba7a0abcc9f662898015ad"
);

/// Hash 0 and the second counter block; then X4 and the sixth.
const START_3: &[u8] = &hex!("00000000000000000000000000000000 cafebabefacedbaddecaf88800000002");
const END_3: &[u8] = &hex!("4796cf49464704b5dd91f159bb1b7f95 cafebabefacedbaddecaf88800000006");

pub(super) const ENCRYPT: &[KnownAnswer] = &[KnownAnswer {
    source: "GCM, test case 3, to X4",
    key: KEY_3,
    chain: START_3,
    input: PLAINTEXT,
    output: CIPHERTEXT_3,
    result: END_3,
}];

pub(super) const DECRYPT: &[KnownAnswer] = &[KnownAnswer {
    source: "GCM, test case 3, to X4, backwards",
    key: KEY_3,
    chain: START_3,
    input: CIPHERTEXT_3,
    output: PLAINTEXT,
    result: END_3,
}];

const FIRST: &[u8] = &hex!("cafebabefacedbaddecaf88800000001");
const FIRST_OF_ZEROS: &[u8] = &hex!("00000000000000000000000000000001");

const TAG_3: &[u8] = &hex!("4d5c2af327cd64a62cf35abd2ba6fab4");
const TAG_9: &[u8] = &hex!("9924a7c8587336bfb118024db8674a14");
const TAG_15: &[u8] = &hex!("b094dac5d93471bdec1a502270e3cc6c");

const EMPTY: KnownAnswer = KnownAnswer {
    source: "GCM, test case 1",
    key: &[0; 16],
    chain: FIRST_OF_ZEROS,
    input: &[],
    output: &[],
    result: &hex!("58e2fccefa7e3061367f1d57a4e7455a"),
};

const fn answer(
    source: &'static str,
    key: &'static [u8],
    [input, output]: [&'static [u8]; 2],
    tag: &'static [u8],
) -> KnownAnswer {
    KnownAnswer { source, key, chain: FIRST, input, output, result: tag }
}

pub(super) const SEAL: &[KnownAnswer] = &[
    EMPTY,
    answer("GCM, test case 3", KEY_3, [PLAINTEXT, CIPHERTEXT_3], TAG_3),
    answer("GCM, test case 9", KEY_9, [PLAINTEXT, CIPHERTEXT_9], TAG_9),
    answer("GCM, test case 15", KEY_15, [PLAINTEXT, CIPHERTEXT_15], TAG_15),
];

pub(super) const OPEN: &[KnownAnswer] = &[
    EMPTY,
    answer("GCM, test case 3, backwards", KEY_3, [CIPHERTEXT_3, PLAINTEXT], TAG_3),
    answer("GCM, test case 9, backwards", KEY_9, [CIPHERTEXT_9, PLAINTEXT], TAG_9),
    answer("GCM, test case 15, backwards", KEY_15, [CIPHERTEXT_15, PLAINTEXT], TAG_15),
];
