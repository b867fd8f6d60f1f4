//! Keys, and signatures with them.

use std::fmt;

use speedwell_kernels::bn::{Exponentiation, MontExp2};

use super::nonce::{Generator, Nonce, leftmost};
use super::{DsaError, Parameters};
use crate::bignum::{Number, equal, from_bytes, is_zero, less, resized, subtract, to_bytes};
use crate::hashes::Hash;
use crate::random;
use crate::select::{Plan, Policy, plan};

/// A public key: y = g to the power of x modulo p.
#[derive(Clone, Debug)]
pub struct PublicKey {
    pub(super) parameters: Parameters,
    pub(super) y: Number,
}

/// A private key: x from 1 to q − 1. Wiped on drop.
#[derive(Clone)]
pub struct PrivateKey {
    public: PublicKey,
    pub(super) x: Number,
}

/// A signature: r and s, both from 1 to q − 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub(super) r: Vec<u8>,
    pub(super) s: Vec<u8>,
}

impl PublicKey {
    /// The key with this y, in bytes with the highest first.
    ///
    /// # Errors
    /// [`DsaError::Key`] if y is not from 2 to p − 2 or has not the order q.
    pub fn new(parameters: Parameters, y: &[u8]) -> Result<PublicKey, DsaError> {
        let ring = &parameters.p;
        let zeros = y.iter().position(|byte| *byte != 0).unwrap_or(y.len());
        let y = from_bytes(&y[zeros..]);
        if y.len() > ring.limbs() {
            return Err(DsaError::Key("y is longer than p"));
        }
        let (y, one) = (resized(&y, ring.limbs()), resized(&[1], ring.limbs()));
        if less(&y, ring.modulus().limbs()) == 0 || is_zero(&y) != 0 || equal(&y, &one) != 0 {
            return Err(DsaError::Key("y is not from 2 to p - 1"));
        }
        if equal(&ring.pow(&y, parameters.q.modulus().limbs()), &one) == 0 {
            return Err(DsaError::Key("y has not the order q"));
        }
        Ok(PublicKey { parameters, y })
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// y, the highest byte first, without zeros before it.
    pub fn y(&self) -> Vec<u8> {
        super::parameters::trimmed(&self.y)
    }

    /// Checks the signature of a message.
    ///
    /// # Errors
    /// [`DsaError::Signature`] if it is not one.
    pub fn verify(&self, hash: Hash, message: &[u8], signature: &Signature) -> Result<(), DsaError> {
        self.verify_digest(&hash.digest(&[message]), signature)
    }

    /// Checks the signature of a message whose digest is given (FIPS 186-4, section 4.7). Of a digest longer than q the
    /// leftmost bits count.
    ///
    /// # Errors
    /// [`DsaError::Signature`] if it is not one.
    pub fn verify_digest(&self, digest: &[u8], signature: &Signature) -> Result<(), DsaError> {
        let Parameters { p, q, g, .. } = &self.parameters;
        let residue = |bytes: &[u8]| {
            let zeros = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
            let number = from_bytes(&bytes[zeros..]);
            let fits = number.len() <= q.limbs();
            let number = resized(&number, q.limbs());
            let is_residue = fits && is_zero(&number) == 0 && less(&number, q.modulus().limbs()) != 0;
            is_residue.then_some(number).ok_or(DsaError::Signature)
        };
        let (r, s) = (residue(&signature.r)?, residue(&signature.s)?);
        let w = inverse(&self.parameters, &s);
        let z = q.reduce(&leftmost(digest, &self.parameters));
        let exponents = [q.mul(&z, &w), q.mul(&r, &w)];
        let (mut first, mut second) = (p.zero(), p.zero());
        let modulus = p.modulus();
        let mut jobs = [
            Exponentiation { output: &mut first, base: g, exponent: &exponents[0], modulus },
            Exponentiation { output: &mut second, base: &self.y, exponent: &exponents[1], modulus },
        ];
        let plan: &Plan<MontExp2> = plan(Policy::Secret).expect("the portable kernels run everywhere");
        plan.kernel(p.bytes()).call(&mut jobs);
        let v = q.reduce(&p.mul(&first, &second));
        if equal(&v, &r) != 0 { Ok(()) } else { Err(DsaError::Signature) }
    }
}

impl PrivateKey {
    /// The key with this x, in bytes with the highest first; y is worked out.
    ///
    /// # Errors
    /// [`DsaError::Key`] if x is not from 1 to q − 1.
    pub fn new(parameters: Parameters, x: &[u8]) -> Result<PrivateKey, DsaError> {
        let q = parameters.q.modulus().limbs();
        let zeros = x.len().saturating_sub(8 * q.len());
        if x[..zeros].iter().any(|byte| *byte != 0) {
            return Err(DsaError::Key("x is longer than q"));
        }
        let x = resized(&from_bytes(&x[zeros..]), q.len());
        if is_zero(&x) != 0 || less(&x, q) == 0 {
            return Err(DsaError::Key("x is not from 1 to q - 1"));
        }
        let y = parameters.p.pow(&parameters.g, &x);
        Ok(PrivateKey { public: PublicKey { parameters, y }, x })
    }

