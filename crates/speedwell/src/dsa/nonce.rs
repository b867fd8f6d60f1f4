//! Nonces by RFC 6979: from the key and the message, so that none is ever used twice, and with random bytes besides, so
//! that a fault does not give the key away.

use zeroize::Zeroizing;

use super::{DsaError, Parameters};
use crate::bignum::{Number, from_bytes, is_zero, less, resized, to_bytes};
use crate::hashes::Hash;
use crate::random;

/// Where a signature's nonce comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nonce {
    /// From the key, the digest, and random bytes (RFC 6979, section 3.6): the default.
    #[default]
    Hedged,
    /// From the key and the digest alone (section 3.2): equal messages have equal signatures.
    Deterministic,
}

/// The generator of section 3.2, from which nonces come until one fits.
pub(super) struct Generator<'a> {
    parameters: &'a Parameters,
    hash: Hash,
    key: Zeroizing<Vec<u8>>,
    value: Zeroizing<Vec<u8>>,
}

impl<'a> Generator<'a> {
    pub fn new(
        parameters: &'a Parameters,
        hash: Hash,
        x: &[u64],
        digest: &[u8],
        nonce: Nonce,
    ) -> Result<Generator<'a>, DsaError> {
        let size = parameters.q_bytes();
        let x = to_bytes(x, size);
        let digest = to_bytes(&parameters.q.reduce(&leftmost(digest, parameters)), size);
        let mut more = Zeroizing::new(vec![0; if nonce == Nonce::Hedged { 32 } else { 0 }]);
        random::fill(&mut more).map_err(DsaError::Random)?;
        let mut key = Zeroizing::new(vec![0; hash.length()]);
        let mut value = Zeroizing::new(vec![1; hash.length()]);
        for round in [0, 1] {
            key = hash.hmac(&key, &[&value, &[round], &x, &digest, &more]);
            value = hash.hmac(&key, &[&value]);
        }
        Ok(Generator { parameters, hash, key, value })
    }

    /// The next nonce from 1 to q − 1. How many did not fit shows.
    pub fn next(&mut self) -> Number {
        loop {
            let mut bytes = Zeroizing::new(Vec::new());
            while bytes.len() < self.parameters.q_bytes() {
                self.value = self.hash.hmac(&self.key, &[&self.value]);
                bytes.extend_from_slice(&self.value);
            }
            let number = leftmost(&bytes[..self.parameters.q_bytes()], self.parameters);
            let fits = less(&number, self.parameters.q.modulus().limbs()) & !is_zero(&number);
            self.key = self.hash.hmac(&self.key, &[&self.value, &[0]]);
            self.value = self.hash.hmac(&self.key, &[&self.value]);
            if fits != 0 {
                return number;
            }
        }
    }
}

/// The leftmost bits, as many as q has: bits2int of section 2.3.2. (All allowed q have whole bytes.)
pub(super) fn leftmost(bytes: &[u8], parameters: &Parameters) -> Number {
    let number = from_bytes(&bytes[..bytes.len().min(parameters.q_bytes())]);
    resized(&number, parameters.q.limbs())
}
