//! Arithmetic modulo an odd number, with the kernels chosen once.

use speedwell_kernels::bn::{Exponentiation, Modulus, ModulusError, MontExp, MontMul, PublicExp};
use zeroize::Zeroizing;

use super::{Number, add, less, resized, subtract};
use crate::select::{Plan, Policy, plan};

/// The numbers modulo an odd number. All operands and results have its number of limbs and are less than it.
#[derive(Clone, Debug)]
pub(crate) struct Ring {
    modulus: Modulus,
    multiply: &'static Plan<MontMul>,
    power: &'static Plan<MontExp>,
    public_power: &'static Plan<PublicExp>,
}

const PERMITTED: &str = "the portable kernels are constant in time and run everywhere";

impl Ring {
    /// The ring of a modulus; high limbs may be zero.
    ///
    /// # Errors
    /// If it is even, 1, or longer than kernels have room for.
    pub fn new(modulus: &[u64]) -> Result<Ring, ModulusError> {
        Ok(Ring {
            modulus: Modulus::new(modulus)?,
            multiply: plan(Policy::Secret).expect(PERMITTED),
            power: plan(Policy::Secret).expect(PERMITTED),
            public_power: plan(Policy::Secret).expect(PERMITTED),
        })
    }

    pub fn modulus(&self) -> &Modulus {
        &self.modulus
    }

    pub fn limbs(&self) -> usize {
        self.modulus.limbs().len()
    }

    pub fn bytes(&self) -> usize {
        8 * self.limbs()
    }

    /// A number with as many limbs as the modulus.
    pub fn zero(&self) -> Number {
        Zeroizing::new(vec![0; self.limbs()])
    }

    /// a · b / R: a factor in Montgomery form and one that is not give a product that is not.
    pub fn mont_mul(&self, a: &[u64], b: &[u64]) -> Number {
        let mut output = self.zero();
        self.multiply.kernel(self.bytes()).call(&mut output, a, b, &self.modulus);
        output
    }

    /// a · R: the Montgomery form. `a` may be any number of as many limbs.
    pub fn to_form(&self, a: &[u64]) -> Number {
        self.mont_mul(a, self.modulus.r_squared())
    }

    /// a · b.
    pub fn mul(&self, a: &[u64], b: &[u64]) -> Number {
        self.mont_mul(&self.to_form(a), b)
    }

    /// a − b.
    pub fn sub(&self, a: &[u64], b: &[u64]) -> Number {
        let mut output = resized(a, self.limbs());
        let borrowed = u64::from(subtract(&mut output, b, u64::MAX)).wrapping_neg();
        add(&mut output, self.modulus.limbs(), borrowed);
        output
    }

    /// a + b.
    pub fn add(&self, a: &[u64], b: &[u64]) -> Number {
        let mut output = resized(a, self.limbs());
        let carry = add(&mut output, b, u64::MAX);
        let enough = carry.wrapping_neg() | !less(&output, self.modulus.limbs());
        subtract(&mut output, self.modulus.limbs(), enough);
        output
    }

    /// A number of any length modulo this one.
    pub fn reduce(&self, value: &[u64]) -> Number {
        let mut result = self.zero();
        for (i, chunk) in value.chunks(self.limbs()).rev().enumerate() {
            let chunk = self.reduce_chunk(resized(chunk, self.limbs()));
            result = if i == 0 { chunk } else { self.add(&self.to_form(&result), &chunk) };
        }
        result
    }

    /// A number of as many limbs modulo this one. That the modulus fills its limbs is public, as its length is.
    fn reduce_chunk(&self, mut chunk: Number) -> Number {
        let modulus = self.modulus.limbs();
        if modulus.last().is_some_and(|limb| limb >> 63 == 1) {
            let enough = !less(&chunk, modulus);
            subtract(&mut chunk, modulus, enough);
            chunk
        } else {
            self.mont_mul(&self.to_form(&chunk), &resized(&[1], self.limbs()))
        }
    }

    /// `base` to the power of a secret exponent.
    pub fn pow(&self, base: &[u64], exponent: &[u64]) -> Number {
        let mut output = self.zero();
        let mut job = Exponentiation { output: &mut output, base, exponent, modulus: &self.modulus };
        self.power.kernel(self.bytes()).call(&mut job);
        output
    }

    /// `base` to the power of a public exponent, which is not 0.
    pub fn pow_public(&self, base: &[u64], exponent: &[u64]) -> Number {
        match exponent {
            [exponent] => {
                let mut output = self.zero();
                self.public_power.kernel(self.bytes()).call(&mut output, base, *exponent, &self.modulus);
                output
            }
            _ => self.pow(base, exponent),
        }
    }

    /// Which kernel runs a secret exponentiation.
    pub fn kernel(&self) -> &'static str {
        self.power.kernel(self.bytes()).descriptor().name
    }
}
