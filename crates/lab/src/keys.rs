//! The keys that public-key algorithms are measured with, the same for every subject, as unencrypted DER. They guard
//! nothing: anybody can read them here.

/// The private key of an algorithm: PKCS #1 for RSA, PKCS #8 for DSA.
pub(crate) fn key(algorithm: &str) -> Option<&'static [u8]> {
    Some(match algorithm {
        "rsa-512" => include_bytes!("keys/rsa-512.der"),
        "rsa-1024" => include_bytes!("keys/rsa-1024.der"),
        "rsa-2048" => include_bytes!("keys/rsa-2048.der"),
        "rsa-3072" => include_bytes!("keys/rsa-3072.der"),
        "rsa-4096" => include_bytes!("keys/rsa-4096.der"),
        "dsa-1024" => include_bytes!("keys/dsa-1024.der"),
        "dsa-2048" => include_bytes!("keys/dsa-2048.der"),
        "dsa-3072" => include_bytes!("keys/dsa-3072.der"),
        _ => return None,
    })
}

/// The digest that is signed, as long as SHA-256's; the secret that is encrypted.
pub(crate) const DIGEST: [u8; 32] = [0x5a; 32];
