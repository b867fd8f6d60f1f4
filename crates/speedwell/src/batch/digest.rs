//! Digests of many messages.

use std::fmt;

use digest::{Output, OutputSizeUser};
use zeroize::{Zeroize, optimization_barrier};

use super::BatchError;
use crate::digest::BatchDigest;
use crate::select::{Plan, Policy, plan};

/// The kernels of a batch: for many messages, and for one where there are not enough.
pub struct DigestPlans<D: BatchDigest> {
    /// For one message.
    pub single: &'static Plan<D::Compress>,
    /// For many.
    pub lanes: &'static Plan<D::CompressLanes>,
}

impl<D: BatchDigest> DigestPlans<D> {
    /// The plans under a policy.
    ///
    /// # Errors
    /// If the policy permits no kernel.
    pub fn new(policy: Policy) -> Result<Self, BatchError> {
        Ok(DigestPlans { single: plan(policy)?, lanes: plan(policy)? })
    }
}

impl<D: BatchDigest> Clone for DigestPlans<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: BatchDigest> Copy for DigestPlans<D> {}

/// Where a message's digest starts from: not the beginning, but a state that some blocks have been mixed into already, as
/// the key of an HMAC is. The state is wiped on drop.
#[derive(Clone)]
pub struct Start<D: BatchDigest> {
    state: D::State,
    bytes: u64,
}

impl<D: BatchDigest> Start<D> {
    /// The beginning.
    pub fn new() -> Self {
        Start { state: D::INITIAL, bytes: 0 }
    }

    /// Behind these whole blocks.
    ///
    /// # Errors
    /// [`BatchError::PrefixLength`], or if the policy permits no kernel.
    pub fn after(prefix: &[u8], policy: Policy) -> Result<Self, BatchError> {
        let (blocks, rest) = D::blocks(prefix);
        if !rest.is_empty() {
            return Err(BatchError::PrefixLength { bytes: prefix.len(), block: size_of::<D::Block>() });
        }
        let mut start = Start::new();
        D::compress(plan(policy)?, &mut start.state, blocks);
        start.bytes = prefix.len() as u64;
        Ok(start)
    }
}

impl<D: BatchDigest> Default for Start<D> {
    fn default() -> Self {
        Start::new()
    }
}

impl<D: BatchDigest> Drop for Start<D> {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

/// Messages in the lanes of vectors, each with a tag `T` of the caller's by which its digest is known.
///
/// Messages are [submitted](Batch::submit) one after the other. When all lanes are taken, some are worked on until at least
/// one message ends; its digest goes to the function that the caller passes, in any order. [`finish`](Batch::finish) ends
/// the rest. A batch allocates when it is made, and not after. What it knows of messages is wiped on drop.
///
/// ```
/// use speedwell::batch::Batch;
/// use speedwell::digest::Sha1;
///
/// let messages: Vec<Vec<u8>> = (0..100).map(|length| vec![b'm'; 10 * length]).collect();
/// let mut batch = Batch::<Sha1, usize>::new();
/// let mut digests = vec![Default::default(); messages.len()];
/// for (number, message) in messages.iter().enumerate() {
///     batch.submit(message, number, |number, digest| digests[number] = *digest);
/// }
/// batch.finish(|number, digest| digests[number] = *digest);
/// assert_eq!(digests[99], Sha1::digest(&messages[99]));
/// ```
pub struct Batch<'m, D: BatchDigest, T> {
    plans: DigestPlans<D>,
    states: Vec<D::State>,
    lanes: Vec<Lane<'m, D, T>>,
    /// For the last bytes of each message, padded. They stay where they are.
    ends: Vec<[D::Block; 2]>,
    /// The place in `ends` of each lane's message; behind those, the free places.
    places: Vec<u8>,
}

/// A message in progress.
struct Lane<'m, D: BatchDigest, T> {
    /// Whole blocks of the message that are still to be mixed in.
    blocks: &'m [D::Block],
    /// Which blocks of its padded end are still to be mixed in.
    next: usize,
    count: usize,
    tag: T,
}

