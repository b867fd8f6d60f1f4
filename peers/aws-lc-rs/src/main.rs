//! AWS-LC, through aws-lc-rs, as a subject: one-shot digests, and keys that are made once. Ciphers work in place, and every
//! message starts with its IV.

use aws_lc_rs::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::cipher::{
    AES_128, AES_192, AES_256, DecryptingKey, DecryptionContext, EncryptingKey, EncryptionContext, UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;
use aws_lc_rs::signature::{KeyPair, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair};
use aws_lc_rs::{cipher, digest, hmac};
use speedwell_lab::algorithm::{Algorithm, Kind};
use speedwell_lab::case::{Case, Operation};
use speedwell_lab::subjects::usage::{self, LONGEST, Sealer, Signer, Stream, TAG, Tagger, not_offered};
use speedwell_lab::subjects::{Setup, Skip, peer_main};

fn main() -> std::io::Result<()> {
    peer_main("aws-lc-rs", env!("CARGO_PKG_VERSION"), set_up)
}

fn set_up(case: &Case) -> Result<Setup, Skip> {
    let missing = || not_offered(case);
    match Algorithm::of(case)?.kind {
        Kind::Hash { .. } => usage::digest(case, Digest(digest_of(&case.algorithm).ok_or_else(missing)?)),
        Kind::Hmac { hash, .. } => {
            let algorithm = hmac_of(hash).ok_or_else(missing)?;
            usage::mac(case, Mac(algorithm, hmac::Key::new(algorithm, &[])))
        }
        Kind::Aead { key, .. } => {
            let algorithm = [&aead::AES_128_GCM, &aead::AES_192_GCM, &aead::AES_256_GCM][key / 8 - 2];
            usage::aead(case, Gcm { algorithm, key: None })
        }
        Kind::Cipher { .. } => {
            let mode = match case.algorithm.rsplit('-').next() {
                Some("ecb") => Mode::Ecb,
                Some("cbc") => Mode::Cbc,
                Some("ctr") => Mode::Ctr,
                _ => return Err(missing()),
            };
            let decrypts = case.operation == Operation::Decrypt;
            usage::cipher(case, || Some(Cipher { mode, decrypts, key: None, iv: [0; 16] }))
        }
        // Keys of less than 2048 bits are refused.
        Kind::PublicKey { bits: 2048.., encrypts: true } => usage::signature(case, Rsa::new),
        _ => Err(missing()),
    }
}

fn digest_of(name: &str) -> Option<&'static digest::Algorithm> {
    Some(match name {
        "sha1" => &digest::SHA1_FOR_LEGACY_USE_ONLY,
        "sha224" => &digest::SHA224,
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
        "sha224" => hmac::HMAC_SHA224,
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
        let (Some(key), Ok(nonce)) = (&self.key, Nonce::try_assume_unique_for_key(nonce)) else { return false };
        key.open_separate_gather(nonce, Aad::empty(), data, tag, output).is_ok()
    }
}

#[derive(Clone, Copy)]
enum Mode {
    Ecb,
    Cbc,
    Ctr,
}

/// A key for one direction.
enum Key {
    Encrypting(EncryptingKey),
    Decrypting(DecryptingKey),
}

struct Cipher {
    mode: Mode,
    decrypts: bool,
    key: Option<Key>,
    iv: [u8; 16],
}

impl Cipher {
    fn key(&self, key: &[u8]) -> Option<Key> {
        let algorithm: &cipher::Algorithm = [&AES_128, &AES_192, &AES_256][key.len() / 8 - 2];
        let key = UnboundCipherKey::new(algorithm, key).ok()?;
        if self.decrypts {
            let new = match self.mode {
                Mode::Ecb => DecryptingKey::ecb,
                Mode::Cbc => DecryptingKey::cbc,
                Mode::Ctr => DecryptingKey::ctr,
            };
            return new(key).ok().map(Key::Decrypting);
        }
        let new = match self.mode {
            Mode::Ecb => EncryptingKey::ecb,
            Mode::Cbc => EncryptingKey::cbc,
            Mode::Ctr => EncryptingKey::ctr,
        };
        new(key).ok().map(Key::Encrypting)
    }
}

impl Stream for Cipher {
    fn begin(&mut self, key: &[u8], iv: &[u8]) -> bool {
        self.iv[..iv.len()].copy_from_slice(iv);
        self.key = self.key(key);
        self.key.is_some()
    }

    fn update(&mut self, data: &mut [u8]) -> bool {
        let iv = FixedLength::from(&self.iv);
        match (&self.key, self.mode) {
            (Some(Key::Encrypting(key)), Mode::Ecb) => key.less_safe_encrypt(data, EncryptionContext::None).is_ok(),
            (Some(Key::Encrypting(key)), _) => key.less_safe_encrypt(data, EncryptionContext::Iv128(iv)).is_ok(),
            (Some(Key::Decrypting(key)), Mode::Ecb) => key.decrypt(data, DecryptionContext::None).is_ok(),
            (Some(Key::Decrypting(key)), _) => key.decrypt(data, DecryptionContext::Iv128(iv)).is_ok(),
            (None, _) => false,
        }
    }
}

struct Rsa {
    private: RsaKeyPair,
    public: ParsedPublicKey,
}

impl Rsa {
    fn new(der: &[u8]) -> Option<Rsa> {
        let private = RsaKeyPair::from_der(der).ok()?;
        let public = ParsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, private.public_key().as_ref()).ok()?;
        Some(Rsa { private, public })
    }
}

impl Signer for Rsa {
    fn sign(&mut self, digest: &[u8; 32], signature: &mut [u8]) -> Option<usize> {
        let digest = digest::Digest::import_less_safe(digest, &digest::SHA256).ok()?;
        let length = self.private.public_modulus_len();
        self.private.sign_digest(&RSA_PKCS1_SHA256, &digest, &mut signature[..length]).ok()?;
        Some(length)
    }

    fn verify(&mut self, digest: &[u8; 32], signature: &[u8]) -> bool {
        digest::Digest::import_less_safe(digest, &digest::SHA256)
            .is_ok_and(|digest| self.public.verify_digest_sig(&digest, signature).is_ok())
    }
}
