//! What the instructions themselves must keep to, whatever their operands.
//!
//! Equal traces say nothing of an instruction whose own time depends on its operands. Which do is in the vendors' lists:
//! Intel, "Data Operand Independent Timing Instruction Set Architecture (ISA) Guidance", names those that do not, and
//! leaves out division and floating point; AMD's Software Optimization Guides give ranges of latency for division, and
//! for PDEP and PEXT before Zen 3.

use std::collections::BTreeSet;

use iced_x86::{CpuidFeature, Instruction, Mnemonic};
use speedwell_kernels::cpu::IsaSet;

/// Sets of instructions by the names that `#[target_feature]` has for them.
#[derive(Clone, Debug)]
pub struct Permitted(BTreeSet<&'static str>);

impl Permitted {
    /// What the compiler may use anyway with the flags of this build, and what a kernel declares, with all it builds on.
    pub fn new(declared: IsaSet) -> Permitted {
        let mut names: BTreeSet<&str> = enabled().into_iter().chain(declared.iter().map(|isa| isa.name())).collect();
        // What builds on a set stands before it here.
        for (name, bases) in BASES {
            if names.contains(name) {
                names.extend(*bases);
            }
        }
        Permitted(names)
    }

    /// The instruction sets that this instruction needs and that are not permitted.
    pub fn lacks(&self, instruction: &Instruction) -> Vec<String> {
        // TZCNT is how compilers write BSF: a processor without BMI1 runs it as BSF, with the same result but for zero.
        if instruction.mnemonic() == Mnemonic::Tzcnt {
            return Vec::new();
        }
        let needed = instruction.cpuid_features().iter().filter(|feature| !BASELINE.contains(feature));
        let named = needed.map(|feature| (*feature, name(*feature)));
        named
            .filter(|(_, name)| name.is_none_or(|name| !self.0.contains(name)))
            .map(|(feature, name)| name.map_or_else(|| format!("{feature:?}").to_lowercase(), str::to_owned))
            .collect()
    }
}

/// Why an instruction's own time may depend on its operands, if it may.
pub fn depends_on_operands(instruction: &Instruction) -> Option<&'static str> {
    use Mnemonic::{Div, Idiv, Pdep, Pext};
    let mnemonic = instruction.mnemonic();
    let name = format!("{mnemonic:?}").to_lowercase();
    match mnemonic {
        Div | Idiv => Some("the time of a division depends on its operands"),
        Pdep | Pext => Some("AMD's processors before Zen 3 take a time that depends on the mask"),
        _ if name.starts_with("vmaskmov") || name.starts_with("vpmaskmov") || name.starts_with("maskmov") => {
            Some("which memory it touches depends on a mask in a vector register")
        }
        _ if name.starts_with("vpconflict") => Some("its time depends on which elements are equal"),
        _ if instruction
            .cpuid_features()
            .iter()
            .any(|feature| matches!(feature, CpuidFeature::FPU | CpuidFeature::FPU287 | CpuidFeature::FPU387))
            || is_float_arithmetic(&name) =>
        {
            Some("floating point takes longer on subnormal numbers")
        }
        _ => None,
    }
}

/// Whether an instruction calculates with floating-point numbers; moves, shuffles and logic only have the type in their
/// names.
fn is_float_arithmetic(name: &str) -> bool {
    const OPERATIONS: &[&str] = &[
        "add", "sub", "mul", "div", "sqrt", "rcp", "rsqrt", "min", "max", "cmp", "cvt", "comi", "ucomi", "fm", "fnm",
        "dp", "hadd", "hsub", "round", "rndscale", "range", "reduce", "scalef", "getexp", "getmant", "fixup",
    ];
    let name = name.strip_prefix('v').unwrap_or(name);
    let typed = ["ps", "pd", "ss", "sd", "ph", "sh"].iter().any(|kind| name.ends_with(kind)) || name.starts_with("cvt");
    typed && !name.starts_with('p') && OPERATIONS.iter().any(|operation| name.starts_with(operation))
}

/// What every x86-64 processor has, and hints that others run as no operation.
const BASELINE: &[CpuidFeature] = &[
    CpuidFeature::INTEL8086,
    CpuidFeature::INTEL186,
    CpuidFeature::INTEL286,
    CpuidFeature::INTEL386,
    CpuidFeature::INTEL486,
    CpuidFeature::X64,
    CpuidFeature::CMOV,
    CpuidFeature::CX8,
    CpuidFeature::FPU,
    CpuidFeature::FXSR,
    CpuidFeature::MMX,
    CpuidFeature::SSE,
    CpuidFeature::SSE2,
    CpuidFeature::SYSCALL,
    CpuidFeature::MULTIBYTENOP,
    CpuidFeature::PAUSE,
    CpuidFeature::CET_IBT,
];

