//! What a subject must know of an algorithm to be set up: lengths of key, IV and unit, and which primitive carries it.
//!
//! A view of [`speedwell::names`], which has the one list.

use speedwell::names::{self, Kind as Named, Mode};

use crate::case::{Case, Operation};
use crate::composed::Composed;
use crate::subjects::Skip;

/// An algorithm as the lab sees it.
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// The canonical name.
    pub name: &'static str,
    /// What it is made of.
    pub kind: Kind,
}

/// Hash functions, MACs, ciphers and public-key algorithms, with what their set-up needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A hash function of the Merkle–Damgård kind.
    Hash {
        /// The primitive that mixes a block into the state.
        compress: &'static str,
        /// Bytes of a block.
        block: usize,
        /// Bytes of the message length that ends the padding.
        length_field: usize,
        /// Bytes of the digest.
        digest: usize,
    },
    /// HMAC over a hash function.
    Hmac {
        /// The canonical name of the hash function.
        hash: &'static str,
        /// The primitive that mixes a block into the state.
        compress: &'static str,
        /// Bytes of the key.
        key: usize,
    },
    /// CMAC over a block cipher with blocks of 16 bytes.
    Cmac {
        /// The primitive that chains blocks.
        chain: &'static str,
        /// Bytes of the key.
        key: usize,
    },
    /// A cipher with a tag, and blocks of 16 bytes.
    Aead {
        /// The primitive that encrypts a message and makes its tag.
        seal: &'static str,
        /// The primitive that decrypts a message and makes the tag that it should have.
        open: &'static str,
        /// Bytes of the key.
        key: usize,
        /// Bytes of the nonce.
        nonce: usize,
        /// Bytes of the tag.
        tag: usize,
    },
    /// A cipher.
    Cipher {
        /// The primitive that encrypts.
        encrypt: &'static str,
        /// The primitive that decrypts.
        decrypt: &'static str,
        /// Bytes of the key.
        key: usize,
        /// Bytes of the IV or counter block; 0 if there is none.
        iv: usize,
        /// The message is a whole number of units of this many bytes.
        unit: usize,
    },
    /// A public-key algorithm.
    PublicKey {
        /// Bits of the modulus.
        bits: usize,
        /// Whether it encrypts as well as signs.
        encrypts: bool,
    },
}

impl Algorithm {
    /// All that the lab can measure.
    pub fn all() -> impl Iterator<Item = Algorithm> {
        names::algorithms().map(Algorithm::view)
    }

    /// The algorithm of that canonical name.
    pub fn named(name: &str) -> Option<Algorithm> {
        names::algorithms().find(|algorithm| algorithm.name == name).map(Algorithm::view)
    }

    fn view(algorithm: &'static names::Algorithm) -> Algorithm {
        let first = algorithm.primitives[0];
        let primitive = |end| *algorithm.primitives.iter().find(|name| name.ends_with(end)).unwrap_or(&first);
        let kind = match algorithm.kind {
            // The padding ends in the message's length, an eighth of a block wide.
            Named::Digest { block, output } => {
                Kind::Hash { compress: first, block, length_field: block / 8, digest: output }
            }
            Named::Mac { key, .. } => match algorithm.name.strip_prefix("hmac-") {
                Some(hash) => Kind::Hmac { hash, compress: first, key },
                None => Kind::Cmac { chain: primitive("cbc_encrypt"), key },
            },
            Named::Aead { key, nonce, tag } => {
                Kind::Aead { seal: primitive("seal"), open: primitive("open"), key, nonce, tag }
            }
            Named::PublicKey { bits, encrypts } => Kind::PublicKey { bits, encrypts },
            Named::StreamCipher { key } => Kind::Cipher { encrypt: first, decrypt: first, key, iv: 0, unit: 1 },
            Named::BlockCipher { key, block, mode } => {
                let (encrypt, decrypt, iv, unit) = match mode {
                    Mode::Ecb => ("encrypt_blocks", "decrypt_blocks", 0, block),
                    Mode::Cbc => ("cbc_encrypt", "cbc_decrypt", block, block),
                    Mode::Ctr => ("ctr", "ctr", block, 1),
                };
                Kind::Cipher { encrypt: primitive(encrypt), decrypt: primitive(decrypt), key, iv, unit }
            }
        };
        Algorithm { name: algorithm.name, kind }
    }

    /// The algorithm of a case, if it can do the case's operation on so many bytes.
    ///
    /// # Errors
    /// [`Skip::UnknownAlgorithm`], [`Skip::Operation`] or [`Skip::Length`].
    pub fn of(case: &Case) -> Result<Algorithm, Skip> {
        if let Some(composed) = Composed::named(&case.algorithm) {
            return Err(Skip::NotOffered(format!("{} as one operation", composed.name)));
        }
        let algorithm = Algorithm::named(&case.algorithm)
            .ok_or_else(|| Skip::UnknownAlgorithm { algorithm: case.algorithm.clone() })?;
        match algorithm.kind {
            Kind::Hash { .. } if case.operation == Operation::Hash => Ok(algorithm),
            Kind::Hmac { .. } | Kind::Cmac { .. } if case.operation == Operation::Mac => Ok(algorithm),
            Kind::Aead { .. } if matches!(case.operation, Operation::Encrypt | Operation::Decrypt) => Ok(algorithm),
            Kind::PublicKey { .. } if algorithm.operations().contains(&case.operation) => Ok(algorithm),
            Kind::PublicKey { .. } if case.operation == Operation::Generate => Ok(algorithm),
            Kind::Cipher { unit, .. } if matches!(case.operation, Operation::Encrypt | Operation::Decrypt) => {
                if case.bytes.is_multiple_of(unit) {
                    Ok(algorithm)
                } else {
                    Err(Skip::Length { unit, bytes: case.bytes })
                }
            }
            _ => Err(Skip::Operation { algorithm: algorithm.name, operation: case.operation }),
        }
    }

