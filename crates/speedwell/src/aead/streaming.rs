//! A message that is encrypted in parts.

use std::fmt;

use speedwell_kernels::aes::Block;
use speedwell_kernels::gcm::Message;
use speedwell_kernels::simd::InOutBuf;

use super::gcm::{check_length, lengths};
use super::{AeadError, AesGcm};

/// A message that is encrypted in parts: whole blocks first, and then the end of any length. Made by
/// [`AesGcm::encryptor`].
pub struct GcmEncryptor<'k, const KEY: usize> {
    cipher: &'k AesGcm<KEY>,
    message: Message,
    /// Bytes of associated data, and of the message so far.
    associated_data: u64,
    length: u64,
}

impl<'k, const KEY: usize> GcmEncryptor<'k, KEY> {
    pub(super) fn new(cipher: &'k AesGcm<KEY>, message: Message, associated_data: u64) -> Self {
        GcmEncryptor { cipher, message, associated_data, length: 0 }
    }

    /// Encrypts blocks that are not the end, in place or from one buffer to another.
    ///
    /// # Errors
    /// [`AeadError::MessageTooLong`], before anything is processed.
    pub fn update(&mut self, blocks: InOutBuf<'_, '_, Block>) -> Result<(), AeadError> {
        let bytes = blocks.len() * size_of::<Block>();
        self.grow(bytes)?;
        let AesGcm { keys, hash_key, plans } = self.cipher;
        plans.encrypt.kernel(bytes).call(keys, hash_key, &mut self.message, blocks);
        Ok(())
    }

    /// Encrypts the end, of any length, and returns the tag.
    ///
    /// # Errors
    /// [`AeadError::MessageTooLong`], before anything is processed.
    pub fn finish(mut self, data: InOutBuf<'_, '_, u8>) -> Result<[u8; 16], AeadError> {
        self.grow(data.len())?;
        self.message.lengths = lengths(self.associated_data, self.length);
        let AesGcm { keys, hash_key, plans } = self.cipher;
        plans.seal.kernel(data.len()).call(keys, hash_key, &mut self.message, data);
        Ok(self.message.hash)
    }

    fn grow(&mut self, bytes: usize) -> Result<(), AeadError> {
        let length = self.length.saturating_add(bytes as u64);
        check_length(length)?;
        self.length = length;
        Ok(())
    }
}

impl<const KEY: usize> fmt::Debug for GcmEncryptor<'_, KEY> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("GcmEncryptor { .. }")
    }
}
