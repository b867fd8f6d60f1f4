//! AES-GCM (NIST SP 800-38D): counter mode and the universal hash GHASH, in one pass over the data.
//!
//! All kernels share the round keys of [`crate::aes`] and one table of powers of the hash key ([`HashKey`]). A message
//! goes through `gcm.seal` or `gcm.open` in one call; a long one in parts goes through `gcm.encrypt` or `gcm.decrypt`
//! first, and its end through `gcm.seal` or `gcm.open`. Associated data and nonces that are not 96 bits long go through
//! `gcm.ghash`.

mod exercises;
mod hash_key;
mod known_answers;
#[cfg(target_arch = "x86_64")]
mod start;
#[cfg(target_arch = "x86_64")]
#[macro_use]
mod stitched;

use inout::InOutBuf;

use crate::aes::{Block, EncryptKeys};
use crate::exercise::{Data, Shape};
use exercises::{Expansion, Hashing, OnMessage, OnParts};

pub use hash_key::HashKey;

/// What stands between a message's parts, and how it ends.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// The first counter block, whose encryption hides the tag (J0 of SP 800-38D, section 7.1, step 2).
    pub first: Block,
    /// The counter block of the next block of data. The last 32 bits count, big-endian, and wrap.
    pub counter: Block,
    /// GHASH of what went before: associated data, and ciphertext. At the end it becomes the tag.
    pub hash: Block,
    /// The lengths of associated data and ciphertext in bits, each as 64 bits, big-endian: the last block of GHASH.
    pub lengths: Block,
}

primitive! { "gcm.expand_key";
    /// Makes the table of powers of the hash key, which is the encryption of a block of zeros.
    pub trait ExpandKey = fn(hash_key: &Block, table: &mut HashKey);
    shape: Shape { key: &[16], chain: 0, unit: 1, data: Data::Absent };
    known_answers: known_answers::EXPAND_KEY;
    exercise: |kernel, key, _chain| Expansion::new(kernel, key);
}

primitive! { "gcm.ghash";
    /// Mixes whole blocks into the hash (SP 800-38D, section 6.4).
    pub trait Ghash = fn(key: &HashKey, hash: &mut Block, blocks: &[Block]);
    shape: Shape { key: &[16], chain: 16, unit: 16, data: Data::Read };
    known_answers: known_answers::GHASH;
    exercise: |kernel, key, chain| Hashing::new(kernel, key, chain);
}

primitive! { "gcm.encrypt";
    /// Encrypts blocks that are not the end of a message, and mixes the ciphertext into the hash.
    pub trait Encrypt = fn(keys: &EncryptKeys, hash_key: &HashKey, message: &mut Message, blocks: InOutBuf<'_, '_, Block>);
    shape: Shape { key: &KEY_LENGTHS, chain: 32, unit: 16, data: Data::Transform };
    known_answers: known_answers::ENCRYPT;
    exercise: |kernel, key, chain| {
        OnParts::new(key, chain, move |keys, hash_key, message, blocks| kernel.call(keys, hash_key, message, blocks))
    };
}

primitive! { "gcm.decrypt";
    /// Decrypts blocks that are not the end of a message, and mixes the ciphertext into the hash.
    pub trait Decrypt = fn(keys: &EncryptKeys, hash_key: &HashKey, message: &mut Message, blocks: InOutBuf<'_, '_, Block>);
    shape: Shape { key: &KEY_LENGTHS, chain: 32, unit: 16, data: Data::Transform };
    known_answers: known_answers::DECRYPT;
    exercise: |kernel, key, chain| {
        OnParts::new(key, chain, move |keys, hash_key, message, blocks| kernel.call(keys, hash_key, message, blocks))
    };
}

primitive! { "gcm.seal";
    /// Encrypts the end of a message, or all of one, of any length, and makes its hash the tag.
    pub trait Seal = fn(keys: &EncryptKeys, hash_key: &HashKey, message: &mut Message, data: InOutBuf<'_, '_, u8>);
    shape: Shape { key: &KEY_LENGTHS, chain: 16, unit: 1, data: Data::Whole };
    known_answers: known_answers::SEAL;
    exercise: |kernel, key, chain| {
        OnMessage::new(key, chain, move |keys, hash_key, message, data| kernel.call(keys, hash_key, message, data))
    };
}

primitive! { "gcm.open";
    /// Decrypts the end of a message, or all of one, of any length, and makes its hash the tag that it should have. The
    /// caller compares it, and keeps what was decrypted to itself until then.
    pub trait Open = fn(keys: &EncryptKeys, hash_key: &HashKey, message: &mut Message, data: InOutBuf<'_, '_, u8>);
    shape: Shape { key: &KEY_LENGTHS, chain: 16, unit: 1, data: Data::Whole };
    known_answers: known_answers::OPEN;
    exercise: |kernel, key, chain| {
        OnMessage::new(key, chain, move |keys, hash_key, message, data| kernel.call(keys, hash_key, message, data))
    };
}

kernels! {
    #[cfg(target_arch = "x86_64")]
    x86_64_vaes_avx512,
    #[cfg(target_arch = "x86_64")]
    x86_64_vaes_avx2,
    #[cfg(target_arch = "x86_64")]
    x86_64_aesni,
    portable_bitslice64,
}

/// The lengths of a key in bytes.
const KEY_LENGTHS: [usize; 3] = [16, 24, 32];
