//! Private keys and the private operation: by the Chinese remainder theorem, blinded, and verified before it leaves.

use std::fmt;
use std::sync::Mutex;

use speedwell_kernels::bn::{Exponentiation, MontExp2};
use zeroize::Zeroizing;

use super::blinding::Blinding;
use super::{PublicKey, RsaError, Sizes};
use crate::bignum::{
    Number, Ring, add, bits, equal, from_bytes, is_zero, product, remainder, resized, subtract, to_bytes,
};
use crate::select::{Plan, Policy, plan};

/// An RSA private key (RFC 8017, section 3.2) with two primes or more. Wiped on drop.
pub struct PrivateKey {
    public: PublicKey,
    exponent: Number,
    pub(super) primes: Vec<Prime>,
    blinding: Mutex<Option<Blinding>>,
    pair: &'static Plan<MontExp2>,
}

/// A prime factor r with what the theorem needs of it.
#[derive(Clone)]
pub(super) struct Prime {
    pub ring: Ring,
    /// d modulo r − 1, in as many limbs as r.
    pub exponent: Number,
    /// −d modulo r − 1.
    opposite: Number,
    /// What stands before it, the product of the primes before, inverted modulo r, in Montgomery form; nothing for the
    /// first.
    coefficient: Number,
    /// The product of the primes before.
    before: Number,
}

/// The parts of a private key, in bytes with the highest first.
pub struct Parts<'a> {
    /// n, the product of the primes.
    pub modulus: &'a [u8],
    /// e.
    pub public_exponent: &'a [u8],
    /// d.
    pub private_exponent: &'a [u8],
    /// The prime factors of n, two or more.
    pub primes: Vec<&'a [u8]>,
}

/// The most primes of a key: more would be shorter than is safe at any size supported.
pub(super) const MOST_PRIMES: usize = 5;

impl PrivateKey {
    /// The key made of these parts, of 2048 bits or more.
    ///
    /// # Errors
    /// If the public key is none by [`PublicKey::new`], or the parts do not fit each other: the primes' product must be the
    /// modulus, and d · e must be 1 modulo each prime less one.
    pub fn new(parts: &Parts<'_>) -> Result<PrivateKey, RsaError> {
        PrivateKey::with_sizes(parts, Sizes::Standard)
    }

    /// The same, with shorter keys if `sizes` says so.
    ///
    /// # Errors
    /// As [`PrivateKey::new`].
    pub fn with_sizes(parts: &Parts<'_>, sizes: Sizes) -> Result<PrivateKey, RsaError> {
        let public = PublicKey::with_sizes(parts.modulus, parts.public_exponent, sizes)?;
        let fits = |bytes: &[u8]| bytes.len() <= public.size() + 1;
        if !(2..=MOST_PRIMES).contains(&parts.primes.len()) {
            return Err(RsaError::Inconsistent("it has not two to five primes"));
        }
        if !fits(parts.private_exponent) || !parts.primes.iter().all(|prime| fits(prime)) {
            return Err(RsaError::Inconsistent("a part is longer than the modulus"));
        }
        let exponent = resized(&from_bytes(parts.private_exponent), public.ring.limbs());
        let mut before: Number = Zeroizing::new(vec![1]);
        let mut primes = Vec::new();
        for bytes in &parts.primes {
            let prime = from_bytes(bytes);
            // The length is public from here on; the value is not.
            let prime = resized(&prime, bits(&prime).div_ceil(64).max(1));
            primes.push(Prime::new(&prime, &before, &exponent, &public.exponent)?);
            before = product(&before, &prime);
        }
        let whole = resized(&before, public.ring.limbs());
        let rest = &before[public.ring.limbs().min(before.len())..];
        if equal(&whole, public.ring.modulus().limbs()) == 0 || is_zero(rest) == 0 {
            return Err(RsaError::Inconsistent("the product of its primes is not its modulus"));
        }
        let pair = plan(Policy::Secret).expect("the portable kernels are constant in time and run everywhere");
        Ok(PrivateKey { public, exponent, primes, blinding: Mutex::new(None), pair })
    }

    /// The public key that belongs to it.
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// d, the highest byte first. Secret.
    pub fn exponent(&self) -> Zeroizing<Vec<u8>> {
        to_bytes(&self.exponent, self.public.size())
    }

    /// The primes, the highest byte first. Secret.
    pub fn primes(&self) -> Vec<Zeroizing<Vec<u8>>> {
        let bytes = |prime: &Prime| {
            let limbs = prime.ring.modulus().limbs();
            to_bytes(limbs, bits(limbs).div_ceil(8))
        };
        self.primes.iter().map(bytes).collect()
    }