/// More lanes than any digest has.
const MOST: usize = 64;

impl<'m, D: BatchDigest, T> Batch<'m, D, T> {
    /// A batch of digests without a key.
    pub fn new() -> Self {
        Batch::with_plans(DigestPlans::new(Policy::Public).expect("the policy 'public' permits the portable kernels"))
    }

    /// The same with given kernels.
    pub fn with_plans(plans: DigestPlans<D>) -> Self {
        const { assert!(D::BATCHING.lanes <= MOST) };
        let count = D::BATCHING.lanes;
        Batch {
            plans,
            states: Vec::with_capacity(count),
            lanes: Vec::with_capacity(count),
            ends: vec![[D::ZERO; 2]; count],
            places: (0..count as u8).collect(),
        }
    }

    /// Takes a message, and gives the digests that are ready to `done`.
    pub fn submit(&mut self, message: &'m [u8], tag: T, done: impl FnMut(T, &Output<D>)) {
        self.submit_at(D::INITIAL, 0, message, tag, done);
    }

    /// The same for a message that others stand before.
    pub fn submit_from(&mut self, start: &Start<D>, message: &'m [u8], tag: T, done: impl FnMut(T, &Output<D>)) {
        self.submit_at(start.state, start.bytes, message, tag, done);
    }

    #[inline]
    fn submit_at(
        &mut self,
        state: D::State,
        bytes_before: u64,
        message: &'m [u8],
        tag: T,
        mut done: impl FnMut(T, &Output<D>),
    ) {
        while self.lanes.len() >= D::BATCHING.lanes {
            self.work(&mut done);
        }
        let block = size_of::<D::Block>();
        // A block that is all there is is copied: then one step ends the message.
        let (blocks, rest) = if message.len() <= block { (&[][..], message) } else { D::blocks(message) };
        let length = bytes_before.wrapping_add(message.len() as u64);
        let place = usize::from(self.places[self.lanes.len()]);
        let count = D::pad(&mut self.ends[place], rest, length);
        self.states.push(state);
        self.lanes.push(Lane { blocks, next: 0, count, tag });
    }

    /// Works until every message has its digest.
    pub fn finish(&mut self, mut done: impl FnMut(T, &Output<D>)) {
        while !self.lanes.is_empty() {
            self.work(&mut done);
        }
    }

    /// Messages that have been submitted and have no digest yet.
    pub fn pending(&self) -> usize {
        self.lanes.len()
    }

    /// Mixes in as many blocks as the messages in vectors have in common, and ends those messages that have no more.
    #[inline]
    fn work(&mut self, done: &mut impl FnMut(T, &Output<D>)) {
        let count = self.lanes.len();
        let over = count % D::BATCHING.group;
        let in_vectors = if over < D::BATCHING.break_even { count - over } else { count };
        let mut blocks: [&[D::Block]; MOST] = [&[]; MOST];
        let (mut in_common, mut most, mut at_end) = (usize::MAX, 0, true);
        for (i, (blocks, lane)) in blocks.iter_mut().zip(&self.lanes).enumerate() {
            *blocks = lane.to_do(&self.ends[usize::from(self.places[i])]);
            at_end &= lane.blocks.is_empty();
            if i < in_vectors {
                (in_common, most) = (in_common.min(blocks.len()), most.max(blocks.len()));
            }
        }
        if in_common < most {
            for blocks in &mut blocks[..in_vectors] {
                *blocks = &blocks[..in_common];
            }
        }
        if in_vectors > 0 {
            D::compress_lanes(self.plans.lanes, &mut self.states[..in_vectors], &blocks[..in_vectors]);
        }
        for (state, blocks) in self.states[in_vectors..].iter_mut().zip(&blocks[in_vectors..]) {
            D::compress(self.plans.single, state, blocks);
        }
        let mut output = Output::<D>::default();
        if at_end && in_common >= most {
            while let (Some(lane), Some(state)) = (self.lanes.pop(), self.states.pop()) {
                D::write(state, &mut output);
                done(lane.tag, &output);
            }
            return;
        }
        for i in (0..count).rev() {
            let mixed_in = if i < in_vectors { in_common } else { usize::MAX };
            if self.lanes[i].advance(mixed_in) {
                D::write(self.states.swap_remove(i), &mut output);
                let tag = self.lanes.swap_remove(i).tag;
                self.places.swap(i, self.lanes.len());
                done(tag, &output);
            }
        }
    }
}

