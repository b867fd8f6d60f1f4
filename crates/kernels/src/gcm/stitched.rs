//! Counter mode and GHASH stitched together, for every width of the instructions. Written once: an implementation gives
//! its vector's operations, and gets its kernels.
//!
//! - Rounds and carry-less products wait for each other only inside of their own chains, and fill each other's latency:
//!   while a group of vectors goes through the rounds, the group before is hashed. (S. Gueron and V. Krasnov, "The
//!   fragility of AES-GCM authentication algorithm", 2013; "Breakthrough AES Performance with Intel AES New
//!   Instructions", 2010, on the interleaving.)
//! - A group's products are summed up before one reduction. Lane l of every vector is hashed for itself, with the same
//!   power of H in all lanes, so that lanes stay apart until the end; only the last group uses a power for each block.
//! - A product's 256 bits are four products of 64; the two in the middle overlap the others. The reduction folds the
//!   lowest 64 bits onto the middle, and then those of the middle onto the top: a product by x^63 + x^62 + x^57 and a
//!   swap of halves each. It runs in all lanes at once. (S. Gueron, "Fast multiplication and reduction for GHASH", in the
//!   documents of OpenSSL's RT 2900, 2012, gives the constant; here it is the x^128 = x^7 + x^2 + x + 1 of SP 800-38D,
//!   reflected.)
//! - What is left after the last group goes vector by vector, with one reduction for all and the block of lengths. The
//!   encryption of the first counter block runs beside.

