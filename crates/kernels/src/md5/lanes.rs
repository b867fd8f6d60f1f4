//! MD5 of as many messages as a vector has lanes, for every width of vector. Written once: an implementation names its
//! instruction sets and its vectors, and gets its kernel.

/// Makes the kernel `$name` from the vectors of `crate::simd::lanes::$vectors`.
///
/// Up to four groups of messages go through the steps together: a step's chain of function, sum, rotation and sum takes
/// longer than the vector units need for its instructions.
macro_rules! md5_lanes {
    (isa: [$($isa:literal),*], name: $name:literal, vectors: $vectors:ident, groups: $groups:literal) => {
        use super::{ROTATIONS, T};
        use crate::lanes::{group, in_common};
        use crate::simd::lanes::$vectors::{
            LANES, Vector, Words, add, after, choose, load_blocks, load_states, parity, rotate_left, splat, store_states,
            xor_or_not,
        };
        use crate::simd::x86_64::{opaque_ref, prefetch};

        kernel! {
            isa: [$($isa),*], timing: Constant,

            name: $name, primitive: super::CompressLanes,
            fn compress_lanes(states: &mut [[u32; 4]], messages: &[&[[u8; 64]]]) {
                let blocks = in_common(messages);
                let most = $groups * LANES;
                for (states, messages) in states.chunks_mut(most).zip(messages.chunks(most)) {
                    match messages.len().div_ceil(LANES).min($groups) {
                        1 => compress_groups::<1>(states, messages, blocks),
                        2 => compress_groups::<2>(states, messages, blocks),
                        3 => compress_groups::<{ fewer(3, $groups) }>(states, messages, blocks),
                        _ => compress_groups::<$groups>(states, messages, blocks),
                    }
                }
            }

            outlined fn compress_groups<const GROUPS: usize>(
                states: &mut [[u32; 4]], messages: &[&[[u8; 64]]], blocks: usize
            ) {
                let mut in_groups = messages.chunks(LANES);
                let messages: [[_; LANES]; GROUPS] =
                    std::array::from_fn(|_| group(in_groups.next().unwrap_or(messages), blocks));
                let mut chains = [[splat(0); 4]; GROUPS];
                for (chain, states) in chains.iter_mut().zip(states.chunks(LANES)) {
                    *chain = load_states(states);
                }
                let mut words = [Words::ZERO; GROUPS];
                for block in 0..blocks {
                    for (words, messages) in words.iter_mut().zip(&messages) {
                        words.store(load_blocks(std::array::from_fn(|lane| &messages[lane][block])));
                    }
                    let next = block + AHEAD;
                    // Loaded anew for every step: a load is not worth keeping a register for, or a copy in memory.
                    let mut working = chains;
                    let mut early = [splat(0); GROUPS];
                    for (early, (words, chain)) in early.iter_mut().zip(words.iter().zip(&chains)) {
                        *early = add(add(words.load(0), splat(T[0])), chain[0]);
                    }
                    sixteen!(I => {
                        step::<{ I }, GROUPS>(&mut working, &mut early, opaque_ref(&words));
                        fetch_row::<{ I }, GROUPS>(&messages, next);
                    });
                    sixteen!(I => {
                        step::<{ 16 + I }, GROUPS>(&mut working, &mut early, opaque_ref(&words));
                        fetch_row::<{ 16 + I }, GROUPS>(&messages, next);
                    });
                    sixteen!(I => {
                        step::<{ 32 + I }, GROUPS>(&mut working, &mut early, opaque_ref(&words));
                        fetch_row::<{ 32 + I }, GROUPS>(&messages, next);
                    });
                    sixteen!(I => {
                        step::<{ 48 + I }, GROUPS>(&mut working, &mut early, opaque_ref(&words));
                        fetch_row::<{ 48 + I }, GROUPS>(&messages, next);
                    });
                    for (chain, working) in chains.as_flattened_mut().iter_mut().zip(working.as_flattened()) {
                        *chain = add(*chain, *working);
                    }
                }
                for (chain, states) in chains.into_iter().zip(states.chunks_mut(LANES)) {
                    store_states(states, chain);
                }
            }

            /// Calls the block `next` of message `I`, if it has a lane, into the cache: so many messages at a time are more
            /// than the processor foresees.
            helper fn fetch_row<const I: usize, const GROUPS: usize>(
                messages: &[[&[[u8; 64]]; LANES]; GROUPS], next: usize
            ) {
                if I / LANES < GROUPS {
                    prefetch(messages[I / LANES][I % LANES].as_ptr().wrapping_add(next));
                }
            }

            /// Step `I` (RFC 1321, section 3.4). `early` is what the step before has made of this one's sum: a, word and
            /// constant. Instead of moving the working variables, each step finds them one place further.
            helper fn step<const I: usize, const GROUPS: usize>(
                working: &mut [[Vector; 4]; GROUPS], early: &mut [Vector; GROUPS], words: &[Words; GROUPS]
            ) {
                for (working, (early, words)) in working.iter_mut().zip(early.iter_mut().zip(words)) {
                    let [b, c, d] = std::array::from_fn(|i| working[(i + 65 - I) % 4]);
                    let next = match I {
                        63 => *early,
                        _ => add(add(words.load(word_of_step(I + 1)), splat(T[I + 1])), d),
                    };
                    let d = after(next, d);
                    let sum = add(*early, match I / 16 {
                        0 => choose(b, c, d),
                        1 => choose(d, b, c),
                        2 => parity(b, c, d),
                        _ => xor_or_not(b, c, d),
                    });
                    *early = next;
                    working[(64 - I) % 4] = add(b, match ROTATIONS[I / 16][I % 4] {
                        4 => rotate_left::<4>(sum), 5 => rotate_left::<5>(sum), 6 => rotate_left::<6>(sum),
                        7 => rotate_left::<7>(sum), 9 => rotate_left::<9>(sum), 10 => rotate_left::<10>(sum),
                        11 => rotate_left::<11>(sum), 12 => rotate_left::<12>(sum), 14 => rotate_left::<14>(sum),
                        15 => rotate_left::<15>(sum), 16 => rotate_left::<16>(sum), 17 => rotate_left::<17>(sum),
                        20 => rotate_left::<20>(sum), 21 => rotate_left::<21>(sum), 22 => rotate_left::<22>(sum),
                        _ => rotate_left::<23>(sum),
                    });
                }
            }
        }

        /// Blocks from one that is worked on to one that is fetched.
        const AHEAD: usize = 2;

        const fn fewer(x: usize, y: usize) -> usize {
            if x < y { x } else { y }
        }

        /// The word of the block that step `i` takes.
        const fn word_of_step(i: usize) -> usize {
            match i / 16 {
                0 => i % 16,
                1 => (5 * i + 1) % 16,
                2 => (3 * i + 5) % 16,
                _ => 7 * i % 16,
            }
        }
    };
}
