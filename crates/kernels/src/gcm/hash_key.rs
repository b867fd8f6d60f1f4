//! The one table of the hash key that all kernels share.

use zeroize::{ZeroizeOnDrop, optimization_barrier};

use crate::aes::Block;

/// The powers of the hash key H from H^16 down to H^1, and room behind them that is zero. Wiped on drop.
///
/// GCM writes the coefficient of x^0 into the first bit (SP 800-38D, section 6.3). Read as big-endian numbers, blocks
/// have it in bit 127; the product of two such numbers as polynomials is then the block's product with all bits one place
/// too low. Powers are kept divided by x, which puts that right (S. Gueron and M. Kounavis, "Intel Carry-Less
/// Multiplication Instruction and its Usage for Computing the GCM Mode", 2010, algorithm 1 and section on reflection;
/// here the shift is done to the key instead of to each product). The numbers are stored little-endian.
#[derive(Clone, Default)]
#[repr(C, align(64))]
pub struct HashKey {
    table: [Block; POWERS + BEYOND],
}

/// Zeros behind the powers: a vector of powers may be loaded from any power on.
const BEYOND: usize = 4;

/// So many powers: as many blocks are hashed with one reduction.
pub(super) const POWERS: usize = 16;

/// x^-1 without its own carry: x^128 is x^7 + x^2 + x + 1, and so x^-1 is x^127 + x^6 + x + 1.
pub(super) const INVERSE_OF_X: u128 = (0xc2 << 120) | 1;

impl HashKey {
    /// What stands for H^16 down to H^1, to be written.
    #[inline(always)]
    pub(super) fn powers_mut(&mut self) -> &mut [Block; POWERS] {
        let [powers @ .., _, _, _, _] = &mut self.table;
        powers
    }

    /// What stands for H^16 down to H^1.
    #[inline(always)]
    pub(super) fn powers(&self) -> &[Block; POWERS] {
        let [powers @ .., _, _, _, _] = &self.table;
        powers
    }

    /// What stands for H^`exponent`, from 1 to 16.
    #[inline(always)]
    pub(super) fn power(&self, exponent: usize) -> &Block {
        &self.table[POWERS - exponent]
    }

    /// The same and the lower powers after it, and zeros after the lowest.
    #[inline(always)]
    pub(super) fn powers_from<const N: usize>(&self, exponent: usize) -> &[Block; N] {
        const { assert!(N <= BEYOND) };
        self.table[POWERS - exponent..].first_chunk().expect("there are four zeros behind the first power")
    }

    /// A hash key divided by x, as a number.
    #[inline(always)]
    pub(super) fn divided(hash_key: &Block) -> u128 {
        let number = u128::from_be_bytes(*hash_key);
        let carry = 0u128.wrapping_sub(number >> 127);
        (number << 1) ^ (carry & INVERSE_OF_X)
    }
}

impl Drop for HashKey {
    #[inline]
    fn drop(&mut self) {
        *self.powers_mut() = [[0; 16]; POWERS];
        optimization_barrier(self);
    }
}

impl ZeroizeOnDrop for HashKey {}
