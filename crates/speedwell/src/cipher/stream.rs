//! A message in any split, made into whole blocks for a block mode. Written once for both directions.

use speedwell_kernels::simd::{InOutBuf, as_chunks};
use zeroize::optimization_barrier;

use super::{Block, CipherError};

const BLOCK: usize = size_of::<Block>();

/// The bytes that do not fill a block yet.
#[derive(Clone, Default)]
pub(super) struct Pending {
    block: Block,
    filled: usize,
}

impl Pending {
    /// Takes more of a message, runs the mode over every block that is complete, and returns the bytes written.
    ///
    /// With `hold_back` the last complete block waits until more comes: it may hold the padding.
    #[inline]
    pub fn update(
        &mut self,
        input: &[u8],
        output: &mut [u8],
        hold_back: bool,
        mut run: impl FnMut(InOutBuf<'_, '_, Block>),
    ) -> Result<usize, CipherError> {
        let total = self.filled + input.len();
        let whole = if hold_back { total.saturating_sub(1) / BLOCK } else { total / BLOCK } * BLOCK;
        if output.len() < whole {
            return Err(CipherError::OutputTooSmall { needed: whole, given: output.len() });
        }
        if whole == 0 {
            self.push(input);
            return Ok(0);
        }
        let mut input = input;
        let mut output = &mut output[..whole];
        if self.filled > 0 {
            let (head, rest) = input.split_at(BLOCK - self.filled);
            self.push(head);
            run(InOutBuf::from(std::slice::from_mut(&mut self.block)));
            let (first, others) = output.split_at_mut(BLOCK);
            first.copy_from_slice(&self.block);
            self.filled = 0;
            (input, output) = (rest, others);
        }
        let (blocks, rest) = input.split_at(output.len());
        if !blocks.is_empty() {
            let buffer = InOutBuf::new(blocks, output).expect("both are as long as the output");
            run(as_chunks(buffer).0);
        }
        self.push(rest);
        Ok(whole)
    }

    /// The block being filled, and how many of its bytes are.
    #[inline]
    pub fn last(&self) -> (Block, usize) {
        (self.block, self.filled)
    }

    #[inline]
    fn push(&mut self, bytes: &[u8]) {
        self.block[self.filled..self.filled + bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
    }
}

impl Drop for Pending {
    #[inline]
    fn drop(&mut self) {
        self.block = [0; BLOCK];
        optimization_barrier(&self.block);
    }
}
