//! The one list of algorithms: what users name, and all the spellings that they use. The crate, the command and every
//! delivery read it.

use std::fmt;

/// An algorithm.
#[derive(Debug, PartialEq, Eq)]
pub struct Algorithm {
    /// The canonical name, such as `aes-128-cbc`.
    pub name: &'static str,
    /// Other spellings, in lower case.
    pub aliases: &'static [&'static str],
    /// What it is.
    pub kind: Kind,
    /// The primitives that its work is made of.
    pub primitives: &'static [&'static str],
    /// The standard that defines it.
    pub standard: &'static str,
}

/// What an algorithm is, with its sizes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A hash function.
    Digest {
        /// Its block.
        block: usize,
        /// Its digest.
        output: usize,
    },
    /// A block cipher in a mode.
    BlockCipher {
        /// Its key.
        key: usize,
        /// Its block.
        block: usize,
        /// The mode.
        mode: Mode,
    },
    /// A cipher with a tag that authenticates the message.
    Aead {
        /// Its key.
        key: usize,
        /// Its usual nonce.
        nonce: usize,
        /// Its tag.
        tag: usize,
    },
    /// A message authentication code.
    Mac {
        /// Its key; of HMAC, which takes any, one as long as the tag.
        key: usize,
        /// Its tag.
        tag: usize,
    },
    /// A stream cipher without an initialisation vector.
    StreamCipher {
        /// Its usual key.
        key: usize,
    },
    /// A public-key algorithm at one size of key.
    PublicKey {
        /// Bits of the modulus.
        bits: usize,
        /// Whether it encrypts as well as signs.
        encrypts: bool,
    },
}

/// A mode of operation of a block cipher (SP 800-38A).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Electronic codebook: every block alone.
    Ecb,
    /// Cipher block chaining.
    Cbc,
    /// Counter, 128 bits, big-endian.
    Ctr,
}

impl Kind {
    /// The word for it in tables and errors.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Digest { .. } => "digest",
            Kind::BlockCipher { .. } => "block cipher",
            Kind::StreamCipher { .. } => "stream cipher",
            Kind::Aead { .. } => "authenticated cipher",
            Kind::Mac { .. } => "message authentication code",
            Kind::PublicKey { .. } => "public key",
        }
    }
}

macro_rules! digests {
    ($($name:literal $aliases:expr, $primitives:expr, $block:literal => $output:literal, $standard:literal;)*) => {
        [$(Algorithm {
            name: $name,
            aliases: &$aliases,
            kind: Kind::Digest { block: $block, output: $output },
            primitives: &$primitives,
            standard: $standard,
        }),*]
    };
}

macro_rules! macs {
    ($($name:literal $aliases:expr, $key:literal => $tag:literal [$($primitive:literal),*], $standard:literal;)*) => {
        [$(Algorithm {
            name: $name,
            aliases: &$aliases,
            kind: Kind::Mac { key: $key, tag: $tag },
            primitives: &[$($primitive),*],
            standard: $standard,
        }),*]
    };
}

macro_rules! aes {
    ($($name:literal $aliases:expr, $key:literal, $mode:ident [$($primitive:literal),*];)*) => {
        [$(Algorithm {
            name: $name,
            aliases: &$aliases,
            kind: Kind::BlockCipher { key: $key, block: 16, mode: Mode::$mode },
            primitives: &[$($primitive),*],
            standard: "FIPS 197, SP 800-38A",
        }),*]
    };
}

static DIGESTS: [Algorithm; 8] = digests! {
    "md5" ["ssl3-md5"], ["md5.compress", "md5.compress_lanes"], 64 => 16, "RFC 1321";
    "sha1" ["sha-1", "sha", "ssl3-sha1"], ["sha1.compress", "sha1.compress_lanes"], 64 => 20, "FIPS 180-4";
    "sha224" ["sha-224", "sha2-224"], ["sha256.compress", "sha256.compress_lanes"], 64 => 28, "FIPS 180-4";
    "sha256" ["sha-256", "sha2-256"], ["sha256.compress", "sha256.compress_lanes"], 64 => 32, "FIPS 180-4";
    "sha384" ["sha-384", "sha2-384"], ["sha512.compress", "sha512.compress_lanes"], 128 => 48, "FIPS 180-4";
    "sha512" ["sha-512", "sha2-512"], ["sha512.compress", "sha512.compress_lanes"], 128 => 64, "FIPS 180-4";
    "sha512-224" ["sha512/224", "sha-512/224", "sha2-512/224"], ["sha512.compress", "sha512.compress_lanes"], 128 => 28, "FIPS 180-4";
    "sha512-256" ["sha512/256", "sha-512/256", "sha2-512/256"], ["sha512.compress", "sha512.compress_lanes"], 128 => 32, "FIPS 180-4";
};

