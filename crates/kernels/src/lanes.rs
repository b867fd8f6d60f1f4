//! What the primitives over many messages at once have in common: how any of their kernels is set up and run on plain
//! bytes, and how messages are dealt out to lanes.

use crate::exercise::{Exercise, InOutBuf};

/// Messages in an exercise: more than the widest kernels take at once, so that they have some left over.
pub const LANES: usize = 37;

/// How many messages of a digest are worth working on at once: for whoever gives them to kernels.
#[derive(Clone, Copy, Debug)]
pub struct Batching {
    /// As many as the widest kernel takes at once.
    pub lanes: usize,
    /// As many as share a vector of it.
    pub group: usize,
    /// From so many on a vector, most of it empty, takes less time than one message after the other with the best kernel
    /// for one.
    pub break_even: usize,
}

/// The blocks that all messages have.
#[inline(always)]
pub(crate) fn in_common<T>(messages: &[&[T]]) -> usize {
    messages.iter().map(|message| message.len()).min().unwrap_or(0)
}

/// The messages of a group, the last of them also in the lanes for which there is none: of a vector, all lanes work.
/// Each has exactly so many blocks.
#[inline(always)]
pub(crate) fn group<'m, T, const LANES: usize>(messages: &[&'m [T]], blocks: usize) -> [&'m [T]; LANES] {
    std::array::from_fn(|lane| &messages[lane.min(messages.len() - 1)][..blocks])
}

/// Every block of a message as often as there are lanes.
pub(crate) const fn rows<const BLOCK: usize, const BYTES: usize>(message: &[u8]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    let mut i = 0;
    while i < BYTES {
        bytes[i] = message[i / (LANES * BLOCK) * BLOCK + i % BLOCK];
        i += 1;
    }
    bytes
}

/// The same part again and again.
pub(crate) const fn repeated<const BYTES: usize>(part: &[u8]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    let mut i = 0;
    while i < BYTES {
        bytes[i] = part[i % part.len()];
        i += 1;
    }
    bytes
}

/// The published answer for one message, of so many blocks of so many bytes and with a state of so many, as that for
/// every lane.
macro_rules! in_every_lane {
    ($answer:ident: $blocks:literal of $block:literal, $state:literal) => {
        $crate::exercise::KnownAnswer {
            chain: &$crate::lanes::repeated::<{ $crate::lanes::LANES * $state }>($answer.chain),
            input: &$crate::lanes::rows::<$block, { $crate::lanes::LANES * $blocks * $block }>($answer.input),
            result: &$crate::lanes::repeated::<{ $crate::lanes::LANES * $state }>($answer.result),
            ..$answer
        }
    };
}
pub(crate) use in_every_lane;

/// A compression function over [`LANES`] messages. A unit of the data is one block of each message, in their order; the
/// chaining value is all states in their order, in the digest's order of bytes.
pub(crate) struct Compressions<W, const SIZE: usize, const WORDS: usize, const BLOCK: usize, F> {
    states: Box<[[W; WORDS]]>,
    write: fn(W) -> [u8; SIZE],
    compress: F,
}

impl<W, const SIZE: usize, const WORDS: usize, const BLOCK: usize, F> Compressions<W, SIZE, WORDS, BLOCK, F>
where
    F: Fn(&mut [[W; WORDS]], &[&[[u8; BLOCK]]]),
{
    /// As [`crate::compression::Compression::new`].
    pub(crate) fn new(chain: &[u8], read: fn([u8; SIZE]) -> W, write: fn(W) -> [u8; SIZE], compress: F) -> Self {
        let (words, rest) = chain.as_chunks();
        assert!(words.len() == LANES * WORDS && rest.is_empty(), "{} bytes are not {LANES} states", chain.len());
        let states = words.chunks(WORDS).map(|words| std::array::from_fn(|i| read(words[i]))).collect();
        Compressions { states, write, compress }
    }
}

impl<W, const SIZE: usize, const WORDS: usize, const BLOCK: usize, F> Exercise
    for Compressions<W, SIZE, WORDS, BLOCK, F>
where
    W: Copy + Send,
    F: Fn(&mut [[W; WORDS]], &[&[[u8; BLOCK]]]) + Send,
{
    fn run(&mut self, data: InOutBuf<'_, '_, u8>) {
        let messages = deal::<BLOCK>(data.get_in());
        let messages: Vec<&[[u8; BLOCK]]> = messages.iter().map(Message::blocks).collect();
        (self.compress)(&mut self.states, &messages);
    }

    fn result(&self) -> Vec<u8> {
        self.states.iter().flatten().flat_map(|word| (self.write)(*word)).collect()
    }
}

/// A message in memory of its own, that tests guard, as far off an allocation's start as the data was off a multiple of
/// 64.
pub(crate) struct Message<const BLOCK: usize> {
    bytes: Box<[u8]>,
    offset: usize,
}

impl<const BLOCK: usize> Message<BLOCK> {
    pub(crate) fn blocks(&self) -> &[[u8; BLOCK]] {
        self.bytes[self.offset..].as_chunks().0
    }

    pub(crate) fn blocks_mut(&mut self) -> &mut [[u8; BLOCK]] {
        self.bytes[self.offset..].as_chunks_mut().0
    }
}

/// Deals whole units of data out to messages.
pub(crate) fn deal<const BLOCK: usize>(data: &[u8]) -> Vec<Message<BLOCK>> {
    let (blocks, rest) = data.as_chunks::<BLOCK>();
    assert!(
        rest.is_empty() && blocks.len().is_multiple_of(LANES),
        "{} bytes are no whole number of blocks of {LANES} messages",
        data.len()
    );
    let offset = data.as_ptr() as usize % 64;
    let message = |lane| {
        let mut bytes = vec![0; offset];
        bytes.extend(blocks.iter().skip(lane).step_by(LANES).flatten());
        Message { bytes: bytes.into(), offset }
    };
    (0..LANES).map(message).collect()
}

/// The way back.
pub(crate) fn collect<const BLOCK: usize>(messages: &[Message<BLOCK>], data: &mut [u8]) {
    for (i, block) in data.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
        *block = messages[i % LANES].blocks()[i / LANES];
    }
}
