//! Many messages at once.
//!
//! One stream of MD5, SHA or CBC encryption is bound by the latency of its chain and leaves most of a processor idle. Here
//! many messages share its vectors, a lane each: [`digest_many`] for messages that are all there, [`Batch`] for those that
//! come one after the other, [`CbcBatch`] for encryption under many keys. Lengths may differ: a lane whose message ends
//! takes the next one, and none waits for the longest. Where there are too few messages to fill lanes, the kernels for one
//! message take over.
//!
//! ```
//! use speedwell::batch::digest_many;
//! use speedwell::digest::Sha256;
//!
//! let messages: [&[u8]; 3] = [b"of", b"any", b"length"];
//! let mut digests = [Default::default(); 3];
//! digest_many::<Sha256>(&messages, &mut digests)?;
//! assert_eq!(digests[2], Sha256::digest(b"length"));
//! # Ok::<(), speedwell::batch::BatchError>(())
//! ```

mod cbc;
mod digest;
mod error;

use ::digest::Output;

use crate::digest::{Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

pub use crate::digest::BatchDigest;
pub use cbc::{CbcBatch, CbcKey};
pub use digest::{Batch, DigestPlans, Start};
pub use error::BatchError;

/// Writes the digest of message `i` to output `i`.
///
/// # Errors
/// [`BatchError::OutputCount`] if there are not as many outputs as messages.
pub fn digest_many<D: BatchDigest>(messages: &[&[u8]], outputs: &mut [Output<D>]) -> Result<(), BatchError> {
    Batch::<D, usize>::new().digest_many(messages, outputs)
}

/// The same for the digest with this canonical name (see [`crate::names`]). The digests stand in `outputs` one behind the
/// other.
///
/// # Errors
/// [`BatchError::NotADigest`], or [`BatchError::OutputBytes`] if `outputs` has not as many bytes as all digests.
pub fn digest_many_by_name(name: &str, messages: &[&[u8]], outputs: &mut [u8]) -> Result<(), BatchError> {
    match name {
        "md5" => digest::flat::<Md5>(messages, outputs),
        "sha1" => digest::flat::<Sha1>(messages, outputs),
        "sha224" => digest::flat::<Sha224>(messages, outputs),
        "sha256" => digest::flat::<Sha256>(messages, outputs),
        "sha384" => digest::flat::<Sha384>(messages, outputs),
        "sha512" => digest::flat::<Sha512>(messages, outputs),
        "sha512-224" => digest::flat::<Sha512_224>(messages, outputs),
        "sha512-256" => digest::flat::<Sha512_256>(messages, outputs),
        _ => Err(BatchError::NotADigest { name: name.to_owned() }),
    }
}
