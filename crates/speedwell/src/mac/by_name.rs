//! A MAC that is chosen when the program runs.

use super::{Cmac, CmacKey, Hmac, MacError};
use crate::digest::{BlockDigest, Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

/// A message in progress under a key of any MAC.
pub trait DynMac: Send {
    /// Appends to the message.
    fn update(&mut self, data: &[u8]);

    /// The tag of the message; what follows is a new message under the same key.
    fn finish(&mut self) -> Box<[u8]>;

    /// Whether a tag, which may be cut as the MAC's standard allows, is that of the message; what follows is a new
    /// message under the same key.
    ///
    /// # Errors
    /// [`MacError::WrongTag`] or [`MacError::TagLength`].
    fn check(&mut self, tag: &[u8]) -> Result<(), MacError>;

    /// Leaves the message and starts a new one under the same key.
    fn reset(&mut self);

    /// The bytes of a tag.
    fn tag_length(&self) -> usize;

    /// The same once more: message so far, and key.
    fn box_clone(&self) -> Box<dyn DynMac>;
}

/// A new message under a key of the MAC with this canonical name (see [`crate::names`]). HMAC takes keys of any length.
///
/// # Errors
/// [`MacError::UnknownAlgorithm`] or [`MacError::KeyLength`].
pub fn by_name(name: &str, key: &[u8]) -> Result<Box<dyn DynMac>, MacError> {
    match name {
        "hmac-md5" => Ok(hmac::<Md5>(key)),
        "hmac-sha1" => Ok(hmac::<Sha1>(key)),
        "hmac-sha224" => Ok(hmac::<Sha224>(key)),
        "hmac-sha256" => Ok(hmac::<Sha256>(key)),
        "hmac-sha384" => Ok(hmac::<Sha384>(key)),
        "hmac-sha512" => Ok(hmac::<Sha512>(key)),
        "hmac-sha512-224" => Ok(hmac::<Sha512_224>(key)),
        "hmac-sha512-256" => Ok(hmac::<Sha512_256>(key)),
        "aes-128-cmac" => cmac::<16>(key),
        "aes-192-cmac" => cmac::<24>(key),
        "aes-256-cmac" => cmac::<32>(key),
        other => Err(MacError::UnknownAlgorithm { name: other.to_owned() }),
    }
}

fn hmac<D: BlockDigest + Send>(key: &[u8]) -> Box<dyn DynMac> {
    Box::new(Hmac::<D>::new(key))
}

fn cmac<const KEY: usize>(key: &[u8]) -> Result<Box<dyn DynMac>, MacError> {
    let key = key.try_into().map_err(|_| MacError::KeyLength { given: key.len(), expected: KEY })?;
    Ok(Box::new(CmacKey::<KEY>::new(key).start()))
}

impl<D: BlockDigest + Send> DynMac for Hmac<D> {
    fn update(&mut self, data: &[u8]) {
        Hmac::update(self, data);
    }

    fn finish(&mut self) -> Box<[u8]> {
        Hmac::finish(self).as_slice().into()
    }

    fn check(&mut self, tag: &[u8]) -> Result<(), MacError> {
        Hmac::check(self, tag)
    }

    fn reset(&mut self) {
        digest::Reset::reset(self);
    }

    fn tag_length(&self) -> usize {
        <D as digest::OutputSizeUser>::output_size()
    }

    fn box_clone(&self) -> Box<dyn DynMac> {
        Box::new(self.clone())
    }
}

impl<const KEY: usize> DynMac for Cmac<KEY> {
    fn update(&mut self, data: &[u8]) {
        Cmac::update(self, data);
    }

    fn finish(&mut self) -> Box<[u8]> {
        Cmac::finish(self).into()
    }

    fn check(&mut self, tag: &[u8]) -> Result<(), MacError> {
        Cmac::check(self, tag)
    }

    fn reset(&mut self) {
        digest::Reset::reset(self);
    }

    fn tag_length(&self) -> usize {
        16
    }

    fn box_clone(&self) -> Box<dyn DynMac> {
        Box::new(self.clone())
    }
}
