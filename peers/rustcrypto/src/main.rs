//! The RustCrypto crates as a subject, through their traits: one-shot digests, and keys that are made once. Opening is in
//! place, so that the message is copied to its place first: that time counts.

use aes::cipher::array::Array;
use aes::cipher::{Block, BlockModeDecrypt, BlockModeEncrypt, KeyInit, KeyIvInit, StreamCipher};
use aes::{Aes128, Aes192, Aes256};
use aes_gcm::AesGcm;
use aes_gcm::aead::AeadInOut;
use aes_gcm::aead::consts::U12;
use cmac::Cmac;
use ctr::Ctr128BE;
use digest::Digest;
use hmac::{Hmac, Mac};
use md5::Md5;
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use speedwell_lab::algorithm::Algorithm;
use speedwell_lab::case::{Case, Operation};
use speedwell_lab::subjects::usage::{self, LONGEST, Sealer, Stream, TAG, Tagger, not_offered};
use speedwell_lab::subjects::{Setup, Skip, peer_main};

fn main() -> std::io::Result<()> {
    peer_main("rustcrypto", env!("CARGO_PKG_VERSION"), set_up)
}

fn set_up(case: &Case) -> Result<Setup, Skip> {
    Algorithm::of(case)?;
    match case.algorithm.as_str() {
        "md5" => hash::<Md5>(case),
        "sha1" => hash::<Sha1>(case),
        "sha224" => hash::<Sha224>(case),
        "sha256" => hash::<Sha256>(case),
        "sha384" => hash::<Sha384>(case),
        "sha512" => hash::<Sha512>(case),
        "sha512-224" => hash::<Sha512_224>(case),
        "sha512-256" => hash::<Sha512_256>(case),
        "hmac-md5" => mac::<Hmac<Md5>>(case),
        "hmac-sha1" => mac::<Hmac<Sha1>>(case),
        "hmac-sha224" => mac::<Hmac<Sha224>>(case),
        "hmac-sha256" => mac::<Hmac<Sha256>>(case),
        "hmac-sha384" => mac::<Hmac<Sha384>>(case),
        "hmac-sha512" => mac::<Hmac<Sha512>>(case),
        "hmac-sha512-224" => mac::<Hmac<Sha512_224>>(case),
        "hmac-sha512-256" => mac::<Hmac<Sha512_256>>(case),
        "aes-128-cmac" => mac::<Cmac<Aes128>>(case),
        "aes-192-cmac" => mac::<Cmac<Aes192>>(case),
        "aes-256-cmac" => mac::<Cmac<Aes256>>(case),
        "rc4" => usage::cipher(case, || Some(Rc4(None))),
        "aes-128-ecb" => modes::<ecb::Encryptor<Aes128>, ecb::Decryptor<Aes128>>(
            case,
            |key, _| KeyInit::new_from_slice(key).ok(),
            |key, _| KeyInit::new_from_slice(key).ok(),
        ),
        "aes-192-ecb" => modes::<ecb::Encryptor<Aes192>, ecb::Decryptor<Aes192>>(
            case,
            |key, _| KeyInit::new_from_slice(key).ok(),
            |key, _| KeyInit::new_from_slice(key).ok(),
        ),
        "aes-256-ecb" => modes::<ecb::Encryptor<Aes256>, ecb::Decryptor<Aes256>>(
            case,
            |key, _| KeyInit::new_from_slice(key).ok(),
            |key, _| KeyInit::new_from_slice(key).ok(),
        ),
        "aes-128-cbc" => modes::<cbc::Encryptor<Aes128>, cbc::Decryptor<Aes128>>(case, keyed, keyed),
        "aes-192-cbc" => modes::<cbc::Encryptor<Aes192>, cbc::Decryptor<Aes192>>(case, keyed, keyed),
        "aes-256-cbc" => modes::<cbc::Encryptor<Aes256>, cbc::Decryptor<Aes256>>(case, keyed, keyed),
        "aes-128-ctr" => usage::cipher(case, || Some(Ctr::<Ctr128BE<Aes128>>(None))),
        "aes-192-ctr" => usage::cipher(case, || Some(Ctr::<Ctr128BE<Aes192>>(None))),
        "aes-256-ctr" => usage::cipher(case, || Some(Ctr::<Ctr128BE<Aes256>>(None))),
        "aes-128-gcm" => usage::aead(case, Gcm::<AesGcm<Aes128, U12>>(None)),
        "aes-192-gcm" => usage::aead(case, Gcm::<AesGcm<Aes192, U12>>(None)),
        "aes-256-gcm" => usage::aead(case, Gcm::<AesGcm<Aes256, U12>>(None)),
        _ => Err(not_offered(case)),
    }
}