    /// The operations that it has.
    pub fn operations(&self) -> &'static [Operation] {
        match self.kind {
            Kind::Hash { .. } => &[Operation::Hash],
            Kind::Hmac { .. } | Kind::Cmac { .. } => &[Operation::Mac],
            Kind::PublicKey { encrypts: true, .. } => {
                &[Operation::Sign, Operation::Verify, Operation::Encrypt, Operation::Decrypt]
            }
            Kind::PublicKey { .. } => &[Operation::Sign, Operation::Verify],
            // A key stream is added the same way in both directions: one figure says it all.
            Kind::Cipher { encrypt, decrypt, .. } if encrypt == decrypt => &[Operation::Encrypt],
            Kind::Aead { .. } | Kind::Cipher { .. } => &[Operation::Encrypt, Operation::Decrypt],
        }
    }

    /// The primitive that does most of the work of an operation; `None` if the algorithm lacks the operation.
    pub fn primitive(&self, operation: Operation) -> Option<&'static str> {
        match (self.kind, operation) {
            (Kind::Hash { compress, .. }, Operation::Hash) => Some(compress),
            (Kind::Hmac { compress, .. }, Operation::Mac) => Some(compress),
            (Kind::Cmac { chain, .. }, Operation::Mac) => Some(chain),
            (Kind::Aead { seal, .. }, Operation::Encrypt) => Some(seal),
            (Kind::Aead { open, .. }, Operation::Decrypt) => Some(open),
            (Kind::Cipher { encrypt, .. }, Operation::Encrypt) => Some(encrypt),
            (Kind::Cipher { decrypt, .. }, Operation::Decrypt) => Some(decrypt),
            (Kind::PublicKey { encrypts: true, .. }, Operation::Sign | Operation::Decrypt) => Some("bn.mont_exp2"),
            (Kind::PublicKey { encrypts: true, .. }, Operation::Verify | Operation::Encrypt) => Some("bn.public_exp"),
            (Kind::PublicKey { .. }, Operation::Sign | Operation::Verify) => Some("bn.mont_exp"),
            _ => None,
        }
    }

    /// The primitive that does most of the work of a case: for several messages at once, the one that takes several.
    pub fn carrier(&self, case: &Case) -> Option<&'static str> {
        let single = self.primitive(case.operation)?;
        if case.messages == 1 {
            return Some(single);
        }
        let named = names::algorithms().find(|algorithm| algorithm.name == self.name)?;
        named.primitives.iter().find(|name| name.strip_suffix("_lanes") == Some(single)).copied()
    }

    /// How many units of its primitive a call on so many bytes takes: blocks of a hash with its padding (of HMAC, whose
    /// key is mixed in beforehand, one more), or units of a cipher, the last of which may be partly used.
    pub fn units(&self, bytes: usize) -> usize {
        match self.kind {
            Kind::Hash { block, length_field, .. } => (bytes + 1 + length_field).div_ceil(block),
            Kind::Hmac { hash, .. } => Algorithm::named(hash).map_or(0, |hash| hash.units(bytes)) + 1,
            Kind::Cmac { .. } => bytes.div_ceil(16).max(1),
            // The block that hides the tag is encrypted, and the block of lengths is hashed.
            Kind::Aead { .. } => bytes.div_ceil(16) + 1,
            Kind::PublicKey { bits, .. } => bits / 64,
            Kind::Cipher { iv: 0, unit, .. } => bytes.div_ceil(unit),
            Kind::Cipher { iv, .. } => bytes.div_ceil(iv),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_must_suit_its_algorithm() {
        let of = |name, operation, bytes| Algorithm::of(&Case::new(name, operation, bytes)).map(|found| found.name);
        assert_eq!(of("sha256", Operation::Hash, 3), Ok("sha256"));
        assert_eq!(of("aes-128-ctr", Operation::Decrypt, 3), Ok("aes-128-ctr"));
        assert_eq!(of("aes-128-cbc", Operation::Encrypt, 3), Err(Skip::Length { unit: 16, bytes: 3 }));
        assert!(matches!(of("sha256", Operation::Encrypt, 16), Err(Skip::Operation { .. })));
        assert!(matches!(of("sha257", Operation::Hash, 16), Err(Skip::UnknownAlgorithm { .. })));
    }

    #[test]
    fn padding_counts_as_work() {
        let units = |name, bytes| Algorithm::named(name).unwrap().units(bytes);
        assert_eq!([0, 55, 56, 64, 119].map(|bytes| units("sha256", bytes)), [1, 1, 2, 2, 2]);
        assert_eq!([111, 112].map(|bytes| units("sha512", bytes)), [1, 2]);
        assert_eq!([16, 17].map(|bytes| units("aes-128-ctr", bytes)), [1, 2]);
        assert_eq!(units("rc4", 17), 17);
        assert_eq!([0, 55, 56].map(|bytes| units("hmac-sha256", bytes)), [2, 2, 3]);
        assert_eq!([0, 16, 17].map(|bytes| units("aes-128-cmac", bytes)), [1, 1, 2]);
    }
}
