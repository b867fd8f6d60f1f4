//! Multiplications of limbs, for RSA and DSA.

use speedwell_kernels::cpu::IsaSet;

use super::{Model, ZEROS};

pub(super) const MULTIPLY: &[Model] = &[
    Model {
        what: "independent vpmadd52 of eight lanes, two for each product of limbs of 52 bits",
        needs: IsaSet::named(&["avx512ifma"]),
        steps_per_turn: 16,
        units_together: 8,
        limb: 52,
        run: madd52,
    },
    Model {
        what: "independent mulx, one for each product of limbs of 64 bits",
        needs: IsaSet::named(&["bmi2"]),
        steps_per_turn: 16,
        units_together: 1,
        limb: 64,
        run: mulx,
    },
];

turns! {
    fn madd52, first "vbroadcasti32x4 zmm0, [{zeros}]", 2 times [
        "vpmadd52luq zmm16, zmm0, zmm0", "vpmadd52huq zmm17, zmm0, zmm0", "vpmadd52luq zmm18, zmm0, zmm0",
        "vpmadd52huq zmm19, zmm0, zmm0", "vpmadd52luq zmm20, zmm0, zmm0", "vpmadd52huq zmm21, zmm0, zmm0",
        "vpmadd52luq zmm22, zmm0, zmm0", "vpmadd52huq zmm23, zmm0, zmm0",
    ],
    last "vzeroupper",
    loses ["zmm0", "zmm16", "zmm17", "zmm18", "zmm19", "zmm20", "zmm21", "zmm22", "zmm23"]
}

turns! {
    fn mulx, 4 times [
        "mulx rax, rcx, r8", "mulx rsi, rdi, r8", "mulx r9, r10, r8", "mulx r11, r12, r8",
    ],
    loses ["rax", "rcx", "rsi", "rdi", "r9", "r10", "r11", "r12"]
}
