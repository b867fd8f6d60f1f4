//! What others call algorithms, and what we do.

use speedwell::names::{self, Kind};

use super::builder::What;
use crate::case::Operation;

/// The algorithm that a row of a throughput table is about: `aes-128 cbc`, `hmac(md5)`, `AES-128-GCM`. One that is not
/// known here keeps its name, in lower case with hyphens.
pub fn throughput(label: &str, bytes: usize) -> What {
    let algorithm = canonical(label);
    let operation = match names::find(&algorithm).map(|known| known.kind) {
        Ok(Kind::Digest { .. }) => Operation::Hash,
        Ok(Kind::Mac { .. }) => Operation::Mac,
        Ok(_) => Operation::Encrypt,
        Err(_) if starts_with_any(&algorithm, MACS) => Operation::Mac,
        Err(_) if starts_with_any(&algorithm, DIGESTS) => Operation::Hash,
        Err(_) => Operation::Encrypt,
    };
    What { algorithm, operation, bytes }
}

/// The algorithm that a row of a sign/verify table is about: `rsa 1024 bits`, `256 bits ecdsa (nistp256)`,
/// `rsa (512 bit, …)`, `RSA4096`.
pub fn public_key(label: &str) -> String {
    let folded = label.to_ascii_lowercase().replace(['(', ')', ','], " ");
    let mut words: Vec<&str> = folded.split_whitespace().filter(|word| !matches!(*word, "bit" | "bits")).collect();
    // A curve says its size itself.
    if words.iter().any(|word| word.starts_with("ec") || word.starts_with("ed")) {
        words.retain(|word| !word.bytes().all(|byte| byte.is_ascii_digit()));
        if words.len() > 1 && words[0] == "eddsa" {
            words.remove(0);
        }
    }
    canonical(&words.join("-"))
}

/// The operation that a column of a sign/verify table is about.
pub fn operation(word: &str) -> Option<Operation> {
    Some(match word.trim_end_matches('s') {
        "sign" => Operation::Sign,
        "verify" | "verifie" => Operation::Verify,
        "encrypt" | "encr." => Operation::Encrypt,
        "decrypt" | "decr." => Operation::Decrypt,
        "keygen" => Operation::Generate,
        _ => return None,
    })
}

fn canonical(label: &str) -> String {
    let lower = label.trim().to_ascii_lowercase();
    let inside = |prefix: &str| {
        let rest = lower.strip_prefix(prefix)?.trim_start().strip_prefix('(')?;
        Some(rest.split(')').next().unwrap_or(rest).trim().to_owned())
    };
    let text = if let Some(hash) = inside("hmac") {
        format!("hmac-{hash}")
    } else if let Some(cipher) = inside("cmac") {
        format!("{}-cmac", cipher.trim_end_matches("-cbc"))
    } else {
        lower
    };
    let slug: Vec<&str> = text.split([' ', '_', '-', '(', ')']).filter(|word| !word.is_empty()).collect();
    let slug = slug.join("-");
    names::find(&slug).map_or(slug, |known| known.name.to_owned())
}

fn starts_with_any(name: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| name.starts_with(start))
}

const MACS: &[&str] = &["hmac", "cmac", "kmac", "poly1305", "ghash", "siphash"];
const DIGESTS: &[&str] =
    &["md2", "md4", "md5", "mdc2", "sha", "rmd", "ripemd", "whirlpool", "sm3", "blake", "keccak", "streebog", "tiger"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_many_years() {
        for (label, algorithm, operation) in [
            ("aes-128 cbc", "aes-128-cbc", Operation::Encrypt),
            ("AES-128-GCM", "aes-128-gcm", Operation::Encrypt),
            ("hmac(md5)", "hmac-md5", Operation::Mac),
            ("hmac (md5)", "hmac-md5", Operation::Mac),
            ("hmac(sha256)", "hmac-sha256", Operation::Mac),
            ("cmac(aes-128-cbc)", "aes-128-cmac", Operation::Mac),
            ("sha", "sha1", Operation::Hash),
            ("rmd160", "rmd160", Operation::Hash),
            ("des ede3", "des-ede3", Operation::Encrypt),
            ("ghash", "ghash", Operation::Mac),
        ] {
            assert_eq!(throughput(label, 16), What { algorithm: algorithm.to_owned(), operation, bytes: 16 });
        }
        for (label, algorithm) in [
            ("rsa  512 bits", "rsa-512"),
            ("rsa (1024 bit)", "rsa-1024"),
            ("RSA4096", "rsa-4096"),
            ("dsa 2048 bits", "dsa-2048"),
            ("256 bits ecdsa (nistp256)", "ecdsa-nistp256"),
            ("253 bits EdDSA (Ed25519)", "ed25519"),
            ("ML-DSA-65", "ml-dsa-65"),
        ] {
            assert_eq!(public_key(label), algorithm);
        }
    }
}
