//! CMAC (SP 800-38B, RFC 4493) over AES: cipher block chaining of which only the end is told.
//!
//! The last block gets one of two subkeys added, so that no message is the beginning of another. The chain runs in the
//! kernel of CBC encryption; what it writes besides is overwritten.

use std::fmt;

use cipher::consts::{U16, U24, U32};
use digest::common::{AlgorithmName, BlockSizeUser, KeySizeUser};
use digest::{FixedOutput, FixedOutputReset, Key, KeyInit, MacMarker, Output, OutputSizeUser, Reset, Update};
use speedwell_kernels::aes::{Block, CbcEncrypt, EncryptKeys, ExpandKey};
use speedwell_kernels::simd::InOutBuf;
use zeroize::{ZeroizeOnDrop, optimization_barrier};

use super::{MacError, compare};
use crate::select::{Plan, Policy, plan};

/// A key of CMAC over AES with `KEY` bytes, ready for any number of messages. Wiped on drop.
#[derive(Clone)]
pub struct CmacKey<const KEY: usize> {
    keys: EncryptKeys,
    plan: &'static Plan<CbcEncrypt>,
    /// For a last block that is whole, and for one that is padded.
    subkeys: [Block; 2],
}

/// A message in progress under a key of CMAC.
#[derive(Clone)]
pub struct Cmac<const KEY: usize> {
    key: CmacKey<KEY>,
    chain: Block,
    /// The end of the message so far: up to a whole block, because the last block is treated apart.
    last: Block,
    filled: usize,
}

/// CMAC over AES-128.
pub type Aes128Cmac = Cmac<16>;
/// CMAC over AES-192.
pub type Aes192Cmac = Cmac<24>;
/// CMAC over AES-256.
pub type Aes256Cmac = Cmac<32>;

/// A tag is not cut to fewer bytes (SP 800-38B, appendix A).
const LEAST_TAG: usize = 8;

const BLOCK: usize = size_of::<Block>();

impl<const KEY: usize> CmacKey<KEY> {
    /// Sets a key up.
    #[inline]
    pub fn new(key: &[u8; KEY]) -> Self {
        CmacKey::with_policy(key, Policy::Secret).expect("the policy 'secret' always permits the portable kernel")
    }

    /// The same under a policy.
    ///
    /// # Errors
    /// [`MacError::Select`] if the policy permits no kernel.
    pub fn with_policy(key: &[u8; KEY], policy: Policy) -> Result<Self, MacError> {
        const { assert!(matches!(KEY, 16 | 24 | 32), "an AES key has 16, 24 or 32 bytes") };
        let mut ready = CmacKey { keys: EncryptKeys::default(), plan: plan(policy)?, subkeys: [[0; BLOCK]; 2] };
        plan::<ExpandKey>(policy)?.kernel(KEY).call(key, &mut ready.keys);
        let mut zero = [0; BLOCK];
        ready.mix(&mut zero, &[[0; BLOCK]]);
        ready.subkeys[0] = double(&zero);
        ready.subkeys[1] = double(&ready.subkeys[0]);
        wipe(&mut [zero]);
        Ok(ready)
    }

    /// The tag of a message that is all there.
    #[inline]
    pub fn tag(&self, message: &[u8]) -> Block {
        let (first, last) = split_last(message);
        let mut chain = [0; BLOCK];
        self.mix(&mut chain, first);
        self.end(&mut chain, last);
        chain
    }

    /// Whether a tag, which may be cut to eight bytes or more, is that of a message.
    ///
    /// # Errors
    /// [`MacError::WrongTag`] or [`MacError::TagLength`].
    #[inline]
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), MacError> {
        compare(&self.tag(message), tag, LEAST_TAG)
    }

    /// A message in parts under this key.
    #[inline]
    pub fn start(&self) -> Cmac<KEY> {
        Cmac { key: self.clone(), chain: [0; BLOCK], last: [0; BLOCK], filled: 0 }
    }

    /// Takes blocks that are not the last.
    #[inline]
    fn mix(&self, chain: &mut Block, blocks: &[Block]) {
        match blocks {
            [] => {}
            [_] | [_, _] | [_, _, _] | [_, _, _, _] => self.mix_in_groups::<4>(chain, blocks),
            _ => self.mix_in_groups::<64>(chain, blocks),
        }
    }

    /// What the kernel writes is the chain after every block, and as secret as the key: whoever knows it forges tags.
    #[inline]
    fn mix_in_groups<const GROUP: usize>(&self, chain: &mut Block, blocks: &[Block]) {
        let mut chains = [[0; BLOCK]; GROUP];
        for group in blocks.chunks(GROUP) {
            let both = InOutBuf::new(group, &mut chains[..group.len()]).expect("both have the group's length");
            self.plan.kernel(group.len() * BLOCK).call(&self.keys, chain, both);
        }
        wipe(&mut chains);
    }

    /// Takes the last block, of up to sixteen bytes.
    #[inline]
    fn end(&self, chain: &mut Block, last: &[u8]) {
        let mut block = [[0; BLOCK]];
        block[0][..last.len()].copy_from_slice(last);
        let subkey = if last.len() < BLOCK {
            block[0][last.len()] = 0x80;
            &self.subkeys[1]
        } else {
            &self.subkeys[0]
        };
        block[0] = (u128::from_ne_bytes(block[0]) ^ u128::from_ne_bytes(*subkey)).to_ne_bytes();
        self.plan.kernel(BLOCK).call(&self.keys, chain, InOutBuf::from(&mut block[..]));
        wipe(&mut block);
    }
}

