//! CBC encryption of many messages under many keys.

use std::fmt;

use cipher::InOutBuf;
use speedwell_kernels::aes::{CbcEncrypt, CbcEncryptLanes, EncryptKeys};
use speedwell_kernels::simd::as_chunks;
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::BatchError;
use crate::cipher::{Block, CipherError, KeyPlans};
use crate::select::{Plan, Policy, plan};

/// A key of `KEY` bytes (16, 24 or 32), expanded for encryption. Wiped on drop.
#[derive(Clone)]
pub struct CbcKey<const KEY: usize>(EncryptKeys);

impl<const KEY: usize> CbcKey<KEY> {
    /// Expands a key.
    pub fn new(key: &[u8; KEY]) -> Self {
        CbcKey::with_policy(key, Policy::Secret).expect("the policy 'secret' permits a kernel of every primitive")
    }

    /// The same under a policy.
    ///
    /// # Errors
    /// If the policy permits no kernel.
    pub fn with_policy(key: &[u8; KEY], policy: Policy) -> Result<Self, BatchError> {
        let plans = KeyPlans::new(policy).map_err(|error| match error {
            CipherError::Select(error) => BatchError::Select(error),
            _ => unreachable!("only the selection can fail here"),
        })?;
        let mut keys = CbcKey(EncryptKeys::default());
        plans.expand(key, &mut keys.0);
        Ok(keys)
    }
}

impl<const KEY: usize> fmt::Debug for CbcKey<KEY> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "CbcKey<{KEY}> {{ .. }}")
    }
}

impl<const KEY: usize> ZeroizeOnDrop for CbcKey<KEY> {}

/// Messages that are encrypted in lanes, each under a key of its own, with a tag `T` of the caller's.
///
/// As with [`Batch`](super::Batch), messages are submitted one after the other and end in any order; a batch allocates when
/// it is made, and not after. Messages are whole blocks; there is no padding.
///
/// ```
/// use speedwell::batch::{CbcBatch, CbcKey};
/// use speedwell::cipher::InOutBuf;
///
/// let keys: Vec<CbcKey<16>> = (0..20).map(|i| CbcKey::new(&[i; 16])).collect();
/// let mut messages = vec![[0; 64]; 20];
/// let mut batch = CbcBatch::new();
/// for (number, (key, message)) in keys.iter().zip(&mut messages).enumerate() {
///     batch.submit(key, &[0x24; 16], InOutBuf::from(&mut message[..]), number, |_number| {})?;
/// }
/// batch.finish(|_number| {});
/// # Ok::<(), speedwell::batch::BatchError>(())
/// ```
pub struct CbcBatch<'m, const KEY: usize, T> {
    single: &'static Plan<CbcEncrypt>,
    lanes: &'static Plan<CbcEncryptLanes>,
    keys: Vec<&'m EncryptKeys>,
    chains: Vec<Block>,
    rest: Vec<InOutBuf<'m, 'm, Block>>,
    tags: Vec<T>,
    /// What is worked on of each message, while it is.
    heads: Vec<InOutBuf<'m, 'm, Block>>,
}

/// Messages that the widest kernel takes at once.
const LANES: usize = 16;

impl<'m, const KEY: usize, T> CbcBatch<'m, KEY, T> {
    /// An empty batch.
    pub fn new() -> Self {
        CbcBatch::with_policy(Policy::Secret).expect("the policy 'secret' permits a kernel of every primitive")
    }

    /// The same under a policy.
    ///
    /// # Errors
    /// If the policy permits no kernel.
    pub fn with_policy(policy: Policy) -> Result<Self, BatchError> {
        Ok(CbcBatch::with_plans(plan(policy)?, plan(policy)?))
    }

    /// The same with given kernels: for one message, and for many.
    pub fn with_plans(single: &'static Plan<CbcEncrypt>, lanes: &'static Plan<CbcEncryptLanes>) -> Self {
        CbcBatch {
            single,
            lanes,
            keys: Vec::with_capacity(LANES),
            chains: Vec::with_capacity(LANES),
            rest: Vec::with_capacity(LANES),
            tags: Vec::with_capacity(LANES),
            heads: Vec::with_capacity(LANES),
        }
    }

    /// Takes a message, to be encrypted in place or from one buffer to another, and gives the tags of those that are ready
    /// to `done`. The initialisation vector must not be predictable.
    ///
    /// # Errors
    /// [`BatchError::NotWholeBlocks`].
    pub fn submit(
        &mut self,
        key: &'m CbcKey<KEY>,
        iv: &Block,
        message: InOutBuf<'m, 'm, u8>,
        tag: T,
        mut done: impl FnMut(T),
    ) -> Result<(), BatchError> {
        let bytes = message.len();
        let (blocks, rest) = as_chunks(message);
        if !rest.is_empty() {
            return Err(BatchError::NotWholeBlocks { bytes });
        }
        if blocks.is_empty() {
            done(tag);
            return Ok(());
        }
        while self.tags.len() >= LANES {
            self.work(&mut done);
        }
        self.keys.push(&key.0);
        self.chains.push(*iv);
        self.rest.push(blocks);
        self.tags.push(tag);
        Ok(())
    }

    /// Works until every message is encrypted.
    pub fn finish(&mut self, mut done: impl FnMut(T)) {
        while !self.tags.is_empty() {
            self.work(&mut done);
        }
    }

    /// Messages that have been submitted and are not encrypted yet.
    pub fn pending(&self) -> usize {
        self.tags.len()
    }

    /// Encrypts as many blocks as all messages have in common, and ends those that have no more.
    fn work(&mut self, done: &mut impl FnMut(T)) {
        let in_common = self.rest.iter().map(InOutBuf::len).min().unwrap_or(0);
        for rest in &mut self.rest {
            let (head, tail) = std::mem::replace(rest, InOutBuf::from(&mut [][..])).split_at(in_common);
            self.heads.push(head);
            *rest = tail;
        }
        if let [head] = &mut self.heads[..] {
            let bytes = in_common * size_of::<Block>();
            self.single.kernel(bytes).call(self.keys[0], &mut self.chains[0], head.reborrow());
        } else {
            let bytes = in_common * size_of::<Block>() * self.heads.len();
            self.lanes.kernel(bytes).call(&self.keys, &mut self.chains, &mut self.heads);
        }
        self.heads.clear();
        for i in (0..self.tags.len()).rev() {
            if self.rest[i].is_empty() {
                self.keys.swap_remove(i);
                self.chains.swap_remove(i);
                self.rest.swap_remove(i);
                done(self.tags.swap_remove(i));
            }
        }
    }
}

impl<const KEY: usize, T> Default for CbcBatch<'_, KEY, T> {
    fn default() -> Self {
        CbcBatch::new()
    }
}

impl<const KEY: usize, T> fmt::Debug for CbcBatch<'_, KEY, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "CbcBatch<{KEY}> {{ pending: {}, .. }}", self.pending())
    }
}

impl<const KEY: usize, T> Drop for CbcBatch<'_, KEY, T> {
    fn drop(&mut self) {
        self.chains.zeroize();
    }
}
