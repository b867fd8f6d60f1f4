//! The choice for one primitive.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use speedwell_kernels::{Bound, Primitive};

/// Which kernel of `P` runs at which length: up to three tiers that share one state or key layout.
pub struct Plan<P: Primitive> {
    tiers: [Tier<P>; TIERS],
    /// All usable kernels in turn, when a force says `cycle`.
    cycle: Option<Cycle<P>>,
    reason: Reason,
}

/// Tiers of a plan at most.
const TIERS: usize = 3;

struct Tier<P: Primitive> {
    /// The least number of bytes at which the kernel is used; `usize::MAX` for a tier that is not there.
    from: usize,
    kernel: Bound<P>,
}

impl<P: Primitive> Clone for Tier<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Primitive> Copy for Tier<P> {}

struct Cycle<P: Primitive> {
    kernels: Vec<Bound<P>>,
    turn: AtomicUsize,
}

/// Why a plan's kernel was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It stands first among the usable kernels of the primitive's list.
    Order,
    /// It is the first whose claim of constant time is proven, and secrets are at stake.
    Proven,
    /// A force named it.
    Forced,
    /// A force asked for every usable kernel in turn.
    Cycle,
    /// Fastest in the local profile.
    Profile,
    /// Fastest in the table, on a processor of the same design.
    Design,
    /// Fastest in the table, on a processor of the same vendor with the instruction sets that matter here.
    Vendor,
    /// Fastest in the table, on a processor with the instruction sets that matter here.
    InstructionSets,
}

impl Reason {
    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            Reason::Order => "first usable in the list's order",
            Reason::Proven => "first usable that is proven constant in time",
            Reason::Forced => "forced",
            Reason::Cycle => "forced: all usable kernels in turn",
            Reason::Profile => "fastest in this host's profile",
            Reason::Design => "fastest measured on this design",
            Reason::Vendor => "fastest measured on this vendor's processors with these instruction sets",
            Reason::InstructionSets => "fastest measured with these instruction sets",
        }
    }
}

impl<P: Primitive> Plan<P> {
    /// Tiers at most.
    pub(super) const MOST_TIERS: usize = TIERS;

    /// One kernel at every length.
    pub(super) fn single(kernel: Bound<P>, reason: Reason) -> Self {
        let absent = Tier { from: usize::MAX, kernel };
        Plan { tiers: [Tier { from: 0, kernel }, absent, absent], cycle: None, reason }
    }

    /// From so many bytes on each kernel: not none, not more than [`Plan::MOST_TIERS`], ascending from 0 on.
    pub(super) fn tiered(tiers: impl Iterator<Item = (usize, Bound<P>)>, reason: Reason) -> Self {
        let given: Vec<Tier<P>> = tiers.map(|(from, kernel)| Tier { from, kernel }).collect();
        let mut plan = Plan::single(given[0].kernel, reason);
        plan.tiers.iter_mut().zip(given).for_each(|(place, tier)| *place = tier);
        plan
    }

    /// All of `kernels`, which are not none, in turn.
    pub(super) fn cycle(kernels: Vec<Bound<P>>) -> Self {
        let plan = Plan::single(kernels[0], Reason::Cycle);
        Plan { cycle: Some(Cycle { kernels, turn: AtomicUsize::new(0) }), ..plan }
    }

    /// The kernel for a call over this many bytes.
    #[inline(always)]
    pub fn kernel(&self, bytes: usize) -> Bound<P> {
        if let Some(cycle) = &self.cycle {
            return cycle.next();
        }
        let [first, second, third] = &self.tiers;
        if bytes < second.from {
            first.kernel
        } else if bytes < third.from {
            second.kernel
        } else {
            third.kernel
        }
    }

    /// The tiers: from how many bytes on, which kernel.
    pub fn tiers(&self) -> impl Iterator<Item = (usize, Bound<P>)> {
        self.tiers.iter().filter(|tier| tier.from != usize::MAX).map(|tier| (tier.from, tier.kernel))
    }

    /// Why it was chosen.
    pub fn reason(&self) -> Reason {
        self.reason
    }
}

impl<P: Primitive> Cycle<P> {
    #[cold]
    fn next(&self) -> Bound<P> {
        self.kernels[self.turn.fetch_add(1, Ordering::Relaxed) % self.kernels.len()]
    }
}

impl<P: Primitive> fmt::Debug for Plan<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.tiers()).finish()
    }
}
