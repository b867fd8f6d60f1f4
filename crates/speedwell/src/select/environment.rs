//! Developers' wishes: a kernel by name, a processor with features masked. From the API or from the environment; in a
//! privileged process the environment has no say.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use speedwell_kernels::cpu::{Cpu, Isa, IsaSet, is_privileged};
use speedwell_kernels::{Bound, Primitive};

use super::candidates::candidates;
use super::measured::{self, Basis};
use super::profile::{self, PROFILE_VARIABLE, Profile, ProfileError};
use super::{Evidence, Plan, Policy, Reason, SelectError, implementations, name_of, primitives};

/// The environment variable that forces kernels, such as `sha256.compress=portable,aes.ctr=cycle`.
pub const FORCE_VARIABLE: &str = "SPEEDWELL_FORCE";
/// The environment variable that masks instruction sets, such as `-avx512f,-vaes`.
pub const CPU_VARIABLE: &str = "SPEEDWELL_CPU";

/// Chooses kernels for one view of the processor and one set of wishes.
#[derive(Clone, Debug)]
pub struct Selector {
    cpu: Cpu,
    force: Force,
    profile: Option<Arc<Profile>>,
    /// What is wrong with the environment, if anything: then nothing of it is used.
    problem: Option<SelectError>,
    /// Why the profile that the environment names does not count, if it does not.
    profile_problem: Option<ProfileError>,
}

/// Which primitives are to use which kernel, whatever the list says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Force(Vec<(&'static str, Wish)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Kernel(&'static str),
    Cycle,
}

impl Selector {
    /// The selector of this process: the host's processor and, unless the process is privileged, the environment
    /// variables [`FORCE_VARIABLE`], [`CPU_VARIABLE`] and [`PROFILE_VARIABLE`], read once.
    pub fn host() -> &'static Selector {
        static HOST: OnceLock<Selector> = OnceLock::new();
        HOST.get_or_init(|| {
            let variable = |name| if is_privileged() { None } else { std::env::var(name).ok() };
            let wishes = (variable(FORCE_VARIABLE), variable(CPU_VARIABLE));
            let selector = Selector::new(wishes.0.as_deref().unwrap_or(""), wishes.1.as_deref().unwrap_or(""))
                .unwrap_or_else(|problem| Selector { problem: Some(problem), ..Selector::unforced() });
            let path = variable(PROFILE_VARIABLE).filter(|path| !path.is_empty());
            match (profile::CHOSEN.get(), path) {
                (Some(chosen), _) => Selector { profile: Some(Arc::clone(chosen)), ..selector },
                (None, Some(path)) => match Profile::read(Path::new(&path)) {
                    Ok(profile) => selector.with_profile(profile),
                    Err(problem) => Selector { profile_problem: Some(problem), ..selector },
                },
                (None, None) => selector,
            }
        })
    }

    /// The host's processor as it is, and no wishes.
    pub fn unforced() -> Selector {
        Selector {
            cpu: Cpu::host().clone(),
            force: Force::default(),
            profile: None,
            problem: None,
            profile_problem: None,
        }
    }

    /// A selector with forces and masks in the form of the environment variables.
    ///
    /// # Errors
    /// If either text is not of its form, or names what does not exist.
    pub fn new(force: &str, mask: &str) -> Result<Selector, SelectError> {
        let cpu = Cpu::host().without(parse_mask(mask)?);
        Ok(Selector { cpu, force: Force::parse(force)?, ..Selector::unforced() })
    }

    /// The same with a local profile.
    pub fn with_profile(self, profile: Profile) -> Selector {
        Selector { profile: Some(Arc::new(profile)), ..self }
    }

    /// The local profile, if there is one that counts.
    pub fn profile(&self) -> Option<&Profile> {
        self.profile.as_deref()
    }

    /// Why the profile that [`PROFILE_VARIABLE`] names is ignored, if it is. The library goes on without it; a command
    /// should say so.
    pub fn profile_problem(&self) -> Option<&ProfileError> {
        self.profile_problem.as_ref()
    }

    /// What is wrong with the environment. A library cannot complain where nobody reads; a command should ask.
    ///
    /// # Errors
    /// The first mistake in [`FORCE_VARIABLE`] or [`CPU_VARIABLE`]; because of it, both are ignored.
    pub fn check(&self) -> Result<(), SelectError> {
        self.problem.clone().map_or(Ok(()), Err)
    }

    /// The processor as this selector sees it.
    pub fn cpu(&self) -> &Cpu {
        &self.cpu
    }

    /// Makes the plan of a primitive under a policy.
    ///
    /// # Errors
    /// If no kernel passes the filters, or the forced one does not.
    pub fn plan<P: Primitive>(&self, policy: Policy) -> Result<Plan<P>, SelectError> {
        let candidates = candidates::<P>(&self.cpu, policy);
        let usable = || candidates.iter().filter_map(|candidate| candidate.verdict.as_ref().ok().copied());
        let first = usable().next().ok_or(SelectError::NoKernel { primitive: name_of::<P>(), policy })?;
        match self.force.wish(P::NAME) {
            None => Ok(self.preferred(policy, first, usable().collect())),
            Some(Wish::Cycle) => Ok(Plan::cycle(usable().collect())),
            Some(Wish::Kernel(name)) => {
                let forced = candidates.iter().find(|candidate| candidate.descriptor.name == name);
                match forced.map(|candidate| candidate.verdict.clone()) {
                    Some(verdict) => verdict.map(|kernel| Plan::single(kernel, Reason::Forced)),
                    None => unreachable!("Force::parse looks every name up in the registry"),
                }
            }
        }
    }

    /// The kernels to use where none is forced. A secret is shown to those whose claim of constant time is proven, if such
    /// are usable; what has no record yet can still be forced. Among them measurement decides, and then the list's order.
    fn preferred<P: Primitive>(&self, policy: Policy, first: Bound<P>, usable: Vec<Bound<P>>) -> Plan<P> {
        let is_proven = |kernel: &Bound<P>| Evidence::of(kernel.descriptor()) == Some(Evidence::Proven);
        let proven: Vec<Bound<P>> = usable.iter().copied().filter(is_proven).collect();
        let trusted = if policy == Policy::Public || proven.is_empty() { usable } else { proven };
        let descriptors: Vec<_> = trusted.iter().map(|kernel| kernel.descriptor()).collect();
        for Basis { speeds, reason, .. } in measured::bases::<P>(&self.cpu, self.profile()) {
            if let Some(tiers) = speeds.tiers(&descriptors, Plan::<P>::MOST_TIERS) {
                return Plan::tiered(tiers.into_iter().map(|(from, place)| (from, trusted[place])), reason);
            }
        }
        let best = trusted[0];
        let reason = if best.descriptor().name == first.descriptor().name { Reason::Order } else { Reason::Proven };
        Plan::single(best, reason)
    }

    /// The plan, with a force that cannot be met left out: what a library does, where nobody can be told.
    pub(super) fn plan_or_unforced<P: Primitive>(&self, policy: Policy) -> Result<Plan<P>, SelectError> {
        self.plan(policy).or_else(|_| Selector { force: Force::default(), ..self.clone() }.plan(policy))
    }
}

