//! Authenticated encryption: AES-GCM.
//!
//! ```
//! use speedwell::aead::Aes256Gcm;
//!
//! let cipher = Aes256Gcm::new(&[0x11; 32]);
//! // Under one key no nonce may be used twice: a counter, or 96 random bits for up to 2^32 messages.
//! let nonce = [0x22; 12];
//! let sealed = cipher.seal_to_vec(&nonce, b"header", b"a message")?;
//! assert_eq!(cipher.open_to_vec(&nonce, b"header", &sealed)?, b"a message");
//! assert!(cipher.open_to_vec(&nonce, b"another header", &sealed).is_err());
//! # Ok::<(), speedwell::aead::AeadError>(())
//! ```
//!
//! Nothing of a message is given away before its tag has been checked: [`AesGcm::decrypt`] overwrites its output with
//! zeros if the tag is wrong. The types implement RustCrypto's [`aead`] traits as well.

mod error;
mod gcm;
mod streaming;

pub use aead::{AeadCore, AeadInOut, KeyInit};
pub use error::AeadError;
pub use gcm::{Aes128Gcm, Aes192Gcm, Aes256Gcm, AesGcm};
pub use speedwell_kernels::simd::InOutBuf;
pub use streaming::GcmEncryptor;