/// An instruction set and those that it includes, as rustc has them; a set stands before those it builds on.
const BASES: &[(&str, &[&str])] = &[
    ("avx512vbmi2", &["avx512bw"]),
    ("avx512vbmi", &["avx512bw"]),
    ("avx512ifma", &["avx512f"]),
    ("avx512vl", &["avx512f"]),
    ("avx512bw", &["avx512f"]),
    ("avx512dq", &["avx512f"]),
    ("avx512f", &["avx2", "fma", "f16c"]),
    ("sha512", &["avx2"]),
    ("vpclmulqdq", &["avx", "pclmulqdq"]),
    ("vaes", &["avx2", "aes"]),
    ("avx2", &["avx"]),
    ("fma", &["avx"]),
    ("f16c", &["avx"]),
    ("avx", &["sse4.2"]),
    ("sse4.2", &["sse4.1"]),
    ("sse4.1", &["ssse3"]),
    ("ssse3", &["sse3"]),
];

/// The decoder's instruction sets with rustc's names for them, and which of them this build enables everywhere.
macro_rules! features {
    ($($feature:ident $name:tt),* $(,)?) => {
        fn name(feature: CpuidFeature) -> Option<&'static str> {
            match feature { $(CpuidFeature::$feature => Some($name),)* _ => None }
        }

        fn enabled() -> Vec<&'static str> {
            let mut names = Vec::new();
            $(if cfg!(target_feature = $name) { names.push($name); })*
            names
        }
    };
}

features! {
    SSE3 "sse3", SSSE3 "ssse3", SSE4_1 "sse4.1", SSE4_2 "sse4.2", SSE4A "sse4a", POPCNT "popcnt", LZCNT "lzcnt",
    MOVBE "movbe", AES "aes", PCLMULQDQ "pclmulqdq", BMI1 "bmi1", BMI2 "bmi2", ADX "adx", SHA "sha", GFNI "gfni",
    AVX "avx", AVX2 "avx2", FMA "fma", F16C "f16c", VAES "vaes", VPCLMULQDQ "vpclmulqdq", SHA512 "sha512",
    AVX512F "avx512f", AVX512CD "avx512cd", AVX512DQ "avx512dq", AVX512BW "avx512bw", AVX512VL "avx512vl",
    AVX512_IFMA "avx512ifma", AVX512_VBMI "avx512vbmi", AVX512_VBMI2 "avx512vbmi2", AVX512_VNNI "avx512vnni",
    AVX512_BITALG "avx512bitalg", AVX512_VPOPCNTDQ "avx512vpopcntdq",
}

#[cfg(test)]
mod tests {
    use iced_x86::{Decoder, DecoderOptions};

    use super::*;

    fn decode(code: &[u8]) -> Instruction {
        Decoder::new(64, code, DecoderOptions::NONE).decode()
    }

    #[test]
    fn a_set_that_is_not_declared_is_told() {
        let (aesenc, vaesenc, add) = ([0x66, 0x0f, 0x38, 0xdc, 0xc1], [0xc4, 0xe2, 0x75, 0xdc, 0xc2], [0x01, 0xc0]);
        let aes = Permitted::new(IsaSet::named(&["aes"]));
        assert!(aes.lacks(&decode(&aesenc)).is_empty());
        assert!(aes.lacks(&decode(&add)).is_empty());
        if !cfg!(target_feature = "vaes") {
            assert_eq!(aes.lacks(&decode(&vaesenc)), ["vaes"]);
        }
        assert!(Permitted::new(IsaSet::named(&["vaes"])).lacks(&decode(&vaesenc)).is_empty());
    }

    #[test]
    fn instructions_with_a_time_of_their_own_are_told() {
        for code in [&[0xf7, 0xf1][..], &[0xf2, 0x0f, 0x5e, 0xc1], &[0xf2, 0x0f, 0x58, 0xc1], &[0xd8, 0xc1]] {
            assert!(depends_on_operands(&decode(code)).is_some(), "{}", decode(code));
        }
        // imul, xorps, movups, shufps, paddd, cmovne
        for code in [
            &[0x0f, 0xaf, 0xc1][..],
            &[0x0f, 0x57, 0xc0],
            &[0x0f, 0x10, 0xc1],
            &[0x0f, 0xc6, 0xc1, 0],
            &[0x66, 0x0f, 0xfe, 0xc1],
            &[0x0f, 0x45, 0xc1],
        ] {
            assert_eq!(depends_on_operands(&decode(code)), None, "{}", decode(code));
        }
    }
}
