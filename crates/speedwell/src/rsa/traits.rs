//! RustCrypto's `signature` traits: a key together with a scheme.

use signature::hazmat::{PrehashSigner, PrehashVerifier};
use signature::{Error, Keypair, SignatureEncoding, Signer, Verifier};

use super::{PrivateKey, PublicKey, Scheme};

/// A signature: as many bytes as the modulus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature(Box<[u8]>);

impl TryFrom<&[u8]> for Signature {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.is_empty() { Err(Error::new()) } else { Ok(Signature(bytes.into())) }
    }
}

impl From<Signature> for Box<[u8]> {
    fn from(signature: Signature) -> Self {
        signature.0
    }
}

impl AsRef<[u8]> for Signature {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl SignatureEncoding for Signature {
    type Repr = Box<[u8]>;
}

/// A private key that signs by one scheme.
#[derive(Clone, Debug)]
pub struct SigningKey {
    key: PrivateKey,
    scheme: Scheme,
}

/// A public key that verifies by one scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyingKey {
    key: PublicKey,
    scheme: Scheme,
}

impl SigningKey {
    /// Joins the two.
    pub fn new(key: PrivateKey, scheme: Scheme) -> SigningKey {
        SigningKey { key, scheme }
    }
}

impl VerifyingKey {
    /// Joins the two.
    pub fn new(key: PublicKey, scheme: Scheme) -> VerifyingKey {
        VerifyingKey { key, scheme }
    }
}

impl Keypair for SigningKey {
    type VerifyingKey = VerifyingKey;

    fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey { key: self.key.public_key().clone(), scheme: self.scheme }
    }
}

impl Signer<Signature> for SigningKey {
    fn try_sign(&self, message: &[u8]) -> Result<Signature, Error> {
        self.key.sign(self.scheme, message).map(|bytes| Signature(bytes.into())).map_err(Error::from_source)
    }
}

impl PrehashSigner<Signature> for SigningKey {
    fn sign_prehash(&self, digest: &[u8]) -> Result<Signature, Error> {
        self.key.sign_digest(self.scheme, digest).map(|bytes| Signature(bytes.into())).map_err(Error::from_source)
    }
}

impl Verifier<Signature> for VerifyingKey {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.key.verify(self.scheme, message, signature.as_ref()).map_err(Error::from_source)
    }
}

impl PrehashVerifier<Signature> for VerifyingKey {
    fn verify_prehash(&self, digest: &[u8], signature: &Signature) -> Result<(), Error> {
        self.key.verify_digest(self.scheme, digest, signature.as_ref()).map_err(Error::from_source)
    }
}
