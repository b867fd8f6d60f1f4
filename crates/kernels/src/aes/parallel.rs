//! The modes whose blocks are independent (ECB, CBC decryption, CTR), for every width of the AES instructions. Written
//! once: an implementation gives its vector's operations, and gets its kernels.
//!
//! `in_flight` vectors go through the rounds together: enough of them to fill the latency of a round at the rate at
//! which the processor starts new ones. What is left over goes vector by vector, and at last block by block; those
//! steps do not wait for each other, so that the processor overlaps them by itself, and load their round keys where
//! they are used, which needs no prologue. Groups do so too, unless there are registers for all round keys (`held`).
//! Then what is added to the last round's result is added to its key instead, ahead of time, and `place` keeps the
//! rounds of a group in step, which the compiler would rather do vector by vector: on Zen 4 these three together take
//! 512-bit vectors from 93 to 99 % of the limit, where each by itself gives one or nothing.
//!
//! - Counters are kept as vectors of little-endian lanes; adding and reversing the bytes runs beside the rounds. Lanes
//!   add 64 bits: a [`Stretch`] ends before that would carry.
//! - Counters that differ in the last byte only have most of the first two rounds in common. Round one spreads that
//!   byte over the first column, and round two each byte of that column over a column of its own; SubBytes stays
//!   inside bytes, and the rest is linear. So the state after round two is a sum of what the first column adds, which
//!   depends on the last byte (and on the bytes 0, 5 and 10, which change every 2^40 blocks), and of what the other
//!   columns add, which is the same for 256 blocks. Long runs keep the former in a table of 4 KiB, and save two rounds
//!   of ten, twelve or fourteen. To fill the table and to wipe it takes 130 to 200 ns on Zen 4: `repetitive` says from
//!   how many blocks on that pays. The table is read in order: no address depends on a secret. (J. H. Park and D. H.
//!   Lee, "FACE: Fast AES CTR mode Encryption Techniques based on the Reuse of Repetitive Data", TCHES 2018.)
//! - CBC decryption adds the ciphertext that stands one block before: it is loaded again from there.

/// All rounds but the last: those of 128-bit keys that are listed, and what longer keys have more. There is no loop,
/// as the compiler may leave it one, and round keys that a variable selects cannot stay in registers.
macro_rules! rounds {
    ($state:ident, $keys:ident, [$($number:literal)*], $round:expr) => {{
        let mut state = $state;
        $(state = $round(state, round_key($keys, $number));)*
        if KEYS >= 13 {
            state = $round(state, round_key($keys, 10));
            state = $round(state, round_key($keys, 11));
        }
        if KEYS >= 15 {
            state = $round(state, round_key($keys, 12));
            state = $round(state, round_key($keys, 13));
        }
        state
    }};
}

