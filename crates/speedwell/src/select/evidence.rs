//! What supports a kernel's claim to be constant in time: the table that `cargo xtask timing` generates from its records.

use std::fmt;

use speedwell_kernels::{Descriptor, Timing};

/// What the tracer found of a kernel's claim to be constant in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// Its machine code was traced over many secrets, and nothing depended on them.
    Proven,
    /// There is no record of its present source.
    Unproven,
    /// Something depended on a secret: the claim is wrong.
    Refuted,
}

impl Evidence {
    /// The evidence on a kernel; `None` for one that claims nothing.
    pub fn of(descriptor: &Descriptor) -> Option<Evidence> {
        (descriptor.timing == Timing::Constant).then(|| Evidence::in_table(descriptor.name))
    }

    /// The word that `speedwell list` prints.
    pub fn name(self) -> &'static str {
        match self {
            Evidence::Proven => "proven",
            Evidence::Unproven => "unproven",
            Evidence::Refuted => "refuted",
        }
    }

    fn in_table(kernel: &str) -> Evidence {
        let word = TABLE.lines().filter_map(|line| line.split_once('\t')).find(|(name, _)| *name == kernel);
        match word {
            Some((_, "proven")) => Evidence::Proven,
            Some((_, "refuted")) => Evidence::Refuted,
            _ => Evidence::Unproven,
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A kernel and a word in a line; a test of the tasks holds it against the records and the sources.
const TABLE: &str = include_str!("evidence.tsv");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_names_a_kernel_that_claims_to_be_constant() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let (name, word) = line.split_once('\t').unwrap_or_else(|| panic!("'{line}' is no line of the table"));
            assert!(matches!(word, "proven" | "refuted"), "{line}");
            let kernel = speedwell_kernels::all().map(|kernel| kernel.descriptor()).find(|kernel| kernel.name == name);
            // Kernels of other architectures are not in this build.
            assert!(kernel.is_none_or(|kernel| kernel.timing == Timing::Constant), "{line}");
        }
        assert_eq!(Evidence::in_table("no.such/kernel"), Evidence::Unproven);
    }
}
