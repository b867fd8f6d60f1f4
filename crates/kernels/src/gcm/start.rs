//! Counter blocks made by the integer units, for the stitched kernels.

use zeroize::optimization_barrier;

use crate::aes::Block;
use crate::simd::x86_64::opaque_u32;

/// Counter blocks of whole groups with the first round key added, made by the integer units, which have nothing else to
/// do: vector units would take an addition, a shuffle and a key addition for each vector. Only the last 32 bits of a
/// block change. They are written two groups before they are read, so that no load waits for a store. Wiped on drop.
pub(super) struct Start<const GROUP: usize> {
    groups: [[Block; GROUP]; AHEAD],
    /// The group whose turn it is.
    turn: usize,
    /// The counter of the group that takes its place.
    next: u32,
    key: u32,
}

/// Groups that are there beforehand.
const AHEAD: usize = 2;

impl<const GROUP: usize> Start<GROUP> {
    /// The groups after the first, which is the counter's own, of `count`.
    #[inline(always)]
    pub fn after_one_group(counter: &Block, key: &Block, count: usize) -> Self {
        let [.., a, b, c, d] = *counter;
        let [.., e, f, g, h] = *key;
        let block = (u128::from_ne_bytes(*counter) ^ u128::from_ne_bytes(*key)).to_ne_bytes();
        let next = u32::from_be_bytes([a, b, c, d]).wrapping_add(GROUP as u32);
        let key = u32::from_ne_bytes([e, f, g, h]);
        let mut start = Start { groups: [[block; GROUP]; AHEAD], turn: 0, next, key };
        for _ in 0..AHEAD.min(count) {
            start.go_on();
        }
        start.turn = 0;
        start
    }

    /// The group whose turn it is.
    #[inline(always)]
    pub fn group(&self) -> &[Block; GROUP] {
        &self.groups[self.turn % AHEAD]
    }

    /// Puts a later group in the place of this one.
    #[inline(always)]
    pub fn go_on(&mut self) {
        for block in &mut self.groups[self.turn % AHEAD] {
            // Hidden from the optimiser, which would do it with vectors.
            let counter = opaque_u32(self.next);
            block[12..].copy_from_slice(&(counter.swap_bytes() ^ self.key).to_ne_bytes());
            self.next = counter.wrapping_add(1);
        }
        self.turn += 1;
    }
}

impl<const GROUP: usize> Drop for Start<GROUP> {
    #[inline(always)]
    fn drop(&mut self) {
        (self.groups, self.key) = ([[[0; 16]; GROUP]; AHEAD], 0);
        optimization_barrier(self);
    }
}
