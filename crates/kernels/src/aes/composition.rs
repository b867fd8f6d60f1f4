//! The modes over an implementation's blocks, for implementations that gain nothing by fusing. Written once.

use inout::InOutBuf;

use super::lanes::by_key_size;
use super::{Block, EncryptKeys};

/// CBC encryption: every block waits for the one before.
#[inline(always)]
pub(super) fn cbc_encrypt(
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
    mut encrypt: impl FnMut(InOutBuf<'_, '_, Block>),
) {
    for mut block in blocks {
        xor(chain, block.get_in());
        encrypt(InOutBuf::from_mut(chain));
        *block.get_out() = *chain;
    }
}

/// CBC encryption of many messages: one after the other.
#[inline(always)]
pub(super) fn cbc_encrypt_lanes(
    keys: &[&EncryptKeys],
    chains: &mut [Block],
    messages: &mut [InOutBuf<'_, '_, Block>],
    mut cbc_encrypt: impl FnMut(&EncryptKeys, &mut Block, InOutBuf<'_, '_, Block>),
) {
    by_key_size(1, keys, chains, messages, |keys, chains, messages, blocks| {
        cbc_encrypt(keys[0], &mut chains[0], messages[0].reborrow().split_at(blocks).0);
    });
}

/// CBC decryption: `WIDTH` blocks at a time go through the cipher together.
#[inline(always)]
pub(super) fn cbc_decrypt<const WIDTH: usize>(
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
    mut decrypt: impl FnMut(InOutBuf<'_, '_, Block>),
) {
    in_groups::<WIDTH>(blocks, |mut group| {
        let mut ciphertext = [[0; 16]; WIDTH];
        let count = group.len();
        ciphertext[..count].copy_from_slice(group.get_in());
        decrypt(group.reborrow());
        for (plain, cipher) in group.get_out().iter_mut().zip(ciphertext) {
            xor(plain, chain);
            *chain = cipher;
        }
    });
}

/// Counter mode: `WIDTH` counters at a time go through the cipher together.
#[inline(always)]
pub(super) fn ctr<const WIDTH: usize>(
    counter: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
    mut encrypt: impl FnMut(InOutBuf<'_, '_, Block>),
) {
    let mut next = u128::from_be_bytes(*counter);
    in_groups::<WIDTH>(blocks, |group| {
        let mut stream = [[0; 16]; WIDTH];
        let stream = &mut stream[..group.len()];
        for block in stream.iter_mut() {
            *block = next.to_be_bytes();
            next = next.wrapping_add(1);
        }
        encrypt(InOutBuf::from(&mut *stream));
        for (mut block, stream) in group.into_iter().zip(stream) {
            xor(stream, block.get_in());
            *block.get_out() = *stream;
        }
    });
    *counter = next.to_be_bytes();
}

#[inline(always)]
fn in_groups<const WIDTH: usize>(blocks: InOutBuf<'_, '_, Block>, mut run: impl FnMut(InOutBuf<'_, '_, Block>)) {
    let mut rest = blocks;
    while !rest.is_empty() {
        let count = rest.len().min(WIDTH);
        let (group, others) = rest.split_at(count);
        run(group);
        rest = others;
    }
}

#[inline(always)]
fn xor(into: &mut Block, with: &Block) {
    *into = (u128::from_ne_bytes(*into) ^ u128::from_ne_bytes(*with)).to_ne_bytes();
}
