//! Keys in files: PKCS #1, PKCS #8 (plain and encrypted) and SubjectPublicKeyInfo, as DER and PEM, through RustCrypto's
//! `pkcs1`, `pkcs8` and `spki` crates, whose traits the keys implement.

use der::asn1::{BitStringRef, OctetStringRef, UintRef};
use der::{Decode, Encode};
use pkcs1::{OtherPrimeInfo, RsaPrivateKey, RsaPublicKey};
use pkcs8::{EncodePrivateKey, EncryptedPrivateKeyInfoRef, PrivateKeyInfoRef, SecretDocument};
use spki::{AlgorithmIdentifierRef, Document, EncodePublicKey, SubjectPublicKeyInfoRef};
use zeroize::Zeroizing;

use super::{Parts, PrivateKey, PublicKey, RsaError, Sizes};
use crate::bignum::{from_bytes, inverse, remainder, resized, to_bytes};
use crate::encoding::der_of;

impl PrivateKey {
    /// Reads PKCS #8 or PKCS #1, in DER or PEM.
    ///
    /// # Errors
    /// [`RsaError::Format`] if it is neither or is encrypted, and those of [`PrivateKey::with_sizes`].
    pub fn read(bytes: &[u8], sizes: Sizes) -> Result<PrivateKey, RsaError> {
        let der = der_of(bytes).map_err(format)?;
        if let Ok(info) = PrivateKeyInfoRef::from_der(&der) {
            check_algorithm(&info.algorithm)?;
            return PrivateKey::from_pkcs1(info.private_key.as_bytes(), sizes);
        }
        if EncryptedPrivateKeyInfoRef::from_der(&der).is_ok() {
            return Err(RsaError::Format("it is encrypted; give its password to read_encrypted".to_owned()));
        }
        PrivateKey::from_pkcs1(&der, sizes)
    }

    /// Reads encrypted PKCS #8 (PBES2 of RFC 8018), in DER or PEM.
    ///
    /// # Errors
    /// [`RsaError::Format`] if it is not that or the password is wrong, and those of [`PrivateKey::with_sizes`].
    pub fn read_encrypted(bytes: &[u8], password: &[u8], sizes: Sizes) -> Result<PrivateKey, RsaError> {
        let der = der_of(bytes).map_err(format)?;
        let info = EncryptedPrivateKeyInfoRef::from_der(&der).map_err(format)?;
        PrivateKey::read(info.decrypt(password).map_err(format)?.as_bytes(), sizes)
    }

    fn from_pkcs1(der: &[u8], sizes: Sizes) -> Result<PrivateKey, RsaError> {
        let parsed = RsaPrivateKey::<UintRef<'_>>::from_der(der).map_err(format)?;
        let others = parsed.other_prime_infos.as_deref().unwrap_or_default();
        let mut primes = vec![parsed.prime1.as_bytes(), parsed.prime2.as_bytes()];
        primes.extend(others.iter().map(|other| other.prime.as_bytes()));
        let key = PrivateKey::with_sizes(
            &Parts {
                modulus: parsed.modulus.as_bytes(),
                public_exponent: parsed.public_exponent.as_bytes(),
                private_exponent: parsed.private_exponent.as_bytes(),
                primes,
            },
            sizes,
        )?;
        // What the file says besides must be so too, though it is worked out anew.
        let mut exponents = vec![parsed.exponent1, parsed.exponent2];
        exponents.extend(others.iter().map(|other| other.exponent));
        let expected = key.pkcs1_parts();
        let same = |a: &[u8], b: &[u8]| *from_bytes(strip(a)) == *from_bytes(strip(b));
        if !exponents.iter().zip(&expected.exponents).all(|(given, expected)| same(given.as_bytes(), expected)) {
            return Err(RsaError::Inconsistent("an exponent is not d modulo its prime less one"));
        }
        let mut coefficients = vec![parsed.coefficient];
        coefficients.extend(others.iter().map(|other| other.coefficient));
        if !coefficients.iter().zip(&expected.coefficients).all(|(given, expected)| same(given.as_bytes(), expected)) {
            return Err(RsaError::Inconsistent("a coefficient is not the inverse that it should be"));
        }
        Ok(key)
    }

    /// PKCS #1 in DER (RFC 8017, appendix A.1.2).
    ///
    /// # Errors
    /// [`RsaError::Format`] if the encoder fails, which it does not for a key that was made.
    pub fn to_pkcs1_der(&self) -> Result<SecretDocument, RsaError> {
        let parts = self.pkcs1_parts();
        let public = self.public_key();
        let (modulus, public_exponent) = (public.modulus(), public.exponent());
        let (private_exponent, primes) = (self.exponent(), self.primes());
        let mut others = Vec::new();
        for i in 2..primes.len() {
            others.push(OtherPrimeInfo {
                prime: number(&primes[i])?,
                exponent: number(&parts.exponents[i])?,
                coefficient: number(&parts.coefficients[i - 1])?,
            });
        }
        let key = RsaPrivateKey {
            modulus: number(&modulus)?,
            public_exponent: number(&public_exponent)?,
            private_exponent: number(&private_exponent)?,
            prime1: number(&primes[0])?,
            prime2: number(&primes[1])?,
            exponent1: number(&parts.exponents[0])?,
            exponent2: number(&parts.exponents[1])?,
            coefficient: number(&parts.coefficients[0])?,
            other_prime_infos: (!others.is_empty()).then_some(others),
        };
        SecretDocument::encode_msg(&key).map_err(format)
    }

