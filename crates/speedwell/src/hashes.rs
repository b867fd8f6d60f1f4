//! The hash functions of signatures and paddings, chosen at run time.

use zeroize::Zeroizing;

use crate::digest::{Digest, Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use crate::mac::Hmac;

/// Lists the functions: variant, type, digest in bytes, and the last bytes of the object identifier in the DigestInfo of
/// RFC 8017, section 9.2, note 1.
macro_rules! hashes {
    ($($variant:ident $type:ident $length:literal $name:literal $prefix:expr;)*) => {
        /// A hash function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Hash {
            $(#[doc = $name] $variant,)*
        }

        impl Hash {
            /// Every one.
            pub const ALL: &'static [Hash] = &[$(Hash::$variant),*];

            /// Bytes of its digest.
            pub fn length(self) -> usize {
                match self { $(Hash::$variant => $length,)* }
            }

            /// Its canonical name, as in [`crate::names`].
            pub fn name(self) -> &'static str {
                match self { $(Hash::$variant => $name,)* }
            }

            /// The digest of the parts of a message.
            pub(crate) fn digest(self, parts: &[&[u8]]) -> Vec<u8> {
                match self {
                    $(Hash::$variant => {
                        let mut hasher = $type::new();
                        parts.iter().for_each(|part| hasher.update(part));
                        hasher.finalize().to_vec()
                    })*
                }
            }

            /// HMAC (FIPS 198-1) of the parts of a message.
            pub(crate) fn hmac(self, key: &[u8], parts: &[&[u8]]) -> Zeroizing<Vec<u8>> {
                match self {
                    $(Hash::$variant => {
                        let mut hmac = Hmac::<$type>::new(key);
                        parts.iter().for_each(|part| hmac.update(part));
                        Zeroizing::new(hmac.finish().to_vec())
                    })*
                }
            }

            /// The DER encoding of a DigestInfo up to the digest, with and without the parameter NULL: RFC 8017 says that
            /// both are to be accepted.
            pub(crate) fn prefixes(self) -> [Vec<u8>; 2] {
                let identifier: &[u8] = match self { $(Hash::$variant => &$prefix,)* };
                [&[5, 0][..], &[]].map(|null| {
                    let (object, length) = (identifier.len() as u8, self.length() as u8);
                    let algorithm = 2 + object + null.len() as u8;
                    let mut bytes = vec![0x30, 2 + algorithm + 2 + length, 0x30, algorithm, 6, object];
                    bytes.extend_from_slice(identifier);
                    bytes.extend_from_slice(null);
                    bytes.extend_from_slice(&[4, length]);
                    bytes
                })
            }
        }
    };
}

/// id-sha… under nistAlgorithms hashAlgs, 2.16.840.1.101.3.4.2.
const fn nist(last: u8) -> [u8; 9] {
    [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, last]
}

hashes! {
    Md5 Md5 16 "md5" [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 5];
    Sha1 Sha1 20 "sha1" [0x2b, 0x0e, 3, 2, 0x1a];
    Sha224 Sha224 28 "sha224" nist(4);
    Sha256 Sha256 32 "sha256" nist(1);
    Sha384 Sha384 48 "sha384" nist(2);
    Sha512 Sha512 64 "sha512" nist(3);
    Sha512_224 Sha512_224 28 "sha512-224" nist(5);
    Sha512_256 Sha512_256 32 "sha512-256" nist(6);
}

impl Hash {
    /// The hash function of that canonical name.
    pub fn named(name: &str) -> Option<Hash> {
        Hash::ALL.iter().copied().find(|hash| hash.name() == name)
    }

    /// MGF1 (RFC 8017, appendix B.2.1): adds the mask that comes from a seed to a buffer.
    pub(crate) fn mask(self, seed: &[u8], buffer: &mut [u8]) {
        for (counter, chunk) in (0u32..).zip(buffer.chunks_mut(self.length())) {
            let mask = Zeroizing::new(self.digest(&[seed, &counter.to_be_bytes()]));
            chunk.iter_mut().zip(mask.iter()).for_each(|(byte, mask)| *byte ^= mask);
        }
    }
}