fn hash<D: Digest + Send + 'static>(case: &Case) -> Result<Setup, Skip> {
    struct OneShot<D>(std::marker::PhantomData<D>);

    impl<D: Digest + Send + 'static> Tagger for OneShot<D> {
        fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
            let made = D::digest(message);
            output[..made.len()].copy_from_slice(&made);
            true
        }
    }

    usage::digest(case, OneShot::<D>(std::marker::PhantomData))
}

fn mac<M: Mac + KeyInit + Clone + Send + 'static>(case: &Case) -> Result<Setup, Skip> {
    struct Keyed<M>(Option<M>);

    impl<M: Mac + KeyInit + Clone + Send + 'static> Tagger for Keyed<M> {
        fn set_key(&mut self, key: &[u8]) -> bool {
            self.0 = <M as KeyInit>::new_from_slice(key).ok();
            self.0.is_some()
        }

        fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
            let Some(mut mac) = self.0.clone() else { return false };
            Mac::update(&mut mac, message);
            let made = mac.finalize().into_bytes();
            output[..made.len()].copy_from_slice(&made);
            true
        }
    }

    usage::mac(case, Keyed::<M>(None))
}

fn keyed<M: KeyIvInit>(key: &[u8], iv: &[u8]) -> Option<M> {
    M::new_from_slices(key, iv).ok()
}

/// A mode that works on blocks, in one of two directions.
fn modes<E, D>(
    case: &Case,
    encryptor: fn(&[u8], &[u8]) -> Option<E>,
    decryptor: fn(&[u8], &[u8]) -> Option<D>,
) -> Result<Setup, Skip>
where
    E: BlockModeEncrypt + Send + 'static,
    D: BlockModeDecrypt + Send + 'static,
{
    if case.operation == Operation::Decrypt {
        let crypt = |mode: &mut D, data: &mut [u8]| mode.decrypt_blocks(blocks::<D>(data));
        return usage::cipher(case, || Some(Mode { mode: None, new: decryptor, crypt }));
    }
    let crypt = |mode: &mut E, data: &mut [u8]| mode.encrypt_blocks(blocks::<E>(data));
    usage::cipher(case, || Some(Mode { mode: None, new: encryptor, crypt }))
}

fn blocks<M: aes::cipher::BlockSizeUser>(data: &mut [u8]) -> &mut [Block<M>] {
    Array::slice_as_chunks_mut(data).0
}

struct Mode<M> {
    mode: Option<M>,
    new: fn(&[u8], &[u8]) -> Option<M>,
    crypt: fn(&mut M, &mut [u8]),
}

impl<M: Send + 'static> Stream for Mode<M> {
    fn begin(&mut self, key: &[u8], iv: &[u8]) -> bool {
        self.mode = (self.new)(key, iv);
        self.mode.is_some()
    }

    fn update(&mut self, data: &mut [u8]) -> bool {
        self.mode.as_mut().map(|mode| (self.crypt)(mode, data)).is_some()
    }
}

struct Ctr<M>(Option<M>);

impl<M: KeyIvInit + StreamCipher + Send + 'static> Stream for Ctr<M> {
    fn begin(&mut self, key: &[u8], iv: &[u8]) -> bool {
        self.0 = M::new_from_slices(key, iv).ok();
        self.0.is_some()
    }

    fn update(&mut self, data: &mut [u8]) -> bool {
        self.0.as_mut().is_some_and(|mode| mode.try_apply_keystream(data).is_ok())
    }
}

struct Rc4(Option<rc4::Rc4>);

impl Stream for Rc4 {
    fn begin(&mut self, key: &[u8], _iv: &[u8]) -> bool {
        self.0 = rc4::Rc4::new_from_slice(key).ok();
        self.0.is_some()
    }

    fn update(&mut self, data: &mut [u8]) -> bool {
        self.0.as_mut().is_some_and(|mode| mode.try_apply_keystream(data).is_ok())
    }
}

struct Gcm<C>(Option<C>);

impl<C: KeyInit + AeadInOut + Send + 'static> Sealer for Gcm<C> {
    fn set_key(&mut self, key: &[u8]) -> bool {
        self.0 = C::new_from_slice(key).ok();
        self.0.is_some()
    }

    fn seal(&mut self, nonce: &[u8], data: &mut [u8]) -> bool {
        let (data, tag) = data.split_at_mut(data.len() - TAG);
        let (Some(key), Ok(nonce)) = (&self.0, nonce.try_into()) else { return false };
        let Ok(made) = key.encrypt_inout_detached(nonce, &[], data.into()) else { return false };
        tag.copy_from_slice(&made);
        true
    }

    fn open(&mut self, nonce: &[u8], data: &[u8], output: &mut [u8]) -> bool {
        let (data, tag) = data.split_at(data.len() - TAG);
        output.copy_from_slice(data);
        let (Some(key), Ok(nonce), Ok(tag)) = (&self.0, nonce.try_into(), tag.try_into()) else { return false };
        key.decrypt_inout_detached(nonce, &[], output.into(), tag).is_ok()
    }
}