    fn pkcs1_parts(&self) -> Pkcs1Parts {
        let primes = self.primes();
        let numbers: Vec<_> = primes.iter().map(|prime| from_bytes(prime)).collect();
        let exponent = |prime: &super::private_key::Prime| {
            let bytes = prime.ring.bytes();
            to_bytes(&prime.exponent, bytes)
        };
        // The first coefficient is that of the second prime modulo the first, the others of what stands before.
        let mut coefficients = Vec::new();
        let mut before = numbers[0].clone();
        for (i, prime) in numbers.iter().enumerate().skip(1) {
            let (value, modulus) = if i == 1 { (prime, &numbers[0]) } else { (&before, prime) };
            let inverse = inverse(&remainder(value, modulus), modulus).unwrap_or_else(|| resized(&[0], modulus.len()));
            coefficients.push(to_bytes(&inverse, 8 * modulus.len()));
            before = crate::bignum::product(&before, prime);
        }
        Pkcs1Parts { exponents: self.primes.iter().map(exponent).collect(), coefficients }
    }
}

/// What PKCS #1 has besides d and the primes.
struct Pkcs1Parts {
    exponents: Vec<Zeroizing<Vec<u8>>>,
    coefficients: Vec<Zeroizing<Vec<u8>>>,
}

impl PublicKey {
    /// Reads SubjectPublicKeyInfo or PKCS #1, in DER or PEM.
    ///
    /// # Errors
    /// [`RsaError::Format`] if it is neither, and those of [`PublicKey::with_sizes`].
    pub fn read(bytes: &[u8], sizes: Sizes) -> Result<PublicKey, RsaError> {
        let der = der_of(bytes).map_err(format)?;
        if let Ok(info) = SubjectPublicKeyInfoRef::from_der(&der) {
            check_algorithm(&info.algorithm)?;
            let key = info.subject_public_key.as_bytes();
            return PublicKey::from_pkcs1(key.ok_or(RsaError::Format("the key is no whole bytes".to_owned()))?, sizes);
        }
        PublicKey::from_pkcs1(&der, sizes)
    }

    fn from_pkcs1(der: &[u8], sizes: Sizes) -> Result<PublicKey, RsaError> {
        let parsed = RsaPublicKey::<UintRef<'_>>::from_der(der).map_err(format)?;
        PublicKey::with_sizes(parsed.modulus.as_bytes(), parsed.public_exponent.as_bytes(), sizes)
    }

    /// PKCS #1 in DER (RFC 8017, appendix A.1.1).
    ///
    /// # Errors
    /// [`RsaError::Format`] if the encoder fails, which it does not for a key that was made.
    pub fn to_pkcs1_der(&self) -> Result<Vec<u8>, RsaError> {
        let (modulus, exponent) = (self.modulus(), self.exponent());
        let key = RsaPublicKey {
            modulus: UintRef::new(&modulus).map_err(format)?,
            public_exponent: UintRef::new(&exponent).map_err(format)?,
        };
        key.to_der().map_err(format)
    }
}

impl TryFrom<PrivateKeyInfoRef<'_>> for PrivateKey {
    type Error = pkcs8::Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        info.algorithm.assert_algorithm_oid(pkcs1::ALGORITHM_OID)?;
        PrivateKey::from_pkcs1(info.private_key.as_bytes(), Sizes::Standard)
            .map_err(|_| pkcs8::Error::KeyMalformed(pkcs8::KeyError::Invalid))
    }
}

impl EncodePrivateKey for PrivateKey {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        let malformed = |_| pkcs8::Error::KeyMalformed(pkcs8::KeyError::Invalid);
        let key = PrivateKey::to_pkcs1_der(self).map_err(malformed)?;
        let key = OctetStringRef::new(key.as_bytes())?;
        PrivateKeyInfoRef::new(pkcs1::ALGORITHM_ID, key).try_into()
    }
}

impl TryFrom<SubjectPublicKeyInfoRef<'_>> for PublicKey {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        info.algorithm.assert_algorithm_oid(pkcs1::ALGORITHM_OID)?;
        let key = info.subject_public_key.as_bytes().ok_or(spki::Error::KeyMalformed)?;
        PublicKey::from_pkcs1(key, Sizes::Standard).map_err(|_| spki::Error::KeyMalformed)
    }
}

impl EncodePublicKey for PublicKey {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let key = PublicKey::to_pkcs1_der(self).map_err(|_| spki::Error::KeyMalformed)?;
        let info = SubjectPublicKeyInfoRef {
            algorithm: pkcs1::ALGORITHM_ID,
            subject_public_key: BitStringRef::from_bytes(&key)?,
        };
        Document::encode_msg(&info).map_err(Into::into)
    }
}

fn check_algorithm(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<(), RsaError> {
    if algorithm.oid != pkcs1::ALGORITHM_OID {
        return Err(RsaError::Format(format!("its algorithm is {}, not rsaEncryption", algorithm.oid)));
    }
    if algorithm.parameters.is_some_and(|parameters| !parameters.is_null()) {
        return Err(RsaError::Format("rsaEncryption has no parameters but NULL".to_owned()));
    }
    Ok(())
}

fn number(bytes: &[u8]) -> Result<UintRef<'_>, RsaError> {
    UintRef::new(strip(bytes)).map_err(format)
}

fn strip(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len().saturating_sub(1));
    &bytes[zeros..]
}

fn format(error: impl std::fmt::Display) -> RsaError {
    RsaError::Format(error.to_string())
}
