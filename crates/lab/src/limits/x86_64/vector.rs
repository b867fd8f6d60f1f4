//! Instructions made for a cipher or hash: AES rounds, in a chain and in streams, and SHA rounds.

use speedwell_kernels::cpu::IsaSet;

use super::{Model, ZEROS};

/// A loop on vector registers 0 to 12.
macro_rules! vector_turns {
    (fn $name:ident, $repeat:literal times [$($line:expr),* $(,)?] $(, last $last:literal)?) => {
        turns! {
            fn $name,
            first concat!(
                "movdqu xmm0, [{zeros}]\n", "movdqu xmm1, [{zeros}]\n", "movdqu xmm2, [{zeros}]\n", "movdqu xmm3, [{zeros}]\n",
                "movdqu xmm4, [{zeros}]\n", "movdqu xmm5, [{zeros}]\n", "movdqu xmm6, [{zeros}]\n", "movdqu xmm7, [{zeros}]\n",
                "movdqu xmm8, [{zeros}]\n", "movdqu xmm9, [{zeros}]\n", "movdqu xmm10, [{zeros}]\n", "movdqu xmm11, [{zeros}]\n",
                "movdqu xmm12, [{zeros}]\n",
            ),
            $repeat times [$($line),*],
            $(last $last,)?
            loses [
                "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12"
            ]
        }
    };
}

// AES, CBC encryption: every block waits for the one before, so that each round waits for the round before. The xor with
// the next plaintext block folds into the last round's key. Both kinds of round, aesenc and aesenclast, take as long.

pub(super) const AES_CHAIN: &[Model] = &[Model {
    what: "dependent aesenc chain, one per round",
    needs: IsaSet::named(&["aes"]),
    steps_per_turn: 32,
    units_together: 1,
    limb: 0,
    run: aesenc_chain,
}];

vector_turns! { fn aesenc_chain, 32 times ["aesenc xmm0, xmm1"] }

// AES on independent blocks (ECB, CTR, CBC decryption): one instruction per round and vector of blocks, as many at a time
// as the processor's units take. Twelve chains cover a latency of four cycles on up to three units.

pub(super) const AES_STREAM: &[Model] = &[
    Model {
        what: "independent vaesenc of 64 bytes, one per round and 4 blocks",
        needs: IsaSet::named(&["vaes", "avx512f"]),
        steps_per_turn: 48,
        units_together: 4,
        limb: 0,
        run: vaesenc_512,
    },
    Model {
        what: "independent vaesenc of 32 bytes, one per round and 2 blocks",
        needs: IsaSet::named(&["vaes"]),
        steps_per_turn: 48,
        units_together: 2,
        limb: 0,
        run: vaesenc_256,
    },
    Model {
        what: "independent aesenc, one per round and block",
        needs: IsaSet::named(&["aes"]),
        steps_per_turn: 48,
        units_together: 1,
        limb: 0,
        run: aesenc_stream,
    },
];

/// Twelve independent instructions, four times a turn: `$start` 0 `$middle` 0 `$end`, and so on.
macro_rules! streams {
    ($name:ident, $start:tt $middle:tt $end:tt $(, last $last:literal)?) => {
        vector_turns! {
            fn $name, 4 times [
                streams!(0 $start $middle $end), streams!(1 $start $middle $end), streams!(2 $start $middle $end),
                streams!(3 $start $middle $end), streams!(4 $start $middle $end), streams!(5 $start $middle $end),
                streams!(6 $start $middle $end), streams!(7 $start $middle $end), streams!(8 $start $middle $end),
                streams!(9 $start $middle $end), streams!(10 $start $middle $end), streams!(11 $start $middle $end),
            ]
            $(, last $last)?
        }
    };
    // An instruction of two operands has no middle.
    ($register:tt $start:tt _ $end:tt) => { concat!($start, $register, ", ", $end) };
    ($register:tt $start:tt $middle:tt $end:tt) => { concat!($start, $register, $middle, $register, ", ", $end) };
}

