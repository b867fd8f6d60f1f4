//! What a subject must know of an algorithm to be set up: lengths of key, IV and unit, and which primitive carries it.

use crate::case::{Case, Operation};
use crate::subjects::Skip;

/// An algorithm as the lab sees it.
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// The canonical name.
    pub name: &'static str,
    /// What it is made of.
    pub kind: Kind,
}

/// Hash functions and ciphers, with what their set-up needs.
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
}

impl Algorithm {
    /// All that the lab can measure.
    pub const ALL: &'static [Algorithm] = &[
        hash("md5", "md5.compress", 64, 16),
        hash("sha1", "sha1.compress", 64, 20),
        hash("sha224", "sha256.compress", 64, 28),
        hash("sha256", "sha256.compress", 64, 32),
        hash("sha384", "sha512.compress", 128, 48),
        hash("sha512", "sha512.compress", 128, 64),
        hash("sha512-224", "sha512.compress", 128, 28),
        hash("sha512-256", "sha512.compress", 128, 32),
        cipher("rc4", "rc4.xor", "rc4.xor", 16, 0, 1),
        cipher("aes-128-ecb", "aes.encrypt_blocks", "aes.decrypt_blocks", 16, 0, 16),
        cipher("aes-192-ecb", "aes.encrypt_blocks", "aes.decrypt_blocks", 24, 0, 16),
        cipher("aes-256-ecb", "aes.encrypt_blocks", "aes.decrypt_blocks", 32, 0, 16),
        cipher("aes-128-cbc", "aes.cbc_encrypt", "aes.cbc_decrypt", 16, 16, 16),
        cipher("aes-192-cbc", "aes.cbc_encrypt", "aes.cbc_decrypt", 24, 16, 16),
        cipher("aes-256-cbc", "aes.cbc_encrypt", "aes.cbc_decrypt", 32, 16, 16),
        cipher("aes-128-ctr", "aes.ctr", "aes.ctr", 16, 16, 1),
        cipher("aes-192-ctr", "aes.ctr", "aes.ctr", 24, 16, 1),
        cipher("aes-256-ctr", "aes.ctr", "aes.ctr", 32, 16, 1),
    ];

    /// The algorithm of that canonical name.
    pub fn named(name: &str) -> Option<&'static Algorithm> {
        Algorithm::ALL.iter().find(|algorithm| algorithm.name == name)
    }

    /// The algorithm of a case, if it can do the case's operation on so many bytes.
    ///
    /// # Errors
    /// [`Skip::UnknownAlgorithm`], [`Skip::Operation`] or [`Skip::Length`].
    pub fn of(case: &Case) -> Result<&'static Algorithm, Skip> {
        let algorithm = Algorithm::named(&case.algorithm)
            .ok_or_else(|| Skip::UnknownAlgorithm { algorithm: case.algorithm.clone() })?;
        match algorithm.kind {
            Kind::Hash { .. } if case.operation == Operation::Hash => Ok(algorithm),
            Kind::Cipher { unit, .. } if case.operation != Operation::Hash => {
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
            // A key stream is added the same way in both directions: one figure says it all.
            Kind::Cipher { encrypt, decrypt, .. } if encrypt == decrypt => &[Operation::Encrypt],
            Kind::Cipher { .. } => &[Operation::Encrypt, Operation::Decrypt],
        }
    }

    /// The primitive that does most of the work of an operation; `None` if the algorithm lacks the operation.
    pub fn primitive(&self, operation: Operation) -> Option<&'static str> {
        match (self.kind, operation) {
            (Kind::Hash { compress, .. }, Operation::Hash) => Some(compress),
            (Kind::Cipher { encrypt, .. }, Operation::Encrypt) => Some(encrypt),
            (Kind::Cipher { decrypt, .. }, Operation::Decrypt) => Some(decrypt),
            _ => None,
        }
    }

    /// How many units of its primitive a call on so many bytes takes: blocks of a hash with its padding, or units of a
    /// cipher, the last of which may be partly used.
    pub fn units(&self, bytes: usize) -> usize {
        match self.kind {
            Kind::Hash { block, length_field, .. } => (bytes + 1 + length_field).div_ceil(block),
            Kind::Cipher { iv: 0, unit, .. } => bytes.div_ceil(unit),
            Kind::Cipher { iv, .. } => bytes.div_ceil(iv),
        }
    }
}

const fn hash(name: &'static str, compress: &'static str, block: usize, digest: usize) -> Algorithm {
    Algorithm { name, kind: Kind::Hash { compress, block, length_field: block / 8, digest } }
}

const fn cipher(
    name: &'static str,
    encrypt: &'static str,
    decrypt: &'static str,
    key: usize,
    iv: usize,
    unit: usize,
) -> Algorithm {
    Algorithm { name, kind: Kind::Cipher { encrypt, decrypt, key, iv, unit } }
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
    }
}