impl Force {
    /// Reads `primitive=kernel,…`; a kernel is named by its implementation, or `cycle` stands for all in turn.
    ///
    /// # Errors
    /// If the text is not of this form, or names a primitive or kernel that does not exist: the message lists the names.
    pub fn parse(text: &str) -> Result<Force, SelectError> {
        let mut wishes = Vec::new();
        for part in parts(text) {
            let syntax = || SelectError::ForceSyntax { text: part.to_owned() };
            let (primitive, kernel) = part.split_once('=').ok_or_else(syntax)?;
            let primitive = primitives()
                .into_iter()
                .find(|known| *known == primitive.trim())
                .ok_or_else(|| SelectError::UnknownPrimitive { name: primitive.trim().to_owned() })?;
            wishes.push((primitive, Wish::parse(primitive, kernel.trim())?));
        }
        Ok(Force(wishes))
    }

    /// The wish for a primitive; of several, the last.
    fn wish(&self, primitive: &str) -> Option<Wish> {
        self.0.iter().rev().find(|(name, _)| *name == primitive).map(|(_, wish)| *wish)
    }
}

impl Wish {
    fn parse(primitive: &'static str, kernel: &str) -> Result<Wish, SelectError> {
        if kernel == "cycle" {
            return Ok(Wish::Cycle);
        }
        debug_assert!(!implementations(primitive).is_empty());
        speedwell_kernels::all()
            .map(|known| known.descriptor())
            .find(|known| known.primitive() == primitive && known.implementation() == kernel)
            .map(|known| Wish::Kernel(known.name))
            .ok_or_else(|| SelectError::UnknownKernel { primitive, name: kernel.to_owned() })
    }
}

fn parse_mask(text: &str) -> Result<IsaSet, SelectError> {
    parts(text)
        .map(|part| {
            let name = part.strip_prefix('-').ok_or_else(|| SelectError::MaskSyntax { text: part.to_owned() })?;
            Isa::parse(name).map_err(SelectError::UnknownIsa)
        })
        .collect()
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}
