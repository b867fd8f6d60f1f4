//! Bit-sliced AES, and GHASH with integer multiplications: constant in time on any processor whose multiplication is.
//!
//! A product of polynomials over GF(2) is one of integers, if no sum of a column carries into the next that counts: of
//! each factor every fifth bit is taken at a time, so that up to thirteen products meet in a column and carry over the
//! four places between (T. Pornin, "BearSSL: Constant-Time Multiplications", on GHASH; there with every fourth bit and
//! the lower half of the product). Three such products of 64 bits make one of 128 (A. Karatsuba).
//!
//! Bound by those multiplications: 75 of 64 bits for each block, and as many additions of their 128 bits.

use inout::InOutBuf;

use super::hash_key::POWERS;
use super::{HashKey, Message};
use crate::aes::{Block, EncryptKeys, encrypt_bit_sliced};
use crate::simd::as_bytes;

kernel! {
    isa: [], timing: Constant,

    name: "gcm.expand_key/portable_bitslice64", primitive: super::ExpandKey,
    fn expand_key(hash_key: &Block, table: &mut HashKey) {
        let first = HashKey::divided(hash_key);
        let mut power = first;
        let powers = table.powers_mut();
        for i in (0..POWERS).rev() {
            powers[i] = power.to_le_bytes();
            power = multiply(power, first);
        }
    }

    name: "gcm.ghash/portable_bitslice64", primitive: super::Ghash,
    fn ghash(key: &HashKey, hash: &mut Block, blocks: &[Block]) {
        for block in blocks {
            mix(key, hash, block);
        }
    }

    name: "gcm.encrypt/portable_bitslice64", primitive: super::Encrypt,
    fn encrypt(keys: &EncryptKeys, hash_key: &HashKey, message: &mut Message, blocks: InOutBuf<'_, '_, Block>) {
        crypt::<false>(keys, hash_key, message, as_bytes(blocks));
    }

    name: "gcm.decrypt/portable_bitslice64", primitive: super::Decrypt,
    fn decrypt(keys: &EncryptKeys, hash_key: &HashKey, message: &mut Message, blocks: InOutBuf<'_, '_, Block>) {
        crypt::<true>(keys, hash_key, message, as_bytes(blocks));
    }

    name: "gcm.seal/portable_bitslice64", primitive: super::Seal,
    fn seal(keys: &EncryptKeys, hash_key: &HashKey, message: &mut Message, data: InOutBuf<'_, '_, u8>) {
        crypt::<false>(keys, hash_key, message, data);
        end(keys, hash_key, message);
    }

    name: "gcm.open/portable_bitslice64", primitive: super::Open,
    fn open(keys: &EncryptKeys, hash_key: &HashKey, message: &mut Message, data: InOutBuf<'_, '_, u8>) {
        crypt::<true>(keys, hash_key, message, data);
        end(keys, hash_key, message);
    }
}

/// Blocks of key stream that are made together.
const GROUP: usize = 16;

fn crypt<const DECRYPT: bool>(
    keys: &EncryptKeys,
    hash_key: &HashKey,
    message: &mut Message,
    data: InOutBuf<'_, '_, u8>,
) {
    let mut rest = data;
    while !rest.is_empty() {
        let length = rest.len().min(size_of::<[Block; GROUP]>());
        let (group, others) = rest.split_at(length);
        some::<DECRYPT>(keys, hash_key, message, group);
        rest = others;
    }
}

/// Up to a group's worth of bytes.
fn some<const DECRYPT: bool>(
    keys: &EncryptKeys,
    hash_key: &HashKey,
    message: &mut Message,
    mut data: InOutBuf<'_, '_, u8>,
) {
    let mut stream = [[0; 16]; GROUP];
    let stream = &mut stream[..data.len().div_ceil(16)];
    let mut count = u32::from_be_bytes([12, 13, 14, 15].map(|i| message.counter[i]));
    for block in stream.iter_mut() {
        *block = message.counter;
        block[12..].copy_from_slice(&count.to_be_bytes());
        count = count.wrapping_add(1);
    }
    message.counter[12..].copy_from_slice(&count.to_be_bytes());
    encrypt_bit_sliced(keys, InOutBuf::from(&mut *stream));
    if DECRYPT {
        mix_padded(hash_key, &mut message.hash, data.get_in());
    }
    data.xor_in2out(stream.as_flattened().split_at(data.len()).0);
    if !DECRYPT {
        mix_padded(hash_key, &mut message.hash, data.get_out());
    }
}

fn mix_padded(key: &HashKey, hash: &mut Block, data: &[u8]) {
    let (blocks, rest) = data.as_chunks();
    for block in blocks {
        mix(key, hash, block);
    }
    if !rest.is_empty() {
        let mut block = [0; 16];
        block[..rest.len()].copy_from_slice(rest);
        mix(key, hash, &block);
    }
}

fn end(keys: &EncryptKeys, hash_key: &HashKey, message: &mut Message) {
    mix(hash_key, &mut message.hash, &message.lengths);
    let mut mask = [message.first];
    encrypt_bit_sliced(keys, InOutBuf::from(&mut mask[..]));
    message.hash = (u128::from_ne_bytes(message.hash) ^ u128::from_ne_bytes(mask[0])).to_ne_bytes();
}

fn mix(key: &HashKey, hash: &mut Block, block: &Block) {
    let sum = u128::from_be_bytes(*hash) ^ u128::from_be_bytes(*block);
    *hash = multiply(sum, u128::from_le_bytes(*key.power(1))).to_be_bytes();
}

/// The product of a block's number and one that is divided by x.
fn multiply(a: u128, b: u128) -> u128 {
    let (a0, a1, b0, b1) = (a as u64, (a >> 64) as u64, b as u64, (b >> 64) as u64);
    let (low, high) = (carryless(a0, b0), carryless(a1, b1));
    let middle = carryless(a0 ^ a1, b0 ^ b1) ^ low ^ high;
    reduce(low ^ (middle << 64), high ^ (middle >> 64))
}

/// The remainder of a product: its low half holds the powers from x^128 on, highest first. The lower 64 bits of it are
/// folded onto what stands above them, and then the same once more.
fn reduce(low: u128, high: u128) -> u128 {
    let first = low as u64;
    let low = low ^ (spread(first) << 64);
    let high = high ^ (spread(first) >> 64) ^ u128::from(first);
    let second = (low >> 64) as u64;
    high ^ (u128::from(second) << 64) ^ spread(second)
}

/// The product with x + x^2 + x^7, reflected.
fn spread(word: u64) -> u128 {
    let word = u128::from(word);
    (word << 63) ^ (word << 62) ^ (word << 57)
}

/// The product as polynomials over GF(2).
fn carryless(a: u64, b: u64) -> u128 {
    let part = |x: u64, first: usize| u128::from(x & (FIFTHS << first) as u64);
    let mut product = 0;
    for sum in 0..5 {
        let mut columns = 0;
        for i in 0..5 {
            columns ^= part(a, i) * part(b, (sum + 5 - i) % 5);
        }
        product ^= columns & (FIFTHS << sum);
    }
    product
}

/// Every fifth bit.
const FIFTHS: u128 = {
    let mut bits = 0;
    let mut at = 0;
    while at < 128 {
        bits |= 1 << at;
        at += 5;
    }
    bits
};
