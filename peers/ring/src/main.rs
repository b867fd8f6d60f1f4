//! ring as a subject: one-shot digests, and keys that are made once. Opening is in place, so that the message is copied to
//! its place first: that time counts.

use ring::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::{digest, hmac};
use speedwell_lab::algorithm::{Algorithm, Kind};
use speedwell_lab::case::Case;
use speedwell_lab::subjects::usage::{self, LONGEST, Sealer, TAG, Tagger, not_offered};
use speedwell_lab::subjects::{Setup, Skip, peer_main};

fn main() -> std::io::Result<()> {
    peer_main("ring", env!("CARGO_PKG_VERSION"), set_up)
}

fn set_up(case: &Case) -> Result<Setup, Skip> {
    let missing = || not_offered(case);
    match Algorithm::of(case)?.kind {
        Kind::Hash { .. } => usage::digest(case, Digest(digest_of(&case.algorithm).ok_or_else(missing)?)),
        Kind::Hmac { hash, .. } => {
            let algorithm = hmac_of(hash).ok_or_else(missing)?;
            usage::mac(case, Mac(algorithm, hmac::Key::new(algorithm, &[])))
        }
        Kind::Aead { key, .. } if key != 24 => {
            let algorithm = if key == 16 { &aead::AES_128_GCM } else { &aead::AES_256_GCM };
            usage::aead(case, Gcm { algorithm, key: None })
        }
        _ => Err(missing()),
    }
}

fn digest_of(name: &str) -> Option<&'static digest::Algorithm> {
    Some(match name {
        "sha1" => &digest::SHA1_FOR_LEGACY_USE_ONLY,
        "sha256" => &digest::SHA256,
        "sha384" => &digest::SHA384,
        "sha512" => &digest::SHA512,
        "sha512-256" => &digest::SHA512_256,
        _ => return None,
    })
}

fn hmac_of(hash: &str) -> Option<hmac::Algorithm> {
    Some(match hash {
        "sha1" => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
        "sha256" => hmac::HMAC_SHA256,
        "sha384" => hmac::HMAC_SHA384,
        "sha512" => hmac::HMAC_SHA512,
        _ => return None,
    })
}

struct Digest(&'static digest::Algorithm);

impl Tagger for Digest {
    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let made = digest::digest(self.0, message);
        output[..made.as_ref().len()].copy_from_slice(made.as_ref());
        true
    }
}

struct Mac(hmac::Algorithm, hmac::Key);

impl Tagger for Mac {
    fn set_key(&mut self, key: &[u8]) -> bool {
        self.1 = hmac::Key::new(self.0, key);
        true
    }

    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let made = hmac::sign(&self.1, message);
        output[..made.as_ref().len()].copy_from_slice(made.as_ref());
        true
    }
}

struct Gcm {
    algorithm: &'static aead::Algorithm,
    key: Option<LessSafeKey>,
}

impl Sealer for Gcm {
    fn set_key(&mut self, key: &[u8]) -> bool {
        self.key = UnboundKey::new(self.algorithm, key).ok().map(LessSafeKey::new);
        self.key.is_some()
    }

    fn seal(&mut self, nonce: &[u8], data: &mut [u8]) -> bool {
        let (data, tag) = data.split_at_mut(data.len() - TAG);
        let (Some(key), Ok(nonce)) = (&self.key, Nonce::try_assume_unique_for_key(nonce)) else { return false };
        let Ok(made) = key.seal_in_place_separate_tag(nonce, Aad::empty(), data) else { return false };
        tag.copy_from_slice(made.as_ref());
        true
    }

    fn open(&mut self, nonce: &[u8], data: &[u8], output: &mut [u8]) -> bool {
        let (data, tag) = data.split_at(data.len() - TAG);
        output.copy_from_slice(data);
        let (Some(key), Ok(nonce), Ok(tag)) = (&self.key, Nonce::try_assume_unique_for_key(nonce), tag.try_into())
        else {
            return false;
        };
        key.open_in_place_separate_tag(nonce, Aad::empty(), tag, output, 0..).is_ok()
    }
}
