//! Graviola as a subject: one-shot digests, and keys that are made once. Opening is in place, so that the message is copied
//! to its place first: that time counts.

use graviola::aead::AesGcm;
use graviola::hashing::hmac::Hmac;
use graviola::hashing::{Hash, Sha256, Sha384, Sha512};
use speedwell_lab::algorithm::{Algorithm, Kind};
use speedwell_lab::case::Case;
use speedwell_lab::subjects::usage::{self, LONGEST, Sealer, TAG, Tagger, not_offered};
use speedwell_lab::subjects::{Setup, Skip, peer_main};

fn main() -> std::io::Result<()> {
    peer_main("graviola", env!("CARGO_PKG_VERSION"), set_up)
}

fn set_up(case: &Case) -> Result<Setup, Skip> {
    if !graviola::util::is_cpu_supported() {
        return Err(Skip::NotOffered("anything on this processor".to_owned()));
    }
    match (Algorithm::of(case)?.kind, case.algorithm.as_str()) {
        (_, "sha256") => usage::digest(case, OneShot(digest::<Sha256>)),
        (_, "sha384") => usage::digest(case, OneShot(digest::<Sha384>)),
        (_, "sha512") => usage::digest(case, OneShot(digest::<Sha512>)),
        (_, "hmac-sha256") => usage::mac(case, Mac::<Sha256>(None)),
        (_, "hmac-sha384") => usage::mac(case, Mac::<Sha384>(None)),
        (_, "hmac-sha512") => usage::mac(case, Mac::<Sha512>(None)),
        (Kind::Aead { key: 16 | 32, .. }, _) => usage::aead(case, Gcm(None)),
        _ => Err(not_offered(case)),
    }
}

type Digest = fn(&[u8], &mut [u8; LONGEST]);

struct OneShot(Digest);

fn digest<H: Hash>(message: &[u8], output: &mut [u8; LONGEST]) {
    let made = H::hash(message);
    output[..made.as_ref().len()].copy_from_slice(made.as_ref());
}

impl Tagger for OneShot {
    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        (self.0)(message, output);
        true
    }
}

struct Mac<H: Hash>(Option<Hmac<H>>);

impl<H: Hash + 'static> Tagger for Mac<H>
where
    Hmac<H>: Clone + Send,
{
    fn set_key(&mut self, key: &[u8]) -> bool {
        self.0 = Some(Hmac::new(key));
        true
    }

    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let Some(mut mac) = self.0.clone() else { return false };
        mac.update(message);
        let made = mac.finish();
        output[..made.as_ref().len()].copy_from_slice(made.as_ref());
        true
    }
}

struct Gcm(Option<AesGcm>);

impl Sealer for Gcm {
    fn set_key(&mut self, key: &[u8]) -> bool {
        self.0 = Some(AesGcm::new(key));
        true
    }

    fn seal(&mut self, nonce: &[u8], data: &mut [u8]) -> bool {
        let (data, tag) = data.split_at_mut(data.len() - TAG);
        let (Some(key), Ok(nonce), Ok(tag)) = (&self.0, nonce.try_into(), tag.try_into()) else { return false };
        key.encrypt(nonce, &[], data, tag);
        true
    }

    fn open(&mut self, nonce: &[u8], data: &[u8], output: &mut [u8]) -> bool {
        let (data, tag) = data.split_at(data.len() - TAG);
        output.copy_from_slice(data);
        let (Some(key), Ok(nonce)) = (&self.0, nonce.try_into()) else { return false };
        key.decrypt(nonce, &[], output, tag).is_ok()
    }
}
