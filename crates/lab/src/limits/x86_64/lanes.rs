//! Hashes of many messages, one in each lane of AVX-512 vectors: the instructions of the rounds and of the schedule, none of
//! which waits for another. What the transposition of blocks takes is left out.

use speedwell_kernels::cpu::IsaSet;

use super::{Model, ZEROS};

const NEEDS: IsaSet = IsaSet::named(&["avx512f"]);

// MD5: a step's function, its rotation, and four sums.

pub(super) const MD5: &[Model] = &[Model {
    what: "six independent vector instructions a step and 16 messages",
    needs: NEEDS,
    steps_per_turn: 8 * 2,
    units_together: 16,
    limb: 0,
    run: md5,
}];

vector_turns! {
    fn md5, 8 times [
        "vpaddd zmm0, zmm0, zmm12", "vpternlogd zmm1, zmm11, zmm12, 0x96", "vpaddd zmm2, zmm2, zmm12",
        "vprold zmm3, zmm3, 7", "vpaddd zmm4, zmm4, zmm12", "vpaddd zmm5, zmm5, zmm12",
        "vpaddd zmm6, zmm6, zmm12", "vpternlogd zmm7, zmm11, zmm12, 0x96", "vpaddd zmm8, zmm8, zmm12",
        "vprold zmm9, zmm9, 7", "vpaddd zmm10, zmm10, zmm12", "vpaddd zmm0, zmm0, zmm12",
    ],
    last "vzeroupper"
}

// SHA-1: a round's function, two rotations and four sums; for four words of five, two additions without carry and a rotation.

pub(super) const SHA1: &[Model] = &[Model {
    what: "47 independent vector instructions for five rounds, words and 16 messages",
    needs: NEEDS,
    steps_per_turn: 2 * 5,
    units_together: 16,
    limb: 0,
    run: sha1,
}];

vector_turns! {
    fn sha1, 2 times [
        "vpaddd zmm0, zmm0, zmm12", "vprold zmm1, zmm1, 7", "vpternlogd zmm2, zmm11, zmm12, 0x96",
        "vpaddd zmm3, zmm3, zmm12", "vpaddd zmm4, zmm4, zmm12", "vprold zmm5, zmm5, 7",
        "vpaddd zmm6, zmm6, zmm12", "vpternlogd zmm7, zmm11, zmm12, 0x96", "vprold zmm8, zmm8, 7",
        "vpaddd zmm9, zmm9, zmm12", "vpaddd zmm10, zmm10, zmm12", "vprold zmm0, zmm0, 7",
        "vpaddd zmm1, zmm1, zmm12", "vpternlogd zmm2, zmm11, zmm12, 0x96", "vpaddd zmm3, zmm3, zmm12",
        "vprold zmm4, zmm4, 7", "vpaddd zmm5, zmm5, zmm12", "vpternlogd zmm6, zmm11, zmm12, 0x96",
        "vpaddd zmm7, zmm7, zmm12", "vprold zmm8, zmm8, 7", "vpaddd zmm9, zmm9, zmm12",
        "vprold zmm10, zmm10, 7", "vpaddd zmm0, zmm0, zmm12", "vpternlogd zmm1, zmm11, zmm12, 0x96",
        "vpaddd zmm2, zmm2, zmm12", "vprold zmm3, zmm3, 7", "vpaddd zmm4, zmm4, zmm12",
        "vpternlogd zmm5, zmm11, zmm12, 0x96", "vpaddd zmm6, zmm6, zmm12", "vprold zmm7, zmm7, 7",
        "vpaddd zmm8, zmm8, zmm12", "vprold zmm9, zmm9, 7", "vpaddd zmm10, zmm10, zmm12",
        "vpternlogd zmm0, zmm11, zmm12, 0x96", "vpaddd zmm1, zmm1, zmm12", "vprold zmm2, zmm2, 7",
        "vpaddd zmm3, zmm3, zmm12", "vpaddd zmm4, zmm4, zmm12", "vprold zmm5, zmm5, 7",
        "vpternlogd zmm6, zmm11, zmm12, 0x96", "vpaddd zmm7, zmm7, zmm12", "vprold zmm8, zmm8, 7",
        "vpaddd zmm9, zmm9, zmm12", "vpaddd zmm10, zmm10, zmm12", "vpternlogd zmm0, zmm11, zmm12, 0x96",
        "vprold zmm1, zmm1, 7", "vpaddd zmm2, zmm2, zmm12",
    ],
    last "vzeroupper"
}

