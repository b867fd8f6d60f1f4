//! How any kernel of the family is set up and run on plain bytes. Keys come from the reference kernels, so that a fault
//! in a kernel shows where it is.

use inout::InOutBuf;

use super::{ExpandKey, Ghash, HashKey, Message};
use crate::aes::{self, Block, EncryptKeys};
use crate::exercise::Exercise;
use crate::simd::as_chunks;
use crate::{Bound, Primitive};

/// `gcm.expand_key`
pub(super) struct Expansion {
    kernel: Bound<ExpandKey>,
    hash_key: Box<Block>,
    table: Box<HashKey>,
}

impl Expansion {
    pub fn new(kernel: Bound<ExpandKey>, key: &[u8]) -> Self {
        Expansion { kernel, hash_key: Box::new(block(key)), table: Box::default() }
    }
}

impl Exercise for Expansion {
    fn run(&mut self, _data: InOutBuf<'_, '_, u8>) {
        self.kernel.call(&self.hash_key, &mut self.table);
    }

    fn result(&self) -> Vec<u8> {
        self.table.powers().concat()
    }
}

/// `gcm.ghash`
pub(super) struct Hashing {
    kernel: Bound<Ghash>,
    key: Box<HashKey>,
    hash: Box<Block>,
}

impl Hashing {
    pub fn new(kernel: Bound<Ghash>, key: &[u8], chain: &[u8]) -> Self {
        Hashing { kernel, key: hash_key(&block(key)), hash: Box::new(block(chain)) }
    }
}

impl Exercise for Hashing {
    fn run(&mut self, data: InOutBuf<'_, '_, u8>) {
        let (blocks, rest) = data.get_in().as_chunks();
        assert!(rest.is_empty(), "{} bytes are left of the last block", rest.len());
        self.kernel.call(&self.key, &mut self.hash, blocks);
    }

    fn result(&self) -> Vec<u8> {
        self.hash.to_vec()
    }
}

/// A key of the cipher, with the table of its hash key.
struct Keys {
    encrypt: EncryptKeys,
    hash: Box<HashKey>,
}

impl Keys {
    fn new(key: &[u8]) -> Box<Keys> {
        let mut encrypt = EncryptKeys::default();
        aes::ExpandKey::portable().call(key, &mut encrypt);
        let mut zero = [[0; 16]];
        aes::EncryptBlocks::portable().call(&encrypt, InOutBuf::from(&mut zero[..]));
        Box::new(Keys { encrypt, hash: hash_key(&zero[0]) })
    }
}

fn hash_key(block: &Block) -> Box<HashKey> {
    let mut table = Box::default();
    ExpandKey::portable().call(block, &mut table);
    table
}

/// A primitive over blocks of a message; the chaining value is the hash and the counter.
pub(super) struct OnParts<F> {
    keys: Box<Keys>,
    message: Box<Message>,
    run: F,
}

impl<F: Fn(&EncryptKeys, &HashKey, &mut Message, InOutBuf<'_, '_, Block>)> OnParts<F> {
    pub fn new(key: &[u8], chain: &[u8], run: F) -> Self {
        let (hash, counter) = chain.split_at(16);
        let message = Message { hash: block(hash), counter: block(counter), ..Message::default() };
        OnParts { keys: Keys::new(key), message: Box::new(message), run }
    }
}

impl<F: Fn(&EncryptKeys, &HashKey, &mut Message, InOutBuf<'_, '_, Block>) + Send> Exercise for OnParts<F> {
    fn run(&mut self, data: InOutBuf<'_, '_, u8>) {
        let (blocks, rest) = as_chunks(data);
        assert!(rest.is_empty(), "{} bytes are left of the last block", rest.len());
        (self.run)(&self.keys.encrypt, &self.keys.hash, &mut self.message, blocks);
    }

    fn result(&self) -> Vec<u8> {
        [self.message.hash, self.message.counter].concat()
    }
}

/// A primitive over a whole message without associated data; the chaining value is its first counter block, and the
/// result the tag.
pub(super) struct OnMessage<F> {
    keys: Box<Keys>,
    first: Block,
    message: Box<Message>,
    run: F,
}

impl<F: Fn(&EncryptKeys, &HashKey, &mut Message, InOutBuf<'_, '_, u8>)> OnMessage<F> {
    pub fn new(key: &[u8], chain: &[u8], run: F) -> Self {
        OnMessage { keys: Keys::new(key), first: block(chain), message: Box::default(), run }
    }
}

impl<F: Fn(&EncryptKeys, &HashKey, &mut Message, InOutBuf<'_, '_, u8>) + Send> Exercise for OnMessage<F> {
    fn run(&mut self, data: InOutBuf<'_, '_, u8>) {
        let lengths = (data.len() as u128 * 8).to_be_bytes();
        *self.message = Message { first: self.first, counter: next(&self.first), hash: [0; 16], lengths };
        (self.run)(&self.keys.encrypt, &self.keys.hash, &mut self.message, data);
    }

    fn result(&self) -> Vec<u8> {
        self.message.hash.to_vec()
    }
}

/// The counter block after this one.
fn next(counter: &Block) -> Block {
    let number = u128::from_be_bytes(*counter);
    (((number >> 32) << 32) | u128::from((number as u32).wrapping_add(1))).to_be_bytes()
}

fn block(bytes: &[u8]) -> Block {
    bytes.try_into().unwrap_or_else(|_| panic!("{} bytes are no block", bytes.len()))
}
