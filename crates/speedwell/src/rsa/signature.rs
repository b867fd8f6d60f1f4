//! Signatures: PKCS #1 v1.5 and PSS.

use subtle::ConstantTimeEq;

use super::{Hash, PrivateKey, PublicKey, RsaError};
use crate::random;

/// How a digest is padded before it is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2).
    Pkcs1v15(Hash),
    /// RSASSA-PSS (section 8.1).
    Pss {
        /// The hash function.
        hash: Hash,
        /// That of the mask; usually the same.
        mask_hash: Hash,
        /// Bytes of the salt; usually as many as a digest has.
        salt: usize,
    },
}

impl Scheme {
    /// PSS as it is mostly used: one hash function, and a salt as long as its digest.
    pub fn pss(hash: Hash) -> Scheme {
        Scheme::Pss { hash, mask_hash: hash, salt: hash.length() }
    }

    /// The hash function of the message.
    pub fn hash(self) -> Hash {
        match self {
            Scheme::Pkcs1v15(hash) | Scheme::Pss { hash, .. } => hash,
        }
    }

    /// Pads a digest for a modulus of so many bits.
    pub(super) fn encode(self, digest: &[u8], bits: usize) -> Result<Vec<u8>, RsaError> {
        super::check(self.hash(), digest)?;
        match self {
            Scheme::Pkcs1v15(hash) => pkcs1v15(&hash.prefixes()[0], digest, bits.div_ceil(8)),
            Scheme::Pss { hash, mask_hash, salt } => {
                let mut bytes = vec![0; salt];
                random::fill(&mut bytes).map_err(RsaError::Random)?;
                encode_pss(hash, mask_hash, digest, &bytes, bits)
            }
        }
    }
}

impl PrivateKey {
    /// The signature of a message.
    ///
    /// # Errors
    /// [`RsaError::KeyTooShort`] if the padding does not fit; [`RsaError::Random`] and [`RsaError::Fault`] as
    /// [`PrivateKey::raw`].
    pub fn sign(&self, scheme: Scheme, message: &[u8]) -> Result<Vec<u8>, RsaError> {
        self.sign_digest(scheme, &scheme.hash().digest(&[message]))
    }

    /// The signature of a message whose digest is given.
    ///
    /// # Errors
    /// As [`PrivateKey::sign`], and [`RsaError::DigestLength`].
    pub fn sign_digest(&self, scheme: Scheme, digest: &[u8]) -> Result<Vec<u8>, RsaError> {
        let key = self.public_key();
        Ok(self.raw(&whole(scheme.encode(digest, key.bits())?, key.size()))?.to_vec())
    }
}

impl PublicKey {
    /// Checks the signature of a message.
    ///
    /// # Errors
    /// [`RsaError::Signature`] if it is not one, in whatever way.
    pub fn verify(&self, scheme: Scheme, message: &[u8], signature: &[u8]) -> Result<(), RsaError> {
        self.verify_digest(scheme, &scheme.hash().digest(&[message]), signature)
    }

    /// Checks the signature of a message whose digest is given.
    ///
    /// # Errors
    /// As [`PublicKey::verify`], and [`RsaError::DigestLength`].
    pub fn verify_digest(&self, scheme: Scheme, digest: &[u8], signature: &[u8]) -> Result<(), RsaError> {
        super::check(scheme.hash(), digest)?;
        let encoded = self.raw(signature).map_err(|_| RsaError::Signature)?;
        let holds = match scheme {
            // Made anew and compared, so that there is nothing to parse.
            Scheme::Pkcs1v15(hash) => hash
                .prefixes()
                .iter()
                .any(|prefix| pkcs1v15(prefix, digest, self.size()).is_ok_and(|expected| expected[..] == encoded[..])),
            Scheme::Pss { hash, mask_hash, salt } => {
                verify_pss(hash, mask_hash, digest, salt, &encoded, self.bits()).is_some()
            }
        };
        if holds { Ok(()) } else { Err(RsaError::Signature) }
    }
}

/// Zeros before an encoding that is a byte shorter than the modulus.
pub(super) fn whole(encoded: Vec<u8>, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size - encoded.len()];
    bytes.extend_from_slice(&encoded);
    bytes
}

/// EMSA-PKCS1-v1_5 (RFC 8017, section 9.2).
fn pkcs1v15(prefix: &[u8], digest: &[u8], size: usize) -> Result<Vec<u8>, RsaError> {
    let needed = prefix.len() + digest.len() + 11;
    if size < needed {
        return Err(RsaError::KeyTooShort { needed });
    }
    let mut encoded = vec![0xff; size];
    (encoded[0], encoded[1]) = (0, 1);
    let end = size - digest.len();
    encoded[end..].copy_from_slice(digest);
    encoded[end - prefix.len()..end].copy_from_slice(prefix);
    encoded[end - prefix.len() - 1] = 0;
    Ok(encoded)
}

/// EMSA-PSS-ENCODE (section 9.1.1): the encoding has one bit less than the modulus.
fn encode_pss(hash: Hash, mask_hash: Hash, digest: &[u8], salt: &[u8], bits: usize) -> Result<Vec<u8>, RsaError> {
    let length = (bits - 1).div_ceil(8);
    let needed = hash.length() + salt.len() + 2;
    if length < needed {
        return Err(RsaError::KeyTooShort { needed });
    }
    let check = hash.digest(&[&[0; 8], digest, salt]);
    let mut encoded = vec![0; length];
    let (block, rest) = encoded.split_at_mut(length - hash.length() - 1);
    block[length - needed] = 1;
    block[length - needed + 1..].copy_from_slice(salt);
    mask_hash.mask(&check, block);
    block[0] &= 0xff >> (8 * length - (bits - 1));
    rest[..hash.length()].copy_from_slice(&check);
    rest[hash.length()] = 0xbc;
    Ok(encoded)
}

/// EMSA-PSS-VERIFY (section 9.1.2).
fn verify_pss(hash: Hash, mask_hash: Hash, digest: &[u8], salt: usize, encoded: &[u8], bits: usize) -> Option<()> {
    let length = (bits - 1).div_ceil(8);
    let (zeros, encoded) = encoded.split_at(encoded.len() - length);
    let needed = hash.length().checked_add(salt)?.checked_add(2)?;
    if zeros.iter().any(|byte| *byte != 0) || length < needed || encoded[length - 1] != 0xbc {
        return None;
    }
    let (block, rest) = encoded.split_at(length - hash.length() - 1);
    let check = &rest[..hash.length()];
    let first = 0xff >> (8 * length - (bits - 1));
    if block[0] & !first != 0 {
        return None;
    }
    let mut block = block.to_vec();
    mask_hash.mask(check, &mut block);
    block[0] &= first;
    let (padding, salt) = block.split_at(block.len() - salt);
    let (one, padding) = padding.split_last()?;
    if *one != 1 || padding.iter().any(|byte| *byte != 0) {
        return None;
    }
    bool::from(hash.digest(&[&[0; 8], digest, salt]).ct_eq(check)).then_some(())
}