impl<const KEY: usize> Cmac<KEY> {
    /// Starts a message.
    pub fn new(key: &[u8; KEY]) -> Self {
        CmacKey::new(key).start()
    }

    /// Appends to the message.
    #[inline]
    pub fn update(&mut self, mut data: &[u8]) {
        if self.filled + data.len() > BLOCK {
            if self.filled > 0 {
                let (head, rest) = data.split_at(BLOCK - self.filled);
                self.last[self.filled..].copy_from_slice(head);
                self.key.mix(&mut self.chain, &[self.last]);
                (data, self.filled) = (rest, 0);
            }
            let (blocks, rest) = split_last(data);
            self.key.mix(&mut self.chain, blocks);
            data = rest;
        }
        self.last[self.filled..self.filled + data.len()].copy_from_slice(data);
        self.filled += data.len();
    }

    /// The tag of the message; what follows is a new message under the same key.
    #[inline]
    pub fn finish(&mut self) -> Block {
        let mut chain = std::mem::take(&mut self.chain);
        self.key.end(&mut chain, &self.last[..self.filled]);
        self.filled = 0;
        chain
    }

    /// Whether a tag, which may be cut to eight bytes or more, is that of the message; what follows is a new message
    /// under the same key.
    ///
    /// # Errors
    /// [`MacError::WrongTag`] or [`MacError::TagLength`].
    pub fn check(&mut self, tag: &[u8]) -> Result<(), MacError> {
        compare(&self.finish(), tag, LEAST_TAG)
    }
}

/// The blocks before the last, and the last, which is empty only if the message is.
#[inline]
fn split_last(message: &[u8]) -> (&[Block], &[u8]) {
    let first = message.len().saturating_sub(1) / BLOCK;
    (&message.as_chunks().0[..first], &message[first * BLOCK..])
}

/// Twice a block in GF(2^128), with bits in big-endian order (SP 800-38B, section 6.1).
fn double(block: &Block) -> Block {
    let block = u128::from_be_bytes(*block);
    let carry = 0u128.wrapping_sub(block >> 127);
    (block << 1 ^ carry & 0x87).to_be_bytes()
}

#[inline]
fn wipe<const N: usize>(blocks: &mut [Block; N]) {
    *blocks = [[0; BLOCK]; N];
    optimization_barrier(blocks);
}

impl<const KEY: usize> Drop for CmacKey<KEY> {
    fn drop(&mut self) {
        wipe(&mut self.subkeys);
    }
}

impl<const KEY: usize> Drop for Cmac<KEY> {
    fn drop(&mut self) {
        wipe(&mut [std::mem::take(&mut self.chain), std::mem::take(&mut self.last)]);
        optimization_barrier(self);
    }
}

/// The traits that name a key's length by a type.
macro_rules! keys {
    ($($key:literal $size:ty, $name:literal;)*) => {
        $(
            impl KeySizeUser for CmacKey<$key> {
                type KeySize = $size;
            }

            impl KeyInit for CmacKey<$key> {
                fn new(key: &Key<Self>) -> Self {
                    CmacKey::new(&key.0)
                }
            }

            impl KeySizeUser for Cmac<$key> {
                type KeySize = $size;
            }

            impl KeyInit for Cmac<$key> {
                fn new(key: &Key<Self>) -> Self {
                    Cmac::new(&key.0)
                }
            }

            impl AlgorithmName for Cmac<$key> {
                fn write_alg_name(formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    formatter.write_str($name)
                }
            }
        )*
    };
}

keys! {
    16 U16, "Aes128Cmac";
    24 U24, "Aes192Cmac";
    32 U32, "Aes256Cmac";
}

impl<const KEY: usize> Update for Cmac<KEY> {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        Cmac::update(self, data);
    }
}

impl<const KEY: usize> OutputSizeUser for Cmac<KEY> {
    type OutputSize = U16;
}

impl<const KEY: usize> BlockSizeUser for Cmac<KEY> {
    type BlockSize = U16;
}

impl<const KEY: usize> MacMarker for Cmac<KEY> {}

impl<const KEY: usize> FixedOutput for Cmac<KEY> {
    #[inline]
    fn finalize_into(mut self, output: &mut Output<Self>) {
        output.0 = self.finish();
    }
}

impl<const KEY: usize> Reset for Cmac<KEY> {
    #[inline]
    fn reset(&mut self) {
        (self.chain, self.filled) = ([0; BLOCK], 0);
    }
}

impl<const KEY: usize> FixedOutputReset for Cmac<KEY> {
    #[inline]
    fn finalize_into_reset(&mut self, output: &mut Output<Self>) {
        output.0 = self.finish();
    }
}

impl<const KEY: usize> fmt::Debug for CmacKey<KEY> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CmacKey { .. }")
    }
}

impl<const KEY: usize> fmt::Debug for Cmac<KEY> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Cmac { .. }")
    }
}

impl<const KEY: usize> ZeroizeOnDrop for CmacKey<KEY> {}
impl<const KEY: usize> ZeroizeOnDrop for Cmac<KEY> {}
