//! SHA-1 of as many messages as a vector has lanes, for every width of vector. Written once: an implementation names its
//! instruction sets and its vectors, and gets its kernel.

/// Makes the kernel `$name` from the vectors of `crate::simd::lanes::$vectors`.
macro_rules! sha1_lanes {
    (isa: [$($isa:literal),*], name: $name:literal, vectors: $vectors:ident) => {
        use super::K;
        use crate::lanes::{group, in_common};
        use crate::simd::lanes::$vectors::{
            LANES, Vector, add, after, choose, load_blocks, load_states, majority, parity, rotate_left, splat, store_states,
            swap_bytes, xor,
        };
        use crate::simd::x86_64::prefetch;

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
                    for message in &messages {
                        prefetch(message.as_ptr().wrapping_add(block + 2));
                    }
                    let mut words = load_blocks(std::array::from_fn(|lane| &messages[lane][block])).map(|w| swap_bytes(w));
                    let mut working = chain;
                    let mut early = add(add(words[0], splat(K[0])), chain[4]);
                    sixteen!(T => early = round::<T>(&mut working, early, ahead::<T>(&mut words)));
                    sixteen!(T => early = round::<{ 16 + T }>(&mut working, early, ahead::<{ 16 + T }>(&mut words)));
                    sixteen!(T => early = round::<{ 32 + T }>(&mut working, early, ahead::<{ 32 + T }>(&mut words)));
                    sixteen!(T => early = round::<{ 48 + T }>(&mut working, early, ahead::<{ 48 + T }>(&mut words)));
                    sixteen!(T => early = round::<{ 64 + T }>(&mut working, early, ahead::<{ 64 + T }>(&mut words)));
                    for (chain, working) in chain.iter_mut().zip(working) {
                        *chain = add(*chain, working);
                    }
                }
                store_states(states, chain);
            }

            /// Round `T`. `early` is what the round before has made of this one's sum: e, word and constant; the same of
            /// the next round comes back. Instead of moving the working variables, each round finds them one place further.
            helper fn round<const T: usize>(working: &mut [Vector; 5], early: Vector, next_word: Vector) -> Vector {
                let [a, b, c, d, _] = std::array::from_fn(|i| working[(i + 80 - T) % 5]);
                let next = if T < 79 { add(add(next_word, splat(K[(T + 1) / 20])), d) } else { early };
                let d = after(next, d);
                let mixed = match T / 20 {
                    0 => choose(b, c, d),
                    2 => majority(b, c, d),
                    _ => parity(b, c, d),
                };
                working[(84 - T) % 5] = add(add(early, mixed), rotate_left::<5>(a));
                working[(81 - T) % 5] = rotate_left::<30>(b);
                next
            }

            /// The word of the round after round `T`, from a window of the last sixteen.
            helper fn ahead<const T: usize>(words: &mut [Vector; 16]) -> Vector {
                let next = (T + 1) % 16;
                if T >= 15 && T < 79 {
                    let sum = parity(words[next], words[(next + 2) % 16], words[(next + 8) % 16]);
                    words[next] = rotate_left::<1>(xor(sum, words[(next + 13) % 16]));
                }
                words[next]
            }
        }
    };
}
