//! The hard filters: capability, permission, self-test. Everything later chooses among what they leave.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use speedwell_kernels::cpu::Cpu;
use speedwell_kernels::{Bound, Descriptor, Kernel, Primitive, Timing};

use super::{Evidence, Policy, SelectError, permits};

/// A kernel and what the filters say of it.
pub(super) struct Candidate<P: Primitive> {
    pub descriptor: &'static Descriptor,
    /// The kernel, ready to be called, or why it must not be.
    pub verdict: Result<Bound<P>, SelectError>,
}

/// Every kernel of `P`, best first, held against the filters.
pub(super) fn candidates<P: Primitive>(cpu: &Cpu, policy: Policy) -> Vec<Candidate<P>> {
    let tested: Vec<Candidate<P>> = P::kernels().map(|kernel| test(kernel, cpu)).collect();
    let has_constant =
        tested.iter().any(|candidate| candidate.verdict.is_ok() && standing(candidate.descriptor) == Timing::Constant);
    tested
        .into_iter()
        .map(|candidate| {
            let name = candidate.descriptor.name;
            let timing = standing(candidate.descriptor);
            let permitted = permits(policy, timing, has_constant);
            let refused = SelectError::NotPermitted { kernel: name, timing, policy };
            let verdict = candidate.verdict.and_then(|bound| if permitted { Ok(bound) } else { Err(refused) });
            Candidate { verdict, ..candidate }
        })
        .collect()
}

/// A kernel's timing class, as far as it can be believed: a claim that is refuted is none.
fn standing(descriptor: &Descriptor) -> Timing {
    match Evidence::of(descriptor) {
        Some(Evidence::Refuted) => Timing::TableLookups,
        _ => descriptor.timing,
    }
}

fn test<P: Primitive>(kernel: &'static Kernel<P>, cpu: &Cpu) -> Candidate<P> {
    let descriptor = kernel.descriptor();
    let Descriptor { name, needs, .. } = *descriptor;
    let verdict = match kernel.bind(cpu) {
        None => Err(SelectError::NotCapable { kernel: name, needs }),
        Some(bound) if !passes_self_test(bound) => Err(SelectError::SelfTestFailed { kernel: name }),
        Some(bound) => Ok(bound),
    };
    Candidate { descriptor, verdict }
}

/// Runs a kernel's known answers, once in the life of the process.
fn passes_self_test<P: Primitive>(bound: Bound<P>) -> bool {
    static RESULTS: Mutex<BTreeMap<&'static str, bool>> = Mutex::new(BTreeMap::new());
    let mut results = RESULTS.lock().unwrap_or_else(PoisonError::into_inner);
    *results.entry(bound.descriptor().name).or_insert_with(|| bound.passes_known_answers())
}
