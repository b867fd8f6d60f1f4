//! MD5 of as many messages as a vector has lanes, for every width of vector. Written once: an implementation names its
//! instruction sets and its vectors, and gets its kernel.

/// Makes the kernel `$name` from the vectors of `crate::simd::lanes::$vectors`.
///
/// Two groups of messages go through the steps together: a step's chain of function, sum, rotation and sum takes longer
/// than the vector units need for its instructions.
macro_rules! md5_lanes {
    (isa: [$($isa:literal),*], name: $name:literal, vectors: $vectors:ident) => {
        use super::{ROTATIONS, T};
        use crate::lanes::{group, in_common};
        use crate::simd::lanes::$vectors::{
            LANES, Vector, add, choose, load_blocks, load_states, parity, rotate_left, splat, store_states, xor_or_not,
        };

        kernel! {
            isa: [$($isa),*], timing: Constant,

            name: $name, primitive: super::CompressLanes,
            fn compress_lanes(states: &mut [[u32; 4]], messages: &[&[[u8; 64]]]) {
                let blocks = in_common(messages);
                for (states, messages) in states.chunks_mut(2 * LANES).zip(messages.chunks(2 * LANES)) {
                    if messages.len() > LANES {
                        compress_groups::<2>(states, messages, blocks);
                    } else {
                        compress_groups::<1>(states, messages, blocks);
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
                for block in 0..blocks {
                    let mut words = [[splat(0); 16]; GROUPS];
                    for (words, messages) in words.iter_mut().zip(&messages) {
                        *words = load_blocks(std::array::from_fn(|lane| &messages[lane][block]));
                    }
                    let mut working = chains;
                    sixteen!(I => step::<0, I, I, GROUPS>(&mut working, &words));
                    sixteen!(I => step::<1, I, { (5 * I + 1) % 16 }, GROUPS>(&mut working, &words));
                    sixteen!(I => step::<2, I, { (3 * I + 5) % 16 }, GROUPS>(&mut working, &words));
                    sixteen!(I => step::<3, I, { 7 * I % 16 }, GROUPS>(&mut working, &words));
                    for (chain, working) in chains.as_flattened_mut().iter_mut().zip(working.as_flattened()) {
                        *chain = add(*chain, *working);
                    }
                }
                for (chain, states) in chains.into_iter().zip(states.chunks_mut(LANES)) {
                    store_states(states, chain);
                }
            }

            /// Step `I` of one of the four rounds (RFC 1321, section 3.4), which takes the word `WORD`. Instead of moving
            /// the working variables, each step finds them one place further.
            helper fn step<const ROUND: usize, const I: usize, const WORD: usize, const GROUPS: usize>(
                working: &mut [[Vector; 4]; GROUPS], words: &[[Vector; 16]; GROUPS]
            ) {
                for (working, words) in working.iter_mut().zip(words) {
                    let [a, b, c, d] = std::array::from_fn(|i| working[(i + 16 - I) % 4]);
                    let early = add(add(words[WORD], splat(T[16 * ROUND + I])), a);
                    let sum = match ROUND {
                        0 => add(early, choose(b, c, d)),
                        1 => add(early, choose(d, b, c)),
                        2 => add(early, parity(b, c, d)),
                        _ => add(early, xor_or_not(b, c, d)),
                    };
                    working[(16 - I) % 4] = add(b, match ROTATIONS[ROUND][I % 4] {
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
    };
}
