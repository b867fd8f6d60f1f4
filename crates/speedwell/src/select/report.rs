//! What there is to say about a choice: every candidate, usable or why not, and why the chosen one won.

use speedwell_kernels::cpu::IsaSet;
use speedwell_kernels::{Primitive, Timing};

use super::candidates::candidates;
use super::measured::{self, Basis};
use super::planned::REPORTS;
use super::{Evidence, Point, Policy, Reason, SelectError, Selector};

/// The choice for one primitive, with all it was made from.
#[derive(Clone, Debug)]
pub struct PrimitiveReport {
    /// The primitive.
    pub primitive: &'static str,
    /// The policy that was applied.
    pub policy: Policy,
    /// Its kernels, best first.
    pub candidates: Vec<CandidateReport>,
    /// From how many bytes on, which kernel; or why there is none.
    pub chosen: Result<Vec<(usize, &'static str)>, SelectError>,
    /// Why the first of them won.
    pub reason: Option<Reason>,
    /// Where and when the kernels were measured, if they were on a processor like this.
    pub measured: Option<String>,
    /// Why a force is not followed, if one is not: then the choice is that without it.
    pub unmet_force: Option<SelectError>,
}

/// What the filters say of one kernel.
#[derive(Clone, Debug)]
pub struct CandidateReport {
    /// The kernel's name.
    pub name: &'static str,
    /// The instruction sets that it needs.
    pub needs: IsaSet,
    /// Its timing class.
    pub timing: Timing,
    /// What supports its claim, if it claims to be constant in time.
    pub evidence: Option<Evidence>,
    /// Why it is not usable, if it is not.
    pub excluded: Option<Exclusion>,
    /// What its calls were measured to take, by their bytes.
    pub speeds: Vec<Point>,
}

/// Why a kernel is not usable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// The processor lacks these.
    Lacks(IsaSet),
    /// The policy does not permit its timing class.
    NotPermitted,
    /// It gives a wrong answer.
    SelfTestFailed,
}

impl std::fmt::Display for Exclusion {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Exclusion::Lacks(isas) => write!(formatter, "lacks {isas}"),
            Exclusion::NotPermitted => formatter.write_str("not permitted"),
            Exclusion::SelfTestFailed => formatter.write_str("fails its self-test"),
        }
    }
}

/// The reports on all primitives.
pub fn reports(selector: &Selector, policy: Policy) -> Vec<PrimitiveReport> {
    REPORTS.iter().map(|report| report(selector, policy)).collect()
}

/// The report on the choice that `selector` makes for `P` under `policy`.
pub fn report<P: Primitive>(selector: &Selector, policy: Policy) -> PrimitiveReport {
    let features = selector.cpu().features();
    let basis = measured::bases::<P>(selector.cpu(), selector.profile())
        .find(|basis| P::kernels().any(|kernel| basis.speeds.of(kernel.descriptor().name).is_some()));
    let speeds =
        |name: &str| basis.as_ref().and_then(|Basis { speeds, .. }| speeds.of(name)).unwrap_or_default().to_vec();
    let candidates = candidates::<P>(selector.cpu(), policy)
        .into_iter()
        .map(|candidate| CandidateReport {
            name: candidate.descriptor.name,
            needs: candidate.descriptor.needs,
            timing: candidate.descriptor.timing,
            evidence: Evidence::of(candidate.descriptor),
            speeds: speeds(candidate.descriptor.name),
            excluded: candidate.verdict.err().map(|error| match error {
                SelectError::NotCapable { needs, .. } => {
                    Exclusion::Lacks(needs.iter().filter(|isa| !features.has(*isa)).collect())
                }
                SelectError::NotPermitted { .. } => Exclusion::NotPermitted,
                _ => Exclusion::SelfTestFailed,
            }),
        })
        .collect();
    let plan = selector.plan_or_unforced::<P>(policy);
    PrimitiveReport {
        primitive: P::NAME,
        policy,
        candidates,
        measured: basis.map(|basis| basis.name),
        unmet_force: plan.as_ref().ok().and_then(|_| selector.plan::<P>(policy).err()),
        reason: plan.as_ref().ok().map(|plan| plan.reason()),
        chosen: plan.map(|plan| plan.tiers().map(|(from, kernel)| (from, kernel.descriptor().name)).collect()),
    }
}
