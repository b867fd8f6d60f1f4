//! What the compression functions of the Merkle–Damgård digests (MD5, SHA-1, SHA-2) have in common: a state of words,
//! into which whole blocks are mixed.

use crate::exercise::{Exercise, InOutBuf};

/// Repeats an expression sixteen times, with the number of the repetition as a constant: `sixteen!(I => round(I))`.
///
/// Sixteen rounds as a `for` loop are too large for the compiler's own unrolling; unrolled, the working variables stay
/// in registers and change names instead of places.
macro_rules! sixteen {
    ($i:ident => $repeated:expr) => {
        sixteen!(@ $i, $repeated; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $i:ident, $repeated:expr; $($value:literal)*) => {
        $({ const $i: usize = $value; $repeated; })*
    };
}

/// A compression function set up with a state of `WORDS` words of `SIZE` bytes, which takes blocks of `BLOCK` bytes.
pub(crate) struct Compression<W, const SIZE: usize, const WORDS: usize, const BLOCK: usize, F> {
    state: Box<[W; WORDS]>,
    write: fn(W) -> [u8; SIZE],
    compress: F,
    block: std::marker::PhantomData<[u8; BLOCK]>,
}

impl<W, const SIZE: usize, const WORDS: usize, const BLOCK: usize, F> Compression<W, SIZE, WORDS, BLOCK, F>
where
    F: Fn(&mut [W; WORDS], &[[u8; BLOCK]]),
{
    /// The chaining value is the state in the digest's byte order, in which `read` and `write` convert a word.
    pub(crate) fn new(chain: &[u8], read: fn([u8; SIZE]) -> W, write: fn(W) -> [u8; SIZE], compress: F) -> Self {
        let (words, rest) = chain.as_chunks();
        assert!(words.len() == WORDS && rest.is_empty(), "{} bytes are no state", chain.len());
        let state = Box::new(std::array::from_fn(|i| read(words[i])));
        Compression { state, write, compress, block: std::marker::PhantomData }
    }
}

impl<W, const SIZE: usize, const WORDS: usize, const BLOCK: usize, F> Exercise for Compression<W, SIZE, WORDS, BLOCK, F>
where
    W: Copy + Send,
    F: Fn(&mut [W; WORDS], &[[u8; BLOCK]]) + Send,
{
    fn run(&mut self, data: InOutBuf<'_, '_, u8>) {
        let (blocks, rest) = data.get_in().as_chunks();
        assert!(rest.is_empty(), "{} bytes are no whole number of blocks", data.len());
        (self.compress)(&mut self.state, blocks);
    }

    fn result(&self) -> Vec<u8> {
        self.state.iter().flat_map(|word| (self.write)(*word)).collect()
    }
}
