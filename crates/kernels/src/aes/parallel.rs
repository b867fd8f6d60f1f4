//! The modes whose blocks are independent (ECB, CBC decryption, CTR), for every width of the AES instructions. Written
//! once: an implementation gives its vector's operations, and gets its kernels.
//!
//! `in_flight` vectors go through the rounds together: enough of them to fill the latency of a round at the rate at which
//! the processor starts new ones. What is left over goes vector by vector, and at last block by block; those steps do
//! not wait for each other, so that the processor overlaps them by itself.
//!
//! - Round keys are loaded where they are used, by [`opaque_ref`](crate::simd::x86_64::opaque_ref): kept in registers, they
//!   and the blocks in flight push each other out on sixteen registers, and the loads are free beside the rounds.
//! - The counter is kept as a scalar of 128 bits. Each vector of counters is the scalar plus a constant, byte-reversed:
//!   no chain runs from one group to the next but an addition. Lanes add 64 bits; a message is cut where that would carry.
//! - CBC decryption adds the ciphertext that stands one block before: loaded again from there, as registers are scarce;
//!   `after` shifts it together from two vectors where it is not in memory.

/// Declares the kernels `encrypt_blocks`, `decrypt_blocks`, `cbc_decrypt` and `ctr` of one implementation, and whatever
/// other items of `kernel!` follow.
macro_rules! parallel_kernels {
    (
        isa: $isa:tt,
        names: [$encrypt_blocks:literal, $decrypt_blocks:literal, $cbc_decrypt:literal, $ctr:literal $(,)?],
        vector: $vector:ident of $blocks:literal, in_flight: $in_flight:literal,
        load: $load:ident, store: $store:ident, broadcast: $broadcast:ident, xor: $xor:ident,
        add: $add:ident, shuffle: $shuffle:ident,
        rounds: [$encrypt:ident, $encrypt_last:ident, $decrypt:ident, $decrypt_last:ident],
        after: |$previous:ident, $current:ident| $after:expr;
        $($more:tt)*
    ) => {
        use std::arch::x86_64::*;

        use inout::InOutBuf;

        use super::parallel::reverse_bytes;
        use super::{Block, DecryptKeys, EncryptKeys, Schedule};
        use crate::simd::as_chunks;
        use crate::simd::x86_64::*;

        /// Blocks of a vector.
        const WIDTH: usize = $blocks;
        /// Blocks of the vectors in flight.
        const GROUP: usize = WIDTH * $in_flight;

        kernel! {
            isa: $isa, timing: Constant,

            name: $encrypt_blocks, primitive: super::EncryptBlocks,
            fn encrypt_blocks(keys: &EncryptKeys, blocks: InOutBuf<'_, '_, Block>) {
                match keys.schedule() {
                    Schedule::Aes128(keys) => each_block::<11, true>(keys, blocks),
                    Schedule::Aes192(keys) => each_block::<13, true>(keys, blocks),
                    Schedule::Aes256(keys) => each_block::<15, true>(keys, blocks),
                }
            }

            name: $decrypt_blocks, primitive: super::DecryptBlocks,
            fn decrypt_blocks(keys: &DecryptKeys, blocks: InOutBuf<'_, '_, Block>) {
                match keys.schedule() {
                    Schedule::Aes128(keys) => each_block::<11, false>(keys, blocks),
                    Schedule::Aes192(keys) => each_block::<13, false>(keys, blocks),
                    Schedule::Aes256(keys) => each_block::<15, false>(keys, blocks),
                }
            }

            name: $cbc_decrypt, primitive: super::CbcDecrypt,
            fn cbc_decrypt(keys: &DecryptKeys, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
                match keys.schedule() {
                    Schedule::Aes128(keys) => chained::<11>(keys, chain, blocks),
                    Schedule::Aes192(keys) => chained::<13>(keys, chain, blocks),
                    Schedule::Aes256(keys) => chained::<15>(keys, chain, blocks),
                }
            }

            name: $ctr, primitive: super::Ctr,
            fn ctr(keys: &EncryptKeys, counter: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
                match keys.schedule() {
                    Schedule::Aes128(keys) => counted::<11>(keys, counter, blocks),
                    Schedule::Aes192(keys) => counted::<13>(keys, counter, blocks),
                    Schedule::Aes256(keys) => counted::<15>(keys, counter, blocks),
                }
            }

            helper fn each_block<const KEYS: usize, const ENCRYPT: bool>(
                keys: &[Block; KEYS], blocks: InOutBuf<'_, '_, Block>
            ) {
                let (groups, rest) = as_chunks::<Block, GROUP>(blocks);
                let (vectors, rest) = as_chunks::<Block, WIDTH>(rest);
                if !groups.is_empty() || !vectors.is_empty() {
                    let wide = widened(keys);
                    for mut group in groups {
                        let input = group.get_in().as_chunks::<WIDTH>().0;
                        let mut state = [$broadcast(_mm_setzero_si128()); $in_flight];
                        for i in 0..$in_flight {
                            state[i] = $load(&input[i]);
                        }
                        let state = cipher::<KEYS, ENCRYPT, $in_flight>(opaque_ref(&wide), state);
                        for (to, from) in group.get_out().as_chunks_mut::<WIDTH>().0.iter_mut().zip(state) {
                            $store(to, from);
                        }
                    }
                    for mut vector in vectors {
                        let [state] = cipher::<KEYS, ENCRYPT, 1>(&wide, [$load(vector.get_in())]);
                        $store(vector.get_out(), state);
                    }
                }
                for mut block in rest {
                    let state = one_block::<KEYS, ENCRYPT>(keys, load_128(block.get_in()));
                    store_128(block.get_out(), state);
                }
            }

            helper fn chained<const KEYS: usize>(
                keys: &[Block; KEYS], chain: &mut Block, blocks: InOutBuf<'_, '_, Block>
            ) {
                let (groups, rest) = as_chunks::<Block, GROUP>(blocks);
                let (vectors, rest) = as_chunks::<Block, WIDTH>(rest);
                let mut last = load_128(chain);
                if !groups.is_empty() || !vectors.is_empty() {
                    let wide = widened(keys);
                    for mut group in groups {
                        let input = group.get_in().as_chunks::<WIDTH>().0;
                        let mut ciphertext = [$broadcast(last); $in_flight];
                        let first = shifted(ciphertext[0], $load(&input[0]));
                        for i in 0..$in_flight {
                            ciphertext[i] = $load(&input[i]);
                        }
                        last = load_128(&input[$in_flight - 1][WIDTH - 1]);
                        let state = cipher::<KEYS, false, $in_flight>(opaque_ref(&wide), ciphertext);
                        // From the last to the first: in place, the ciphertext before a vector is still there then.
                        for i in (1..$in_flight).rev() {
                            let before = group.get_in()[i * WIDTH - 1..].first_chunk::<WIDTH>();
                            let before = before.map_or(first, |before| $load(before));
                            let output = &mut group.get_out().as_chunks_mut::<WIDTH>().0[i];
                            $store(output, $xor(state[i], before));
                        }
                        $store(&mut group.get_out().as_chunks_mut::<WIDTH>().0[0], $xor(state[0], first));
                    }
                    for mut vector in vectors {
                        let ciphertext = $load(vector.get_in());
                        let before = shifted($broadcast(last), ciphertext);
                        last = load_128(&vector.get_in()[WIDTH - 1]);
                        let [state] = cipher::<KEYS, false, 1>(&wide, [ciphertext]);
                        $store(vector.get_out(), $xor(state, before));
                    }
                }
                for mut block in rest {
                    let ciphertext = load_128(block.get_in());
                    let state = one_block::<KEYS, false>(keys, ciphertext);
                    store_128(block.get_out(), _mm_xor_si128(state, last));
                    last = ciphertext;
                }
                store_128(chain, last);
            }

            /// In pieces, of which there are mostly one and at most two, that no carry into the upper half divides.
            helper fn counted<const KEYS: usize>(
                keys: &[Block; KEYS], counter: &mut Block, blocks: InOutBuf<'_, '_, Block>
            ) {
                let mut next = u128::from_be_bytes(*counter);
                if blocks.len() < WIDTH || blocks.len() == 1 {
                    *counter = next.wrapping_add(blocks.len() as u128).to_be_bytes();
                    return counted_blocks(keys, next, blocks);
                }
                let mut rest = blocks;
                while !rest.is_empty() {
                    let until_carry = ((next as u64).wrapping_neg() as usize).wrapping_sub(1);
                    let count = rest.len().min(until_carry.saturating_add(1));
                    let (piece, others) = rest.split_at(count);
                    counted_piece(keys, next, piece);
                    next = next.wrapping_add(count as u128);
                    rest = others;
                }
                *counter = next.to_be_bytes();
            }

            helper fn counted_piece<const KEYS: usize>(
                keys: &[Block; KEYS], first: u128, blocks: InOutBuf<'_, '_, Block>
            ) {
                let (groups, rest) = as_chunks::<Block, GROUP>(blocks);
                let (vectors, rest) = as_chunks::<Block, WIDTH>(rest);
                let mut next = first;
                if !groups.is_empty() || !vectors.is_empty() {
                    let wide = widened(keys);
                    for mut group in groups {
                        let state = cipher::<KEYS, true, $in_flight>(opaque_ref(&wide), counters::<$in_flight>(next));
                        next = next.wrapping_add(GROUP as u128);
                        for i in 0..$in_flight {
                            let input = $load(&group.get_in().as_chunks::<WIDTH>().0[i]);
                            $store(&mut group.get_out().as_chunks_mut::<WIDTH>().0[i], $xor(state[i], input));
                        }
                    }
                    for mut vector in vectors {
                        let [state] = cipher::<KEYS, true, 1>(&wide, counters::<1>(next));
                        next = next.wrapping_add(WIDTH as u128);
                        let input = $load(vector.get_in());
                        $store(vector.get_out(), $xor(state, input));
                    }
                }
                counted_blocks(keys, next, rest);
            }

            helper fn counted_blocks<const KEYS: usize>(
                keys: &[Block; KEYS], first: u128, blocks: InOutBuf<'_, '_, Block>
            ) {
                let mut next = first;
                for mut block in blocks {
                    let state = one_block::<KEYS, true>(keys, load_128(&next.to_be_bytes()));
                    next = next.wrapping_add(1);
                    let input = load_128(block.get_in());
                    store_128(block.get_out(), _mm_xor_si128(state, input));
                }
            }

            /// The next counters, in big-endian order, as `N` vectors.
            helper fn counters<const N: usize>(next: u128) -> [$vector; N] {
                let mut counters = [$broadcast(_mm_set_epi64x((next >> 64) as i64, next as i64)); N];
                let reversed = $broadcast(load_128(&reverse_bytes()));
                for i in 0..N {
                    let offset: [[u64; 2]; WIDTH] = const_offsets(i);
                    counters[i] = $shuffle($add(counters[i], $load(&offset)), reversed);
                }
                counters
            }

            /// Every round key in all lanes of a vector.
            helper fn widened<const KEYS: usize>(keys: &[Block; KEYS]) -> [$vector; KEYS] {
                let mut wide = [$broadcast(_mm_setzero_si128()); KEYS];
                for i in 0..KEYS {
                    wide[i] = $broadcast(load_128(&keys[i]));
                }
                wide
            }

            /// `N` vectors through all rounds.
            helper fn cipher<const KEYS: usize, const ENCRYPT: bool, const N: usize>(
                keys: &[$vector; KEYS], state: [$vector; N]
            ) -> [$vector; N] {
                let mut state = state;
                for block in &mut state {
                    *block = $xor(*block, keys[0]);
                }
                for key in &keys[1..KEYS - 1] {
                    for block in &mut state {
                        *block = if ENCRYPT { $encrypt(*block, *key) } else { $decrypt(*block, *key) };
                    }
                }
                for block in &mut state {
                    let last = keys[KEYS - 1];
                    *block = if ENCRYPT { $encrypt_last(*block, last) } else { $decrypt_last(*block, last) };
                }
                state
            }

            /// One block through all rounds.
            helper fn one_block<const KEYS: usize, const ENCRYPT: bool>(keys: &[Block; KEYS], block: __m128i) -> __m128i {
                let mut state = _mm_xor_si128(block, load_128(&keys[0]));
                for key in &keys[1..KEYS - 1] {
                    let key = load_128(key);
                    state = if ENCRYPT { _mm_aesenc_si128(state, key) } else { _mm_aesdec_si128(state, key) };
                }
                let last = load_128(&keys[KEYS - 1]);
                if ENCRYPT { _mm_aesenclast_si128(state, last) } else { _mm_aesdeclast_si128(state, last) }
            }

            /// The last block of one vector and all but the last of the next.
            helper fn shifted($previous: $vector, $current: $vector) -> $vector {
                $after
            }

            $($more)*
        }

        /// How far the counters of vector `i` are from the first: the low halves of lanes.
        #[inline(always)]
        const fn const_offsets(i: usize) -> [[u64; 2]; WIDTH] {
            let mut offsets = [[0; 2]; WIDTH];
            let mut j = 0;
            while j < WIDTH {
                offsets[j][0] = (i * WIDTH + j) as u64;
                j += 1;
            }
            offsets
        }
    };
}

/// The shuffle that reverses the bytes of a block.
pub(super) const fn reverse_bytes() -> [u8; 16] {
    [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
}
