//! The plans of this process: one for each primitive and policy, made at first use.

use std::sync::OnceLock;

use speedwell_kernels::{Primitive, aes, bn, gcm, md5, rc4, sha1, sha256, sha512};

use super::{Plan, Policy, SelectError, Selector};

/// A primitive whose plans this process keeps. Implemented for every primitive of the registry.
pub trait Planned: Primitive {
    /// The plan under a policy, made at first use.
    ///
    /// # Errors
    /// As [`super::plan`].
    fn cached(policy: Policy) -> Result<&'static Plan<Self>, SelectError>;
}

/// A plan, or why there is none, once it was asked for.
type Slot<P> = OnceLock<Result<Plan<P>, SelectError>>;

/// The first time: kept out of the way of all the others, which cost a load and a comparison.
#[cold]
#[inline(never)]
fn make<P: Primitive>(slot: &'static Slot<P>, policy: Policy) -> Result<&'static Plan<P>, SelectError> {
    slot.get_or_init(|| Selector::host().plan_or_unforced(policy)).as_ref().map_err(Clone::clone)
}

/// A static cannot be generic, so that each primitive gets its own here.
macro_rules! planned {
    ($($primitive:ty),* $(,)?) => {
        $(impl Planned for $primitive {
            #[inline]
            fn cached(policy: Policy) -> Result<&'static Plan<Self>, SelectError> {
                static PLANS: [Slot<$primitive>; Policy::ALL.len()] = [const { Slot::new() }; Policy::ALL.len()];
                match PLANS[policy as usize].get() {
                    Some(Ok(plan)) => Ok(plan),
                    _ => make(&PLANS[policy as usize], policy),
                }
            }
        })*

        /// The report on each planned primitive.
        pub(super) const REPORTS: &[fn(&Selector, Policy) -> super::PrimitiveReport] =
            &[$(super::report::<$primitive>),*];
    };
}

planned! {
    md5::Compress, md5::CompressLanes, sha1::Compress, sha1::CompressLanes, sha256::Compress, sha256::CompressLanes,
    sha512::Compress, sha512::CompressLanes, rc4::Xor, aes::ExpandKey, aes::InvertKey,
    aes::EncryptBlocks, aes::DecryptBlocks, aes::CbcEncrypt, aes::CbcEncryptLanes, aes::CbcDecrypt, aes::Ctr,
    gcm::ExpandKey, gcm::Ghash, gcm::Encrypt, gcm::Decrypt, gcm::Seal, gcm::Open,
    bn::MontMul, bn::PublicExp, bn::MontExp, bn::MontExp2, bn::MontExpMany,
}
