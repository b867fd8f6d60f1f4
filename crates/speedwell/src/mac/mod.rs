//! Message authentication codes: HMAC over every digest, and CMAC over AES.
//!
//! The types implement RustCrypto's [`digest`] traits for MACs ([`KeyInit`], [`Mac`]), and are complete without them:
//! [`HmacKey`] and [`CmacKey`] keep what a key is made into and give the tag of a message that is all there;
//! [`Hmac`] and [`Cmac`] take a message in any split.
//!
//! ```
//! use speedwell::digest::Sha256;
//! use speedwell::mac::HmacKey;
//!
//! let key = HmacKey::<Sha256>::new(b"a secret of any length");
//! let tag = key.tag(b"a message");
//! key.verify(b"a message", &tag)?;
//! // A tag may be cut, down to ten bytes for HMAC and eight for CMAC.
//! key.verify(b"a message", &tag[..16])?;
//! assert!(key.verify(b"another message", &tag).is_err());
//! # Ok::<(), speedwell::mac::MacError>(())
//! ```
//!
//! Tags are compared in constant time.

mod by_name;
mod cmac;
mod error;
mod hmac;

use subtle::ConstantTimeEq;

pub use by_name::{DynMac, by_name};
pub use cmac::{Aes128Cmac, Aes192Cmac, Aes256Cmac, Cmac, CmacKey};
pub use digest::{KeyInit, Mac};
pub use error::MacError;
pub use hmac::{Hmac, HmacKey};

/// Compares a tag, which may be cut to no fewer than `least` bytes, with the one that the message has. Only the tag's
/// length and the outcome show in the time.
fn compare(expected: &[u8], given: &[u8], least: usize) -> Result<(), MacError> {
    let Some(expected_part) = expected.get(..given.len()).filter(|part| part.len() >= least) else {
        return Err(MacError::TagLength { given: given.len(), least, most: expected.len() });
    };
    if expected_part.ct_eq(given).into() { Ok(()) } else { Err(MacError::WrongTag) }
}
