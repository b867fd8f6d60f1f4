//! What files are put through: a digest, or a MAC under a key.

use anyhow::{Result, bail};
use speedwell::batch::digest_many_by_name;
use speedwell::digest::{self, DynDigest};
use speedwell::mac::{self, DynMac};
use speedwell::names::{Algorithm, Kind};
use zeroize::Zeroizing;

/// A digest, or a MAC with its key.
pub struct Function {
    /// Which.
    pub algorithm: &'static Algorithm,
    key: Zeroizing<Vec<u8>>,
}

/// A message in progress.
pub enum Message {
    /// Under a digest.
    Digest(Box<dyn DynDigest>),
    /// Under a MAC.
    Mac(Box<dyn DynMac>),
}

impl Function {
    /// A digest.
    pub fn digest(algorithm: &'static Algorithm) -> Result<Function> {
        match algorithm.kind {
            Kind::Digest { .. } => Ok(Function { algorithm, key: Zeroizing::default() }),
            kind => bail!("'{}' is no digest but a {}", algorithm.name, kind.name()),
        }
    }

    /// A MAC under a key, which must have the length that CMAC asks for.
    pub fn mac(algorithm: &'static Algorithm, key: Zeroizing<Vec<u8>>) -> Result<Function> {
        match algorithm.kind {
            Kind::Mac { .. } => {
                mac::by_name(algorithm.name, &key)?;
                Ok(Function { algorithm, key })
            }
            kind => bail!("'{}' is no message authentication code but a {}", algorithm.name, kind.name()),
        }
    }

    /// A message in parts.
    pub fn start(&self) -> Message {
        match self.algorithm.kind {
            Kind::Mac { .. } => {
                Message::Mac(mac::by_name(self.algorithm.name, &self.key).expect("the key was tried before"))
            }
            _ => Message::Digest(digest::by_name(self.algorithm.name).expect("every digest of the list has a type")),
        }
    }

    /// The digests of messages that are all there: in the lanes of vectors, where there are enough.
    pub fn many(&self, messages: &[&[u8]]) -> Vec<Box<[u8]>> {
        if let Kind::Digest { output, .. } = self.algorithm.kind {
            let mut digests = vec![0; messages.len() * output];
            digest_many_by_name(self.algorithm.name, messages, &mut digests).expect("it is a digest with this output");
            return digests.chunks(output).map(Into::into).collect();
        }
        let mut message = self.start();
        messages
            .iter()
            .map(|bytes| {
                message.update(bytes);
                message.finish()
            })
            .collect()
    }
}

impl Message {
    /// Appends to the message.
    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            Message::Digest(digest) => digest.update(bytes),
            Message::Mac(mac) => mac.update(bytes),
        }
    }

    /// The digest or tag; what follows is a new message.
    pub fn finish(&mut self) -> Box<[u8]> {
        match self {
            Message::Digest(digest) => digest.finalize_reset(),
            Message::Mac(mac) => mac.finish(),
        }
    }
}