    /// A new key.
    ///
    /// # Errors
    /// If the operating system gives no random bytes.
    pub fn generate(parameters: Parameters) -> Result<PrivateKey, DsaError> {
        let x = random::below(parameters.q.modulus().limbs()).map_err(DsaError::Random)?;
        let y = parameters.p.pow(&parameters.g, &x);
        Ok(PrivateKey { public: PublicKey { parameters, y }, x })
    }

    /// The public key that belongs to it.
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// x, the highest byte first. Secret.
    pub fn x(&self) -> zeroize::Zeroizing<Vec<u8>> {
        to_bytes(&self.x, self.public.parameters.q_bytes())
    }

    /// The name of the kernel that does most of the work of a signature.
    pub fn kernel(&self) -> &'static str {
        self.public.parameters.p.kernel()
    }

    /// The signature of a message.
    ///
    /// # Errors
    /// If the operating system gives no random bytes for a hedged nonce.
    pub fn sign(&self, hash: Hash, nonce: Nonce, message: &[u8]) -> Result<Signature, DsaError> {
        self.sign_digest(hash, nonce, &hash.digest(&[message]))
    }

    /// The signature of a message whose digest is given (FIPS 186-4, section 4.6).
    ///
    /// # Errors
    /// As [`PrivateKey::sign`], and [`DsaError::DigestLength`].
    pub fn sign_digest(&self, hash: Hash, nonce: Nonce, digest: &[u8]) -> Result<Signature, DsaError> {
        if digest.len() != hash.length() {
            return Err(DsaError::DigestLength { bytes: digest.len(), expected: hash.length() });
        }
        let parameters = &self.public.parameters;
        let Parameters { p, q, g, .. } = parameters;
        let z = q.reduce(&leftmost(digest, parameters));
        let mut nonces = Generator::new(parameters, hash, &self.x, digest, nonce)?;
        loop {
            let k = nonces.next();
            let r = q.reduce(&p.pow(g, &k));
            let s = q.mul(&inverse(parameters, &k), &q.add(&z, &q.mul(&self.x, &r)));
            if is_zero(&r) == 0 && is_zero(&s) == 0 {
                let bytes = |number: &Number| to_bytes(number, parameters.q_bytes()).to_vec();
                return Ok(Signature { r: bytes(&r), s: bytes(&s) });
            }
        }
    }
}

/// The inverse modulo q, which is prime: by Fermat's theorem.
fn inverse(parameters: &Parameters, number: &[u64]) -> Number {
    let q = parameters.q.modulus().limbs();
    let mut exponent = resized(q, q.len());
    subtract(&mut exponent, &resized(&[2], q.len()), u64::MAX);
    parameters.q.pow(number, &exponent)
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PrivateKey").field("public", &self.public).finish_non_exhaustive()
    }
}
