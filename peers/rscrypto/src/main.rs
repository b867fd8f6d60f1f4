//! rscrypto as a subject: one-shot digests, and keys that are made once. Opening is in place, so that the message is copied
//! to its place first: that time counts.

use rscrypto::aead::Nonce96;
use rscrypto::aead::expert::AeadWithNonce;
use rscrypto::{Aes128Gcm, Aes128GcmKey, Aes256Gcm, Aes256GcmKey};
use rscrypto::{HmacSha256, HmacSha384, HmacSha512, Mac as _};
use rscrypto::{Sha224, Sha256, Sha384, Sha512, Sha512_256};
use speedwell_lab::case::Case;
use speedwell_lab::subjects::usage::{self, LONGEST, Sealer, TAG, Tagger, not_offered};
use speedwell_lab::subjects::{Setup, Skip, peer_main};

fn main() -> std::io::Result<()> {
    peer_main("rscrypto", env!("CARGO_PKG_VERSION"), set_up)
}

/// A digest of a type.
macro_rules! digest {
    ($case:expr, $digest:ty) => {
        usage::digest($case, Digest(|message, output| put(output, &<$digest>::digest(message))))
    };
}

/// A MAC of a type, with what is made of the key copied for every message.
macro_rules! mac {
    ($case:expr, $mac:ty) => {{
        struct Keyed(Option<$mac>);

        impl Tagger for Keyed {
            fn set_key(&mut self, key: &[u8]) -> bool {
                self.0 = Some(<$mac>::new(key));
                true
            }

            fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
                let Some(mac) = &mut self.0 else { return false };
                mac.reset();
                mac.update(message);
                put(output, mac.finalize().as_bytes());
                true
            }
        }

        usage::mac($case, Keyed(None))
    }};
}

/// GCM of a type.
macro_rules! gcm {
    ($case:expr, $gcm:ty, $key:ty) => {{
        struct Keyed(Option<$gcm>);

        impl Sealer for Keyed {
            fn set_key(&mut self, key: &[u8]) -> bool {
                self.0 = key.try_into().ok().map(|key| <$gcm>::new(&<$key>::from_bytes(key)));
                self.0.is_some()
            }

            fn seal(&mut self, nonce: &[u8], data: &mut [u8]) -> bool {
                let (data, tag) = data.split_at_mut(data.len() - TAG);
                let (Some(key), Ok(nonce)) = (&self.0, nonce.try_into()) else { return false };
                let Ok(made) = key.encrypt_in_place(&Nonce96::from_bytes(nonce), &[], data) else { return false };
                tag.copy_from_slice(made.as_bytes());
                true
            }

            fn open(&mut self, nonce: &[u8], data: &[u8], output: &mut [u8]) -> bool {
                let (data, tag) = data.split_at(data.len() - TAG);
                output.copy_from_slice(data);
                let (Some(key), Ok(nonce), Ok(tag)) = (&self.0, nonce.try_into(), <$gcm>::tag_from_slice(tag)) else {
                    return false;
                };
                key.decrypt_in_place(&Nonce96::from_bytes(nonce), &[], output, &tag).is_ok()
            }
        }

        usage::aead($case, Keyed(None))
    }};
}

fn set_up(case: &Case) -> Result<Setup, Skip> {
    match case.algorithm.as_str() {
        "sha224" => digest!(case, Sha224),
        "sha256" => digest!(case, Sha256),
        "sha384" => digest!(case, Sha384),
        "sha512" => digest!(case, Sha512),
        "sha512-256" => digest!(case, Sha512_256),
        "hmac-sha256" => mac!(case, HmacSha256),
        "hmac-sha384" => mac!(case, HmacSha384),
        "hmac-sha512" => mac!(case, HmacSha512),
        "aes-128-gcm" => gcm!(case, Aes128Gcm, Aes128GcmKey),
        "aes-256-gcm" => gcm!(case, Aes256Gcm, Aes256GcmKey),
        _ => Err(not_offered(case)),
    }
}

fn put(output: &mut [u8; LONGEST], made: &[u8]) {
    output[..made.len()].copy_from_slice(made);
}

struct Digest(fn(&[u8], &mut [u8; LONGEST]));

impl Tagger for Digest {
    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        (self.0)(message, output);
        true
    }
}
