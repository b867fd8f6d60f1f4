//! Digests that go on from a kept first block: what HMAC is made over.

use digest::common::{AlgorithmName, Block, BlockSizeUser};
use digest::{FixedOutput, Output, Update};
use zeroize::ZeroizeOnDrop;

use crate::select::{Policy, SelectError};

/// A digest that goes on from a kept first block: each of this module, and no other.
pub trait BlockDigest: FixedOutput + Update + BlockSizeUser + AlgorithmName + Clone + ZeroizeOnDrop + 'static {
    /// What is kept of a first block. Wiped on drop.
    type Midstate: Clone + Send + Sync;

    /// A hasher under a policy.
    ///
    /// # Errors
    /// If the policy permits no kernel.
    fn with_policy(policy: Policy) -> Result<Self, SelectError>;

    /// Mixes a first block in.
    ///
    /// # Errors
    /// If the policy permits no kernel.
    fn midstate(block: &Block<Self>, policy: Policy) -> Result<Self::Midstate, SelectError>;

    /// A hasher behind the first block.
    fn resume(midstate: &Self::Midstate) -> Self;

    /// Writes the digest of the first block and the rest of the message, which is all there: without a hasher.
    fn finish(midstate: &Self::Midstate, rest: &[u8], output: &mut Output<Self>);
}
