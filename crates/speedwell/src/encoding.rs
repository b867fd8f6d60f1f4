//! The outermost encoding of key files: DER as it is, or in PEM (RFC 7468).

use pkcs8::SecretDocument;
use zeroize::Zeroizing;

/// The longest key file that is looked at: an 8192-bit RSA key with five primes in PEM has less.
const LONGEST: usize = 1 << 16;

/// The DER in the bytes, which may be PEM.
///
/// # Errors
/// Why the bytes are no key file, in words.
pub(crate) fn der_of(bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, String> {
    if bytes.len() > LONGEST {
        return Err(format!("it has {} bytes; keys have up to {LONGEST}", bytes.len()));
    }
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
    if !bytes[start..].starts_with(b"-----BEGIN") {
        return Ok(Zeroizing::new(bytes.to_vec()));
    }
    let text = std::str::from_utf8(&bytes[start..]).map_err(|error| error.to_string())?;
    let (_, document) = SecretDocument::from_pem(text).map_err(|error| error.to_string())?;
    Ok(Zeroizing::new(document.as_bytes().to_vec()))
}
