//! The names of processor designs, by which measurements are filed.

use std::fmt;

use super::Identity;

/// A processor design, named as GCC's `-march` does where GCC has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Microarchitecture(&'static str);

impl Microarchitecture {
    /// The name, in lower case without spaces: it is also a folder's name under `measurements/`.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// Names the design from CPUID's family, model and stepping: AMD's Processor Programming References and revision
    /// guides, and the Intel SDM, volume 4, table 2-1. Unlisted models are `unknown`, never guessed.
    pub(super) fn of(identity: &Identity) -> Microarchitecture {
        let Identity { vendor, family, model, stepping, .. } = identity;
        Microarchitecture(match vendor.as_str() {
            "AuthenticAMD" => amd(*family, *model),
            "GenuineIntel" if *family == 6 => intel(*model, *stepping),
            _ => "unknown",
        })
    }
}

impl fmt::Display for Microarchitecture {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.0)
    }
}

fn amd(family: u32, model: u32) -> &'static str {
    match (family, model) {
        (0x10, _) => "k10",
        (0x14, _) => "bobcat",
        (0x15, 0x00..=0x01) => "bulldozer",
        (0x15, 0x02 | 0x10..=0x1f) => "piledriver",
        (0x15, 0x30..=0x3f) => "steamroller",
        (0x15, 0x60..=0x7f) => "excavator",
        (0x16, _) => "jaguar",
        (0x17, 0x08 | 0x18) => "zen+",
        (0x17, 0x00..=0x2f) => "zen",
        (0x17, _) => "zen2",
        (0x19, 0x00..=0x0f | 0x20..=0x5f) => "zen3",
        (0x19, _) => "zen4",
        (0x1a, 0x00..=0x4f | 0x60..=0x7f) => "zen5",
        _ => "unknown",
    }
}

fn intel(model: u32, stepping: u32) -> &'static str {
    match model {
        0x0f | 0x16 => "core2",
        0x17 | 0x1d => "penryn",
        0x1a | 0x1e | 0x1f | 0x2e => "nehalem",
        0x25 | 0x2c | 0x2f => "westmere",
        0x2a | 0x2d => "sandybridge",
        0x3a | 0x3e => "ivybridge",
        0x3c | 0x3f | 0x45 | 0x46 => "haswell",
        0x3d | 0x47 | 0x4f | 0x56 => "broadwell",
        0x4e | 0x5e | 0x8e | 0x9e | 0xa5 | 0xa6 => "skylake",
        0x55 if stepping <= 4 => "skylake-avx512",
        0x55 if stepping <= 7 => "cascadelake",
        0x55 => "cooperlake",
        0x66 => "cannonlake",
        0x7d | 0x7e => "icelake-client",
        0x6a | 0x6c => "icelake-server",
        0xa7 => "rocketlake",
        0x8c | 0x8d => "tigerlake",
        0x8f => "sapphirerapids",
        0xcf => "emeraldrapids",
        0x97 | 0x9a => "alderlake",
        0xb7 | 0xba | 0xbf => "raptorlake",
        0xaa | 0xac => "meteorlake",
        0xc5 | 0xc6 => "arrowlake",
        0xbd => "lunarlake",
        0xad | 0xae => "graniterapids",
        0xaf => "sierraforest",
        0xbe => "gracemont",
        0x37 | 0x4a | 0x4d | 0x5a | 0x5d => "silvermont",
        0x5c | 0x5f => "goldmont",
        0x7a => "goldmont-plus",
        0x86 | 0x96 | 0x9c => "tremont",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn designs_by_family_and_model() {
        let name = |vendor: &str, family, model, stepping| {
            let identity = Identity { vendor: vendor.to_owned(), family, model, stepping, ..Identity::default() };
            Microarchitecture::of(&identity).name()
        };
        // EPYC 7B12, EPYC 9R14, EPYC 9755; Xeon E5-2680 v3, Platinum 8259CL, Platinum 8488C.
        assert_eq!(name("AuthenticAMD", 0x17, 0x31, 0), "zen2");
        assert_eq!(name("AuthenticAMD", 0x19, 0x11, 1), "zen4");
        assert_eq!(name("AuthenticAMD", 0x1a, 0x02, 1), "zen5");
        assert_eq!(name("GenuineIntel", 6, 0x3f, 2), "haswell");
        assert_eq!(name("GenuineIntel", 6, 0x55, 7), "cascadelake");
        assert_eq!(name("GenuineIntel", 6, 0x8f, 8), "sapphirerapids");
        assert_eq!(name("GenuineIntel", 6, 0xfe, 0), "unknown");
        assert_eq!(name("CentaurHauls", 7, 0x1b, 0), "unknown");
    }
}