static MACS: [Algorithm; 11] = macs! {
    "hmac-md5" [], 16 => 16 ["md5.compress"], "RFC 2104";
    "hmac-sha1" ["hmac-sha-1"], 20 => 20 ["sha1.compress"], "RFC 2104, FIPS 198-1";
    "hmac-sha224" ["hmac-sha-224", "hmac-sha2-224"], 28 => 28 ["sha256.compress"], "RFC 2104, FIPS 198-1";
    "hmac-sha256" ["hmac-sha-256", "hmac-sha2-256"], 32 => 32 ["sha256.compress"], "RFC 2104, FIPS 198-1";
    "hmac-sha384" ["hmac-sha-384", "hmac-sha2-384"], 48 => 48 ["sha512.compress"], "RFC 2104, FIPS 198-1";
    "hmac-sha512" ["hmac-sha-512", "hmac-sha2-512"], 64 => 64 ["sha512.compress"], "RFC 2104, FIPS 198-1";
    "hmac-sha512-224" ["hmac-sha512/224", "hmac-sha-512/224", "hmac-sha2-512/224"], 28 => 28 ["sha512.compress"], "RFC 2104, FIPS 198-1";
    "hmac-sha512-256" ["hmac-sha512/256", "hmac-sha-512/256", "hmac-sha2-512/256"], 32 => 32 ["sha512.compress"], "RFC 2104, FIPS 198-1";
    "aes-128-cmac" ["aes128-cmac", "cmac-aes-128", "aes-cmac"], 16 => 16 ["aes.expand_key", "aes.cbc_encrypt"], "SP 800-38B, RFC 4493";
    "aes-192-cmac" ["aes192-cmac", "cmac-aes-192"], 24 => 16 ["aes.expand_key", "aes.cbc_encrypt"], "SP 800-38B";
    "aes-256-cmac" ["aes256-cmac", "cmac-aes-256"], 32 => 16 ["aes.expand_key", "aes.cbc_encrypt"], "SP 800-38B";
};

macro_rules! gcm {
    ($($name:literal $aliases:expr, $key:literal;)*) => {
        [$(Algorithm {
            name: $name,
            aliases: &$aliases,
            kind: Kind::Aead { key: $key, nonce: 12, tag: 16 },
            primitives: &[
                "aes.expand_key", "aes.encrypt_blocks", "gcm.expand_key", "gcm.ghash", "gcm.encrypt", "gcm.seal", "gcm.open",
            ],
            standard: "SP 800-38D",
        }),*]
    };
}

static GCM: [Algorithm; 3] = gcm! {
    "aes-128-gcm" ["aes128-gcm", "id-aes128-gcm"], 16;
    "aes-192-gcm" ["aes192-gcm", "id-aes192-gcm"], 24;
    "aes-256-gcm" ["aes256-gcm", "id-aes256-gcm"], 32;
};

static RC4: [Algorithm; 1] = [Algorithm {
    name: "rc4",
    aliases: &["arcfour", "arc4", "rc4-128"],
    kind: Kind::StreamCipher { key: 16 },
    primitives: &["rc4.xor"],
    standard: "RFC 6229 (test vectors)",
}];

static AES: [Algorithm; 9] = aes! {
    "aes-128-ecb" ["aes128-ecb"], 16, Ecb ["aes.expand_key", "aes.invert_key", "aes.encrypt_blocks", "aes.decrypt_blocks"];
    "aes-192-ecb" ["aes192-ecb"], 24, Ecb ["aes.expand_key", "aes.invert_key", "aes.encrypt_blocks", "aes.decrypt_blocks"];
    "aes-256-ecb" ["aes256-ecb"], 32, Ecb ["aes.expand_key", "aes.invert_key", "aes.encrypt_blocks", "aes.decrypt_blocks"];
    "aes-128-cbc" ["aes128", "aes128-cbc"], 16, Cbc ["aes.expand_key", "aes.invert_key", "aes.cbc_encrypt", "aes.cbc_encrypt_lanes", "aes.cbc_decrypt"];
    "aes-192-cbc" ["aes192", "aes192-cbc"], 24, Cbc ["aes.expand_key", "aes.invert_key", "aes.cbc_encrypt", "aes.cbc_encrypt_lanes", "aes.cbc_decrypt"];
    "aes-256-cbc" ["aes256", "aes256-cbc"], 32, Cbc ["aes.expand_key", "aes.invert_key", "aes.cbc_encrypt", "aes.cbc_encrypt_lanes", "aes.cbc_decrypt"];
    "aes-128-ctr" ["aes128-ctr"], 16, Ctr ["aes.expand_key", "aes.ctr"];
    "aes-192-ctr" ["aes192-ctr"], 24, Ctr ["aes.expand_key", "aes.ctr"];
    "aes-256-ctr" ["aes256-ctr"], 32, Ctr ["aes.expand_key", "aes.ctr"];
};

