//! CBC encryption of many messages at once: how its kernels are set up and run on plain bytes, and how messages come in
//! groups of one key size.

use inout::InOutBuf;

use super::exercises::encrypt_keys;
use super::{Block, CbcEncryptLanes, EncryptKeys};
use crate::Bound;
use crate::exercise::Exercise;
use crate::lanes::{LANES, collect, deal};

/// The blocks of messages that a group's kernel is given at a time.
#[cfg(target_arch = "x86_64")]
pub(super) const STRETCH: usize = 64;

/// Runs `run` on groups of at most `most` messages that have keys of one size, with the number of blocks that all
/// messages have.
#[inline(always)]
pub(super) fn by_key_size<'i, 'o>(
    most: usize,
    keys: &[&EncryptKeys],
    chains: &mut [Block],
    messages: &mut [InOutBuf<'i, 'o, Block>],
    mut run: impl FnMut(&[&EncryptKeys], &mut [Block], &mut [InOutBuf<'i, 'o, Block>], usize),
) {
    let blocks = messages.iter().map(InOutBuf::len).min().unwrap_or(0);
    let count = keys.len().min(chains.len()).min(messages.len());
    let mut start = 0;
    while start < count {
        let rounds = |key: &EncryptKeys| key.schedule().as_slice().len();
        let same = keys[start..count].iter().take(most).take_while(|key| rounds(key) == rounds(keys[start])).count();
        let end = start + same;
        run(&keys[start..end], &mut chains[start..end], &mut messages[start..end], blocks);
        start = end;
    }
}

/// `aes.cbc_encrypt_lanes` over [`LANES`] messages. The key is all keys in their order, the chaining value all
/// initialisation vectors; a unit of the data is one block of each message.
pub(super) struct OnLanes {
    kernel: Bound<CbcEncryptLanes>,
    keys: Box<[EncryptKeys]>,
    chains: Box<[Block]>,
}

impl OnLanes {
    pub fn new(kernel: Bound<CbcEncryptLanes>, key: &[u8], chain: &[u8]) -> Self {
        let keys = key.chunks(key.len() / LANES).map(encrypt_keys).collect();
        let (chains, rest) = chain.as_chunks();
        assert!(chains.len() == LANES && rest.is_empty(), "{} bytes are not {LANES} blocks", chain.len());
        OnLanes { kernel, keys, chains: chains.into() }
    }
}

impl Exercise for OnLanes {
    fn run(&mut self, mut data: InOutBuf<'_, '_, u8>) {
        let keys: Vec<&EncryptKeys> = self.keys.iter().collect();
        let in_place = data.get_in().as_ptr() == data.get_out().as_ptr();
        let mut outputs = deal::<16>(data.get_in());
        if in_place {
            let mut messages: Vec<_> = outputs.iter_mut().map(|message| InOutBuf::from(message.blocks_mut())).collect();
            self.kernel.call(&keys, &mut self.chains, &mut messages);
        } else {
            let inputs = deal::<16>(data.get_in());
            let both = inputs.iter().zip(&mut outputs);
            let mut messages: Vec<_> = both
                .map(|(input, output)| InOutBuf::new(input.blocks(), output.blocks_mut()).expect("of one length"))
                .collect();
            self.kernel.call(&keys, &mut self.chains, &mut messages);
        }
        collect(&outputs, data.get_out());
    }

    fn result(&self) -> Vec<u8> {
        self.chains.concat()
    }
}
