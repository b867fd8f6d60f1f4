//! Where measurements of kernels come from: the local profile, and then the table that is compiled in.

use speedwell_kernels::Primitive;
use speedwell_kernels::cpu::Cpu;

use super::profile::Profile;
use super::{Reason, Speeds, table};

/// Measurements that may decide.
pub(super) struct Basis<'a> {
    pub speeds: &'a Speeds,
    /// The reason of a choice that rests on them.
    pub reason: Reason,
    /// Where and when it was measured.
    pub name: String,
}

/// Those that say something about the kernels of `P` on a processor, the best known first.
pub(super) fn bases<'a, P: Primitive>(cpu: &Cpu, profile: Option<&'a Profile>) -> impl Iterator<Item = Basis<'a>> {
    let local = |profile: &'a Profile| Basis {
        speeds: &profile.speeds,
        reason: Reason::Profile,
        name: "this host's profile".to_owned(),
    };
    let sections = table::sections::<P>(cpu);
    let compiled_in =
        sections.into_iter().map(|(section, reason)| Basis { speeds: &section.speeds, reason, name: section.name() });
    profile.map(local).into_iter().chain(compiled_in)
}
