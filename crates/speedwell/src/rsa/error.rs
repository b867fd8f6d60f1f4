//! What can go wrong with keys, messages and signatures.

use std::fmt;

/// Why an RSA operation gives no result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RsaError {
    /// The modulus has a size that is not allowed.
    ModulusSize {
        /// Its bits.
        bits: usize,
        /// The fewest bits allowed.
        least: usize,
    },
    /// The modulus is even.
    EvenModulus,
    /// The public exponent is even, 1, or longer than 256 bits or than the modulus.
    PublicExponent,
    /// A private key whose parts do not fit each other.
    Inconsistent(&'static str),
    /// A key file that cannot be read.
    Format(String),
    /// The message is too long for the key and padding.
    MessageTooLong {
        /// Its bytes.
        bytes: usize,
        /// The most that fit.
        most: usize,
    },
    /// A digest of another length than the hash function's.
    DigestLength {
        /// Its bytes.
        bytes: usize,
        /// What it should have.
        expected: usize,
    },
    /// The modulus is too short for the padding of a signature.
    KeyTooShort {
        /// The bytes that the padding needs.
        needed: usize,
    },
    /// A ciphertext or raw input that is not of the modulus's length, or not less than it.
    OutOfRange,
    /// A ciphertext that does not decrypt under OAEP.
    Decryption,
    /// A signature that does not verify.
    Signature,
    /// A private operation gave a wrong result, which was not let out: the processor or its memory made an error.
    Fault,
    /// The operating system gave no random bytes.
    Random(String),
}

impl fmt::Display for RsaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RsaError::ModulusSize { bits, least } if bits < least && *least > 512 => write!(
                formatter,
                "a modulus of {bits} bits is too short to be safe; use {least} or more, or Sizes::Legacy if it must be"
            ),
            RsaError::ModulusSize { bits, least } => {
                write!(formatter, "a modulus of {bits} bits is not supported; use {least} to 8192")
            }
            RsaError::EvenModulus => formatter.write_str("the modulus is even: this is no RSA key"),
            RsaError::PublicExponent => formatter
                .write_str("the public exponent is not an odd number of 3 or more and up to 256 bits; use 65537"),
            RsaError::Inconsistent(what) => write!(formatter, "the private key is inconsistent: {what}"),
            RsaError::Format(why) => write!(formatter, "cannot read the key: {why}"),
            RsaError::MessageTooLong { bytes, most } => {
                write!(formatter, "{bytes} bytes do not fit; with this key and padding {most} do")
            }
            RsaError::DigestLength { bytes, expected } => {
                write!(formatter, "a digest of {bytes} bytes was given; the hash function's has {expected}")
            }
            RsaError::KeyTooShort { needed } => {
                write!(formatter, "the modulus is too short for this padding, which needs {needed} bytes")
            }
            RsaError::OutOfRange => formatter.write_str("the input is not of the modulus's length or not less than it"),
            RsaError::Decryption => formatter.write_str("the ciphertext does not decrypt under this key and label"),
            RsaError::Signature => formatter.write_str("the signature does not verify"),
            RsaError::Fault => formatter.write_str(
                "a private operation went wrong and its result was withheld; check the machine's processor and memory",
            ),
            RsaError::Random(why) => write!(formatter, "no random bytes: {why}"),
        }
    }
}

impl std::error::Error for RsaError {}
