//! Merkle–Damgård: how MD5, SHA-1 and SHA-2 make a digest of a message from their compression function. Written once.
//!
//! A message is cut into blocks; the last is padded by a one bit, zeros, and the message's length in bits (RFC 1321,
//! sections 3.1 and 3.2; FIPS 180-4, section 5.1).

use speedwell_kernels::Primitive;
use zeroize::optimization_barrier;

use crate::select::{Plan, Planned, Policy, plan};

/// What differs between the functions.
pub(super) trait Function: 'static {
    /// The compression function.
    type Compress: Primitive + Planned;
    /// The hash state.
    type State: Copy + Default + 'static;
    /// Bytes at a block's end that hold the message's length; the upper ones of SHA-512's sixteen are always zero here.
    const LENGTH_BYTES: usize;
    /// The state before the first block.
    const INITIAL: Self::State;

    /// Writes a length as the function orders bytes.
    fn length(bits: u64) -> [u8; 8];
}

/// Calls the compression function: a trait of its own because of the block's size.
pub(super) trait Blocks<const BLOCK: usize>: Function {
    /// Mixes blocks into the state.
    fn compress(plan: &Plan<Self::Compress>, state: &mut Self::State, blocks: &[[u8; BLOCK]]);
}

/// A message in progress.
pub(super) struct Engine<F: Blocks<BLOCK>, const BLOCK: usize> {
    plan: &'static Plan<F::Compress>,
    state: F::State,
    /// Bytes of the message so far.
    length: u64,
    /// The block being filled, and room for a second one at the end, when the padding does not fit into the first. From
    /// the filled part on, all is zero: then the padding only has to write its one bit and the length.
    buffer: [[u8; BLOCK]; 2],
}

impl<F: Blocks<BLOCK>, const BLOCK: usize> Engine<F, BLOCK> {
    /// An empty message.
    #[inline]
    pub fn new() -> Self {
        // A digest has no key: any kernel may run, and the portable one runs everywhere.
        let plan = plan(Policy::Public).expect("the policy 'public' permits the portable kernel");
        Engine::with_plan(plan)
    }

    #[inline]
    pub fn with_plan(plan: &'static Plan<F::Compress>) -> Self {
        Engine { plan, state: F::INITIAL, length: 0, buffer: [[0; BLOCK]; 2] }
    }

    /// Appends to the message.
    #[inline]
    pub fn update(&mut self, mut input: &[u8]) {
        let filled = self.filled();
        self.length = self.length.wrapping_add(input.len() as u64);
        if filled > 0 {
            let (head, rest) = input.split_at(input.len().min(BLOCK - filled));
            self.buffer[0][filled..filled + head.len()].copy_from_slice(head);
            if filled + head.len() < BLOCK {
                return;
            }
            F::compress(self.plan, &mut self.state, &self.buffer[..1]);
            self.buffer[0] = [0; BLOCK];
            input = rest;
        }
        let (blocks, rest) = input.as_chunks();
        if !blocks.is_empty() {
            F::compress(self.plan, &mut self.state, blocks);
        }
        self.buffer[0][..rest.len()].copy_from_slice(rest);
    }

    /// Pads the message and returns the last state. The engine is then of no use until it is [reset](Self::reset).
    #[inline]
    pub fn finish(&mut self) -> F::State {
        let filled = self.filled();
        self.buffer[0][filled] = 0x80;
        let last = usize::from(filled + 1 + F::LENGTH_BYTES > BLOCK);
        self.buffer[last][BLOCK - 8..].copy_from_slice(&F::length(self.length.wrapping_mul(8)));
        if F::LENGTH_BYTES == 16 {
            // The length is 128 bits wide; a 64-bit count of bytes makes 67 bits of it.
            self.buffer[last][BLOCK - 9] = (self.length >> 61) as u8;
        }
        F::compress(self.plan, &mut self.state, &self.buffer[..=last]);
        self.state
    }

    /// Starts over with an empty message.
    #[inline]
    pub fn reset(&mut self) {
        *self = Engine::with_plan(self.plan);
    }

    #[inline]
    fn filled(&self) -> usize {
        self.length as usize % BLOCK
    }
}

impl<F: Blocks<BLOCK>, const BLOCK: usize> Clone for Engine<F, BLOCK> {
    fn clone(&self) -> Self {
        Engine { plan: self.plan, state: self.state, length: self.length, buffer: self.buffer }
    }
}

impl<F: Blocks<BLOCK>, const BLOCK: usize> Drop for Engine<F, BLOCK> {
    #[inline]
    fn drop(&mut self) {
        self.state = F::State::default();
        self.buffer = [[0; BLOCK]; 2];
        optimization_barrier(&self.state);
        optimization_barrier(&self.buffer);
    }
}
