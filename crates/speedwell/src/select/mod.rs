//! Which kernel runs: the one place where it is decided.
//!
//! A [`Plan`] is made in steps, of which the first three are filters that nothing after them can undo:
//!
//! 1. *capability*: the processor and operating system can run the kernel;
//! 2. *permission*: the [`Policy`] lets it see what it will see;
//! 3. *self-test*: it gives the published answers of its primitive;
//! 4. *force*: a developer's wish, from the [`Selector`] or the environment;
//! 5. *measurement*: the local profile, if one is named and of this host, and then the table that is compiled in;
//! 6. the order of the kernels' list, where nothing is measured or the difference is small.
//!
//! A plan is made once for each primitive and policy, and a context or key keeps a reference to it: the hot path has no
//! lookup, no lock and no atomic.

mod candidates;
mod environment;
mod evidence;
mod measured;
mod plan;
mod planned;
mod profile;
mod report;
mod speeds;
mod table;

use std::fmt;

use speedwell_kernels::cpu::{IsaSet, UnknownIsa};
use speedwell_kernels::{Primitive, Timing};

pub use environment::{CPU_VARIABLE, FORCE_VARIABLE, Force, Selector};
pub use evidence::Evidence;
pub use plan::{Plan, Reason};
pub use planned::Planned;
pub use profile::{PROFILE_VARIABLE, Profile, ProfileError, build_id, profile_text, use_profile};
pub use report::{CandidateReport, Exclusion, PrimitiveReport, report, reports};
pub use speeds::{Point, Speeds};

/// The plan of the primitive `P` under a policy, made at first use from the host's processor and environment.
///
/// # Errors
/// [`SelectError::NoKernel`] if no kernel passes the filters; with [`Policy::Strict`] that happens for old ciphers, with
/// the other policies never: the portable kernels run everywhere.
#[inline]
pub fn plan<P: Planned>(policy: Policy) -> Result<&'static Plan<P>, SelectError> {
    P::cached(policy)
}

/// What kernels may see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Nothing secret goes in: any kernel may run.
    Public,
    /// Keys and data are secret: kernels that claim constant time run; only where a primitive has none, one that looks
    /// up tables. The default for everything with a key.
    #[default]
    Secret,
    /// Keys and data are secret, and a primitive without a constant-time kernel is an error.
    Strict,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Policy; 3] = [Policy::Public, Policy::Secret, Policy::Strict];

    /// The name in messages and reports.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Public => "public",
            Policy::Secret => "secret",
            Policy::Strict => "strict",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// Why there is no plan, or why a wish cannot be met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectError {
    /// No kernel of the primitive passes the filters.
    NoKernel {
        /// The primitive.
        primitive: &'static str,
        /// Under which policy.
        policy: Policy,
    },
    /// A force names a primitive that does not exist.
    UnknownPrimitive {
        /// The name given.
        name: String,
    },
    /// A force names a kernel that its primitive does not have.
    UnknownKernel {
        /// The primitive.
        primitive: &'static str,
        /// The name given.
        name: String,
    },
    /// A force is not of the form `primitive=kernel`.
    ForceSyntax {
        /// The part that is not.
        text: String,
    },
    /// A mask is not of the form `-isa`.
    MaskSyntax {
        /// The part that is not.
        text: String,
    },
    /// A mask names an instruction set that is not known.
    UnknownIsa(UnknownIsa),
    /// The processor lacks what a forced kernel needs.
    NotCapable {
        /// The kernel.
        kernel: &'static str,
        /// What it needs.
        needs: IsaSet,
    },
    /// The policy does not let a forced kernel run.
    NotPermitted {
        /// The kernel.
        kernel: &'static str,
        /// Its timing class.
        timing: Timing,
        /// The policy.
        policy: Policy,
    },
    /// A forced kernel gives a wrong answer on this processor.
    SelfTestFailed {
        /// The kernel.
        kernel: &'static str,
    },
}

impl fmt::Display for SelectError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelectError::NoKernel { primitive, policy } => write!(
                formatter,
                "{primitive} has no kernel that the policy '{policy}' permits; use the policy 'secret' to accept table lookups"
            ),
            SelectError::UnknownPrimitive { name } => {
                write!(formatter, "unknown primitive '{name}'; known are {}", primitives().join(", "))
            }
            SelectError::UnknownKernel { primitive, name } => write!(
                formatter,
                "{primitive} has no kernel '{name}'; it has {}, or 'cycle' for all of them in turn",
                implementations(primitive).join(", ")
            ),
            SelectError::ForceSyntax { text } => {
                write!(formatter, "'{text}' is not of the form primitive=kernel, such as sha256.compress=portable")
            }
            SelectError::MaskSyntax { text } => {
                write!(formatter, "'{text}' is not of the form -isa, such as -avx512f: features can only be taken away")
            }
            SelectError::UnknownIsa(error) => error.fmt(formatter),
            SelectError::NotCapable { kernel, needs } => {
                write!(formatter, "{kernel} needs {needs}, which this processor lacks or a mask takes away")
            }
            SelectError::NotPermitted { kernel, timing, policy } => write!(
                formatter,
                "{kernel} has the timing class {timing}, which the policy '{policy}' does not permit here"
            ),
            SelectError::SelfTestFailed { kernel } => {
                write!(formatter, "{kernel} fails its self-test on this processor and is not used")
            }
        }
    }
}

impl std::error::Error for SelectError {}

/// The names of all primitives, in the order of the registry.
pub fn primitives() -> Vec<&'static str> {
    let mut names = Vec::new();
    for kernel in speedwell_kernels::all() {
        let name = kernel.descriptor().primitive();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The implementations of one primitive, best first.
fn implementations(primitive: &str) -> Vec<&'static str> {
    speedwell_kernels::all()
        .map(|kernel| kernel.descriptor())
        .filter(|descriptor| descriptor.primitive() == primitive)
        .map(|descriptor| descriptor.implementation())
        .collect()
}

/// Whether a kernel of this timing class may run when `policy` holds and the primitive has, or has not, a usable kernel
/// that claims constant time.
fn permits(policy: Policy, timing: Timing, has_constant: bool) -> bool {
    match policy {
        Policy::Public => true,
        Policy::Secret => timing == Timing::Constant || !has_constant,
        Policy::Strict => timing == Timing::Constant,
    }
}

/// The primitive's name, with the type that says it.
fn name_of<P: Primitive>() -> &'static str {
    P::NAME
}