streams! { aesenc_stream, "aesenc xmm" _ "xmm12" }
// Code compiled for SSE runs slowly while the upper halves of the registers are in use: they are given back.
streams! { vaesenc_256, "vaesenc ymm" ", ymm" "ymm12", last "vzeroupper" }
streams! { vaesenc_512, "vaesenc zmm" ", zmm" "zmm12", last "vzeroupper" }

// AES-GCM: the rounds and the four products of GHASH, which take the same units, as instructions that do not wait for each
// other, in the proportion of AES-128: ten to four. The reduction, the sums and the counters are for nothing.

pub(super) const AES_GCM: &[Model] = &[
    Model {
        what: "independent vaesenc and vpclmulqdq of 64 bytes, one per round and four per product of 4 blocks",
        needs: IsaSet::named(&["vaes", "vpclmulqdq", "avx512f"]),
        steps_per_turn: 4 * 14,
        units_together: 4,
        limb: 0,
        run: gcm_512,
    },
    Model {
        what: "independent vaesenc and vpclmulqdq of 32 bytes, one per round and four per product of 2 blocks",
        needs: IsaSet::named(&["vaes", "vpclmulqdq"]),
        steps_per_turn: 4 * 14,
        units_together: 2,
        limb: 0,
        run: gcm_256,
    },
    Model {
        what: "independent aesenc and pclmulqdq, one per round and four per product of a block",
        needs: IsaSet::named(&["aes", "pclmulqdq"]),
        steps_per_turn: 4 * 14,
        units_together: 1,
        limb: 0,
        run: gcm_128,
    },
];

vector_turns! {
    fn gcm_512, 4 times [
        "vaesenc zmm0, zmm0, zmm12", "vaesenc zmm1, zmm1, zmm12", "vaesenc zmm2, zmm2, zmm12", "vpclmulqdq zmm8, zmm12, zmm11, 0",
        "vaesenc zmm3, zmm3, zmm12", "vaesenc zmm4, zmm4, zmm12", "vpclmulqdq zmm9, zmm12, zmm11, 0",
        "vaesenc zmm5, zmm5, zmm12", "vaesenc zmm6, zmm6, zmm12", "vaesenc zmm7, zmm7, zmm12", "vpclmulqdq zmm10, zmm12, zmm11, 0",
        "vaesenc zmm0, zmm0, zmm12", "vaesenc zmm1, zmm1, zmm12", "vpclmulqdq zmm8, zmm12, zmm11, 0",
    ], last "vzeroupper"
}

vector_turns! {
    fn gcm_256, 4 times [
        "vaesenc ymm0, ymm0, ymm12", "vaesenc ymm1, ymm1, ymm12", "vaesenc ymm2, ymm2, ymm12", "vpclmulqdq ymm8, ymm12, ymm11, 0",
        "vaesenc ymm3, ymm3, ymm12", "vaesenc ymm4, ymm4, ymm12", "vpclmulqdq ymm9, ymm12, ymm11, 0",
        "vaesenc ymm5, ymm5, ymm12", "vaesenc ymm6, ymm6, ymm12", "vaesenc ymm7, ymm7, ymm12", "vpclmulqdq ymm10, ymm12, ymm11, 0",
        "vaesenc ymm0, ymm0, ymm12", "vaesenc ymm1, ymm1, ymm12", "vpclmulqdq ymm8, ymm12, ymm11, 0",
    ], last "vzeroupper"
}

vector_turns! {
    fn gcm_128, 4 times [
        "aesenc xmm0, xmm12", "aesenc xmm1, xmm12", "aesenc xmm2, xmm12", "movdqa xmm8, xmm12", "pclmulqdq xmm8, xmm11, 0",
        "aesenc xmm3, xmm12", "aesenc xmm4, xmm12", "movdqa xmm9, xmm12", "pclmulqdq xmm9, xmm11, 0",
        "aesenc xmm5, xmm12", "aesenc xmm6, xmm12", "aesenc xmm7, xmm12", "movdqa xmm10, xmm12", "pclmulqdq xmm10, xmm11, 0",
        "aesenc xmm0, xmm12", "aesenc xmm1, xmm12", "movdqa xmm8, xmm12", "pclmulqdq xmm8, xmm11, 0",
    ]
}

