//! Encrypted files: our own form, and the keys of two older ones.
//!
//! Our own form cuts a message into chunks of 64 KiB, each sealed by AES-256-GCM under a nonce that tells its number and
//! whether it is the last: the STREAM construction (V. T. Hoang, R. Reyhanitabar, P. Rogaway, D. Vizár: Online
//! Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance, CRYPTO 2015). Chunks can be sealed and opened in any
//! order and on many threads, and none can be changed, moved, doubled, dropped or cut off without notice.
//! `docs/format.md` of the project describes every byte.
//!
//! ```
//! use speedwell::file::{Credential, KeyDerivation, decrypt_to_vec, encrypt_to_vec};
//!
//! let key = [7; 32];
//! let sealed = encrypt_to_vec(&Credential::Key(&key), KeyDerivation::RawKey, b"a message")?;
//! assert_eq!(decrypt_to_vec(&Credential::Key(&key), &sealed)?, b"a message");
//! # Ok::<(), speedwell::file::FileError>(())
//! ```
//!
//! [`pbkdf2()`] is what `openssl enc -pbkdf2` and Solaris' `encrypt` make keys with; [`OPENSSL_MAGIC`] and [`SolarisHeader`]
//! are how their files begin. Neither detects a change.

mod chunks;
mod error;
mod header;
mod legacy;
mod pbkdf2;

pub use chunks::{CHUNK, Opener, SEALED_CHUNK, Sealer, decrypt_to_vec, encrypt_to_vec};
pub use error::FileError;
pub use header::{Argon2Cost, Credential, HEADER, Header, KeyDerivation};
pub use legacy::{OPENSSL_MAGIC, OPENSSL_SALT, SOLARIS_SALT, SolarisHeader};
pub use pbkdf2::{pbkdf2, pbkdf2_by_name};
