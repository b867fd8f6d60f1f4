//! Blinding (P. Kocher, "Timing Attacks on Implementations of Diffie-Hellman, RSA, DSS, and Other Systems", 1996): the
//! private operation works on a number that nobody chose.

use super::{PublicKey, RsaError};
use crate::bignum::{Number, inverse};
use crate::random;

/// rᵉ and 1/r for a secret random r, both in Montgomery form.
#[derive(Clone)]
pub(super) struct Blinding {
    pub factor: Number,
    pub inverse: Number,
    uses: u32,
}

/// How often a pair is squared before a new one is drawn. Drawing costs about as much as a signature.
const USES: u32 = 256;

impl Blinding {
    /// The pair in the slot, which its square then takes the place of; a new one if there is none or it was used enough.
    pub fn next(slot: &mut Option<Blinding>, key: &PublicKey) -> Result<Blinding, RsaError> {
        let current = match slot.take() {
            Some(blinding) if blinding.uses < USES => blinding,
            _ => Blinding::draw(key)?,
        };
        *slot = Some(Blinding {
            factor: key.ring.mont_mul(&current.factor, &current.factor),
            inverse: key.ring.mont_mul(&current.inverse, &current.inverse),
            uses: current.uses + 1,
        });
        Ok(current)
    }

    fn draw(key: &PublicKey) -> Result<Blinding, RsaError> {
        let ring = &key.ring;
        loop {
            let number = random::below(ring.modulus().limbs()).map_err(RsaError::Random)?;
            // Without an inverse it has a factor of the modulus in common, which happens to nobody.
            let Some(inverse) = inverse(&number, ring.modulus().limbs()) else { continue };
            let factor = ring.to_form(&ring.pow_public(&number, &key.exponent));
            return Ok(Blinding { factor, inverse: ring.to_form(&inverse), uses: 0 });
        }
    }
}
