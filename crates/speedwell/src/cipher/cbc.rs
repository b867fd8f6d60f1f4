//! AES in cipher block chaining (SP 800-38A, section 6.2).

use std::fmt;

use cipher::consts::{U16, U24, U32};
use cipher::{
    BlockModeDecClosure, BlockModeDecrypt, BlockModeEncClosure, BlockModeEncrypt, BlockSizeUser, InOutBuf, Iv,
    IvSizeUser, Key, KeyIvInit, KeySizeUser,
};
use speedwell_kernels::aes::{CbcDecrypt, CbcEncrypt, DecryptKeys, EncryptKeys};
use zeroize::{Zeroize, ZeroizeOnDrop, optimization_barrier};

use super::aes::{KeyPlans, PERMITTED};
use super::backend::Backend;
use super::padding::unpad_pkcs7;
use super::stream::Pending;
use super::{Block, CipherError, Padding};
use crate::select::{Plan, Policy, plan};

/// Encrypts a message in CBC mode with a key of `KEY` bytes.
#[derive(Clone)]
pub struct CbcEncryptor<const KEY: usize> {
    keys: EncryptKeys,
    plan: &'static Plan<CbcEncrypt>,
    /// The last block of ciphertext, before the first the initialisation vector.
    chain: Block,
    pending: Pending,
}

/// Decrypts a message in CBC mode with a key of `KEY` bytes.
#[derive(Clone)]
pub struct CbcDecryptor<const KEY: usize> {
    keys: DecryptKeys,
    plan: &'static Plan<CbcDecrypt>,
    chain: Block,
    pending: Pending,
}

/// AES-128-CBC encryption.
pub type Aes128CbcEncryptor = CbcEncryptor<16>;
/// AES-192-CBC encryption.
pub type Aes192CbcEncryptor = CbcEncryptor<24>;
/// AES-256-CBC encryption.
pub type Aes256CbcEncryptor = CbcEncryptor<32>;
/// AES-128-CBC decryption.
pub type Aes128CbcDecryptor = CbcDecryptor<16>;
/// AES-192-CBC decryption.
pub type Aes192CbcDecryptor = CbcDecryptor<24>;
/// AES-256-CBC decryption.
pub type Aes256CbcDecryptor = CbcDecryptor<32>;

impl<const KEY: usize> CbcEncryptor<KEY> {
    /// Sets up a message. The initialisation vector must not be predictable.
    #[inline]
    pub fn new(key: &[u8; KEY], iv: &Block) -> Self {
        let plans = KeyPlans::new(Policy::Secret).expect(PERMITTED);
        CbcEncryptor::with_plans(key, iv, plans, plan(Policy::Secret).expect(PERMITTED))
    }

    /// The same under a policy.
    ///
    /// # Errors
    /// If the policy permits no kernel.
    #[inline]
    pub fn with_policy(key: &[u8; KEY], iv: &Block, policy: Policy) -> Result<Self, CipherError> {
        Ok(CbcEncryptor::with_plans(key, iv, KeyPlans::new(policy)?, plan(policy)?))
    }

    /// The schedule is written where it stays: a copy of it would take longer than a block.
    #[inline]
    fn with_plans(key: &[u8; KEY], iv: &Block, plans: KeyPlans, plan: &'static Plan<CbcEncrypt>) -> Self {
        let mut mode = CbcEncryptor { keys: EncryptKeys::default(), plan, chain: *iv, pending: Pending::default() };
        plans.expand(key, &mut mode.keys);
        mode
    }

    /// Starts another message under the same key, leaving what was pending.
    pub fn restart(&mut self, iv: &Block) {
        self.chain = *iv;
        self.pending = Pending::default();
    }

    /// Encrypts whole blocks, in place or from one buffer to another. What [`update`](Self::update) keeps pending is not
    /// touched: use one or the other for a message.
    #[inline]
    pub fn encrypt_blocks(&mut self, blocks: InOutBuf<'_, '_, Block>) {
        self.plan.kernel(blocks.len() * size_of::<Block>()).call(&self.keys, &mut self.chain, blocks);
    }

