//! Public keys and the public operation.

use zeroize::Zeroizing;

use super::RsaError;
use crate::bignum::{Number, Ring, bits, from_bytes, less, resized, to_bytes};

/// Which sizes of keys are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sizes {
    /// 2048 to 8192 bits.
    #[default]
    Standard,
    /// 512 bits and up: for old data and for measuring. Whoever has the means factors such keys.
    Legacy,
}

impl Sizes {
    pub(super) fn least(self) -> usize {
        match self {
            Sizes::Standard => 2048,
            Sizes::Legacy => 512,
        }
    }
}

/// The most bits of a modulus.
pub(super) const MOST_BITS: usize = 8192;

/// An RSA public key: the modulus n and the exponent e (RFC 8017, section 3.1).
#[derive(Clone, Debug)]
pub struct PublicKey {
    pub(super) ring: Ring,
    pub(super) exponent: Number,
    bits: usize,
}

impl PublicKey {
    /// The key with this modulus and exponent, in bytes with the highest first.
    ///
    /// # Errors
    /// If the modulus has less than 2048 or more than 8192 bits or is even, or the exponent is even, less than 3, or has
    /// more than 256 bits.
    pub fn new(modulus: &[u8], exponent: &[u8]) -> Result<PublicKey, RsaError> {
        PublicKey::with_sizes(modulus, exponent, Sizes::Standard)
    }

    /// The same, with shorter keys if `sizes` says so.
    ///
    /// # Errors
    /// As [`PublicKey::new`].
    pub fn with_sizes(modulus: &[u8], exponent: &[u8], sizes: Sizes) -> Result<PublicKey, RsaError> {
        let strip = |bytes: &[u8]| bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
        let (modulus, exponent) = (&modulus[strip(modulus)..], &exponent[strip(exponent)..]);
        // Before anything is worked out: bytes that are no key may be many.
        if modulus.len() > MOST_BITS / 8 || 8 * modulus.len() < sizes.least() {
            return Err(RsaError::ModulusSize { bits: 8 * modulus.len(), least: sizes.least() });
        }
        if exponent.len() > 32 || exponent.len() > modulus.len() {
            return Err(RsaError::PublicExponent);
        }
        let (modulus, exponent) = (from_bytes(modulus), from_bytes(exponent));
        let bits = bits(&modulus);
        if bits < sizes.least() {
            return Err(RsaError::ModulusSize { bits, least: sizes.least() });
        }
        if modulus[0] & 1 == 0 {
            return Err(RsaError::EvenModulus);
        }
        let is_small = exponent.is_empty() || (exponent.len() == 1 && exponent[0] < 3);
        if is_small || exponent[0] & 1 == 0 || less(&resized(&exponent, modulus.len()), &modulus) == 0 {
            return Err(RsaError::PublicExponent);
        }
        let ring = Ring::new(&modulus).map_err(|_| RsaError::EvenModulus)?;
        Ok(PublicKey { ring, exponent, bits })
    }

    /// Bits of the modulus.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Bytes of the modulus: the length of signatures and ciphertexts.
    pub fn size(&self) -> usize {
        self.bits.div_ceil(8)
    }

    /// The modulus, the highest byte first.
    pub fn modulus(&self) -> Vec<u8> {
        to_bytes(self.ring.modulus().limbs(), self.size()).to_vec()
    }

    /// The exponent, the highest byte first, without zeros before it.
    pub fn exponent(&self) -> Vec<u8> {
        to_bytes(&self.exponent, bits(&self.exponent).div_ceil(8)).to_vec()
    }

    /// RSAEP and RSAVP1 (RFC 8017, sections 5.1.1 and 5.2.2): the input to the power of e, without any padding.
    ///
    /// # Errors
    /// [`RsaError::OutOfRange`] if the input is not as long as the modulus, or not less than it.
    pub fn raw(&self, input: &[u8]) -> Result<Zeroizing<Vec<u8>>, RsaError> {
        let input = self.representative(input)?;
        Ok(to_bytes(&self.ring.pow_public(&input, &self.exponent), self.size()))
    }

    /// The number that an input of the modulus's length is, which must be less than the modulus.
    pub(super) fn representative(&self, input: &[u8]) -> Result<Number, RsaError> {
        if input.len() != self.size() {
            return Err(RsaError::OutOfRange);
        }
        let input = resized(&from_bytes(input), self.ring.limbs());
        if less(&input, self.ring.modulus().limbs()) == 0 {
            return Err(RsaError::OutOfRange);
        }
        Ok(input)
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &PublicKey) -> bool {
        self.ring.modulus().limbs() == other.ring.modulus().limbs() && self.exponent == other.exponent
    }
}

impl Eq for PublicKey {}
