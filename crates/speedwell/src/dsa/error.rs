//! What can go wrong with parameters, keys and signatures.

use std::fmt;

/// Why a DSA operation gives no result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DsaError {
    /// The parameters have sizes that are not allowed.
    ParameterSizes {
        /// Bits of p.
        p: usize,
        /// Bits of q.
        q: usize,
    },
    /// Parameters that do not fit each other.
    Parameters(&'static str),
    /// A key that does not fit its parameters.
    Key(&'static str),
    /// A key or signature that cannot be read.
    Format(String),
    /// A digest of another length than the hash function's.
    DigestLength {
        /// Its bytes.
        bytes: usize,
        /// What it should have.
        expected: usize,
    },
    /// A signature that does not verify.
    Signature,
    /// The operating system gave no random bytes.
    Random(String),
}

impl fmt::Display for DsaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DsaError::ParameterSizes { p, q } => write!(
                formatter,
                "p of {p} and q of {q} bits are not allowed; use 2048 with 224 or 256, or 3072 with 256 (1024 or 512 with \
                 160 want Sizes::Legacy)"
            ),
            DsaError::Parameters(what) => write!(formatter, "these are no DSA parameters: {what}"),
            DsaError::Key(what) => write!(formatter, "this is no DSA key: {what}"),
            DsaError::Format(why) => write!(formatter, "cannot read it: {why}"),
            DsaError::DigestLength { bytes, expected } => {
                write!(formatter, "a digest of {bytes} bytes was given; the hash function's has {expected}")
            }
            DsaError::Signature => formatter.write_str("the signature does not verify"),
            DsaError::Random(why) => write!(formatter, "no random bytes: {why}"),
        }
    }
}

impl std::error::Error for DsaError {}
