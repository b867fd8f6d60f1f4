//! RSA (RFC 8017): keys, signatures by PKCS #1 v1.5 and PSS, encryption by OAEP and PKCS #1 v1.5.
//!
//! ```
//! use speedwell::rsa::{Hash, PrivateKey, Scheme};
//!
//! let key = PrivateKey::generate(2048)?;
//! let signature = key.sign(Scheme::pss(Hash::Sha256), b"a message")?;
//! key.public_key().verify(Scheme::pss(Hash::Sha256), b"a message", &signature)?;
//! # Ok::<(), speedwell::rsa::RsaError>(())
//! ```
//!
//! Keys have 2048 to 8192 bits; shorter ones, down to 512, want [`Sizes::Legacy`]. The private operation is constant in
//! time, blinded, and its result verified before it leaves.

mod batch;
mod blinding;
mod encryption;
mod error;
mod formats;
mod generate;
mod private_key;
mod public_key;
mod signature;
mod traits;

pub use crate::hashes::Hash;
pub use batch::{sign_many, sign_many_under};
pub use encryption::Padding;
pub use error::RsaError;
pub use private_key::{Parts, PrivateKey};
pub use public_key::{PublicKey, Sizes};
pub use signature::Scheme;
pub use traits::{Signature, SigningKey, VerifyingKey};

/// Checks a digest's length.
fn check(hash: Hash, digest: &[u8]) -> Result<(), RsaError> {
    let (bytes, expected) = (digest.len(), hash.length());
    if bytes == expected { Ok(()) } else { Err(RsaError::DigestLength { bytes, expected }) }
}