macro_rules! rsa {
    ($($name:literal $alias:literal $bits:literal;)*) => {
        [$(Algorithm {
            name: $name,
            aliases: &[$alias],
            kind: Kind::PublicKey { bits: $bits, encrypts: true },
            primitives: &["bn.mont_exp2", "bn.mont_exp8", "bn.public_exp", "bn.mont_exp", "bn.mont_mul"],
            standard: "RFC 8017",
        }),*]
    };
}

static RSA: [Algorithm; 5] = rsa! {
    "rsa-512" "rsa512" 512;
    "rsa-1024" "rsa1024" 1024;
    "rsa-2048" "rsa2048" 2048;
    "rsa-3072" "rsa3072" 3072;
    "rsa-4096" "rsa4096" 4096;
};

macro_rules! dsa {
    ($($name:literal $alias:literal $bits:literal;)*) => {
        [$(Algorithm {
            name: $name,
            aliases: &[$alias],
            kind: Kind::PublicKey { bits: $bits, encrypts: false },
            primitives: &["bn.mont_exp", "bn.mont_exp2", "bn.mont_mul"],
            standard: "FIPS 186-4",
        }),*]
    };
}

static DSA: [Algorithm; 3] = dsa! {
    "dsa-1024" "dsa1024" 1024;
    "dsa-2048" "dsa2048" 2048;
    "dsa-3072" "dsa3072" 3072;
};

/// Every algorithm, in the order of tables.
pub fn algorithms() -> impl Iterator<Item = &'static Algorithm> {
    DIGESTS.iter().chain(&MACS).chain(&RC4).chain(&AES).chain(&GCM).chain(&RSA).chain(&DSA)
}

/// The algorithms of that name: one, or for the name of a public-key algorithm without a size (`rsa`) all its sizes.
///
/// # Errors
/// As [`find`].
pub fn find_all(name: &str) -> Result<Vec<&'static Algorithm>, UnknownAlgorithm> {
    let family = name.trim().to_ascii_lowercase();
    let is_of = |algorithm: &&Algorithm| {
        matches!(algorithm.kind, Kind::PublicKey { .. }) && algorithm.name.split('-').next() == Some(family.as_str())
    };
    let sizes: Vec<_> = algorithms().filter(is_of).collect();
    if sizes.is_empty() { find(name).map(|algorithm| vec![algorithm]) } else { Ok(sizes) }
}

/// The algorithm of that name or alias, in any case, with `_` or a space for `-`.
///
/// # Errors
/// If there is none; the error suggests the nearest name.
pub fn find(name: &str) -> Result<&'static Algorithm, UnknownAlgorithm> {
    let folded = name.trim().to_ascii_lowercase().replace(['_', ' '], "-");
    algorithms().find(|algorithm| algorithm.spellings().any(|spelling| spelling == folded)).ok_or_else(|| {
        let nearest = algorithms()
            .flat_map(|algorithm| {
                algorithm.spellings().map(|spelling| (strsim::osa_distance(&folded, spelling), algorithm.name))
            })
            .min_by_key(|(distance, _)| *distance);
        // A name that has less than half of its letters right is no misspelling.
        let nearest = nearest.filter(|(distance, _)| distance * 2 <= folded.len()).map(|(_, name)| name);
        UnknownAlgorithm { name: name.to_owned(), nearest }
    })
}

impl Algorithm {
    fn spellings(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

/// A name that is no algorithm known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm {
    /// The name given.
    pub name: String,
    /// The known name most like it, if one is like it.
    pub nearest: Option<&'static str>,
}

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "unknown algorithm '{}'", self.name)?;
        match self.nearest {
            Some(nearest) => write!(formatter, "; did you mean '{nearest}'?"),
            None => {
                let names: Vec<&str> = algorithms().map(|algorithm| algorithm.name).collect();
                write!(formatter, "; known are {}", names.join(", "))
            }
        }
    }
}

impl std::error::Error for UnknownAlgorithm {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_found_once() {
        let mut seen = std::collections::BTreeSet::new();
        for algorithm in algorithms() {
            for spelling in algorithm.spellings() {
                assert!(seen.insert(spelling), "{spelling} is listed twice");
                assert_eq!(find(&spelling.to_uppercase()), Ok(algorithm));
            }
        }
        assert_eq!(find("AES_128_CBC").unwrap().name, "aes-128-cbc");
    }

    #[test]
    fn primitives_exist() {
        let known = crate::select::primitives();
        for primitive in algorithms().flat_map(|algorithm| algorithm.primitives) {
            assert!(known.contains(primitive), "{primitive} is not in the registry");
        }
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        assert_eq!(find("sha265").unwrap_err().to_string(), "unknown algorithm 'sha265'; did you mean 'sha256'?");
        assert_eq!(find("aes-128-crt").unwrap_err().nearest, Some("aes-128-ctr"));
        assert_eq!(find("whirlpool").unwrap_err().nearest, None);
        assert!(find("whirlpool").unwrap_err().to_string().contains("known are md5, sha1"));
    }
}
