//! An odd modulus, with what Montgomery multiplication wants to know of it beforehand.

use std::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::limbs::{double, mont_mul};

/// An odd modulus of up to [`Modulus::MOST_LIMBS`] limbs. Wiped on drop.
///
/// Its number of limbs is public, and its value is not.
#[derive(Clone)]
pub struct Modulus {
    limbs: Box<[u64]>,
    inverse: u64,
    r_squared: Box<[u64]>,
    r_squared_52: Box<[u64]>,
}

/// Why a number is no modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModulusError {
    /// It has more limbs than kernels have room for, or none.
    Length {
        /// How many it has.
        limbs: usize,
    },
    /// It is even: Montgomery's method needs an odd one.
    Even,
    /// It is 1.
    One,
}

impl fmt::Display for ModulusError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModulusError::Length { limbs } => {
                write!(formatter, "a modulus has 1 to {} limbs of 64 bits, not {limbs}", Modulus::MOST_LIMBS)
            }
            ModulusError::Even => formatter.write_str("the modulus is even; only odd ones can be worked with"),
            ModulusError::One => formatter.write_str("the modulus is 1; use one of 3 or more"),
        }
    }
}

impl std::error::Error for ModulusError {}

impl Modulus {
    /// The most limbs: 8192 bits.
    pub const MOST_LIMBS: usize = 128;

    /// Prepares a modulus. High limbs may be zero.
    ///
    /// # Errors
    /// If it is even, 1, empty or too long.
    pub fn new(limbs: &[u64]) -> Result<Modulus, ModulusError> {
        if limbs.is_empty() || limbs.len() > Self::MOST_LIMBS {
            return Err(ModulusError::Length { limbs: limbs.len() });
        }
        if limbs[0] & 1 == 0 {
            return Err(ModulusError::Even);
        }
        if limbs[0] == 1 && limbs[1..].iter().fold(0, |all, limb| all | limb) == 0 {
            return Err(ModulusError::One);
        }
        let mut modulus = Modulus {
            limbs: limbs.into(),
            inverse: negative_inverse(limbs[0]),
            r_squared: Box::default(),
            r_squared_52: Box::default(),
        };
        // 2⁶⁴ᴸ modulo the modulus, by doubling 1.
        let mut one = vec![0; limbs.len()];
        one[0] = 1;
        for _ in 0..64 * limbs.len() {
            double(&mut one, limbs);
        }
        modulus.r_squared = modulus.power_of_two(&one, 64 * limbs.len());
        // In Montgomery form this one's own factor 2⁶⁴ᴸ is a part of it.
        modulus.r_squared_52 = modulus.power_of_two(&one, 2 * 52 * modulus.limbs_52() - 64 * limbs.len());
        one.zeroize();
        Ok(modulus)
    }

    /// The limbs, the lowest first.
    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// −1/modulus modulo 2⁶⁴.
    pub fn inverse(&self) -> u64 {
        self.inverse
    }

    /// R² modulo the modulus for R = 2⁶⁴ᴸ: the factor that brings a number into Montgomery form.
    pub fn r_squared(&self) -> &[u64] {
        &self.r_squared
    }

    /// How many limbs of 52 bits a kernel uses that has such: at least two bits more than the modulus may have, so that
    /// sums of up to four times the modulus need no reduction; and a multiple of five, as the usual lengths are anyway, for
    /// kernels that work on five by five.
    pub fn limbs_52(&self) -> usize {
        (64 * self.limbs.len() + 2).div_ceil(52).next_multiple_of(5)
    }

    /// R² modulo the modulus for R = 2⁵²ᴷ, K being [`Modulus::limbs_52`].
    pub fn r_squared_52(&self) -> &[u64] {
        &self.r_squared_52
    }

    /// 2 to a public power in Montgomery form, from 1 in that form.
    fn power_of_two(&self, one: &[u64], power: usize) -> Box<[u64]> {
        let (mut value, mut square) = (one.to_vec(), one.to_vec());
        for bit in (0..usize::BITS - power.leading_zeros()).rev() {
            mont_mul(&mut square, &value, &value, &self.limbs, self.inverse);
            if power >> bit & 1 == 1 {
                double(&mut square, &self.limbs);
            }
            std::mem::swap(&mut value, &mut square);
        }
        square.zeroize();
        value.into()
    }
}

impl fmt::Debug for Modulus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Modulus").field("limbs", &self.limbs.len()).finish_non_exhaustive()
    }
}

impl Drop for Modulus {
    fn drop(&mut self) {
        self.limbs.zeroize();
        self.inverse.zeroize();
        self.r_squared.zeroize();
        self.r_squared_52.zeroize();
    }
}

impl ZeroizeOnDrop for Modulus {}

/// −1/`odd` modulo 2⁶⁴ by Newton's iteration, which doubles the bits that are right; an odd number is its own inverse in
/// the lowest three.
fn negative_inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_right() {
        let modulus = Modulus::new(&[0xffff_ffff_ffff_fff1, 0, 0, 0]).unwrap();
        assert_eq!(modulus.inverse().wrapping_mul(0xffff_ffff_ffff_fff1), u64::MAX);
        // 2^64 is 15 there, so that R² is 15^8, and 2^520 is 15^8 · 2^8.
        let power = 15u64.pow(8);
        assert_eq!(modulus.r_squared(), [power, 0, 0, 0]);
        assert_eq!(modulus.limbs_52(), 5);
        assert_eq!(modulus.r_squared_52(), [power << 8, 0, 0, 0]);
    }

    #[test]
    fn what_is_no_modulus_is_refused() {
        assert_eq!(Modulus::new(&[]).unwrap_err(), ModulusError::Length { limbs: 0 });
        assert_eq!(Modulus::new(&[3; 129]).unwrap_err(), ModulusError::Length { limbs: 129 });
        assert_eq!(Modulus::new(&[2, 1]).unwrap_err(), ModulusError::Even);
        assert_eq!(Modulus::new(&[1, 0]).unwrap_err(), ModulusError::One);
        assert!(Modulus::new(&[1, 1]).is_ok());
    }
}
