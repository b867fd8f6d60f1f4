//! AES (FIPS 197): keys, and blocks one by one.

use std::fmt;

use cipher::common::AlgorithmName;
use cipher::consts::{U16, U24, U32};
use cipher::{
    BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOutBuf, Key,
    KeyInit, KeySizeUser,
};
use speedwell_kernels::aes::{DecryptBlocks, DecryptKeys, EncryptBlocks, EncryptKeys, ExpandKey, InvertKey};
use zeroize::ZeroizeOnDrop;

use super::CipherError;
use super::backend::Backend;
use crate::select::{Plan, Policy, plan};

pub use speedwell_kernels::aes::Block;

/// AES with a key of `KEY` bytes: 16, 24 or 32. Alone it is electronic codebook: equal blocks give equal blocks.
#[derive(Clone)]
pub struct Aes<const KEY: usize> {
    encrypt_keys: EncryptKeys,
    decrypt_keys: DecryptKeys,
    encrypt: &'static Plan<EncryptBlocks>,
    decrypt: &'static Plan<DecryptBlocks>,
}

/// AES with a key of 128 bits.
pub type Aes128 = Aes<16>;
/// AES with a key of 192 bits.
pub type Aes192 = Aes<24>;
/// AES with a key of 256 bits.
pub type Aes256 = Aes<32>;

/// How keys are made under a policy.
#[derive(Clone, Copy)]
pub(crate) struct KeyPlans {
    expand: &'static Plan<ExpandKey>,
    invert: &'static Plan<InvertKey>,
}

impl KeyPlans {
    #[inline]
    pub fn new(policy: Policy) -> Result<Self, CipherError> {
        Ok(KeyPlans { expand: plan(policy)?, invert: plan(policy)? })
    }

    /// Writes the schedule of a key for encryption.
    #[inline]
    pub fn expand<const KEY: usize>(self, key: &[u8; KEY], keys: &mut EncryptKeys) {
        const { assert!(matches!(KEY, 16 | 24 | 32), "an AES key has 16, 24 or 32 bytes") };
        self.expand.kernel(KEY).call(key, keys);
    }

    /// Writes the schedule for decryption, from that for encryption.
    #[inline]
    pub fn invert(self, encrypt: &EncryptKeys, decrypt: &mut DecryptKeys) {
        self.invert.kernel(0).call(encrypt, decrypt);
    }
}

impl<const KEY: usize> Aes<KEY> {
    /// Expands a key, under a policy.
    ///
    /// # Errors
    /// If the policy permits no kernel.
    pub fn with_policy(key: &[u8; KEY], policy: Policy) -> Result<Self, CipherError> {
        let plans = KeyPlans::new(policy)?;
        let mut cipher = Aes {
            encrypt_keys: EncryptKeys::default(),
            decrypt_keys: DecryptKeys::default(),
            encrypt: plan(policy)?,
            decrypt: plan(policy)?,
        };
        plans.expand(key, &mut cipher.encrypt_keys);
        plans.invert(&cipher.encrypt_keys, &mut cipher.decrypt_keys);
        Ok(cipher)
    }

    /// Encrypts every block on its own.
    #[inline]
    pub fn encrypt(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.encrypt.kernel(blocks.len() * size_of::<Block>()).call(&self.encrypt_keys, blocks);
    }

    /// Decrypts every block on its own.
    #[inline]
    pub fn decrypt(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.decrypt.kernel(blocks.len() * size_of::<Block>()).call(&self.decrypt_keys, blocks);
    }
}

/// The traits that name a key's length by a type.
macro_rules! aes {
    ($($key:literal $size:ty, $name:literal;)*) => {
        $(
            impl KeySizeUser for Aes<$key> {
                type KeySize = $size;
            }

            impl KeyInit for Aes<$key> {
                fn new(key: &Key<Self>) -> Self {
                    Aes::with_policy(&key.0, Policy::Secret).expect(PERMITTED)
                }
            }

            impl AlgorithmName for Aes<$key> {
                fn write_alg_name(formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    formatter.write_str($name)
                }
            }
        )*
    };
}

aes! {
    16 U16, "Aes128";
    24 U24, "Aes192";
    32 U32, "Aes256";
}

/// Why the constructors without a policy cannot fail.
pub(super) const PERMITTED: &str = "the policy 'secret' always permits the portable kernel";

impl<const KEY: usize> BlockSizeUser for Aes<KEY> {
    type BlockSize = U16;
}

impl<const KEY: usize> BlockCipherEncrypt for Aes<KEY> {
    #[inline]
    fn encrypt_with_backend(&self, closure: impl BlockCipherEncClosure<BlockSize = U16>) {
        closure.call(&Backend(|blocks: InOutBuf<'_, '_, Block>| self.encrypt(blocks)));
    }
}

impl<const KEY: usize> BlockCipherDecrypt for Aes<KEY> {
    #[inline]
    fn decrypt_with_backend(&self, closure: impl BlockCipherDecClosure<BlockSize = U16>) {
        closure.call(&Backend(|blocks: InOutBuf<'_, '_, Block>| self.decrypt(blocks)));
    }
}

impl<const KEY: usize> fmt::Debug for Aes<KEY> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Aes{} {{ .. }}", KEY * 8)
    }
}

impl<const KEY: usize> ZeroizeOnDrop for Aes<KEY> {}