/// Declares the six kernels of one implementation, and whatever other items of `kernel!` follow: the helpers `xor3`
/// (the sum of three vectors), `fold` (the sum of a vector's lanes) and `widen` (a block in the first lane).
macro_rules! stitched_kernels {
    (
        isa: $isa:tt,
        names: [$expand_key:literal, $ghash:literal, $encrypt:literal, $decrypt:literal, $seal:literal, $open:literal $(,)?],
        vector: $vector:ident of $blocks:literal, in_flight: $in_flight:literal, summed: $summed:literal, integer_from: $integer_from:literal,
        load: $load:ident, store: $store:ident, load_some: $load_some:ident, store_some: $store_some:ident, keep: $keep:ident,
        broadcast: $broadcast:ident, xor: $xor:ident, add: $add:ident, shuffle: $shuffle:ident, swap: $swap:ident,
        product: $product:ident, rounds: [$round:ident, $last_round:ident];
        $($more:tt)*
    ) => {
        use std::arch::x86_64::*;

        use inout::{InOut, InOutBuf};

        use super::hash_key::POWERS;
        use super::start::Start;
        use super::stitched::{LANE_NUMBERS, REVERSE_BYTES};
        use super::{HashKey, Message};
        use crate::aes::{Block, EncryptKeys, Schedule};
        use crate::simd::x86_64::*;
        use crate::simd::{as_bytes, as_chunks};

        /// Blocks of a vector.
        const WIDTH: usize = $blocks;
        /// Bytes of a vector.
        const BYTES: usize = 16 * WIDTH;
        /// Blocks of a group: the vectors that go through the rounds together.
        const GROUP: usize = WIDTH * $in_flight;
        /// Vectors whose products are summed up before they are reduced: all of a group, or half of it.
        const SUMMED: usize = $summed;
        /// From so many groups on the integer units make the counter blocks; 0 stands for never.
        const INTEGER_FROM: usize = $integer_from;
        const HALVES: usize = $in_flight / SUMMED;
        const _: () = assert!(SUMMED * WIDTH <= POWERS && SUMMED % 2 == 0 && (HALVES == 1 || HALVES == 2));

        kernel! {
            isa: $isa, timing: Constant,

            name: $expand_key, primitive: super::ExpandKey,
            fn expand_key(hash_key: &Block, table: &mut HashKey) {
                let first = HashKey::divided(hash_key);
                let first = _mm_set_epi64x((first >> 64) as i64, first as i64);
                // The powers up to a vector's width, highest first; then vector by vector.
                let mut lowest = [[0u8; 16]; WIDTH];
                let mut power = first;
                for i in (0..WIDTH).rev() {
                    store_128(&mut lowest[i], power);
                    if i > 0 {
                        power = multiply_128(power, first);
                    }
                }
                let step = $broadcast(power);
                let mut powers = $load(&lowest);
                for to in table.powers_mut().as_chunks_mut::<WIDTH>().0.iter_mut().rev() {
                    $store(to, powers);
                    powers = multiply(powers, step);
                }
            }

            name: $ghash, primitive: super::Ghash,
            fn ghash(key: &HashKey, hash: &mut Block, blocks: &[Block]) {
                let mut state = reversed_128(load_128(hash));
                for part in blocks.chunks(POWERS) {
                    let mut sums = [zero(); 3];
                    let mut before = widen(state);
                    let (vectors, rest) = part.as_chunks::<WIDTH>();
                    let mut exponent = part.len();
                    for vector in vectors {
                        let blocks = $xor(reversed($load(vector)), before);
                        sums = add_products(sums, blocks, $load(key.powers_from::<WIDTH>(exponent)));
                        before = zero();
                        exponent -= WIDTH;
                    }
                    if !rest.is_empty() {
                        let blocks = $xor(reversed($load_some(rest.as_flattened())), before);
                        sums = add_products(sums, blocks, $load(key.powers_from::<WIDTH>(exponent)));
                    }
                    state = folded(sums);
                }
                store_128(hash, reversed_128(state));
            }

            name: $encrypt, primitive: super::Encrypt,
            fn encrypt(keys: &EncryptKeys, hash_key: &HashKey, message: &mut Message, blocks: InOutBuf<'_, '_, Block>) {
                match keys.schedule() {
                    Schedule::Aes128(keys) => crypt::<11, false, false>(keys, hash_key, message, as_bytes(blocks)),
                    Schedule::Aes192(keys) => crypt::<13, false, false>(keys, hash_key, message, as_bytes(blocks)),
                    Schedule::Aes256(keys) => crypt::<15, false, false>(keys, hash_key, message, as_bytes(blocks)),
                }
            }

            name: $decrypt, primitive: super::Decrypt,
            fn decrypt(keys: &EncryptKeys, hash_key: &HashKey, message: &mut Message, blocks: InOutBuf<'_, '_, Block>) {
                match keys.schedule() {
                    Schedule::Aes128(keys) => crypt::<11, true, false>(keys, hash_key, message, as_bytes(blocks)),
                    Schedule::Aes192(keys) => crypt::<13, true, false>(keys, hash_key, message, as_bytes(blocks)),
                    Schedule::Aes256(keys) => crypt::<15, true, false>(keys, hash_key, message, as_bytes(blocks)),
                }
            }

            name: $seal, primitive: super::Seal,
            fn seal(keys: &EncryptKeys, hash_key: &HashKey, message: &mut Message, data: InOutBuf<'_, '_, u8>) {
                match keys.schedule() {
                    Schedule::Aes128(keys) => crypt::<11, false, true>(keys, hash_key, message, data),
                    Schedule::Aes192(keys) => crypt::<13, false, true>(keys, hash_key, message, data),
                    Schedule::Aes256(keys) => crypt::<15, false, true>(keys, hash_key, message, data),
                }
            }

            name: $open, primitive: super::Open,
            fn open(keys: &EncryptKeys, hash_key: &HashKey, message: &mut Message, data: InOutBuf<'_, '_, u8>) {
                match keys.schedule() {
                    Schedule::Aes128(keys) => crypt::<11, true, true>(keys, hash_key, message, data),
                    Schedule::Aes192(keys) => crypt::<13, true, true>(keys, hash_key, message, data),
                    Schedule::Aes256(keys) => crypt::<15, true, true>(keys, hash_key, message, data),
                }
            }

            helper fn crypt<const KEYS: usize, const DECRYPT: bool, const END: bool>(
                keys: &[Block; KEYS], hash_key: &HashKey, message: &mut Message, data: InOutBuf<'_, '_, u8>
            ) {
                let count = data.len().div_ceil(16);
                let mut counters = first_counters(&message.counter);
                let mut hash = reversed_128(load_128(&message.hash));
                let (groups, rest) = as_chunks::<u8, { 16 * GROUP }>(data);
                if !groups.is_empty() {
                    let blocks = groups.len() * GROUP;
                    hash = if INTEGER_FROM > 0 && groups.len() >= INTEGER_FROM {
                        whole_groups::<KEYS, DECRYPT, true>(keys, hash_key, &message.counter, hash, groups)
                    } else {
                        whole_groups::<KEYS, DECRYPT, false>(keys, hash_key, &message.counter, hash, groups)
                    };
                    counters = $add(counters, $broadcast(_mm_set_epi32(0, 0, 0, blocks as i32)));
                }

                let last = u32::from_be_bytes([12, 13, 14, 15].map(|i| message.counter[i])).wrapping_add(count as u32);
                message.counter[12..].copy_from_slice(&last.to_be_bytes());
                let mask = if END { one_block(keys, load_128(&message.first)) } else { _mm_setzero_si128() };
                let lengths = reversed_128(load_128(&message.lengths));
                let mut rest = rest;
                loop {
                    let length = rest.len().min(16 * POWERS);
                    let (part, others) = rest.split_at(length);
                    let is_last = others.is_empty();
                    // The block of lengths comes last. If the powers do not reach that far, it is treated apart.
                    let blocks = part.len().div_ceil(16);
                    let with_lengths = END && is_last && blocks < POWERS;
                    let mut exponent = blocks + usize::from(with_lengths);
                    let mut sums = [zero(); 3];
                    let mut before = widen(hash);
                    let (vectors, mut some) = as_chunks::<u8, BYTES>(part);
                    for mut vector in vectors {
                        let input = $load(vector.get_in());
                        let output = $xor(input, one_vector(keys, counters));
                        $store(vector.get_out(), output);
                        let ciphertext = if DECRYPT { input } else { output };
                        let powers = $load(hash_key.powers_from::<WIDTH>(exponent));
                        sums = add_products(sums, $xor(reversed(ciphertext), before), powers);
                        before = zero();
                        exponent -= WIDTH;
                        counters = $add(counters, $broadcast(_mm_set_epi32(0, 0, 0, WIDTH as i32)));
                    }
                    if !some.is_empty() {
                        let input = $load_some(some.get_in());
                        let output = $xor(input, one_vector(keys, counters));
                        let ciphertext = if DECRYPT { input } else { $keep(output, some.len()) };
                        $store_some(some.get_out(), output);
                        let powers = $load(hash_key.powers_from::<WIDTH>(exponent));
                        sums = add_products(sums, $xor(reversed(ciphertext), before), powers);
                        before = zero();
                    }
                    if with_lengths {
                        sums = add_products(sums, $xor(widen(lengths), before), $load(hash_key.powers_from::<WIDTH>(1)));
                    }
                    if blocks > 0 || with_lengths {
                        hash = folded(sums);
                    }
                    if END && is_last && !with_lengths {
                        hash = multiply_128(_mm_xor_si128(hash, lengths), load_128(hash_key.power(1)));
                    }
                    if is_last {
                        break;
                    }
                    rest = others;
                }
                // There is no mask unless it is the end.
                store_128(&mut message.hash, _mm_xor_si128(reversed_128(hash), mask));
            }

            outlined fn whole_groups<const KEYS: usize, const DECRYPT: bool, const INTEGER: bool>(
                keys: &[Block; KEYS], hash_key: &HashKey, counter: &Block, hash: __m128i,
                groups: InOutBuf<'_, '_, [u8; 16 * GROUP]>
            ) -> __m128i {
                // For lanes that stay apart, the power of a vector is that of its first block in all of them.
                let mut powers = [zero(); SUMMED];
                for i in 0..SUMMED {
                    powers[i] = $broadcast(load_128(hash_key.power((SUMMED - i) * WIDTH)));
                }
                if groups.is_empty() {
                    return hash;
                }
                let (mut first, groups) = groups.split_at(1);
                let mut group = first.get(0);
                let (mut state, mut counters) = key_added(keys, first_counters(counter));
                for i in 1..KEYS - 1 {
                    state = round(&keys[i], state);
                }
                let mut waiting = applied::<KEYS, DECRYPT>(keys, state, group.reborrow());
                // Made while the first group is in the rounds.
                let mut start = INTEGER.then(|| Start::after_one_group(counter, &keys[0], groups.len()));
                waiting[0] = $xor(waiting[0], widen(hash));
                for mut group in groups {
                    let keys = opaque_ref(keys);
                    match &mut start {
                        Some(start) => state = started(start),
                        None => (state, counters) = key_added(keys, counters),
                    }
                    state = round(&keys[1], state);
                    state = round(&keys[2], state);
                    let mut sums = two_products([waiting[0], waiting[1]], [powers[0], powers[1]]);
                    state = round(&keys[3], state);
                    sums = more_products::<0>(sums, waiting, powers);
                    state = round(&keys[4], state);
                    let mut middle = reduced_once(sums);
                    state = round(&keys[5], state);
                    let mut top = reduced_once([middle, sums[2], zero()]);
                    if HALVES == 2 {
                        waiting[SUMMED % $in_flight] = $xor(waiting[SUMMED % $in_flight], top);
                        sums = products::<{ SUMMED % $in_flight }>(waiting, powers);
                    }
                    state = round(&keys[6], state);
                    state = round(&keys[7], state);
                    if HALVES == 2 {
                        middle = reduced_once(sums);
                    }
                    state = round(&keys[8], state);
                    if HALVES == 2 {
                        top = reduced_once([middle, sums[2], zero()]);
                    }
                    for i in 9..KEYS - 1 {
                        state = round(&keys[i], state);
                    }
                    waiting = applied::<KEYS, DECRYPT>(keys, state, group.reborrow());
                    waiting[0] = $xor(waiting[0], top);
                }
                if HALVES == 2 {
                    let sums = products::<0>(waiting, powers);
                    let top = reduced_once([reduced_once(sums), sums[2], zero()]);
                    waiting[SUMMED % $in_flight] = $xor(waiting[SUMMED % $in_flight], top);
                }
                let mut sums = [zero(); 3];
                for i in 0..SUMMED {
                    let blocks = waiting[$in_flight - SUMMED + i];
                    sums = add_products(sums, blocks, $load(hash_key.powers_from::<WIDTH>((SUMMED - i) * WIDTH)));
                }
                folded(sums)
            }

            /// The sum of the products of half a group, or all of it, with a power each.
            helper fn products<const FROM: usize>(numbers: [$vector; $in_flight], powers: [$vector; SUMMED]) -> [$vector; 3] {
                let sums = two_products([numbers[FROM], numbers[FROM + 1]], [powers[0], powers[1]]);
                more_products::<FROM>(sums, numbers, powers)
            }

            /// What the first two products are, with the others added.
            helper fn more_products<const FROM: usize>(
                sums: [$vector; 3], numbers: [$vector; $in_flight], powers: [$vector; SUMMED]
            ) -> [$vector; 3] {
                let mut sums = sums;
                for i in (2..SUMMED).step_by(2) {
                    let more = two_products([numbers[FROM + i], numbers[FROM + i + 1]], [powers[i], powers[i + 1]]);
                    sums = [$xor(sums[0], more[0]), $xor(sums[1], more[1]), $xor(sums[2], more[2])];
                }
                sums
            }

            /// The states of a group of counters after their first key addition, and the counters after it.
            helper fn key_added<const KEYS: usize>(keys: &[Block; KEYS], counters: $vector) -> ([$vector; $in_flight], $vector) {
                let mut counters = counters;
                let key = $broadcast(load_128(&keys[0]));
                let mut state = [zero(); $in_flight];
                for i in 0..$in_flight {
                    state[i] = $xor(reversed(counters), key);
                    counters = $add(counters, $broadcast(_mm_set_epi32(0, 0, 0, WIDTH as i32)));
                }
                (state, counters)
            }

            /// The same from what the integer units made.
            helper fn started(start: &mut Start<GROUP>) -> [$vector; $in_flight] {
                let mut state = [zero(); $in_flight];
                for (state, from) in state.iter_mut().zip(start.group().as_flattened().as_chunks::<BYTES>().0) {
                    *state = $load(from);
                }
                start.go_on();
                state
            }

            helper fn round(key: &Block, state: [$vector; $in_flight]) -> [$vector; $in_flight] {
                let key = $broadcast(load_128(key));
                let mut state = state;
                for i in 0..$in_flight {
                    state[i] = $round(state[i], key);
                }
                state
            }

            /// Writes the output, and gives the ciphertext as numbers. The input is added to the last key, and so with it.
            helper fn applied<const KEYS: usize, const DECRYPT: bool>(
                keys: &[Block; KEYS], state: [$vector; $in_flight], group: InOut<'_, '_, [u8; 16 * GROUP]>
            ) -> [$vector; $in_flight] {
                let mut group = group;
                let key = $broadcast(load_128(&keys[KEYS - 1]));
                let input = group.get_in().as_chunks::<BYTES>().0;
                let mut output = [zero(); $in_flight];
                let mut numbers = output;
                for i in 0..$in_flight {
                    let input = $load(&input[i]);
                    output[i] = $last_round(state[i], $xor(key, input));
                    numbers[i] = reversed(if DECRYPT { input } else { output[i] });
                }
                for (to, from) in group.get_out().as_chunks_mut::<BYTES>().0.iter_mut().zip(output) {
                    $store(to, from);
                }
                numbers
            }

            /// The key stream of one vector of counters.
            helper fn one_vector<const KEYS: usize>(keys: &[Block; KEYS], counters: $vector) -> $vector {
                let mut state = $xor(reversed(counters), $broadcast(load_128(&keys[0])));
                for i in 1..KEYS - 1 {
                    state = $round(state, $broadcast(load_128(&keys[i])));
                }
                $last_round(state, $broadcast(load_128(&keys[KEYS - 1])))
            }

            helper fn one_block<const KEYS: usize>(keys: &[Block; KEYS], block: __m128i) -> __m128i {
                let mut state = _mm_xor_si128(block, load_128(&keys[0]));
                for i in 1..KEYS - 1 {
                    state = _mm_aesenc_si128(state, load_128(&keys[i]));
                }
                _mm_aesenclast_si128(state, load_128(&keys[KEYS - 1]))
            }

            /// Counters as numbers, which count in their lowest 32 bits.
            helper fn first_counters(counter: &Block) -> $vector {
                let first = $broadcast(reversed_128(load_128(counter)));
                $add(first, $load(LANE_NUMBERS.first_chunk::<{ 4 * WIDTH }>().expect("there are four lanes")))
            }

            /// The low, middle and high parts of the sum of two products.
            helper fn two_products(a: [$vector; 2], b: [$vector; 2]) -> [$vector; 3] {
                let low = $xor($product::<0x00>(a[0], b[0]), $product::<0x00>(a[1], b[1]));
                let high = $xor($product::<0x11>(a[0], b[0]), $product::<0x11>(a[1], b[1]));
                let middle = xor3($product::<0x01>(a[0], b[0]), $product::<0x10>(a[0], b[0]), $product::<0x01>(a[1], b[1]));
                [low, $xor(middle, $product::<0x10>(a[1], b[1])), high]
            }

            helper fn add_products(sums: [$vector; 3], a: $vector, b: $vector) -> [$vector; 3] {
                let [low, middle, high] = sums;
                [
                    $xor(low, $product::<0x00>(a, b)),
                    xor3(middle, $product::<0x01>(a, b), $product::<0x10>(a, b)),
                    $xor(high, $product::<0x11>(a, b)),
                ]
            }

            /// Folds the lowest 64 bits of the first part onto the second, which stands 64 bits above it.
            helper fn reduced_once(parts: [$vector; 3]) -> $vector {
                let fold = $broadcast(_mm_set1_epi64x(0xc2 << 56));
                xor3(parts[1], $swap::<0x4e>(parts[0]), $product::<0x00>(parts[0], fold))
            }

            helper fn multiply(a: $vector, b: $vector) -> $vector {
                let sums = add_products([zero(); 3], a, b);
                reduced_once([reduced_once(sums), sums[2], zero()])
            }

            /// The sum of what the lanes are, reduced.
            helper fn folded(sums: [$vector; 3]) -> __m128i {
                let [low, middle, high] = [fold(sums[0]), fold(sums[1]), fold(sums[2])];
                reduced_128(low, middle, high)
            }

            helper fn reduced_128(low: __m128i, middle: __m128i, high: __m128i) -> __m128i {
                let fold = _mm_set1_epi64x(0xc2 << 56);
                let folded = |from, to| {
                    let swapped = _mm_shuffle_epi32::<0x4e>(from);
                    _mm_xor_si128(_mm_xor_si128(to, swapped), _mm_clmulepi64_si128::<0x00>(from, fold))
                };
                folded(folded(low, middle), high)
            }

            helper fn multiply_128(a: __m128i, b: __m128i) -> __m128i {
                let middle = _mm_xor_si128(_mm_clmulepi64_si128::<0x01>(a, b), _mm_clmulepi64_si128::<0x10>(a, b));
                reduced_128(_mm_clmulepi64_si128::<0x00>(a, b), middle, _mm_clmulepi64_si128::<0x11>(a, b))
            }

            /// Blocks from numbers, or the other way.
            helper fn reversed(blocks: $vector) -> $vector {
                $shuffle(blocks, $broadcast(load_128(&REVERSE_BYTES)))
            }

            helper fn reversed_128(block: __m128i) -> __m128i {
                _mm_shuffle_epi8(block, load_128(&REVERSE_BYTES))
            }

            helper fn zero() -> $vector {
                $broadcast(_mm_setzero_si128())
            }

            $($more)*
        }
    };
}

/// The shuffle that reverses the bytes of a block.
pub(super) const REVERSE_BYTES: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// The number of each lane.
pub(super) const LANE_NUMBERS: [u32; 16] = [0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0];
