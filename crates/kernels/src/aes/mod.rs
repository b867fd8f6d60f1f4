//! AES (FIPS 197): key expansion, blocks, and the modes of SP 800-38A that a kernel can speed up by fusing.
//!
//! All kernels share one layout of round keys, so that a plan may mix them. A mode for which an implementation has no
//! loop of its own is composed from its blocks, once, in `composition.rs`.

mod composition;
mod exercises;
mod expansion;
mod keys;
mod known_answers;
mod lanes;
#[cfg(target_arch = "x86_64")]
#[macro_use]
mod parallel;
mod sbox;

use inout::InOutBuf;

use crate::exercise::{Data, Shape};
use crate::lanes::LANES;
use exercises::{Expansion, Inversion, OnBlocks, OnChain};

use lanes::OnLanes;
pub(crate) use portable_bitslice64::encrypt_bit_sliced;

pub use keys::{Block, DecryptKeys, EncryptKeys, Schedule};

primitive! { "aes.expand_key";
    /// Expands a key of 16, 24 or 32 bytes into the round keys for encryption (FIPS 197, section 5.2). A key of another
    /// length leaves no schedule: see [`EncryptKeys`].
    pub trait ExpandKey = fn(key: &[u8], keys: &mut EncryptKeys);
    shape: Shape { key: &KEY_LENGTHS, chain: 0, unit: 1, data: Data::Absent };
    known_answers: known_answers::EXPAND_KEY;
    exercise: |kernel, key, _chain| Expansion::new(kernel, key);
}

primitive! { "aes.invert_key";
    /// Makes the round keys of the equivalent inverse cipher (FIPS 197, section 5.3.5) from those for encryption.
    pub trait InvertKey = fn(encrypt: &EncryptKeys, decrypt: &mut DecryptKeys);
    shape: Shape { key: &KEY_LENGTHS, chain: 0, unit: 1, data: Data::Absent };
    known_answers: known_answers::INVERT_KEY;
    exercise: |kernel, key, _chain| Inversion::new(kernel, key);
}

primitive! { "aes.encrypt_blocks";
    /// Encrypts every block on its own.
    pub trait EncryptBlocks = fn(keys: &EncryptKeys, blocks: InOutBuf<'_, '_, Block>);
    shape: Shape { key: &KEY_LENGTHS, chain: 0, unit: 16, data: Data::Transform };
    known_answers: known_answers::ENCRYPT_BLOCKS;
    exercise: |kernel, key, _chain| {
        OnBlocks::new(exercises::encrypt_keys(key), move |keys, blocks| kernel.call(keys, blocks))
    };
}

primitive! { "aes.decrypt_blocks";
    /// Decrypts every block on its own.
    pub trait DecryptBlocks = fn(keys: &DecryptKeys, blocks: InOutBuf<'_, '_, Block>);
    shape: Shape { key: &KEY_LENGTHS, chain: 0, unit: 16, data: Data::Transform };
    known_answers: known_answers::DECRYPT_BLOCKS;
    exercise: |kernel, key, _chain| {
        OnBlocks::new(exercises::decrypt_keys(key), move |keys, blocks| kernel.call(keys, blocks))
    };
}

primitive! { "aes.cbc_encrypt";
    /// Encrypts blocks in cipher block chaining (SP 800-38A, section 6.2). The chaining value, at first the
    /// initialisation vector, becomes the last block of ciphertext.
    pub trait CbcEncrypt = fn(keys: &EncryptKeys, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>);
    shape: Shape { key: &KEY_LENGTHS, chain: 16, unit: 16, data: Data::Transform };
    known_answers: known_answers::CBC_ENCRYPT;
    exercise: |kernel, key, chain| {
        OnChain::new(exercises::encrypt_keys(key), chain, move |keys, chain, blocks| kernel.call(keys, chain, blocks))
    };
}

primitive! { "aes.cbc_encrypt_lanes";
    /// Encrypts blocks of many messages in cipher block chaining, message `i` under key `i` from chaining value `i` on,
    /// which becomes the message's last block of ciphertext. Every message is taken as far as the shortest goes. There are
    /// as many keys, chaining values and messages, any number of them; keys of one size side by side are fastest.
    pub trait CbcEncryptLanes =
        fn(keys: &[&EncryptKeys], chains: &mut [Block], messages: &mut [InOutBuf<'_, '_, Block>]);
    shape: Shape { key: &[LANES * 16, LANES * 24, LANES * 32], chain: LANES * 16, unit: LANES * 16, data: Data::Transform };
    known_answers: known_answers::CBC_ENCRYPT_LANES;
    exercise: |kernel, key, chain| OnLanes::new(kernel, key, chain);
}

primitive! { "aes.cbc_decrypt";
    /// Decrypts blocks in cipher block chaining. The chaining value becomes the last block of ciphertext.
    pub trait CbcDecrypt = fn(keys: &DecryptKeys, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>);
    shape: Shape { key: &KEY_LENGTHS, chain: 16, unit: 16, data: Data::Transform };
    known_answers: known_answers::CBC_DECRYPT;
    exercise: |kernel, key, chain| {
        OnChain::new(exercises::decrypt_keys(key), chain, move |keys, chain, blocks| kernel.call(keys, chain, blocks))
    };
}

primitive! { "aes.ctr";
    /// Adds the key stream of counter mode (SP 800-38A, section 6.5) to whole blocks. The counter is all 128 bits,
    /// big-endian, and wraps; it becomes that of the block after the last.
    pub trait Ctr = fn(keys: &EncryptKeys, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>);
    shape: Shape { key: &KEY_LENGTHS, chain: 16, unit: 16, data: Data::Transform };
    known_answers: known_answers::CTR;
    exercise: |kernel, key, chain| {
        OnChain::new(exercises::encrypt_keys(key), chain, move |keys, chain, blocks| kernel.call(keys, chain, blocks))
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
    portable_tables,
}

/// The lengths of a key in bytes.
const KEY_LENGTHS: [usize; 3] = [16, 24, 32];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Primitive;
    use crate::cpu::Cpu;

    /// Long runs, from everywhere in a table of 256 counters on and across each carry.
    #[test]
    fn counters_carry() {
        let carries =
            [0, 0u128.wrapping_sub(1500), (1 << 64) - 1340, (7 << 64) - 1, (3 << 40) - 1400, (5 << 40) - 1, 1 << 99];
        let plain: Vec<Block> = (0..2400u32).map(|i| [i.wrapping_mul(0x9e37_79b9) as u8; 16]).collect();
        for length in KEY_LENGTHS {
            let keys = exercises::encrypt_keys(&(0..32).collect::<Vec<u8>>()[..length]);
            for first in
                carries.into_iter().chain((0..256).map(|last| 0x0102_0304_0506_0708_ff90_a0b0_c0d0_fe00 + last))
            {
                let count = 1300 + first as usize % 61 * 17;
                let mut expected = plain[..count].to_vec();
                let mut end = first.to_be_bytes();
                Ctr::portable().call(&keys, &mut end, InOutBuf::from(&mut expected[..]));
                for kernel in Ctr::kernels().filter_map(|kernel| kernel.bind(Cpu::host())) {
                    let mut output = vec![[0; 16]; count];
                    let mut counter = first.to_be_bytes();
                    let both = InOutBuf::new(&plain[..count], &mut output).expect("of one length");
                    kernel.call(&keys, &mut counter, both);
                    assert!(output == expected && counter == end, "{kernel:?}, {count} blocks from {first:#x}");
                }
            }
        }
    }
}
