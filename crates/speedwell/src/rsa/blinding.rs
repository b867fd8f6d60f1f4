//! Blinding (P. Kocher, "Timing Attacks on Implementations of Diffie-Hellman, RSA, DSS, and Other Systems", 1996): the
//! private operation works on a number that nobody chose.

use super::{PrivateKey, RsaError};
use crate::bignum::{Number, equal, resized};
use crate::random;

/// rᵉ and 1/r for a secret random r, both in Montgomery form.
#[derive(Clone)]
pub(super) struct Blinding {
    pub factor: Number,
    pub inverse: Number,
    uses: u32,
}

/// How often a pair is squared before a new one is drawn. Drawing costs as much as a signature.
const USES: u32 = 256;

impl Blinding {
    /// The pair in the slot, which its square then takes the place of; a new one if there is none or it was used enough.
    pub fn next(slot: &mut Option<Blinding>, key: &PrivateKey) -> Result<Blinding, RsaError> {
        let current = match slot.take() {
            Some(blinding) if blinding.uses < USES => blinding,
            _ => Blinding::draw(key)?,
        };
        *slot = Some(Blinding {
            factor: key.public_key().ring.mont_mul(&current.factor, &current.factor),
            inverse: key.public_key().ring.mont_mul(&current.inverse, &current.inverse),
            uses: current.uses + 1,
        });
        Ok(current)
    }

    /// Draws rᵉ, which is as random as r is, and makes 1/r of it by the private operation with the opposite exponent: that
    /// takes less time than to find an inverse whose modulus is composite.
    fn draw(key: &PrivateKey) -> Result<Blinding, RsaError> {
        let ring = &key.public_key().ring;
        let power = random::below(ring.modulus().limbs()).map_err(RsaError::Random)?;
        let inverse = key.opposite_power(&power);
        let factor = ring.to_form(&power);
        let product = ring.mont_mul(&factor, &ring.pow_public(&inverse, &key.public_key().exponent));
        if equal(&product, &resized(&[1], ring.limbs())) == 0 {
            return Err(RsaError::Fault);
        }
        Ok(Blinding { factor, inverse: ring.to_form(&inverse), uses: 0 })
    }
}
