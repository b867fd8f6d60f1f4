//! The processor at hand: what it can run ([`IsaSet`]), what it is ([`Microarchitecture`]), and a fingerprint by which
//! a measurement is known to be of this machine.
//!
//! Capability only. Which kernel may see secrets and which is fastest are other questions, with types of their own.

mod isa;
mod microarchitecture;

use std::fmt;
use std::sync::OnceLock;

pub use isa::{Isa, IsaSet, UnknownIsa};
pub use microarchitecture::Microarchitecture;

/// A processor as this process may use it.
///
/// It is only made by looking at the host and taking features away, so that whatever it claims, the host has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpu {
    features: IsaSet,
    identity: Identity,
}

/// Which processor it is, as CPUID and the operating system tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The vendor string of CPUID leaf 0, such as `AuthenticAMD`.
    pub vendor: String,
    /// The display family (base plus extended).
    pub family: u32,
    /// The display model (base plus extended).
    pub model: u32,
    /// The stepping.
    pub stepping: u32,
    /// The brand string, such as `AMD EPYC 9R14`.
    pub brand: String,
    /// The microcode revision, where the operating system tells it.
    pub microcode: Option<u64>,
    /// The hypervisor's signature (CPUID leaf 0x4000_0000), such as `KVMKVMKVM`, if there is one.
    pub hypervisor: Option<String>,
}

impl Cpu {
    /// The processor this process runs on, found out once. Features the operating system does not save are absent.
    pub fn host() -> &'static Cpu {
        static HOST: OnceLock<Cpu> = OnceLock::new();
        HOST.get_or_init(|| Cpu { features: IsaSet::detect(), identity: identify() })
    }

    /// The same processor without some instruction sets, and without those that build on them.
    pub fn without(&self, masked: IsaSet) -> Cpu {
        Cpu { features: self.features.without(masked), identity: self.identity.clone() }
    }

    /// What it can run.
    pub fn features(&self) -> IsaSet {
        self.features
    }

    /// Which processor it is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The name of its design.
    pub fn microarchitecture(&self) -> Microarchitecture {
        Microarchitecture::of(&self.identity)
    }

    /// Vendor, family, model, stepping, microcode, hypervisor and features in one line: a measurement holds for
    /// processors with the same one.
    pub fn fingerprint(&self) -> String {
        let Identity { vendor, family, model, stepping, microcode, hypervisor, .. } = &self.identity;
        let microcode = microcode.map_or("unknown".to_owned(), |revision| format!("{revision:#x}"));
        let hypervisor = hypervisor.as_deref().unwrap_or("none");
        let features = self.features.bits();
        format!(
            "{vendor}-{family:x}-{model:x}-{stepping:x}/microcode={microcode}/hypervisor={hypervisor}/isa={features:x}"
        )
    }
}

impl fmt::Display for Cpu {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Identity { brand, family, model, stepping, .. } = &self.identity;
        let name = if brand.is_empty() { "unnamed processor" } else { brand };
        write!(
            formatter,
            "{name} ({}, family {family:#x} model {model:#x} stepping {stepping})",
            self.microarchitecture()
        )
    }
}

/// Whether this process runs with more rights than its caller (set-user-ID, file capabilities): then nothing in the
/// environment may steer it. Where the operating system does not tell, it is taken to be so.
pub fn is_privileged() -> bool {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: getauxval reads the process's own auxiliary vector and has no preconditions.
        unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
    }
    #[cfg(not(target_os = "linux"))]
    {
        cfg!(unix)
    }
}

#[cfg(target_arch = "x86_64")]
fn identify() -> Identity {
    use std::arch::x86_64::{__cpuid, CpuidResult};

    let text = |registers: &[u32]| {
        let bytes: Vec<u8> = registers.iter().flat_map(|register| register.to_le_bytes()).collect();
        String::from_utf8_lossy(&bytes).trim_matches(|c: char| c == '\0' || c.is_whitespace()).to_owned()
    };
    let leaf_0 = __cpuid(0);
    let leaf_1 = __cpuid(1);
    // Intel SDM volume 2A, CPUID: the extended fields count only for base family 15 (and 6, for the model).
    let base_family = (leaf_1.eax >> 8) & 0xf;
    let family = if base_family == 0xf { base_family + ((leaf_1.eax >> 20) & 0xff) } else { base_family };
    let extended_model = if matches!(base_family, 6 | 15) { (leaf_1.eax >> 16) & 0xf } else { 0 };

    let brand = if __cpuid(0x8000_0000).eax >= 0x8000_0004 {
        let parts = [0x8000_0002, 0x8000_0003, 0x8000_0004].map(|leaf| {
            let CpuidResult { eax, ebx, ecx, edx } = __cpuid(leaf);
            [eax, ebx, ecx, edx]
        });
        text(&parts.concat())
    } else {
        String::new()
    };
    let hypervisor = (leaf_1.ecx >> 31 != 0).then(|| {
        let leaf = __cpuid(0x4000_0000);
        text(&[leaf.ebx, leaf.ecx, leaf.edx])
    });

    Identity {
        vendor: text(&[leaf_0.ebx, leaf_0.edx, leaf_0.ecx]),
        family,
        model: (extended_model << 4) | ((leaf_1.eax >> 4) & 0xf),
        stepping: leaf_1.eax & 0xf,
        brand,
        microcode: microcode(),
        hypervisor,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn identify() -> Identity {
    Identity { vendor: std::env::consts::ARCH.to_owned(), ..Identity::default() }
}

/// The revision as Linux prints it; no unprivileged instruction tells it.
#[cfg(target_arch = "x86_64")]
fn microcode() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("microcode"))?;
    u64::from_str_radix(line.split_once("0x")?.1.trim(), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_known() {
        let cpu = Cpu::host();
        assert!(!cpu.identity().vendor.is_empty());
        assert!(cpu.fingerprint().starts_with(&cpu.identity().vendor));
        assert!(!cpu.to_string().is_empty());
    }

    #[test]
    fn a_mask_takes_away_what_builds_on_it() {
        let cpu = Cpu::host().without(IsaSet::named(&["avx2"]));
        for dependent in ["avx2", "avx512f", "avx512vl", "vaes"] {
            assert!(!cpu.features().has(Isa::parse(dependent).unwrap()), "{dependent} is still there");
        }
        assert_eq!(cpu.identity(), Cpu::host().identity());
        assert!(Cpu::host().features().contains(cpu.features()));
    }
}