impl<D: BatchDigest> Batch<'_, D, usize> {
    /// Writes the digest of message `i` to output `i`.
    ///
    /// # Errors
    /// [`BatchError::OutputCount`] if there are not as many outputs as messages.
    pub fn digest_many(self, messages: &[&[u8]], outputs: &mut [Output<D>]) -> Result<(), BatchError> {
        if messages.len() != outputs.len() {
            return Err(BatchError::OutputCount { messages: messages.len(), outputs: outputs.len() });
        }
        in_order(Batch::with_plans(self.plans), messages, |i, digest| outputs[i].copy_from_slice(digest));
        Ok(())
    }
}

/// All messages, the longest first: so that those that are left at the end are short.
fn in_order<'m, D: BatchDigest>(
    mut batch: Batch<'m, D, usize>,
    messages: &[&'m [u8]],
    mut done: impl FnMut(usize, &Output<D>),
) {
    if messages.is_sorted_by(|one, next| one.len() >= next.len()) {
        for (i, message) in messages.iter().enumerate() {
            batch.submit(message, i, &mut done);
        }
    } else {
        let mut order: Vec<usize> = (0..messages.len()).collect();
        order.sort_unstable_by_key(|i| std::cmp::Reverse(messages[*i].len()));
        for i in order {
            batch.submit(messages[i], i, &mut done);
        }
    }
    batch.finish(done);
}

/// The digests one behind the other.
pub(super) fn flat<D: BatchDigest>(messages: &[&[u8]], outputs: &mut [u8]) -> Result<(), BatchError> {
    let size = <D as OutputSizeUser>::output_size();
    if outputs.len() != messages.len() * size {
        return Err(BatchError::OutputBytes { needed: messages.len() * size, given: outputs.len() });
    }
    in_order(Batch::<D, usize>::new(), messages, |i, digest| outputs[i * size..][..size].copy_from_slice(digest));
    Ok(())
}

impl<'m, D: BatchDigest, T> Lane<'m, D, T> {
    /// The blocks that come next: those of the message, then its padded end.
    #[inline]
    fn to_do<'b>(&self, end: &'b [D::Block; 2]) -> &'b [D::Block]
    where
        'm: 'b,
    {
        if self.blocks.is_empty() { &end[self.next..self.count] } else { self.blocks }
    }

    /// Notes that so many of them are done, and says whether they were the last.
    #[inline]
    fn advance(&mut self, blocks: usize) -> bool {
        if self.blocks.is_empty() {
            self.next = self.next.saturating_add(blocks).min(self.count);
        } else {
            self.blocks = &self.blocks[blocks.min(self.blocks.len())..];
        }
        self.next == self.count
    }
}

impl<D: BatchDigest, T> Default for Batch<'_, D, T> {
    fn default() -> Self {
        Batch::new()
    }
}

impl<D: BatchDigest, T> fmt::Debug for Batch<'_, D, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Batch").field("pending", &self.pending()).finish_non_exhaustive()
    }
}

impl<D: BatchDigest, T> Drop for Batch<'_, D, T> {
    fn drop(&mut self) {
        // Those of messages that have ended lie behind the end, where the vector's own wiping reaches them too.
        self.states.zeroize();
        for end in &mut self.ends {
            *end = [D::ZERO; 2];
        }
        optimization_barrier(&self.ends[..]);
    }
}
