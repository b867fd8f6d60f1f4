//! Domain parameters: two primes and a generator.

use super::DsaError;
use crate::bignum::{
    Number, Ring, add, bits, divide, equal, from_bytes, is_probable_prime, is_zero, less, resized, subtract, to_bytes,
};
use crate::hashes::Hash;
use crate::random;

/// Which sizes are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sizes {
    /// p of 2048 bits with q of 224 or 256, and 3072 with 256.
    #[default]
    Standard,
    /// Also 512 and 1024 with 160: for old data and for measuring.
    Legacy,
}

/// The primes p and q, with q a divisor of p − 1, and g of order q modulo p (FIPS 186-4, section 4.1). Public.
#[derive(Clone, Debug)]
pub struct Parameters {
    pub(super) p: Ring,
    pub(super) q: Ring,
    pub(super) g: Number,
    pub(super) q_bits: usize,
}

impl Parameters {
    /// The parameters with these numbers, in bytes with the highest first.
    ///
    /// # Errors
    /// If the sizes are not allowed, or the numbers do not fit each other. That p and q are prime is not looked at: see
    /// [`Parameters::are_prime`].
    pub fn new(p: &[u8], q: &[u8], g: &[u8], sizes: Sizes) -> Result<Parameters, DsaError> {
        let strip = |bytes: &[u8]| bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
        let [p, q, g] = [p, q, g].map(|bytes| &bytes[strip(bytes)..]);
        if p.len() > 512 || q.len() > 64 || g.len() > p.len() {
            return Err(DsaError::ParameterSizes { p: 8 * p.len(), q: 8 * q.len() });
        }
        let [p, q, g] = [p, q, g].map(from_bytes);
        let (p_bits, q_bits) = (bits(&p), bits(&q));
        check_sizes(p_bits, q_bits, sizes)?;
        let ring = |number: &[u64]| Ring::new(number).map_err(|_| DsaError::Parameters("p or q is even"));
        let (p_ring, q_ring) = (ring(&p)?, ring(&q)?);
        let one = resized(&[1], p.len());
        let mut less_one = p.clone();
        subtract(&mut less_one, &one, u64::MAX);
        if is_zero(&divide(&less_one, &q).1) == 0 {
            return Err(DsaError::Parameters("q does not divide p - 1"));
        }
        let g = resized(&g, p.len());
        let is_one = equal(&g, &one) != 0;
        if is_zero(&g) != 0 || is_one || less(&g, &p) == 0 || equal(&p_ring.pow(&g, &q), &one) == 0 {
            return Err(DsaError::Parameters("g has not the order q modulo p"));
        }
        Ok(Parameters { p: p_ring, q: q_ring, g, q_bits })
    }

    /// New parameters (FIPS 186-4, appendices A.1.1.2 and A.2.1, with SHA-256).
    ///
    /// # Errors
    /// If the sizes are not allowed, or the operating system gives no random bytes.
    pub fn generate(p_bits: usize, q_bits: usize, sizes: Sizes) -> Result<Parameters, DsaError> {
        check_sizes(p_bits, q_bits, sizes)?;
        let blocks = p_bits.div_ceil(256);
        loop {
            let mut seed = vec![0; q_bits / 8];
            random::fill(&mut seed).map_err(DsaError::Random)?;
            let mut q = resized(&from_bytes(&Hash::Sha256.digest(&[&seed])), q_bits.div_ceil(64));
            keep_bits(&mut q, q_bits - 1);
            q[(q_bits - 1) / 64] |= 1 << ((q_bits - 1) % 64);
            q[0] |= 1;
            if !is_prime(&q, p_bits)? {
                continue;
            }
            let mut doubled = resized(&q, p_bits / 64);
            let twin = doubled.clone();
            add(&mut doubled, &twin, u64::MAX);
            for _ in 0..4 * p_bits {
                let mut bytes = Vec::new();
                for _ in 0..blocks {
                    increment(&mut seed);
                    bytes.splice(0..0, Hash::Sha256.digest(&[&seed]));
                }
                let mut p = resized(&from_bytes(&bytes), p_bits / 64);
                p[(p_bits - 1) / 64] |= 1 << 63;
                // p ← p − (p mod 2q − 1)
                let rest = resized(&divide(&p, &doubled).1, p.len());
                subtract(&mut p, &rest, u64::MAX);
                add(&mut p, &resized(&[1], p_bits / 64), u64::MAX);
                if bits(&p) < p_bits || !is_prime(&p, p_bits)? {
                    continue;
                }
                let mut less_one = p.clone();
                less_one[0] -= 1;
                let exponent = divide(&less_one, &q).0;
                let ring = Ring::new(&p).map_err(|_| DsaError::Parameters("p is even"))?;
                let one = resized(&[1], p.len());
                let mut generators = (2u64..).map(|base| ring.pow(&resized(&[base], p.len()), &exponent));
                let g = generators.find(|g| equal(g, &one) == 0).ok_or(DsaError::Parameters("no generator"))?;
                let bytes = |number: &[u64]| to_bytes(number, 8 * number.len());
                return Parameters::new(&bytes(&p), &bytes(&q), &bytes(&g), sizes);
            }
        }
    }

    /// Whether p and q are prime, by the Miller–Rabin test: it takes as long as some hundred signatures.
    ///
    /// # Errors
    /// If the operating system gives no random bytes.
    pub fn are_prime(&self) -> Result<bool, DsaError> {
        let bits = bits(self.p.modulus().limbs());
        Ok(is_prime(self.q.modulus().limbs(), bits)? && is_prime(self.p.modulus().limbs(), bits)?)
    }

    /// p, the highest byte first.
    pub fn p(&self) -> Vec<u8> {
        trimmed(self.p.modulus().limbs())
    }

    /// q, the highest byte first.
    pub fn q(&self) -> Vec<u8> {
        trimmed(self.q.modulus().limbs())
    }

    /// g, the highest byte first, without zeros before it.
    pub fn g(&self) -> Vec<u8> {
        trimmed(&self.g)
    }

    /// Bytes of q: of each half of a signature.
    pub(super) fn q_bytes(&self) -> usize {
        self.q_bits.div_ceil(8)
    }
}

/// The number without zeros before it.
pub(super) fn trimmed(number: &[u64]) -> Vec<u8> {
    to_bytes(number, bits(number).div_ceil(8)).to_vec()
}

fn check_sizes(p: usize, q: usize, sizes: Sizes) -> Result<(), DsaError> {
    match (p, q) {
        (2048, 224 | 256) | (3072, 256) => Ok(()),
        (512 | 1024, 160) if sizes == Sizes::Legacy => Ok(()),
        _ => Err(DsaError::ParameterSizes { p, q }),
    }
}

/// With the rounds of FIPS 186-4, table C.1.
fn is_prime(candidate: &[u64], p_bits: usize) -> Result<bool, DsaError> {
    let rounds = match p_bits {
        0..=1024 => 40,
        1025..=2048 => 56,
        _ => 64,
    };
    let mut failure = None;
    let found =
        is_probable_prime(candidate, rounds, |bound| random::below(bound).map_err(|why| failure = Some(why)).ok());
    found.ok_or_else(|| DsaError::Random(failure.unwrap_or_default()))
}

fn keep_bits(number: &mut [u64], count: usize) {
    for (i, limb) in number.iter_mut().enumerate() {
        let kept = count.saturating_sub(64 * i).min(64);
        *limb &= if kept == 64 { u64::MAX } else { (1 << kept) - 1 };
    }
}

/// The number that the bytes are, plus one, modulo what they hold.
fn increment(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return;
        }
    }
}