    /// Takes a part of the message of any length, writes every block that is complete, and returns the bytes written: at
    /// most fifteen more than the input.
    ///
    /// # Errors
    /// [`CipherError::OutputTooSmall`], before anything is processed.
    #[inline]
    pub fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, CipherError> {
        let CbcEncryptor { keys, plan, chain, pending } = self;
        pending.update(input, output, false, |blocks| {
            plan.kernel(blocks.len() * size_of::<Block>()).call(keys, chain, blocks);
        })
    }

    /// Pads and writes the last block, and returns the bytes written: 16 with PKCS #7, none without.
    ///
    /// # Errors
    /// [`CipherError::NotWholeBlocks`] without padding, or [`CipherError::OutputTooSmall`].
    #[inline]
    pub fn finish(mut self, output: &mut [u8], padding: Padding) -> Result<usize, CipherError> {
        let (block, filled) = self.pending.last();
        let Some(mut block) = padding.pad(block, filled)? else { return Ok(0) };
        let given = output.len();
        let Some(last) = output.first_chunk_mut() else {
            return Err(CipherError::OutputTooSmall { needed: block.len(), given });
        };
        self.encrypt_blocks(InOutBuf::from(std::slice::from_mut(&mut block)));
        *last = block;
        Ok(block.len())
    }

    /// Encrypts a whole message.
    ///
    /// # Errors
    /// [`CipherError::NotWholeBlocks`] without padding.
    pub fn encrypt_to_vec(mut self, message: &[u8], padding: Padding) -> Result<Vec<u8>, CipherError> {
        let mut output = vec![0; message.len() + size_of::<Block>()];
        let written = self.update(message, &mut output)?;
        let written = written + self.finish(&mut output[written..], padding)?;
        output.truncate(written);
        Ok(output)
    }
}

impl<const KEY: usize> CbcDecryptor<KEY> {
    /// Sets up a message.
    #[inline]
    pub fn new(key: &[u8; KEY], iv: &Block) -> Self {
        let plans = KeyPlans::new(Policy::Secret).expect(PERMITTED);
        CbcDecryptor::with_plans(key, iv, plans, plan(Policy::Secret).expect(PERMITTED))
    }

    /// The same under a policy.
    ///
    /// # Errors
    /// If the policy permits no kernel.
    #[inline]
    pub fn with_policy(key: &[u8; KEY], iv: &Block, policy: Policy) -> Result<Self, CipherError> {
        Ok(CbcDecryptor::with_plans(key, iv, KeyPlans::new(policy)?, plan(policy)?))
    }

    #[inline]
    fn with_plans(key: &[u8; KEY], iv: &Block, plans: KeyPlans, plan: &'static Plan<CbcDecrypt>) -> Self {
        let mut mode = CbcDecryptor { keys: DecryptKeys::default(), plan, chain: *iv, pending: Pending::default() };
        let mut encrypt_keys = EncryptKeys::default();
        plans.expand(key, &mut encrypt_keys);
        plans.invert(&encrypt_keys, &mut mode.keys);
        mode
    }

    /// Starts another message under the same key, leaving what was pending.
    pub fn restart(&mut self, iv: &Block) {
        self.chain = *iv;
        self.pending = Pending::default();
    }

    /// Decrypts whole blocks, in place or from one buffer to another. What [`update`](Self::update) keeps pending is not
    /// touched: use one or the other for a message.
    #[inline]
    pub fn decrypt_blocks(&mut self, blocks: InOutBuf<'_, '_, Block>) {
        self.plan.kernel(blocks.len() * size_of::<Block>()).call(&self.keys, &mut self.chain, blocks);
    }