/// Declares the kernels `encrypt_blocks`, `decrypt_blocks`, `cbc_decrypt` and `ctr` of one implementation, and whatever
/// other items of `kernel!` follow.
macro_rules! parallel_kernels {
    (
        isa: $isa:tt,
        names: [$encrypt_blocks:literal, $decrypt_blocks:literal, $cbc_decrypt:literal, $ctr:literal $(,)?],
        vector: $vector:ident of $blocks:literal, in_flight: $in_flight:literal, held: $held:literal, place: $place:path,
        load: $load:ident, store: $store:ident, broadcast: $broadcast:ident, xor: $xor:ident,
        add: $add:ident, shuffle: $shuffle:ident,
        rounds: [$encrypt:ident, $encrypt_last:ident, $decrypt:ident, $decrypt_last:ident],
        after: |$previous:ident, $current:ident| $after:expr,
        repetitive: $repetitive:literal blocks;
        $($more:tt)*
    ) => {
        use std::arch::x86_64::*;

        use inout::{InOut, InOutBuf};

        use super::parallel::{FIRST_COLUMN, OTHER_COLUMNS, REVERSE_BYTES, SUB_ZERO, Stretch};
        use super::{Block, DecryptKeys, EncryptKeys, Schedule};
        use crate::simd::{Scratch, as_chunks};
        use crate::simd::x86_64::*;

        /// Blocks of a vector.
        const WIDTH: usize = $blocks;
        /// Blocks of the vectors in flight.
        const GROUP: usize = WIDTH * $in_flight;

        /// The round keys of groups.
        #[derive(Clone, Copy)]
        enum RoundKeys<'a, const KEYS: usize> {
            /// In registers, in all lanes.
            Held([$vector; KEYS]),
            /// To be loaded where they are used.
            Loaded(&'a [Block; KEYS]),
        }

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
                if !groups.is_empty() {
                    let keys = group_keys(keys);
                    for mut group in groups {
                        let input = group.get_in().as_chunks::<WIDTH>().0;
                        let mut state = [$broadcast(_mm_setzero_si128()); $in_flight];
                        for i in 0..$in_flight {
                            state[i] = $load(&input[i]);
                        }
                        let keys = again(keys);
                        let state = whitened(state, round_key(keys, 0));
                        let state = rounds!(state, keys, [1 2 3 4 5 6 7 8 9], round::<ENCRYPT, $in_flight>);
                        let last = round_key(keys, KEYS - 1);
                        for (to, from) in group.get_out().as_chunks_mut::<WIDTH>().0.iter_mut().zip(state) {
                            $store(to, last_round::<ENCRYPT>(from, last));
                        }
                    }
                }
                for mut vector in vectors {
                    let input = $load(vector.get_in());
                    let keys = again(RoundKeys::Loaded(keys));
                    let state = whitened([input], round_key(keys, 0));
                    let state = rounds!(state, keys, [1 2 3 4 5 6 7 8 9], round::<ENCRYPT, 1>);
                    let last = round_key(keys, KEYS - 1);
                    $store(vector.get_out(), last_round::<ENCRYPT>(state[0], last));
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
                if !groups.is_empty() {
                    let keys = group_keys(keys);
                    for mut group in groups {
                        let input = group.get_in().as_chunks::<WIDTH>().0;
                        let mut state = [$broadcast(last); $in_flight];
                        for i in 0..$in_flight {
                            state[i] = $load(&input[i]);
                        }
                        let before_first = shifted($broadcast(last), state[0]);
                        last = load_128(&input[$in_flight - 1][WIDTH - 1]);
                        let keys = again(keys);
                        let state = whitened(state, round_key(keys, 0));
                        let state = rounds!(state, keys, [1 2 3 4 5 6 7 8 9], round::<false, $in_flight>);
                        let last_key = round_key(keys, KEYS - 1);
                        // From the last to the first: in place, the ciphertext before a vector must still be there.
                        for i in (1..$in_flight).rev() {
                            let before = $load(&group.get_in()[i * WIDTH - 1..].as_chunks::<WIDTH>().0[0]);
                            let plaintext = last_round_and::<false>(state[i], last_key, before);
                            $store(&mut group.get_out().as_chunks_mut::<WIDTH>().0[i], plaintext);
                        }
                        let plaintext = last_round_and::<false>(state[0], last_key, before_first);
                        $store(&mut group.get_out().as_chunks_mut::<WIDTH>().0[0], plaintext);
                    }
                }
                for mut vector in vectors {
                    let ciphertext = $load(vector.get_in());
                    let before = shifted($broadcast(last), ciphertext);
                    last = load_128(&vector.get_in()[WIDTH - 1]);
                    let keys = again(RoundKeys::Loaded(keys));
                    let state = whitened([ciphertext], round_key(keys, 0));
                    let state = rounds!(state, keys, [1 2 3 4 5 6 7 8 9], round::<false, 1>);
                    let last_key = round_key(keys, KEYS - 1);
                    $store(vector.get_out(), $decrypt_last(state[0], $xor(last_key, before)));
                }
                for mut block in rest {
                    let ciphertext = load_128(block.get_in());
                    let state = one_block::<KEYS, false>(keys, ciphertext);
                    store_128(block.get_out(), _mm_xor_si128(state, last));
                    last = ciphertext;
                }
                store_128(chain, last);
            }

            helper fn counted<const KEYS: usize>(
                keys: &[Block; KEYS], counter: &mut Block, blocks: InOutBuf<'_, '_, Block>
            ) {
                let first = u128::from_be_bytes(*counter);
                *counter = first.wrapping_add(blocks.len() as u128).to_be_bytes();
                match Stretch::of::<GROUP, $repetitive>(first, blocks.len()) {
                    Stretch::Plain(count) if count == blocks.len() => each_counter(keys, first, blocks),
                    _ => stretches(keys, first, blocks),
                }
            }

            outlined fn stretches<const KEYS: usize>(
                keys: &[Block; KEYS], first: u128, blocks: InOutBuf<'_, '_, Block>
            ) {
                let mut next = first;
                let mut rest = blocks;
                while !rest.is_empty() {
                    let stretch = Stretch::of::<GROUP, $repetitive>(next, rest.len());
                    let (Stretch::Plain(count) | Stretch::Repetitive(count)) = stretch;
                    let (blocks, others) = rest.split_at(count);
                    match stretch {
                        Stretch::Plain(_) => each_counter(keys, next, blocks),
                        Stretch::Repetitive(_) => repetitive(keys, next, blocks),
                    }
                    next = next.wrapping_add(count as u128);
                    rest = others;
                }
            }

            /// Counter mode from the counter `first` on, whose lower 64 bits do not carry.
            helper fn each_counter<const KEYS: usize>(
                keys: &[Block; KEYS], first: u128, blocks: InOutBuf<'_, '_, Block>
            ) {
                let (groups, rest) = as_chunks::<Block, GROUP>(blocks);
                let (vectors, rest) = as_chunks::<Block, WIDTH>(rest);
                let mut next = little_endian(first);
                if !groups.is_empty() || !vectors.is_empty() {
                    let reverse = $broadcast(load_128(&REVERSE_BYTES));
                    let step = $broadcast(load_128(&[WIDTH as u64, 0]));
                    let mut counters = $add($broadcast(next), $load(&LANES));
                    next = _mm_add_epi64(next, load_128(&[(groups.len() * GROUP + vectors.len() * WIDTH) as u64, 0]));
                    if !groups.is_empty() {
                        let keys = group_keys(keys);
                        for group in groups {
                            let mut state = [counters; $in_flight];
                            for i in 0..$in_flight {
                                state[i] = $shuffle(counters, reverse);
                                // Otherwise the compiler keeps every multiple of the step in a register.
                                counters = $place($add(counters, step));
                            }
                            let keys = again(keys);
                            let state = whitened(state, round_key(keys, 0));
                            let state = rounds!(state, keys, [1 2 3 4 5 6 7 8 9], round::<true, $in_flight>);
                            let last = round_key(keys, KEYS - 1);
                            add_stream(state, last, group);
                        }
                    }
                    for mut vector in vectors {
                        let state = [$shuffle(counters, reverse)];
                        counters = $add(counters, step);
                        let keys = again(RoundKeys::Loaded(keys));
                        let state = whitened(state, round_key(keys, 0));
                        let state = rounds!(state, keys, [1 2 3 4 5 6 7 8 9], round::<true, 1>);
                        let last = round_key(keys, KEYS - 1);
                        let input = $load(vector.get_in());
                        $store(vector.get_out(), $encrypt_last(state[0], $xor(last, input)));
                    }
                }
                for mut block in rest {
                    let state = one_block::<KEYS, true>(keys, _mm_shuffle_epi8(next, load_128(&REVERSE_BYTES)));
                    next = _mm_add_epi64(next, load_128(&[1u64, 0]));
                    let input = load_128(block.get_in());
                    store_128(block.get_out(), _mm_xor_si128(state, input));
                }
            }

            /// Counter mode over groups, the first of which starts at a multiple of its size, without two rounds.
            helper fn repetitive<const KEYS: usize>(
                keys: &[Block; KEYS], first: u128, blocks: InOutBuf<'_, '_, Block>
            ) {
                let keys = opaque_ref(keys);
                let (whitening, first_round) = ($broadcast(load_128(&keys[0])), $broadcast(load_128(&keys[1])));
                let reverse = $broadcast(load_128(&REVERSE_BYTES));
                let first_column = $broadcast(load_128(&FIRST_COLUMN));
                let sub_zero = $broadcast(_mm_set1_epi8(SUB_ZERO));
                let step = $broadcast(load_128(&[WIDTH as u64, 0]));
                let mut counters = $add($broadcast(little_endian(first & !0xff)), $load(&LANES));
                // What the first column after round one adds to the state after round two, for every last byte.
                let mut table = Scratch::<$vector, { 256 / WIDTH }>::new();
                let table = table.fill(|| {
                    let state = $encrypt($xor($shuffle(counters, reverse), whitening), first_round);
                    counters = $add(counters, step);
                    $encrypt($shuffle(state, first_column), sub_zero)
                });
                let held = group_keys(keys);
                let mut next = first;
                let mut rest = blocks;
                while !rest.is_empty() {
                    let position = usize::from(next as u8);
                    let count = rest.len().min(256 - position);
                    let (blocks, others) = rest.split_at(count);
                    let of_the_rest = $broadcast(of_other_columns(keys, next));
                    let entries = table[position / WIDTH..].as_chunks::<$in_flight>().0;
                    for (group, entries) in as_chunks::<Block, GROUP>(blocks).0.into_iter().zip(entries) {
                        let mut state = *entries;
                        for block in &mut state {
                            *block = $xor(*block, of_the_rest);
                        }
                        let keys = again(held);
                        let state = rounds!(state, keys, [3 4 5 6 7 8 9], round::<true, $in_flight>);
                        let last = round_key(keys, KEYS - 1);
                        add_stream(state, last, group);
                    }
                    next = next.wrapping_add(count as u128);
                    rest = others;
                }
            }

            /// What the columns but the first add to the state after round two, and the round key.
            helper fn of_other_columns<const KEYS: usize>(keys: &[Block; KEYS], counter: u128) -> __m128i {
                let counter = _mm_shuffle_epi8(little_endian(counter), load_128(&REVERSE_BYTES));
                let state = _mm_aesenc_si128(_mm_xor_si128(counter, load_128(&keys[0])), load_128(&keys[1]));
                _mm_aesenc_si128(_mm_shuffle_epi8(state, load_128(&OTHER_COLUMNS)), load_128(&keys[2]))
            }

            /// A counter in registers only: stored in halves and loaded as a whole it would wait for the stores.
            helper fn little_endian(counter: u128) -> __m128i {
                _mm_set_epi64x((counter >> 64) as i64, counter as i64)
            }

            /// Does the last round of a group's counters, and adds what they give to the group.
            helper fn add_stream(state: [$vector; $in_flight], last: $vector, group: InOut<'_, '_, [Block; GROUP]>) {
                let mut group = group;
                for i in 0..$in_flight {
                    let input = $load(&group.get_in().as_chunks::<WIDTH>().0[i]);
                    let output = $encrypt_last(state[i], $xor(last, input));
                    $store(&mut group.get_out().as_chunks_mut::<WIDTH>().0[i], output);
                }
            }

            /// One round of `N` vectors.
            helper fn round<const ENCRYPT: bool, const N: usize>(state: [$vector; N], key: $vector) -> [$vector; N] {
                let mut state = state;
                for block in &mut state {
                    *block = $place(if ENCRYPT { $encrypt(*block, key) } else { $decrypt(*block, key) });
                }
                state
            }

            /// `N` vectors with the first round key added.
            helper fn whitened<const N: usize>(state: [$vector; N], key: $vector) -> [$vector; N] {
                let mut state = state;
                for block in &mut state {
                    *block = $xor(*block, key);
                }
                state
            }

            /// The last round, and an addition; where round keys are held, to the key.
            helper fn last_round_and<const ENCRYPT: bool>(state: $vector, key: $vector, added: $vector) -> $vector {
                if $held {
                    last_round::<ENCRYPT>(state, $xor(key, added))
                } else {
                    $xor(last_round::<ENCRYPT>(state, key), added)
                }
            }

            /// The last round.
            helper fn last_round<const ENCRYPT: bool>(state: $vector, key: $vector) -> $vector {
                if ENCRYPT { $encrypt_last(state, key) } else { $decrypt_last(state, key) }
            }

            /// The keys for a number of groups.
            helper fn group_keys<const KEYS: usize>(keys: &[Block; KEYS]) -> RoundKeys<'_, KEYS> {
                if !$held {
                    return RoundKeys::Loaded(keys);
                }
                let mut held = [$broadcast(_mm_setzero_si128()); KEYS];
                for i in 0..KEYS {
                    held[i] = $broadcast(load_128(&keys[i]));
                }
                RoundKeys::Held(held)
            }

            /// The same keys, which are to be loaded anew if they are not held.
            helper fn again<const KEYS: usize>(keys: RoundKeys<'_, KEYS>) -> RoundKeys<'_, KEYS> {
                match keys {
                    RoundKeys::Held(_) => keys,
                    RoundKeys::Loaded(keys) => RoundKeys::Loaded(opaque_ref(keys)),
                }
            }

            /// The key of a round, in all lanes.
            helper fn round_key<const KEYS: usize>(keys: RoundKeys<'_, KEYS>, round: usize) -> $vector {
                match keys {
                    RoundKeys::Held(keys) => keys[round],
                    RoundKeys::Loaded(keys) => $broadcast(load_128(&keys[round])),
                }
            }

            /// One block through all rounds.
            helper fn one_block<const KEYS: usize, const ENCRYPT: bool>(
                keys: &[Block; KEYS], block: __m128i
            ) -> __m128i {
                let keys = opaque_ref(keys);
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

        /// How far the counter of each lane is from the first: the low halves of lanes.
        const LANES: [[u64; 2]; WIDTH] = {
            let mut lanes = [[0; 2]; WIDTH];
            let mut lane = 0;
            while lane < WIDTH {
                lanes[lane][0] = lane as u64;
                lane += 1;
            }
            lanes
        };
    };
}

/// A number of blocks of counter mode that are treated alike. None carries beyond the lowest 40 bits of the counter:
/// additions of 64 bits suffice, and the bytes 0, 5 and 10 stay the same.
pub(super) enum Stretch {
    /// All rounds for every block.
    Plain(usize),
    /// Whole groups from a multiple of the group's size on: enough of them for the table to pay.
    Repetitive(usize),
}

impl Stretch {
    /// The first stretch of so many blocks from the counter `next` on, if the table pays from `LONG` blocks on.
    #[inline(always)]
    pub fn of<const GROUP: usize, const LONG: usize>(next: u128, blocks: usize) -> Stretch {
        const CARRY: u64 = 1 << 40;
        let before_carry = CARRY - next as u64 % CARRY;
        let blocks = blocks.min(usize::try_from(before_carry).unwrap_or(usize::MAX));
        let before_group = (next.wrapping_neg() % GROUP as u128) as usize;
        if blocks.saturating_sub(before_group) < LONG {
            Stretch::Plain(blocks)
        } else if before_group > 0 {
            Stretch::Plain(before_group)
        } else {
            Stretch::Repetitive(blocks / GROUP * GROUP)
        }
    }
}

/// The shuffle that reverses the bytes of a block.
pub(super) const REVERSE_BYTES: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// The shuffle that keeps the first column, and zero elsewhere.
pub(super) const FIRST_COLUMN: [u8; 16] = [0, 1, 2, 3, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128];

/// The shuffle that keeps the columns that [`FIRST_COLUMN`] does not.
pub(super) const OTHER_COLUMNS: [u8; 16] = [128, 128, 128, 128, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// SubBytes of a zero byte. A column of it stays as it is in MixColumns.
pub(super) const SUB_ZERO: i8 = 0x63;
