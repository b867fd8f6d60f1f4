//! Encryption: OAEP and PKCS #1 v1.5.

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, ConstantTimeGreater, ConstantTimeLess};
use zeroize::Zeroizing;

use super::{Hash, PrivateKey, PublicKey, RsaError};
use crate::random;

/// How a message is padded before it is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding<'a> {
    /// RSAES-OAEP (RFC 8017, section 7.1).
    Oaep {
        /// The hash function.
        hash: Hash,
        /// That of the mask; usually the same.
        mask_hash: Hash,
        /// A label that both sides know; usually empty.
        label: &'a [u8],
    },
    /// RSAES-PKCS1-v1_5 (section 7.2). A ciphertext that was tampered with decrypts to random bytes instead of an error,
    /// which would be an oracle (D. Bleichenbacher, 1998).
    Pkcs1v15,
}

impl<'a> Padding<'a> {
    /// OAEP with one hash function and no label.
    pub fn oaep(hash: Hash) -> Padding<'a> {
        Padding::Oaep { hash, mask_hash: hash, label: &[] }
    }

    /// The bytes of a message that fit a modulus of so many bytes; `None` if the padding alone does not.
    fn room(self, size: usize) -> Option<usize> {
        match self {
            Padding::Oaep { hash, .. } => size.checked_sub(2 * hash.length() + 2),
            Padding::Pkcs1v15 => size.checked_sub(11),
        }
    }
}

impl PublicKey {
    /// Encrypts a message.
    ///
    /// # Errors
    /// [`RsaError::MessageTooLong`] if it does not fit, [`RsaError::KeyTooShort`] if nothing would, [`RsaError::Random`].
    pub fn encrypt(&self, padding: Padding<'_>, message: &[u8]) -> Result<Vec<u8>, RsaError> {
        let size = self.size();
        let most = padding.room(size).ok_or(RsaError::KeyTooShort { needed: size + 1 })?;
        if message.len() > most {
            return Err(RsaError::MessageTooLong { bytes: message.len(), most });
        }
        let mut encoded = Zeroizing::new(vec![0; size]);
        encoded[size - message.len()..].copy_from_slice(message);
        match padding {
            Padding::Oaep { hash, mask_hash, label } => {
                let (seed, block) = encoded[1..].split_at_mut(hash.length());
                let end = block.len() - message.len();
                block[end - 1] = 1;
                block[..hash.length()].copy_from_slice(&hash.digest(&[label]));
                random::fill(seed).map_err(RsaError::Random)?;
                mask_hash.mask(seed, block);
                mask_hash.mask(block, seed);
            }
            Padding::Pkcs1v15 => {
                encoded[1] = 2;
                let filling = &mut encoded[2..size - message.len() - 1];
                random::fill(filling).map_err(RsaError::Random)?;
                for byte in filling {
                    while *byte == 0 {
                        random::fill(std::slice::from_mut(byte)).map_err(RsaError::Random)?;
                    }
                }
            }
        }
        Ok(self.raw(&encoded)?.to_vec())
    }
}

impl PrivateKey {
    /// Decrypts a message.
    ///
    /// # Errors
    /// [`RsaError::OutOfRange`] if the ciphertext is not of the modulus's length or not less than it;
    /// [`RsaError::Decryption`] under OAEP if it was not made for this key and label; and as [`PrivateKey::raw`].
    pub fn decrypt(&self, padding: Padding<'_>, ciphertext: &[u8]) -> Result<Zeroizing<Vec<u8>>, RsaError> {
        let size = self.public_key().size();
        padding.room(size).ok_or(RsaError::KeyTooShort { needed: size + 1 })?;
        let mut encoded = self.raw(ciphertext)?;
        match padding {
            Padding::Oaep { hash, mask_hash, label } => {
                let (first, rest) = encoded.split_at_mut(1);
                let (seed, block) = rest.split_at_mut(hash.length());
                mask_hash.mask(block, seed);
                mask_hash.mask(seed, block);
                let (check, rest) = block.split_at(hash.length());
                let mut good = first[0].ct_eq(&0) & check.ct_eq(&hash.digest(&[label]));
                // Zeros, a one, the message: where the one stands is found by looking at every byte.
                let (mut before, mut start) = (Choice::from(1), 0u32);
                for (i, byte) in (1u32..).zip(rest) {
                    let one = byte.ct_eq(&1);
                    start.conditional_assign(&i, before & one);
                    good &= !before | one | byte.ct_eq(&0);
                    before &= !one;
                }
                good &= !before;
                if bool::from(good) {
                    Ok(Zeroizing::new(rest[start as usize..].to_vec()))
                } else {
                    Err(RsaError::Decryption)
                }
            }
            Padding::Pkcs1v15 => Ok(self.unpad_or_replace(ciphertext, &encoded)),
        }
    }

    /// The message, or one that is made from the private key and the ciphertext: implicit rejection as in
    /// draft-irtf-cfrg-rsa-guidance, section 7.
    fn unpad_or_replace(&self, ciphertext: &[u8], encoded: &[u8]) -> Zeroizing<Vec<u8>> {
        let size = encoded.len();
        let key_hash = Zeroizing::new(Hash::Sha256.digest(&[&self.exponent()]));
        let derivation = Hash::Sha256.hmac(&key_hash, &[ciphertext]);
        let stream = |label: &[u8], length: usize| {
            let bits = (8 * length as u16).to_be_bytes();
            let mut bytes = Zeroizing::new(Vec::with_capacity(length + 32));
            for block in 0u16..length.div_ceil(32) as u16 {
                bytes.extend_from_slice(&Hash::Sha256.hmac(&derivation, &[&block.to_be_bytes(), label, &bits]));
            }
            bytes.truncate(length);
            bytes
        };
        // Of 128 random lengths the last that fits.
        let most = size as u32 - 11;
        let mask = most.next_power_of_two().max(2).wrapping_sub(1) | most;
        let mut length = 0u32;
        for candidate in stream(b"length", 256).as_chunks::<2>().0 {
            let candidate = u32::from(u16::from_be_bytes(*candidate)) & mask;
            length.conditional_assign(&candidate, candidate.ct_lt(&(most + 1)));
        }
        let mut message = stream(b"message", size);

        let mut good = encoded[0].ct_eq(&0) & encoded[1].ct_eq(&2);
        let (mut before, mut zero) = (Choice::from(1), 0u32);
        for (i, byte) in (2u32..).zip(&encoded[2..]) {
            let is_zero = byte.ct_eq(&0);
            zero.conditional_assign(&i, before & is_zero);
            before &= !is_zero;
        }
        good &= !before & zero.ct_gt(&9);
        let start = u32::conditional_select(&(size as u32 - length), &(zero + 1), good);
        for (made, byte) in message.iter_mut().zip(encoded) {
            made.conditional_assign(byte, good);
        }
        // The length of the result is what the caller sees: public from here on.
        Zeroizing::new(message[start as usize..].to_vec())
    }
}
