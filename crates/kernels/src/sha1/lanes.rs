//! SHA-1 of as many messages as a vector has lanes, for every width of vector. Written once: an implementation names its
//! instruction sets and its vectors, and gets its kernel.

/// Makes the kernel `$name` from the vectors of `crate::simd::lanes::$vectors`.
macro_rules! sha1_lanes {
    (isa: [$($isa:literal),*], name: $name:literal, vectors: $vectors:ident) => {
        use super::K;
        use crate::lanes::{group, in_common};
        use crate::simd::lanes::$vectors::{
            LANES, Vector, add, choose, load_blocks, load_states, majority, parity, rotate_left, splat, store_states,
            swap_bytes, xor,
        };

        kernel! {
            isa: [$($isa),*], timing: Constant,

            name: $name, primitive: super::CompressLanes,
            fn compress_lanes(states: &mut [[u32; 5]], messages: &[&[[u8; 64]]]) {
                let blocks = in_common(messages);
                for (states, messages) in states.chunks_mut(LANES).zip(messages.chunks(LANES)) {
                    compress_group(states, messages, blocks);
                }
            }

            helper fn compress_group(states: &mut [[u32; 5]], messages: &[&[[u8; 64]]], blocks: usize) {
                let messages: [_; LANES] = group(messages, blocks);
                let mut chain = load_states(states);
                for block in 0..blocks {
                    let mut words = load_blocks(std::array::from_fn(|lane| &messages[lane][block])).map(|w| swap_bytes(w));
                    let mut working = chain;
                    sixteen!(T => round::<T>(&mut working, words[T]));
                    sixteen!(T => round::<{ 16 + T }>(&mut working, next_word::<T>(&mut words)));
                    sixteen!(T => round::<{ 32 + T }>(&mut working, next_word::<T>(&mut words)));
                    sixteen!(T => round::<{ 48 + T }>(&mut working, next_word::<T>(&mut words)));
                    sixteen!(T => round::<{ 64 + T }>(&mut working, next_word::<T>(&mut words)));
                    for (chain, working) in chain.iter_mut().zip(working) {
                        *chain = add(*chain, working);
                    }
                }
                store_states(states, chain);
            }

            /// Round `T`. Instead of moving the working variables, each round finds them one place further.
            helper fn round<const T: usize>(working: &mut [Vector; 5], word: Vector) {
                let [a, b, c, d, e] = std::array::from_fn(|i| working[(i + 80 - T) % 5]);
                let mixed = match T / 20 {
                    0 => choose(b, c, d),
                    2 => majority(b, c, d),
                    _ => parity(b, c, d),
                };
                let early = add(add(word, splat(K[T / 20])), e);
                working[(84 - T) % 5] = add(add(early, mixed), rotate_left::<5>(a));
                working[(81 - T) % 5] = rotate_left::<30>(b);
            }

            /// Word `T` of the next sixteen of the schedule, in the place of that of the sixteen before them.
            helper fn next_word<const T: usize>(words: &mut [Vector; 16]) -> Vector {
                let sum = parity(words[T], words[(T + 2) % 16], words[(T + 8) % 16]);
                words[T] = rotate_left::<1>(xor(sum, words[(T + 13) % 16]));
                words[T]
            }
        }
    };
}
