//! Keys in PKCS #8 and SubjectPublicKeyInfo (RFC 3279, section 2.3.2), signatures in DER (section 2.2.2) and as plain bytes.

use der::asn1::{AnyRef, BitStringRef, ObjectIdentifier, OctetStringRef, SequenceRef, UintRef};
use der::{Decode, Encode, Header, Length, Reader, SliceReader, Tag};
use pkcs8::{EncryptedPrivateKeyInfoRef, PrivateKeyInfoRef, SecretDocument};
use spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};
use zeroize::Zeroizing;

use super::{DsaError, Parameters, PrivateKey, PublicKey, Signature, Sizes};
use crate::encoding::der_of;

/// id-dsa.
const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10040.4.1");

impl PrivateKey {
    /// Reads PKCS #8, in DER or PEM.
    ///
    /// # Errors
    /// [`DsaError::Format`] if it is not that or is encrypted, and those of [`Parameters::new`] and [`PrivateKey::new`].
    pub fn read(bytes: &[u8], sizes: Sizes) -> Result<PrivateKey, DsaError> {
        let der = der_of(bytes).map_err(format)?;
        let info = PrivateKeyInfoRef::from_der(&der).map_err(format)?;
        let parameters = parameters(&info.algorithm, sizes)?;
        let x = UintRef::from_der(info.private_key.as_bytes()).map_err(format)?;
        PrivateKey::new(parameters, x.as_bytes())
    }

    /// Reads encrypted PKCS #8 (PBES2 of RFC 8018), in DER or PEM.
    ///
    /// # Errors
    /// As [`PrivateKey::read`], and if the password is wrong.
    pub fn read_encrypted(bytes: &[u8], password: &[u8], sizes: Sizes) -> Result<PrivateKey, DsaError> {
        let der = der_of(bytes).map_err(format)?;
        let info = EncryptedPrivateKeyInfoRef::from_der(&der).map_err(format)?;
        PrivateKey::read(info.decrypt(password).map_err(format)?.as_bytes(), sizes)
    }

    /// PKCS #8 in DER.
    ///
    /// # Errors
    /// [`DsaError::Format`] if the encoder fails, which it does not for a key that was made.
    pub fn to_pkcs8_der(&self) -> Result<SecretDocument, DsaError> {
        let parameters = encoded(self.public_key().parameters())?;
        let key = Zeroizing::new(integer(&self.x())?);
        let algorithm =
            AlgorithmIdentifierRef { oid: OID, parameters: Some(AnyRef::from_der(&parameters).map_err(format)?) };
        let info = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(&key).map_err(format)?);
        SecretDocument::try_from(info).map_err(format)
    }
}

impl PublicKey {
    /// Reads SubjectPublicKeyInfo, in DER or PEM.
    ///
    /// # Errors
    /// [`DsaError::Format`] if it is not that, and those of [`Parameters::new`] and [`PublicKey::new`].
    pub fn read(bytes: &[u8], sizes: Sizes) -> Result<PublicKey, DsaError> {
        let der = der_of(bytes).map_err(format)?;
        let info = SubjectPublicKeyInfoRef::from_der(&der).map_err(format)?;
        let parameters = parameters(&info.algorithm, sizes)?;
        let key = info.subject_public_key.as_bytes().ok_or(DsaError::Format("the key is no whole bytes".to_owned()))?;
        PublicKey::new(parameters, UintRef::from_der(key).map_err(format)?.as_bytes())
    }

    /// SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// [`DsaError::Format`] if the encoder fails, which it does not for a key that was made.
    pub fn to_public_key_der(&self) -> Result<Vec<u8>, DsaError> {
        let parameters = encoded(self.parameters())?;
        let key = integer(&self.y())?;
        let info = SubjectPublicKeyInfoRef {
            algorithm: AlgorithmIdentifierRef {
                oid: OID,
                parameters: Some(AnyRef::from_der(&parameters).map_err(format)?),
            },
            subject_public_key: BitStringRef::from_bytes(&key).map_err(format)?,
        };
        info.to_der().map_err(format)
    }
}

impl Signature {
    /// Reads the DER encoding of r and s.
    ///
    /// # Errors
    /// [`DsaError::Format`] if it is not that, to the last byte.
    pub fn from_der(bytes: &[u8]) -> Result<Signature, DsaError> {
        let [r, s] = integers(bytes)?;
        Ok(Signature { r: r.to_vec(), s: s.to_vec() })
    }

    /// The DER encoding of r and s.
    ///
    /// # Errors
    /// [`DsaError::Format`] if the encoder fails, which it does not.
    pub fn to_der(&self) -> Result<Vec<u8>, DsaError> {
        sequence(&[&self.r, &self.s])
    }

    /// Reads r and s side by side, each as long as q (IEEE P1363).
    ///
    /// # Errors
    /// [`DsaError::Format`] if the length is not twice that of q.
    pub fn from_bytes(bytes: &[u8], parameters: &Parameters) -> Result<Signature, DsaError> {
        let size = parameters.q_bytes();
        if bytes.len() != 2 * size {
            return Err(DsaError::Format(format!("a signature has {} bytes, not {}", 2 * size, bytes.len())));
        }
        Ok(Signature { r: bytes[..size].to_vec(), s: bytes[size..].to_vec() })
    }

    /// r and s side by side, each as long as q.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.r[..], &self.s].concat()
    }
}

fn parameters(algorithm: &AlgorithmIdentifierRef<'_>, sizes: Sizes) -> Result<Parameters, DsaError> {
    if algorithm.oid != OID {
        return Err(DsaError::Format(format!("its algorithm is {}, not DSA", algorithm.oid)));
    }
    let any = algorithm.parameters.ok_or(DsaError::Format("it has no parameters".to_owned()))?;
    let der = any.to_der().map_err(format)?;
    let [p, q, g] = integers(&der)?;
    Parameters::new(p, q, g, sizes)
}

fn encoded(parameters: &Parameters) -> Result<Vec<u8>, DsaError> {
    sequence(&[&parameters.p(), &parameters.q(), &parameters.g()])
}

/// The integers in a sequence, none of them negative.
fn integers<const N: usize>(der: &[u8]) -> Result<[&[u8]; N], DsaError> {
    let body = <&SequenceRef>::from_der(der).map_err(format)?;
    let mut reader = SliceReader::new(body.as_bytes()).map_err(format)?;
    let mut found = [&[][..]; N];
    for number in &mut found {
        *number = <UintRef<'_>>::decode(&mut reader).map_err(format)?.as_bytes();
    }
    reader.finish().map_err(format)?;
    Ok(found)
}

fn sequence(numbers: &[&[u8]]) -> Result<Vec<u8>, DsaError> {
    let body = numbers.iter().map(|number| integer(number)).collect::<Result<Vec<_>, _>>()?.concat();
    let length = Length::try_from(body.len()).map_err(format)?;
    let mut der = Header::new(Tag::Sequence, length).to_der().map_err(format)?;
    der.extend_from_slice(&body);
    Ok(der)
}

fn integer(bytes: &[u8]) -> Result<Vec<u8>, DsaError> {
    let zeros = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len().saturating_sub(1));
    UintRef::new(&bytes[zeros..]).and_then(|number| number.to_der()).map_err(format)
}

fn format(error: impl std::fmt::Display) -> DsaError {
    DsaError::Format(error.to_string())
}