// SHA-2: six rotations, four three-input functions and seven sums a round; for three words of four (SHA-512: four of five)
// six rotations and shifts, two three-input additions and three sums. Two rounds stand for both, with one word and a half.

pub(super) const SHA256: &[Model] = &[Model {
    what: "51 independent vector instructions for two rounds, words and 16 messages",
    needs: NEEDS,
    steps_per_turn: 2 * 2,
    units_together: 16,
    limb: 0,
    run: sha2,
}];

pub(super) const SHA512: &[Model] = &[Model {
    what: "51 independent vector instructions for two rounds, words and 8 messages",
    needs: NEEDS,
    steps_per_turn: 2 * 2,
    units_together: 8,
    limb: 0,
    run: sha2,
}];

vector_turns! {
    fn sha2, 2 times [
        "vprold zmm0, zmm0, 7", "vpaddd zmm1, zmm1, zmm12", "vpternlogd zmm2, zmm11, zmm12, 0x96",
        "vprold zmm3, zmm3, 7", "vpaddd zmm4, zmm4, zmm12", "vprold zmm5, zmm5, 7",
        "vpaddd zmm6, zmm6, zmm12", "vpternlogd zmm7, zmm11, zmm12, 0x96", "vprold zmm8, zmm8, 7",
        "vpaddd zmm9, zmm9, zmm12", "vprold zmm10, zmm10, 7", "vpternlogd zmm0, zmm11, zmm12, 0x96",
        "vpaddd zmm1, zmm1, zmm12", "vprold zmm2, zmm2, 7", "vpaddd zmm3, zmm3, zmm12",
        "vprold zmm4, zmm4, 7", "vpternlogd zmm5, zmm11, zmm12, 0x96", "vpaddd zmm6, zmm6, zmm12",
        "vprold zmm7, zmm7, 7", "vpaddd zmm8, zmm8, zmm12", "vprold zmm9, zmm9, 7",
        "vpternlogd zmm10, zmm11, zmm12, 0x96", "vpaddd zmm0, zmm0, zmm12", "vprold zmm1, zmm1, 7",
        "vpternlogd zmm2, zmm11, zmm12, 0x96", "vprold zmm3, zmm3, 7", "vpaddd zmm4, zmm4, zmm12",
        "vprold zmm5, zmm5, 7", "vpaddd zmm6, zmm6, zmm12", "vpternlogd zmm7, zmm11, zmm12, 0x96",
        "vprold zmm8, zmm8, 7", "vpaddd zmm9, zmm9, zmm12", "vprold zmm10, zmm10, 7",
        "vpaddd zmm0, zmm0, zmm12", "vpternlogd zmm1, zmm11, zmm12, 0x96", "vprold zmm2, zmm2, 7",
        "vpaddd zmm3, zmm3, zmm12", "vprold zmm4, zmm4, 7", "vpaddd zmm5, zmm5, zmm12",
        "vpternlogd zmm6, zmm11, zmm12, 0x96", "vprold zmm7, zmm7, 7", "vpaddd zmm8, zmm8, zmm12",
        "vprold zmm9, zmm9, 7", "vpternlogd zmm10, zmm11, zmm12, 0x96", "vpaddd zmm0, zmm0, zmm12",
        "vprold zmm1, zmm1, 7", "vpaddd zmm2, zmm2, zmm12", "vprold zmm3, zmm3, 7",
        "vpternlogd zmm4, zmm11, zmm12, 0x96", "vpaddd zmm5, zmm5, zmm12", "vprold zmm6, zmm6, 7",
    ],
    last "vzeroupper"
}
