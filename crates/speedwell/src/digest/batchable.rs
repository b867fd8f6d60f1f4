//! What a batch must know of a digest.

use std::fmt;

use digest::{Output, OutputSizeUser};
use speedwell_kernels::Batching;
use zeroize::Zeroize;

use crate::select::{Plan, Planned};

/// A digest of which many can be made at once: every type of [`crate::digest`]. What it has besides its name is for
/// [`Batch`](crate::batch::Batch).
pub trait BatchDigest: OutputSizeUser + sealed::Sealed + 'static {
    /// The primitive for one message.
    type Compress: Planned;
    /// The primitive for many.
    type CompressLanes: Planned;
    /// The hash state: an array of words.
    type State: Copy + Default + Zeroize + fmt::Debug;
    /// An array of bytes.
    type Block: Copy + 'static;

    /// A block of zeros.
    const ZERO: Self::Block;
    /// The state before the first block.
    const INITIAL: Self::State;
    /// How many messages are worth a batch.
    const BATCHING: Batching;

    /// The whole blocks of a message, and the rest.
    fn blocks(message: &[u8]) -> (&[Self::Block], &[u8]);
    /// Writes the end of a message of `length` bytes: `rest`, at most a block, and its padding. Returns how many blocks that
    /// makes.
    fn pad(end: &mut [Self::Block; 2], rest: &[u8], length: u64) -> usize;
    /// Mixes blocks into a state.
    fn compress(plan: &Plan<Self::Compress>, state: &mut Self::State, blocks: &[Self::Block]);
    /// Mixes blocks of many messages into their states.
    fn compress_lanes(plan: &Plan<Self::CompressLanes>, states: &mut [Self::State], messages: &[&[Self::Block]]);
    /// Writes the digest that a last state stands for.
    fn write(state: Self::State, output: &mut Output<Self>);
}

pub(crate) mod sealed {
    pub trait Sealed {}
}