    /// The name of the kernel that does most of the work of a private operation, or of a batch of them.
    pub fn kernel_of(&self, batch: bool) -> &'static str {
        let bytes = self.primes[0].ring.bytes();
        match self.are_a_pair() {
            true if batch => super::batch::plan_of_lanes().kernel(bytes).descriptor().name,
            true => self.pair.kernel(bytes).descriptor().name,
            false => self.primes[0].ring.kernel(),
        }
    }

    /// RSADP and RSASP1 (RFC 8017, sections 5.1.2 and 5.2.1): the input to the power of d, without any padding.
    ///
    /// # Errors
    /// [`RsaError::OutOfRange`] if the input is not as long as the modulus, or not less than it; [`RsaError::Fault`] if the
    /// result turned out wrong; [`RsaError::Random`] if there is nothing to blind with.
    pub fn raw(&self, input: &[u8]) -> Result<Zeroizing<Vec<u8>>, RsaError> {
        let input = self.public.representative(input)?;
        Ok(to_bytes(&self.power(&input)?, self.public.size()))
    }

    /// The private operation on a number less than the modulus.
    fn power(&self, input: &[u64]) -> Result<Number, RsaError> {
        let blinding = self.next_blinding()?;
        let ring = &self.public.ring;
        let blinded = ring.mont_mul(input, &blinding.factor);
        let residues = self.residues(&blinded, |prime| &prime.exponent);
        self.finish(input, &self.combine(&residues), &blinding)
    }

    /// Takes the blinding away, and lets the result out if it is right.
    pub(super) fn finish(&self, input: &[u64], blinded: &[u64], blinding: &Blinding) -> Result<Number, RsaError> {
        let ring = &self.public.ring;
        let output = ring.mont_mul(blinded, &blinding.inverse);
        let back = ring.pow_public(&output, &self.public.exponent);
        // A wrong result of one of the halves would give a factor of the modulus away.
        if equal(&back, input) == 0 { Err(RsaError::Fault) } else { Ok(output) }
    }

    /// A pair of numbers to blind with, each used once.
    pub(super) fn next_blinding(&self) -> Result<Blinding, RsaError> {
        let mut slot = self.blinding.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Blinding::next(&mut slot, self)
    }

    fn are_a_pair(&self) -> bool {
        self.primes.len() == 2 && self.primes[0].ring.limbs() == self.primes[1].ring.limbs()
    }

    /// The input to the power of −d, neither blinded nor verified: for an input that nobody knows.
    pub(super) fn opposite_power(&self, input: &[u64]) -> Number {
        self.combine(&self.residues(input, |prime| &prime.opposite))
    }

    /// The powers modulo each prime, with one of its exponents.
    fn residues(&self, input: &[u64], exponent: fn(&Prime) -> &Number) -> Vec<Number> {
        let [p, q] = match &self.primes[..] {
            [p, q] if self.are_a_pair() => [p, q],
            primes => {
                let power = |prime: &Prime| prime.ring.pow(&prime.ring.reduce(input), exponent(prime));
                return primes.iter().map(power).collect();
            }
        };
        let bases = [p.ring.reduce(input), q.ring.reduce(input)];
        let (mut first, mut second) = (p.ring.zero(), q.ring.zero());
        let mut jobs = [p.job(&bases[0], exponent(p), &mut first), q.job(&bases[1], exponent(q), &mut second)];
        self.pair.kernel(p.ring.bytes()).call(&mut jobs);
        vec![first, second]
    }

    /// The number with these residues, by Garner's method (RFC 8017, section 5.1.2, step 2b).
    pub(super) fn combine(&self, residues: &[Number]) -> Number {
        let limbs = self.public.ring.limbs();
        let mut result = resized(&residues[0], limbs);
        for (prime, residue) in self.primes.iter().zip(residues).skip(1) {
            let difference = prime.ring.sub(residue, &prime.ring.reduce(&result));
            let factor = prime.ring.mont_mul(&difference, &prime.coefficient);
            add(&mut result, &resized(&product(&prime.before, &factor), limbs), u64::MAX);
        }
        result
    }
}

impl Prime {
    fn new(prime: &[u64], before: &[u64], private: &[u64], public: &[u64]) -> Result<Prime, RsaError> {
        let ring = Ring::new(prime).map_err(|_| RsaError::Inconsistent("a prime is even or 1"))?;
        let one = resized(&[1], prime.len());
        let mut less_one = resized(prime, prime.len());
        subtract(&mut less_one, &one, u64::MAX);
        let exponent = remainder(private, &less_one);
        if equal(&remainder(&product(&exponent, public), &less_one), &one) == 0 {
            return Err(RsaError::Inconsistent("its exponents are not inverse to each other"));
        }
        let coefficient = if before.len() == 1 && before[0] == 1 {
            ring.zero()
        } else {
            let inverse = crate::bignum::inverse(&remainder(before, prime), prime);
            ring.to_form(&inverse.ok_or(RsaError::Inconsistent("two of its primes have a divisor in common"))?)
        };
        let mut opposite = less_one;
        subtract(&mut opposite, &exponent, u64::MAX);
        Ok(Prime { ring, exponent, opposite, coefficient, before: Zeroizing::new(before.to_vec()) })
    }

    /// What an operation does modulo this prime.
    pub(super) fn job<'a>(&'a self, base: &'a [u64], exponent: &'a [u64], output: &'a mut [u64]) -> Exponentiation<'a> {
        Exponentiation { output, base, exponent, modulus: self.ring.modulus() }
    }
}

impl Clone for PrivateKey {
    fn clone(&self) -> PrivateKey {
        PrivateKey {
            public: self.public.clone(),
            exponent: self.exponent.clone(),
            primes: self.primes.clone(),
            blinding: Mutex::new(None),
            pair: self.pair,
        }
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PrivateKey").field("bits", &self.public.bits()).finish_non_exhaustive()
    }
}
