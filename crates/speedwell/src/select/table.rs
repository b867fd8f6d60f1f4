//! The table that is compiled in: what kernels took where `measurements/` come from. `cargo xtask table` generates it.
//!
//! A section is of one host: its design, vendor, instruction sets and date. For a processor of the same design it counts
//! first; then for one of the same vendor, and then for any, if among the instruction sets that kernels of the primitive
//! need it has the same.

use std::sync::OnceLock;

use speedwell_kernels::Primitive;
use speedwell_kernels::cpu::{Cpu, Isa, IsaSet};

use super::{Reason, Speeds};

/// What was measured on one host.
#[derive(Debug)]
pub(super) struct Section {
    microarchitecture: String,
    vendor: String,
    features: IsaSet,
    date: String,
    pub speeds: Speeds,
}

impl Section {
    /// Where and when it was measured.
    pub fn name(&self) -> String {
        format!("{}, {}", self.microarchitecture, self.date)
    }
}

/// The sections that say something about the kernels of `P` on a processor, the best known first.
pub(super) fn sections<P: Primitive>(cpu: &Cpu) -> Vec<(&'static Section, Reason)> {
    let needs: Vec<Isa> = P::kernels().flat_map(|kernel| kernel.descriptor().needs.iter()).collect();
    let relevant = |features: IsaSet| -> IsaSet { features.iter().filter(|isa| needs.contains(isa)).collect() };
    let like = |section: &&Section| relevant(section.features) == relevant(cpu.features());
    let here = cpu.microarchitecture().name();
    let same_design = table().iter().filter(|section| section.microarchitecture == here);
    let same_vendor = table().iter().filter(|section| section.vendor == cpu.identity().vendor).filter(like);
    let same_sets = table().iter().filter(like);
    same_design
        .map(|section| (section, Reason::Design))
        .chain(same_vendor.map(|section| (section, Reason::Vendor)))
        .chain(same_sets.map(|section| (section, Reason::InstructionSets)))
        .collect()
}

fn table() -> &'static [Section] {
    static TABLE: OnceLock<Vec<Section>> = OnceLock::new();
    TABLE.get_or_init(|| parse(include_str!("table.tsv")))
}

/// Lines that are not of the form do not count; a test says that there are none.
fn parse(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some(head) = line.strip_prefix('@') {
            let [microarchitecture, vendor, features, date] = head.split('\t').collect::<Vec<_>>()[..] else {
                continue;
            };
            sections.push(Section {
                microarchitecture: microarchitecture.to_owned(),
                vendor: vendor.to_owned(),
                features: features.split(',').filter_map(|name| Isa::parse(name).ok()).collect(),
                date: date.to_owned(),
                speeds: Speeds::default(),
            });
        } else if let Some(section) = sections.last_mut() {
            section.speeds.take(line);
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use speedwell_kernels::{aes, md5};

    use super::*;

    #[test]
    fn every_line_counts() {
        let text = include_str!("table.tsv");
        let heads = text.lines().filter(|line| line.starts_with('@')).count();
        let rows = text.lines().filter(|line| !line.starts_with(['@', '#'])).count();
        assert_eq!(table().len(), heads);
        assert_eq!(table().iter().map(|section| section.speeds.kernels().count()).sum::<usize>(), rows);
        for section in table() {
            assert!(!section.features.is_empty() && !section.date.is_empty(), "{section:?}");
        }
    }

    #[test]
    fn the_same_design_counts_first_and_others_only_if_they_are_alike() {
        let Some(section) = table().iter().find(|section| section.microarchitecture == "zen4") else { return };
        assert!(section.speeds.kernels().any(|name| name.starts_with("md5.compress/")));
        let host = Cpu::host();
        let found = sections::<md5::Compress>(host);
        if host.microarchitecture().name() == "zen4" {
            assert_eq!(found[0].1, Reason::Design);
        }
        let masked = host.without(IsaSet::named(&["aes"]));
        let found = sections::<aes::Ctr>(&masked);
        assert!(
            found
                .iter()
                .all(|(section, reason)| *reason == Reason::Design
                    || !section.features.contains(IsaSet::named(&["aes"])))
        );
    }
}
