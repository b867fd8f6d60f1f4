//! DSA (FIPS 186-4): parameters, keys, and signatures with nonces by RFC 6979.
//!
//! FIPS 186-5 keeps DSA for verifying old signatures only. It is here for what still uses it.

mod error;
mod formats;
mod key;
mod nonce;
mod parameters;

pub use crate::hashes::Hash;
pub use error::DsaError;
pub use key::{PrivateKey, PublicKey, Signature};
pub use nonce::Nonce;
pub use parameters::{Parameters, Sizes};
