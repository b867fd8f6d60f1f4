//! Arithmetic modulo an odd number of 256 to 8192 bits: what RSA and DSA are made of.
//!
//! Numbers are slices of 64-bit limbs, the lowest first. A kernel may work in limbs of its own between taking its operands
//! and giving its result: that is why a whole exponentiation is a primitive, and not only a multiplication.
//!
//! Moduli, bases, factors and exponents are secret; lengths are public, and so is the exponent of [`PublicExp`].

mod exercises;
mod known_answers;
mod limbs;
mod modulus;
#[cfg(target_arch = "x86_64")]
mod mulx_blocks;
mod windows;

use exercises::{ExpExercise, MulExercise, PublicExercise};
use known_answers::{MANY, MUL, ONE, PAIR, PUBLIC};

use crate::exercise::{Data, Shape};

pub use modulus::{Modulus, ModulusError};

/// An exponentiation to be done: `output` = `base` to the power of `exponent` modulo `modulus`.
///
/// `output` and `base` have as many limbs as the modulus, and the base is less than it. The exponent may have any number
/// of limbs; the time depends on how many, not on their values.
pub struct Exponentiation<'a> {
    /// Where the result goes.
    pub output: &'a mut [u64],
    /// What is raised.
    pub base: &'a [u64],
    /// To which power.
    pub exponent: &'a [u64],
    /// Modulo what.
    pub modulus: &'a Modulus,
}

/// The most exponentiations that [`MontExpMany`] takes at a time.
pub const MANY_AT_MOST: usize = 8;

primitive! { "bn.mont_mul";
    /// `output` = `a` · `b` / 2⁶⁴ᴸ modulo `modulus`, which has L limbs as all the others. Either factor may be any number
    /// of L limbs if the other one is less than the modulus.
    pub trait MontMul = fn(output: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus);
    shape: Shape { key: &exercises::MUL_KEYS, chain: 0, unit: 1, data: Data::Absent };
    known_answers: &[MUL];
    exercise: |kernel, key, _chain| MulExercise::new(kernel, key);
}

primitive! { "bn.public_exp";
    /// `output` = `base` to the power of `exponent` modulo `modulus`. The base is less than the modulus, and the exponent,
    /// which is not 0, is public.
    pub trait PublicExp = fn(output: &mut [u64], base: &[u64], exponent: u64, modulus: &Modulus);
    shape: Shape { key: &exercises::PUBLIC_KEYS, chain: 0, unit: 1, data: Data::Absent };
    known_answers: &[PUBLIC];
    exercise: |kernel, key, _chain| PublicExercise::new(kernel, key);
}

primitive! { "bn.mont_exp";
    /// One exponentiation.
    pub trait MontExp = fn(job: &mut Exponentiation<'_>);
    shape: Shape { key: &exercises::exp_keys(1), chain: 0, unit: 1, data: Data::Absent };
    known_answers: &[ONE];
    exercise: |kernel, key, _chain| {
        ExpExercise::new(1, key, move |jobs: &mut [Exponentiation<'_>]| jobs.iter_mut().for_each(|job| kernel.call(job)))
    };
}

primitive! { "bn.mont_exp2";
    /// Two exponentiations, such as the halves of an RSA operation by the Chinese remainder theorem. Their moduli have the
    /// same number of limbs, and so have their exponents.
    pub trait MontExp2 = fn(jobs: &mut [Exponentiation<'_>; 2]);
    shape: Shape { key: &exercises::exp_keys(2), chain: 0, unit: 1, data: Data::Absent };
    known_answers: &[PAIR];
    exercise: |kernel, key, _chain| {
        ExpExercise::new(2, key, move |jobs: &mut [Exponentiation<'_>]| {
            kernel.call(jobs.try_into().expect("the exercise has two"));
        })
    };
}

primitive! { "bn.mont_exp8";
    /// Up to eight exponentiations. Their moduli have the same number of limbs, and so have their exponents.
    pub trait MontExpMany = fn(jobs: &mut [Exponentiation<'_>]);
    shape: Shape { key: &exercises::exp_keys(8), chain: 0, unit: 1, data: Data::Absent };
    known_answers: &[MANY];
    exercise: |kernel, key, _chain| ExpExercise::new(8, key, move |jobs: &mut [Exponentiation<'_>]| kernel.call(jobs));
}

kernels! {
    #[cfg(target_arch = "x86_64")]
    x86_64_avx512_ifma_x8,
    #[cfg(target_arch = "x86_64")]
    x86_64_avx512_ifma,
    #[cfg(target_arch = "x86_64")]
    x86_64_mulx_adx,
    portable,
}
