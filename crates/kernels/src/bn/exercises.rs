//! How kernels are set up on plain bytes: all operands are cut from the key. The modulus's highest and lowest bits are set,
//! and the highest bits of what must be less than it are cleared.

use crate::Bound;
use crate::exercise::{Exercise, InOutBuf};

use super::{Exponentiation, Modulus, MontMul, PublicExp};

/// Bytes of the moduli: each size class of the kernels.
const SIZES: [usize; 9] = [32, 64, 96, 128, 192, 256, 384, 512, 24];

/// Bytes of the exponent under a modulus of so many bytes: of q's size where the known answers are, and elsewhere as few
/// as a limb, so that a trace of every instruction stays short.
const fn exponent_of(size: usize) -> usize {
    if size == 128 { 20 } else { 8 }
}

/// The lengths of a modulus, and two factors.
pub(super) static MUL_KEYS: [usize; SIZES.len()] = multiples(3);

/// The lengths of a modulus and a base.
pub(super) static PUBLIC_KEYS: [usize; SIZES.len()] = multiples(2);

/// The lengths of moduli, bases and exponents of so many exponentiations.
pub(super) const fn exp_keys(jobs: usize) -> [usize; SIZES.len()] {
    let mut lengths = SIZES;
    let mut i = 0;
    while i < lengths.len() {
        lengths[i] = (2 * SIZES[i] + exponent_of(SIZES[i])) * jobs;
        i += 1;
    }
    lengths
}

const fn multiples(factor: usize) -> [usize; SIZES.len()] {
    let mut lengths = SIZES;
    let mut i = 0;
    while i < lengths.len() {
        lengths[i] *= factor;
        i += 1;
    }
    lengths
}

fn number(bytes: &[u8]) -> Box<[u64]> {
    let limb = |chunk: &[u8]| chunk.iter().fold(0, |limb, byte| limb << 8 | u64::from(*byte));
    bytes.rchunks(8).map(limb).collect()
}

fn modulus(bytes: &[u8]) -> Modulus {
    let mut limbs = number(bytes);
    let last = limbs.len() - 1;
    limbs[0] |= 1;
    limbs[last] |= 1 << 63;
    Modulus::new(&limbs).expect("it is odd and not too long")
}

fn residue(bytes: &[u8]) -> Box<[u64]> {
    let mut limbs = number(bytes);
    let last = limbs.len() - 1;
    limbs[last] &= u64::MAX >> 1;
    limbs
}

fn bytes(limbs: &[u64]) -> impl Iterator<Item = u8> {
    limbs.iter().rev().flat_map(|limb| limb.to_be_bytes())
}

/// `bn.mont_mul` on a modulus and two factors.
pub(super) struct MulExercise {
    kernel: Bound<MontMul>,
    modulus: Modulus,
    factors: [Box<[u64]>; 2],
    output: Box<[u64]>,
}

impl MulExercise {
    pub(super) fn new(kernel: Bound<MontMul>, key: &[u8]) -> Self {
        let [first, second, third] = std::array::from_fn(|i| &key[i * key.len() / 3..(i + 1) * key.len() / 3]);
        let modulus = modulus(first);
        let output = vec![0; modulus.limbs().len()].into();
        MulExercise { kernel, modulus, factors: [number(second), residue(third)], output }
    }
}

impl Exercise for MulExercise {
    fn run(&mut self, _data: InOutBuf<'_, '_, u8>) {
        self.kernel.call(&mut self.output, &self.factors[0], &self.factors[1], &self.modulus);
    }

    fn result(&self) -> Vec<u8> {
        bytes(&self.output).collect()
    }
}

/// `bn.public_exp` on a modulus and a base, with the exponent 65537.
pub(super) struct PublicExercise {
    kernel: Bound<PublicExp>,
    modulus: Modulus,
    base: Box<[u64]>,
    output: Box<[u64]>,
}

impl PublicExercise {
    pub(super) fn new(kernel: Bound<PublicExp>, key: &[u8]) -> Self {
        let (first, second) = key.split_at(key.len() / 2);
        let modulus = modulus(first);
        let output = vec![0; modulus.limbs().len()].into();
        PublicExercise { kernel, modulus, base: residue(second), output }
    }
}

impl Exercise for PublicExercise {
    fn run(&mut self, _data: InOutBuf<'_, '_, u8>) {
        self.kernel.call(&mut self.output, &self.base, 65537, &self.modulus);
    }

    fn result(&self) -> Vec<u8> {
        bytes(&self.output).collect()
    }
}

/// Some exponentiations at a time, each on a modulus, a base and an exponent.
pub(super) struct ExpExercise<F> {
    operands: Vec<Operands>,
    call: F,
}

struct Operands {
    modulus: Modulus,
    base: Box<[u64]>,
    exponent: Box<[u64]>,
    output: Box<[u64]>,
}

impl<F: Fn(&mut [Exponentiation<'_>])> ExpExercise<F> {
    pub(super) fn new(jobs: usize, key: &[u8], call: F) -> Self {
        let operands = |key: &[u8]| {
            let size = SIZES.into_iter().find(|size| 2 * size + exponent_of(*size) == key.len());
            let size = size.expect("the key has one of the shape's lengths");
            let (numbers, exponent) = key.split_at(2 * size);
            let (first, second) = numbers.split_at(numbers.len() / 2);
            let modulus = modulus(first);
            let output = vec![0; modulus.limbs().len()].into();
            Operands { modulus, base: residue(second), exponent: number(exponent), output }
        };
        ExpExercise { operands: key.chunks_exact(key.len() / jobs).map(operands).collect(), call }
    }
}

impl<F: Fn(&mut [Exponentiation<'_>]) + Send> Exercise for ExpExercise<F> {
    fn run(&mut self, _data: InOutBuf<'_, '_, u8>) {
        let mut jobs: Vec<Exponentiation<'_>> = self
            .operands
            .iter_mut()
            .map(|Operands { modulus, base, exponent, output }| Exponentiation { output, base, exponent, modulus })
            .collect();
        (self.call)(&mut jobs);
    }

    fn result(&self) -> Vec<u8> {
        self.operands.iter().flat_map(|operands| bytes(&operands.output)).collect()
    }
}