// SHA-1 and SHA-2 with their own instructions: a chain through the state, the schedule beside it for nothing. One
// instruction does four rounds of SHA-1, two of SHA-2; sources and destinations take turns, as in the real thing.

pub(super) const SHA1_NI: Model = Model {
    what: "dependent sha1rnds4 chain, one per 4 rounds",
    needs: IsaSet::named(&["sha"]),
    steps_per_turn: 4 * 32,
    units_together: 1,
    limb: 0,
    run: sha1rnds4_chain,
};

pub(super) const SHA256_NI: Model = Model {
    what: "dependent sha256rnds2 chain, one per 2 rounds",
    needs: IsaSet::named(&["sha"]),
    steps_per_turn: 2 * 32,
    units_together: 1,
    limb: 0,
    run: sha256rnds2_chain,
};

pub(super) const SHA512_NI: Model = Model {
    what: "dependent vsha512rnds2 chain, one per 2 rounds",
    needs: IsaSet::named(&["sha512"]),
    steps_per_turn: 2 * 32,
    units_together: 1,
    limb: 0,
    run: sha512rnds2_chain,
};

vector_turns! { fn sha1rnds4_chain, 32 times ["sha1rnds4 xmm0, xmm1, 1"] }

vector_turns! {
    fn sha256rnds2_chain, 16 times ["sha256rnds2 xmm1, xmm2, xmm0", "sha256rnds2 xmm2, xmm1, xmm0"]
}

vector_turns! {
    fn sha512rnds2_chain, 16 times ["vsha512rnds2 ymm1, ymm2, xmm0", "vsha512rnds2 ymm2, ymm1, xmm0"], last "vzeroupper"
}

// SHA-2 in vector registers: the rounds alone, as instructions that do not wait for each other. `a` and `e` in two lanes of
// one register share three rotations and their sum; Ch and Maj take three instructions of ternary logic, the step of T1
// into the other lane one, and five additions are left: thirteen.

pub(super) const SHA2_TERNARY: Model = Model {
    what: "the rounds alone, 13 vector instructions each, schedule for nothing",
    needs: IsaSet::named(&["avx512vl"]),
    steps_per_turn: 8,
    units_together: 1,
    limb: 0,
    run: sha2_ternary,
};

vector_turns! {
    fn sha2_ternary, 8 times [
        "vprorvq xmm0, xmm10, xmm11", "vpaddq xmm1, xmm10, xmm11", "vpternlogq xmm2, xmm10, xmm11, 0x96",
        "vprorvq xmm3, xmm10, xmm11", "vpaddq xmm4, xmm10, xmm11", "vpternlogq xmm5, xmm10, xmm11, 0xca",
        "vprorvq xmm6, xmm10, xmm11", "vpaddq xmm7, xmm10, xmm11", "vpternlogq xmm8, xmm10, xmm11, 0xca",
        "vpalignr xmm9, xmm10, xmm11, 8", "vpaddq xmm1, xmm10, xmm11", "vpternlogq xmm12, xmm10, xmm11, 0xca",
        "vpaddq xmm4, xmm10, xmm11",
    ]
}

// MD5 in a vector register: one ternary-logic instruction for the step's function, an addition, a rotation, an addition;
// additions of message and constant are made ahead. The vector units' latency of one cycle makes it four a step.

pub(super) const MD5_TERNARY: Model = Model {
    what: "dependent vpternlogd, vpaddd, vprold, vpaddd chain, one per step",
    needs: IsaSet::named(&["avx512vl"]),
    steps_per_turn: 16,
    units_together: 1,
    limb: 0,
    run: md5_ternary,
};

vector_turns! {
    fn md5_ternary, 16 times [
        "vpternlogd xmm0, xmm1, xmm2, 0xca", "vpaddd xmm0, xmm0, xmm3", "vprold xmm0, xmm0, 7",
        "vpaddd xmm0, xmm0, xmm4",
    ]
}
