//! Instruction-set extensions: the names that `#[target_feature]` and CPUID manuals use, and sets of them.

use std::fmt;

/// Lists the extensions that kernels may need: variant, name, what it builds on. The order is the order of printing.
macro_rules! extensions {
    ($($variant:ident $name:tt [$($base:ident)*];)*) => {
        /// An instruction-set extension beyond the target's baseline.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Isa {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl Isa {
            /// Every extension that Speedwell knows of.
            pub const ALL: &'static [Isa] = &[$(Isa::$variant),*];

            /// The name that rustc uses for it.
            pub const fn name(self) -> &'static str {
                match self { $(Isa::$variant => $name,)* }
            }

            /// The extensions that it builds on: masking one of them masks it too.
            const fn bases(self) -> &'static [Isa] {
                match self { $(Isa::$variant => &[$(Isa::$base),*],)* }
            }

            #[cfg(target_arch = "x86_64")]
            fn is_detected(self) -> bool {
                match self { $(Isa::$variant => std::is_x86_feature_detected!($name),)* }
            }

            #[cfg(not(target_arch = "x86_64"))]
            fn is_detected(self) -> bool {
                false
            }
        }
    };
}

extensions! {
    Ssse3 "ssse3" [];
    Sse41 "sse4.1" [Ssse3];
    Sse42 "sse4.2" [Sse41];
    Popcnt "popcnt" [];
    Movbe "movbe" [];
    Aes "aes" [];
    Pclmulqdq "pclmulqdq" [];
    Bmi1 "bmi1" [];
    Bmi2 "bmi2" [];
    Adx "adx" [];
    Sha "sha" [];
    Gfni "gfni" [];
    Avx "avx" [Sse42];
    Avx2 "avx2" [Avx];
    Vaes "vaes" [Avx2 Aes];
    Vpclmulqdq "vpclmulqdq" [Avx Pclmulqdq];
    Sha512 "sha512" [Avx2];
    Avx512f "avx512f" [Avx2];
    Avx512dq "avx512dq" [Avx512f];
    Avx512bw "avx512bw" [Avx512f];
    Avx512vl "avx512vl" [Avx512f];
    Avx512ifma "avx512ifma" [Avx512f];
    Avx512vbmi "avx512vbmi" [Avx512bw];
    Avx512vbmi2 "avx512vbmi2" [Avx512bw];
}

impl Isa {
    /// The extension of that name.
    ///
    /// # Errors
    /// If there is none; the error lists those there are.
    pub fn parse(name: &str) -> Result<Isa, UnknownIsa> {
        Isa::ALL.iter().copied().find(|isa| isa.name() == name).ok_or_else(|| UnknownIsa(name.to_owned()))
    }

    const fn bit(self) -> u64 {
        1 << self as u32
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A name that is no instruction-set extension known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownIsa(pub String);

impl fmt::Display for UnknownIsa {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = Isa::ALL.iter().map(|isa| isa.name()).collect();
        write!(formatter, "unknown instruction set '{}'; known are {}", self.0, known.join(", "))
    }
}

impl std::error::Error for UnknownIsa {}

/// A set of instruction-set extensions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct IsaSet(u64);

impl IsaSet {
    /// The set with nothing in it: the target's baseline.
    pub const EMPTY: IsaSet = IsaSet(0);

    /// The set of the extensions with these names.
    ///
    /// # Panics
    /// If a name is unknown; in `kernel!`, where it runs at compile time, that is a compile error.
    pub const fn named(names: &[&str]) -> IsaSet {
        let mut bits = 0;
        let mut i = 0;
        while i < names.len() {
            let mut j = 0;
            while !same(Isa::ALL[j].name(), names[i]) {
                j += 1;
                assert!(j < Isa::ALL.len(), "not an instruction set that cpu/isa.rs lists");
            }
            bits |= Isa::ALL[j].bit();
            i += 1;
        }
        IsaSet(bits)
    }

    /// What the processor has and the operating system lets us use.
    pub(super) fn detect() -> IsaSet {
        Isa::ALL.iter().filter(|isa| isa.is_detected()).fold(IsaSet::EMPTY, |set, isa| IsaSet(set.0 | isa.bit()))
    }

    /// Whether the set has this extension.
    pub const fn has(self, isa: Isa) -> bool {
        self.0 & isa.bit() != 0
    }

    /// Whether the set has all that `other` has.
    pub const fn contains(self, other: IsaSet) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether nothing is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The extensions in it.
    pub fn iter(self) -> impl Iterator<Item = Isa> {
        Isa::ALL.iter().copied().filter(move |isa| self.has(*isa))
    }

    /// The set less `masked`, and less everything that builds on what is masked.
    pub(super) fn without(self, masked: IsaSet) -> IsaSet {
        let mut gone = masked;
        // `Isa::ALL` lists every extension after those that it builds on, so that one pass is enough.
        for isa in Isa::ALL {
            if isa.bases().iter().any(|base| gone.has(*base)) {
                gone.0 |= isa.bit();
            }
        }
        IsaSet(self.0 & !gone.0)
    }

    /// The set as bits, for a fingerprint: bit n is the n-th of [`Isa::ALL`].
    pub const fn bits(self) -> u64 {
        self.0
    }
}

impl FromIterator<Isa> for IsaSet {
    fn from_iter<I: IntoIterator<Item = Isa>>(iter: I) -> Self {
        iter.into_iter().fold(IsaSet::EMPTY, |set, isa| IsaSet(set.0 | isa.bit()))
    }
}

impl fmt::Display for IsaSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Isa::name).collect();
        formatter.pad(&names.join(" "))
    }
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sets_agree() {
        for isa in Isa::ALL {
            assert_eq!(Isa::parse(isa.name()), Ok(*isa));
            assert!(IsaSet::named(&[isa.name()]).has(*isa));
        }
        assert_eq!(IsaSet::named(&["aes", "ssse3"]).to_string(), "ssse3 aes");
        let message = Isa::parse("mmx").unwrap_err().to_string();
        assert!(message.contains("'mmx'") && message.contains("avx512ifma"), "{message}");
    }

    #[test]
    fn bases_come_first() {
        for isa in Isa::ALL {
            assert!(isa.bases().iter().all(|base| base < isa), "{isa} stands before what it builds on");
        }
    }
}