    /// Takes a part of the ciphertext of any length, writes every complete block but the last, which may hold the
    /// padding, and returns the bytes written.
    ///
    /// # Errors
    /// [`CipherError::OutputTooSmall`], before anything is processed.
    #[inline]
    pub fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, CipherError> {
        let CbcDecryptor { keys, plan, chain, pending } = self;
        pending.update(input, output, true, |blocks| {
            plan.kernel(blocks.len() * size_of::<Block>()).call(keys, chain, blocks);
        })
    }

    /// Decrypts the last block, takes its padding off, writes the rest, and returns the bytes written.
    ///
    /// # Errors
    /// [`CipherError::NotWholeBlocks`] if the ciphertext is cut short or, with padding, empty;
    /// [`CipherError::BadPadding`]; [`CipherError::OutputTooSmall`] if there is less room than a block.
    #[inline]
    pub fn finish(mut self, output: &mut [u8], padding: Padding) -> Result<usize, CipherError> {
        let (mut block, filled) = self.pending.last();
        if filled == 0 && padding == Padding::None {
            return Ok(0);
        }
        if filled != block.len() {
            return Err(CipherError::NotWholeBlocks { bytes: filled });
        }
        if output.len() < block.len() {
            return Err(CipherError::OutputTooSmall { needed: block.len(), given: output.len() });
        }
        self.decrypt_blocks(InOutBuf::from(std::slice::from_mut(&mut block)));
        let kept = match padding {
            Padding::Pkcs7 => unpad_pkcs7(&block),
            Padding::None => Ok(block.len()),
        };
        if let Ok(kept) = kept {
            output[..kept].copy_from_slice(&block[..kept]);
        }
        block.zeroize();
        kept
    }

    /// Decrypts a whole message.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn decrypt_to_vec(mut self, ciphertext: &[u8], padding: Padding) -> Result<Vec<u8>, CipherError> {
        let mut output = vec![0; ciphertext.len().next_multiple_of(size_of::<Block>())];
        let written = self.update(ciphertext, &mut output)?;
        let written = written + self.finish(&mut output[written..], padding)?;
        output.truncate(written);
        Ok(output)
    }
}

/// The traits of both directions.
macro_rules! traits {
    ($($mode:ident: $trait:ident $with_backend:ident $closure:ident $run:ident;)*) => {
        $(
            impl<const KEY: usize> BlockSizeUser for $mode<KEY> {
                type BlockSize = U16;
            }

            impl<const KEY: usize> IvSizeUser for $mode<KEY> {
                type IvSize = U16;
            }

            traits! { @key $mode 16 U16; 24 U24; 32 U32; }

            impl<const KEY: usize> $trait for $mode<KEY> {
                #[inline]
                fn $with_backend(&mut self, closure: impl $closure<BlockSize = U16>) {
                    closure.call(&mut Backend(|blocks: InOutBuf<'_, '_, Block>| self.$run(blocks)));
                }
            }

            impl<const KEY: usize> fmt::Debug for $mode<KEY> {
                fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(formatter, concat!(stringify!($mode), "<{}> {{ .. }}"), KEY)
                }
            }

            impl<const KEY: usize> Drop for $mode<KEY> {
                #[inline]
                fn drop(&mut self) {
                    self.chain = [0; 16];
                    optimization_barrier(&self.chain);
                }
            }

            impl<const KEY: usize> ZeroizeOnDrop for $mode<KEY> {}
        )*
    };
    (@key $mode:ident $($key:literal $size:ty;)*) => {
        $(
            impl KeySizeUser for $mode<$key> {
                type KeySize = $size;
            }

            impl KeyIvInit for $mode<$key> {
                fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
                    $mode::new(&key.0, &iv.0)
                }
            }
        )*
    };
}

traits! {
    CbcEncryptor: BlockModeEncrypt encrypt_with_backend BlockModeEncClosure encrypt_blocks;
    CbcDecryptor: BlockModeDecrypt decrypt_with_backend BlockModeDecClosure decrypt_blocks;
}
