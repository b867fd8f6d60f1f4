//! How any kernel of the family is set up and run on plain bytes. Schedules come from the reference kernels, so that a
//! fault in a kernel shows where it is.

use inout::InOutBuf;

use super::{Block, DecryptKeys, EncryptKeys, ExpandKey, InvertKey};
use crate::exercise::Exercise;
use crate::simd::as_chunks;
use crate::{Bound, Primitive};

/// The schedule that the reference kernel makes.
pub(super) fn encrypt_keys(key: &[u8]) -> EncryptKeys {
    let mut keys = EncryptKeys::default();
    ExpandKey::portable().call(key, &mut keys);
    keys
}

/// The same for decryption.
pub(super) fn decrypt_keys(key: &[u8]) -> DecryptKeys {
    let mut keys = DecryptKeys::default();
    InvertKey::portable().call(&encrypt_keys(key), &mut keys);
    keys
}

/// `aes.expand_key`
pub(super) struct Expansion {
    kernel: Bound<ExpandKey>,
    key: Box<[u8]>,
    keys: Box<EncryptKeys>,
}

impl Expansion {
    pub fn new(kernel: Bound<ExpandKey>, key: &[u8]) -> Self {
        Expansion { kernel, key: key.into(), keys: Box::default() }
    }
}

impl Exercise for Expansion {
    fn run(&mut self, _data: InOutBuf<'_, '_, u8>) {
        self.kernel.call(&self.key, &mut self.keys);
    }

    fn result(&self) -> Vec<u8> {
        self.keys.schedule().as_slice().concat()
    }
}

/// `aes.invert_key`
pub(super) struct Inversion {
    kernel: Bound<InvertKey>,
    encrypt: Box<EncryptKeys>,
    decrypt: Box<DecryptKeys>,
}

impl Inversion {
    pub fn new(kernel: Bound<InvertKey>, key: &[u8]) -> Self {
        Inversion { kernel, encrypt: Box::new(encrypt_keys(key)), decrypt: Box::default() }
    }
}

impl Exercise for Inversion {
    fn run(&mut self, _data: InOutBuf<'_, '_, u8>) {
        self.kernel.call(&self.encrypt, &mut self.decrypt);
    }

    fn result(&self) -> Vec<u8> {
        self.decrypt.schedule().as_slice().concat()
    }
}

/// A primitive over blocks that are independent.
pub(super) struct OnBlocks<K, F> {
    keys: Box<K>,
    run: F,
}

impl<K, F: Fn(&K, InOutBuf<'_, '_, Block>)> OnBlocks<K, F> {
    pub fn new(keys: K, run: F) -> Self {
        OnBlocks { keys: Box::new(keys), run }
    }
}

impl<K: Send, F: Fn(&K, InOutBuf<'_, '_, Block>) + Send> Exercise for OnBlocks<K, F> {
    fn run(&mut self, data: InOutBuf<'_, '_, u8>) {
        (self.run)(&self.keys, whole_blocks(data));
    }

    fn result(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// A primitive over blocks with a chaining value.
pub(super) struct OnChain<K, F> {
    keys: Box<K>,
    chain: Box<Block>,
    run: F,
}

impl<K, F: Fn(&K, &mut Block, InOutBuf<'_, '_, Block>)> OnChain<K, F> {
    pub fn new(keys: K, chain: &[u8], run: F) -> Self {
        let chain = chain.try_into().unwrap_or_else(|_| panic!("{} bytes are no block", chain.len()));
        OnChain { keys: Box::new(keys), chain: Box::new(chain), run }
    }
}

impl<K: Send, F: Fn(&K, &mut Block, InOutBuf<'_, '_, Block>) + Send> Exercise for OnChain<K, F> {
    fn run(&mut self, data: InOutBuf<'_, '_, u8>) {
        (self.run)(&self.keys, &mut self.chain, whole_blocks(data));
    }

    fn result(&self) -> Vec<u8> {
        self.chain.to_vec()
    }
}

fn whole_blocks<'i, 'o>(data: InOutBuf<'i, 'o, u8>) -> InOutBuf<'i, 'o, Block> {
    let (blocks, rest) = as_chunks(data);
    assert!(rest.is_empty(), "{} bytes are left of the last block", rest.len());
    blocks
}
