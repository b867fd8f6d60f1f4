//! AES-GCM (NIST SP 800-38D).

use std::fmt;

use aead::consts::{U12, U16, U24, U32};
use aead::{AeadCore, AeadInOut, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use speedwell_kernels::aes::{self, Block, EncryptBlocks, EncryptKeys};
use speedwell_kernels::gcm::{Encrypt, ExpandKey, Ghash, HashKey, Message, Open, Seal};
use speedwell_kernels::simd::InOutBuf;
use subtle::ConstantTimeEq;
use zeroize::{ZeroizeOnDrop, optimization_barrier};

use super::{AeadError, GcmEncryptor};
use crate::select::{Plan, Policy, plan};

/// AES-GCM with a key of `KEY` bytes: 16, 24 or 32. Wiped on drop.
#[derive(Clone)]
pub struct AesGcm<const KEY: usize> {
    pub(super) keys: EncryptKeys,
    pub(super) hash_key: HashKey,
    pub(super) plans: Plans,
}

/// AES-GCM with a key of 128 bits.
pub type Aes128Gcm = AesGcm<16>;
/// AES-GCM with a key of 192 bits.
pub type Aes192Gcm = AesGcm<24>;
/// AES-GCM with a key of 256 bits.
pub type Aes256Gcm = AesGcm<32>;

#[derive(Clone, Copy)]
pub(super) struct Plans {
    pub ghash: &'static Plan<Ghash>,
    pub encrypt: &'static Plan<Encrypt>,
    pub seal: &'static Plan<Seal>,
    open: &'static Plan<Open>,
}

/// Bytes of a message: the counter numbers 2^32 blocks, of which two are not the message's (section 5.2.1.1).
pub(super) const LONGEST_MESSAGE: u64 = (1 << 36) - 32;

/// Bytes of associated data or of a nonce: their bits are counted with 64 bits (section 5.2.1.1).
pub(super) const LONGEST_ASSOCIATED_DATA: u64 = (1 << 61) - 1;

/// Bytes of a tag; it may be cut down to twelve.
const TAG: usize = 16;
const LEAST_TAG: usize = 12;

const BLOCK: usize = size_of::<Block>();

impl<const KEY: usize> AesGcm<KEY> {
    /// Expands a key.
    pub fn new(key: &[u8; KEY]) -> Self {
        AesGcm::with_policy(key, Policy::Secret).expect("the policy 'secret' always permits the portable kernel")
    }

    /// The same under a policy.
    ///
    /// # Errors
    /// [`AeadError::Select`] if the policy permits no kernel.
    pub fn with_policy(key: &[u8; KEY], policy: Policy) -> Result<Self, AeadError> {
        const { assert!(matches!(KEY, 16 | 24 | 32), "an AES key has 16, 24 or 32 bytes") };
        let plans = Plans { ghash: plan(policy)?, encrypt: plan(policy)?, seal: plan(policy)?, open: plan(policy)? };
        let mut cipher = AesGcm { keys: EncryptKeys::default(), hash_key: HashKey::default(), plans };
        plan::<aes::ExpandKey>(policy)?.kernel(KEY).call(key, &mut cipher.keys);
        let mut zero = [[0; BLOCK]];
        plan::<EncryptBlocks>(policy)?.kernel(BLOCK).call(&cipher.keys, InOutBuf::from(&mut zero[..]));
        plan::<ExpandKey>(policy)?.kernel(BLOCK).call(&zero[0], &mut cipher.hash_key);
        zero = [[0; BLOCK]];
        optimization_barrier(&zero);
        Ok(cipher)
    }

    /// Encrypts a message, in place or from one buffer to another, and returns the tag of ciphertext and associated data.
    ///
    /// No two messages under a key may have the same nonce: who sees both can forge further ones. A nonce of 12 bytes
    /// costs nothing; one of another length, at least one byte, is hashed.
    ///
    /// # Errors
    /// [`AeadError::NoNonce`]; [`AeadError::MessageTooLong`] with more than 2^36 - 32 bytes, or
    /// [`AeadError::AssociatedDataTooLong`] with 2^61 or more. Nothing was processed.
    #[inline]
    pub fn encrypt(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<[u8; TAG], AeadError> {
        let mut message = self.start(nonce, associated_data, data.len() as u64)?;
        self.plans.seal.kernel(data.len()).call(&self.keys, &self.hash_key, &mut message, data);
        Ok(message.hash)
    }

    /// Decrypts a message, in place or from one buffer to another, if the tag is right; it may be cut to 12 bytes or more.
    ///
    /// # Errors
    /// [`AeadError::WrongTag`]: the output, which is also the input if it is in place, is then all zero. The others, as of
    /// [`encrypt`](Self::encrypt) and [`AeadError::TagLength`], come before anything is processed.
    #[inline]
    pub fn decrypt(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        mut data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), AeadError> {
        if !(LEAST_TAG..=TAG).contains(&tag.len()) {
            return Err(AeadError::TagLength { given: tag.len() });
        }
        let mut message = self.start(nonce, associated_data, data.len() as u64)?;
        self.plans.open.kernel(data.len()).call(&self.keys, &self.hash_key, &mut message, data.reborrow());
        // As one number: byte by byte a comparison takes as long as a short message does.
        let is_right = match <&Block>::try_from(tag) {
            Ok(tag) => u128::from_ne_bytes(message.hash).ct_eq(&u128::from_ne_bytes(*tag)),
            Err(_) => message.hash[..tag.len()].ct_eq(tag),
        };
        if is_right.into() {
            return Ok(());
        }
        data.get_out().fill(0);
        // Whoever learns the right tag has forged a message.
        message.hash = [0; BLOCK];
        optimization_barrier(&message);
        Err(AeadError::WrongTag)
    }

    /// The ciphertext of a message with its tag of 16 bytes behind it.
    ///
    /// # Errors
    /// As of [`encrypt`](Self::encrypt).
    pub fn seal_to_vec(&self, nonce: &[u8], associated_data: &[u8], message: &[u8]) -> Result<Vec<u8>, AeadError> {
        let mut sealed = Vec::with_capacity(message.len() + TAG);
        sealed.extend_from_slice(message);
        let tag = self.encrypt(nonce, associated_data, InOutBuf::from(&mut sealed[..]))?;
        sealed.extend_from_slice(&tag);
        Ok(sealed)
    }

    /// The message of a ciphertext with its tag of 16 bytes behind it.
    ///
    /// # Errors
    /// As of [`decrypt`](Self::decrypt), and [`AeadError::NoTag`].
    pub fn open_to_vec(&self, nonce: &[u8], associated_data: &[u8], sealed: &[u8]) -> Result<Vec<u8>, AeadError> {
        let Some((ciphertext, tag)) = sealed.split_last_chunk::<TAG>() else {
            return Err(AeadError::NoTag { given: sealed.len() });
        };
        let mut message = ciphertext.to_vec();
        self.decrypt(nonce, associated_data, InOutBuf::from(&mut message[..]), tag)?;
        Ok(message)
    }

    /// A message to be encrypted in parts. There is no such thing for decryption: nothing may be used before its tag has
    /// been checked, and that comes last. Cut long messages into parts with tags of their own.
    ///
    /// # Errors
    /// [`AeadError::NoNonce`] or [`AeadError::AssociatedDataTooLong`].
    pub fn encryptor(&self, nonce: &[u8], associated_data: &[u8]) -> Result<GcmEncryptor<'_, KEY>, AeadError> {
        Ok(GcmEncryptor::new(self, self.start(nonce, associated_data, 0)?, associated_data.len() as u64))
    }

    /// What stands before the first block of data.
    #[inline]
    fn start(&self, nonce: &[u8], associated_data: &[u8], length: u64) -> Result<Message, AeadError> {
        check_length(length)?;
        let mut message = Message::default();
        if let Ok(nonce) = <&[u8; 12]>::try_from(nonce) {
            message.first[..12].copy_from_slice(nonce);
            message.counter[..12].copy_from_slice(nonce);
            (message.first[15], message.counter[15]) = (1, 2);
        } else {
            self.hash_nonce(nonce, &mut message)?;
        }
        if !associated_data.is_empty() {
            self.mix(&mut message.hash, associated_data)?;
        }
        message.lengths = lengths(associated_data.len() as u64, length);
        Ok(message)
    }

    /// A nonce that is not 12 bytes long (section 7.1, step 2).
    #[cold]
    fn hash_nonce(&self, nonce: &[u8], message: &mut Message) -> Result<(), AeadError> {
        if nonce.is_empty() {
            return Err(AeadError::NoNonce);
        }
        self.mix(&mut message.first, nonce)?;
        self.plans.ghash.kernel(BLOCK).call(&self.hash_key, &mut message.first, &[lengths(0, nonce.len() as u64)]);
        let number = u128::from_be_bytes(message.first);
        message.counter = (((number >> 32) << 32) | u128::from((number as u32).wrapping_add(1))).to_be_bytes();
        Ok(())
    }

    /// Mixes bytes into a hash, filled up with zeros.
    #[inline]
    fn mix(&self, hash: &mut Block, bytes: &[u8]) -> Result<(), AeadError> {
        let length = bytes.len() as u64;
        if length > LONGEST_ASSOCIATED_DATA {
            return Err(AeadError::AssociatedDataTooLong { given: length });
        }
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        if !blocks.is_empty() {
            self.plans.ghash.kernel(blocks.len() * BLOCK).call(&self.hash_key, hash, blocks);
        }
        if !rest.is_empty() {
            let mut block = [0; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            self.plans.ghash.kernel(BLOCK).call(&self.hash_key, hash, &[block]);
        }
        Ok(())
    }
}

/// The last block of GHASH, from lengths in bytes (section 7.1, step 5).
#[inline]
pub(super) fn lengths(associated_data: u64, message: u64) -> Block {
    ((u128::from(associated_data * 8) << 64) | u128::from(message * 8)).to_be_bytes()
}

#[inline]
pub(super) fn check_length(message: u64) -> Result<(), AeadError> {
    if message > LONGEST_MESSAGE { Err(AeadError::MessageTooLong { given: message }) } else { Ok(()) }
}

/// The traits that name a key's length by a type.
macro_rules! keys {
    ($($key:literal $size:ty;)*) => {
        $(
            impl KeySizeUser for AesGcm<$key> {
                type KeySize = $size;
            }

            impl KeyInit for AesGcm<$key> {
                fn new(key: &Key<Self>) -> Self {
                    AesGcm::new(&key.0)
                }
            }
        )*
    };
}

keys! { 16 U16; 24 U24; 32 U32; }

impl<const KEY: usize> AeadCore for AesGcm<KEY> {
    type NonceSize = U12;
    type TagSize = U16;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<const KEY: usize> AeadInOut for AesGcm<KEY> {
    #[inline]
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> aead::Result<Tag<Self>> {
        self.encrypt(nonce, associated_data, buffer).map(Into::into).map_err(|_| aead::Error)
    }

    #[inline]
    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> aead::Result<()> {
        self.decrypt(nonce, associated_data, buffer, tag).map_err(|_| aead::Error)
    }
}

impl<const KEY: usize> fmt::Debug for AesGcm<KEY> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Aes{}Gcm {{ .. }}", KEY * 8)
    }
}

// The round keys and the table of the hash key wipe themselves.
impl<const KEY: usize> ZeroizeOnDrop for AesGcm<KEY> {}
