//! AES in counter mode (SP 800-38A, section 6.5): a key stream from the encryption of a 128-bit big-endian counter.

use std::fmt;

use cipher::common::KeyIvInit;
use cipher::consts::{U16, U24, U32};
use cipher::{
    InOutBuf, Iv, IvSizeUser, Key, KeySizeUser, OverflowError, SeekNum, StreamCipher, StreamCipherError,
    StreamCipherSeek,
};
use speedwell_kernels::aes;
use speedwell_kernels::simd::as_chunks;
use zeroize::{ZeroizeOnDrop, optimization_barrier};

use super::aes::{KeyPlans, PERMITTED};
use super::{Block, CipherError};
use crate::select::{Plan, Policy, plan};

/// AES in counter mode with a key of `KEY` bytes. Encryption and decryption are the same.
#[derive(Clone)]
pub struct Ctr<const KEY: usize> {
    keys: aes::EncryptKeys,
    plan: &'static Plan<aes::Ctr>,
    /// The first counter.
    start: Block,
    /// The next counter.
    counter: Block,
    /// The key stream of the block that was begun.
    stream: Block,
    /// How many of its bytes are used up: all, when no block was begun.
    used: usize,
}

/// AES-128-CTR.
pub type Aes128Ctr = Ctr<16>;
/// AES-192-CTR.
pub type Aes192Ctr = Ctr<24>;
/// AES-256-CTR.
pub type Aes256Ctr = Ctr<32>;

const BLOCK: usize = size_of::<Block>();

impl<const KEY: usize> Ctr<KEY> {
    /// Sets up a key stream. No two messages under one key may use the same counter.
    #[inline]
    pub fn new(key: &[u8; KEY], counter: &Block) -> Self {
        let plans = KeyPlans::new(Policy::Secret).expect(PERMITTED);
        Ctr::with_plans(key, counter, plans, plan(Policy::Secret).expect(PERMITTED))
    }

    /// The same under a policy.
    ///
    /// # Errors
    /// If the policy permits no kernel.
    #[inline]
    pub fn with_policy(key: &[u8; KEY], counter: &Block, policy: Policy) -> Result<Self, CipherError> {
        Ok(Ctr::with_plans(key, counter, KeyPlans::new(policy)?, plan(policy)?))
    }

    #[inline]
    fn with_plans(key: &[u8; KEY], counter: &Block, plans: KeyPlans, plan: &'static Plan<aes::Ctr>) -> Self {
        let keys = aes::EncryptKeys::default();
        let mut mode = Ctr { keys, plan, start: *counter, counter: *counter, stream: [0; BLOCK], used: BLOCK };
        plans.expand(key, &mut mode.keys);
        mode
    }

    /// Starts another key stream under the same key.
    pub fn restart(&mut self, counter: &Block) {
        self.start = *counter;
        self.counter = *counter;
        self.used = BLOCK;
    }

    /// Applies the key stream to data of any length, in place or from one buffer to another.
    #[inline]
    pub fn apply(&mut self, data: InOutBuf<'_, '_, u8>) {
        let begun = data.len().min(BLOCK - self.used);
        let data = if begun > 0 {
            let (mut head, rest) = data.split_at(begun);
            head.xor_in2out(&self.stream[self.used..self.used + begun]);
            self.used += begun;
            rest
        } else {
            data
        };
        let (blocks, mut tail) = as_chunks(data);
        if !blocks.is_empty() {
            self.plan.kernel(blocks.len() * BLOCK).call(&self.keys, &mut self.counter, blocks);
        }
        if !tail.is_empty() {
            self.begin_block();
            tail.xor_in2out(&self.stream[..tail.len()]);
            self.used = tail.len();
        }
    }

    /// Makes the key stream of the next block: what the kernel makes of zeros.
    fn begin_block(&mut self) {
        self.stream = [0; BLOCK];
        let blocks = InOutBuf::from(std::slice::from_mut(&mut self.stream));
        self.plan.kernel(BLOCK).call(&self.keys, &mut self.counter, blocks);
    }
}

impl<const KEY: usize> StreamCipher for Ctr<KEY> {
    /// The counter's 128 bits outlast any message.
    #[inline]
    fn check_remaining(&self, _length: usize) -> Result<(), StreamCipherError> {
        Ok(())
    }

    #[inline]
    fn unchecked_apply_keystream_inout(&mut self, buffer: InOutBuf<'_, '_, u8>) {
        self.apply(buffer);
    }

    #[inline]
    fn unchecked_write_keystream(&mut self, buffer: &mut [u8]) {
        buffer.fill(0);
        self.apply(buffer.into());
    }
}

impl<const KEY: usize> StreamCipherSeek for Ctr<KEY> {
    fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
        let blocks = u128::from_be_bytes(self.counter).wrapping_sub(u128::from_be_bytes(self.start));
        // SeekNum takes the number of blocks begun and how many bytes of the last are used: all, if none is begun.
        T::from_block_byte(blocks, self.used as u8, BLOCK as u8)
    }

    fn try_seek<T: SeekNum>(&mut self, position: T) -> Result<(), StreamCipherError> {
        let (block, byte) = position.into_block_byte::<u128>(BLOCK as u8)?;
        self.counter = u128::from_be_bytes(self.start).wrapping_add(block).to_be_bytes();
        self.used = BLOCK;
        if byte > 0 {
            self.begin_block();
            self.used = byte.into();
        }
        Ok(())
    }
}

/// The traits that name a key's length by a type.
macro_rules! ctr {
    ($($key:literal $size:ty;)*) => {
        $(
            impl KeySizeUser for Ctr<$key> {
                type KeySize = $size;
            }

            impl KeyIvInit for Ctr<$key> {
                fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
                    Ctr::new(&key.0, &iv.0)
                }
            }
        )*
    };
}

ctr! {
    16 U16;
    24 U24;
    32 U32;
}

impl<const KEY: usize> IvSizeUser for Ctr<KEY> {
    type IvSize = U16;
}

impl<const KEY: usize> fmt::Debug for Ctr<KEY> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Ctr<{KEY}> {{ .. }}")
    }
}

impl<const KEY: usize> Drop for Ctr<KEY> {
    #[inline]
    fn drop(&mut self) {
        (self.counter, self.stream) = ([0; BLOCK], [0; BLOCK]);
        optimization_barrier(self);
    }
}

impl<const KEY: usize> ZeroizeOnDrop for Ctr<KEY> {}
