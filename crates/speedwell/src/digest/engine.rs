//! Merkle–Damgård: how MD5, SHA-1 and SHA-2 make a digest of a message from their compression function. Written once.
//!
//! A message is cut into blocks; the last is padded by a one bit, zeros, and the message's length in bits (RFC 1321,
//! sections 3.1 and 3.2; FIPS 180-4, section 5.1).

use speedwell_kernels::Primitive;
use zeroize::optimization_barrier;

use super::padding::length_halves;
use crate::select::{Plan, Planned, Policy, plan};

/// What differs between the functions.
pub trait Function: 'static {
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
pub trait Blocks<const BLOCK: usize>: Function {
    /// Mixes blocks into the state.
    fn compress(plan: &Plan<Self::Compress>, state: &mut Self::State, blocks: &[[u8; BLOCK]]);
}

/// A message in progress.
pub struct Engine<F: Blocks<BLOCK>, const BLOCK: usize> {
    plan: &'static Plan<F::Compress>,
    state: F::State,
    /// Bytes of the message so far.
    length: u64,
    /// The block being filled.
    buffer: [u8; BLOCK],
}

impl<F: Blocks<BLOCK>, const BLOCK: usize> Engine<F, BLOCK> {
    /// An empty message.
    #[inline]
    pub fn new() -> Self {
        Engine::with_plan(default_plan::<F>())
    }

    #[inline]
    pub fn with_plan(plan: &'static Plan<F::Compress>) -> Self {
        Engine { plan, state: F::INITIAL, length: 0, buffer: [0; BLOCK] }
    }

    /// Appends to the message.
    #[inline]
    pub fn update(&mut self, mut input: &[u8]) {
        let filled = self.filled();
        self.length = self.length.wrapping_add(input.len() as u64);
        if filled > 0 {
            let (head, rest) = input.split_at(input.len().min(BLOCK - filled));
            self.buffer[filled..filled + head.len()].copy_from_slice(head);
            if filled + head.len() < BLOCK {
                return;
            }
            F::compress(self.plan, &mut self.state, std::slice::from_ref(&self.buffer));
            input = rest;
        }
        let (blocks, rest) = input.as_chunks();
        if !blocks.is_empty() {
            F::compress(self.plan, &mut self.state, blocks);
        }
        self.buffer[..rest.len()].copy_from_slice(rest);
    }

    /// Pads the message and returns the last state. The engine is then of no use until it is [reset](Self::reset).
    #[inline]
    pub fn finish(&mut self) -> F::State {
        finish::<F, BLOCK>(self.plan, self.state, &self.buffer[..self.filled()], self.length)
    }

    /// The last state of a message that is all there, without an engine.
    #[inline]
    pub fn of_message(message: &[u8]) -> F::State {
        whole::<F, BLOCK>(default_plan::<F>(), F::INITIAL, message, 0)
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

/// Where messages go on that begin with the same block: what HMAC keeps of a key.
pub struct Midstate<F: Blocks<BLOCK>, const BLOCK: usize> {
    plan: &'static Plan<F::Compress>,
    state: F::State,
}

impl<F: Blocks<BLOCK>, const BLOCK: usize> Midstate<F, BLOCK> {
    /// The state behind a first block.
    #[inline]
    pub fn after(first: &[u8; BLOCK], plan: &'static Plan<F::Compress>) -> Self {
        let mut state = F::INITIAL;
        F::compress(plan, &mut state, std::slice::from_ref(first));
        Midstate { plan, state }
    }

    /// A message of which the first block is there.
    #[inline]
    pub fn resume(&self) -> Engine<F, BLOCK> {
        Engine { plan: self.plan, state: self.state, length: BLOCK as u64, buffer: [0; BLOCK] }
    }

    /// The last state of the message that goes on with `rest`, which is all there: without an engine.
    #[inline]
    pub fn finish(&self, rest: &[u8]) -> F::State {
        whole::<F, BLOCK>(self.plan, self.state, rest, BLOCK as u64)
    }
}

impl<F: Blocks<BLOCK>, const BLOCK: usize> Clone for Midstate<F, BLOCK> {
    fn clone(&self) -> Self {
        Midstate { plan: self.plan, state: self.state }
    }
}

impl<F: Blocks<BLOCK>, const BLOCK: usize> Drop for Midstate<F, BLOCK> {
    #[inline]
    fn drop(&mut self) {
        self.state = F::State::default();
        optimization_barrier(&self.state);
    }
}

/// A digest has no key: any kernel may run, and the portable one runs everywhere.
#[inline]
fn default_plan<F: Function>() -> &'static Plan<F::Compress> {
    plan(Policy::Public).expect("the policy 'public' permits the portable kernel")
}

/// The last state of a message of which `before` bytes are in the state and the others are all there.
#[inline]
fn whole<F: Blocks<BLOCK>, const BLOCK: usize>(
    plan: &Plan<F::Compress>,
    mut state: F::State,
    message: &[u8],
    before: u64,
) -> F::State {
    let (blocks, rest) = message.as_chunks();
    if !blocks.is_empty() {
        F::compress(plan, &mut state, blocks);
    }
    finish::<F, BLOCK>(plan, state, rest, before.wrapping_add(message.len() as u64))
}

/// Pads what is left of a message of `length` bytes and mixes it in: one block, or two if the padding does not fit.
#[inline]
fn finish<F: Blocks<BLOCK>, const BLOCK: usize>(
    plan: &Plan<F::Compress>,
    mut state: F::State,
    rest: &[u8],
    length: u64,
) -> F::State {
    if rest.len() + 1 + F::LENGTH_BYTES <= BLOCK {
        pad::<F, BLOCK, 1>(plan, &mut state, rest, length);
    } else {
        pad::<F, BLOCK, 2>(plan, &mut state, rest, length);
    }
    state
}

/// The same where it is known how many blocks the rest and the padding fill.
#[inline(always)]
fn pad<F: Blocks<BLOCK>, const BLOCK: usize, const COUNT: usize>(
    plan: &Plan<F::Compress>,
    state: &mut F::State,
    rest: &[u8],
    length: u64,
) {
    let mut blocks = [[0; BLOCK]; COUNT];
    let (pieces, _) = blocks.as_flattened_mut().as_chunks_mut::<16>();
    let (low, high) = length_halves(F::LENGTH_BYTES, length, F::length);
    super::padding::pad(pieces, rest, low, high);
    F::compress(plan, state, &blocks);
    wipe(&mut blocks);
}

/// Overwrites a value. Whole vectors, not bytes: a digest of a short message takes no longer than its wiping would.
#[inline]
fn wipe<const N: usize, const BLOCK: usize>(value: &mut [[u8; BLOCK]; N]) {
    *value = [[0; BLOCK]; N];
    optimization_barrier(value);
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
        optimization_barrier(&self.state);
        wipe(std::array::from_mut(&mut self.buffer));
    }
}
