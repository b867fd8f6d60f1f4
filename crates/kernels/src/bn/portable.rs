//! 64-bit limbs, whose products are 128 bits.
//!
//! Bound by multiplications: 2 L² + L of them for L limbs, and by the two chains of carries through their sums.

use super::limbs::mont_mul as product;
use super::windows::{exponentiate, exponentiate_public};
use super::{Exponentiation, Modulus};

kernel! {
    isa: [], timing: Constant,

    name: "bn.mont_mul/portable", primitive: super::MontMul,
    fn mont_mul(output: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus) {
        product(output, a, b, modulus.limbs(), modulus.inverse());
    }

    name: "bn.public_exp/portable", primitive: super::PublicExp,
    fn public_exp(output: &mut [u64], base: &[u64], exponent: u64, modulus: &Modulus) {
        exponentiate_public(
            output,
            base,
            exponent,
            modulus,
            |output, a, b| multiply(output, a, b, modulus),
            |output, a| multiply(output, a, a, modulus),
        );
    }

    name: "bn.mont_exp/portable", primitive: super::MontExp,
    fn mont_exp(job: &mut Exponentiation<'_>) {
        let modulus = job.modulus;
        exponentiate(
            job,
            |output, a, b| multiply(output, a, b, modulus),
            |output, a| multiply(output, a, a, modulus),
        );
    }

    name: "bn.mont_exp2/portable", primitive: super::MontExp2,
    fn mont_exp2(jobs: &mut [Exponentiation<'_>; 2]) {
        jobs.iter_mut().for_each(mont_exp);
    }

    name: "bn.mont_exp8/portable", primitive: super::MontExpMany,
    fn mont_exp8(jobs: &mut [Exponentiation<'_>]) {
        jobs.iter_mut().for_each(mont_exp);
    }

    outlined fn multiply(output: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus) {
        product(output, a, b, modulus.limbs(), modulus.inverse());
    }
}
