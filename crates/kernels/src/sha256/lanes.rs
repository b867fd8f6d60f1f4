//! SHA-256 of as many messages as a vector has lanes, for every width of vector. Written once: an implementation names
//! its instruction sets and its vectors, and gets its kernel.

/// Makes the kernel `$name` from the vectors of `crate::simd::lanes::$vectors`.
macro_rules! sha256_lanes {
    (isa: [$($isa:literal),*], name: $name:literal, vectors: $vectors:ident) => {
        use super::K;
        use crate::lanes::{group, in_common};
        use crate::simd::lanes::$vectors::{
            LANES, Vector, add, after, behind, choose, load_blocks, load_states, majority, parity, rotate_left, shift_right, splat,
            store_states, swap_bytes,
        };
        use crate::simd::x86_64::prefetch;

        kernel! {
            isa: [$($isa),*], timing: Constant,

            name: $name, primitive: super::CompressLanes,
            fn compress_lanes(states: &mut [[u32; 8]], messages: &[&[[u8; 64]]]) {
                let blocks = in_common(messages);
                for (states, messages) in states.chunks_mut(LANES).zip(messages.chunks(LANES)) {
                    compress_group(states, messages, blocks);
                }
            }

            helper fn compress_group(states: &mut [[u32; 8]], messages: &[&[[u8; 64]]], blocks: usize) {
                let messages: [_; LANES] = group(messages, blocks);
                let mut chain = load_states(states);
                for block in 0..blocks {
                    for message in &messages {
                        prefetch(message.as_ptr().wrapping_add(block + 2));
                    }
                    let mut words = load_blocks(std::array::from_fn(|lane| &messages[lane][block])).map(|w| swap_bytes(w));
                    let mut working = chain;
                    let mut early = add(add(words[0], splat(K[0])), chain[7]);
                    for constants in K[1..].windows(16).step_by(16) {
                        // The words of sixteen rounds are used up, from the second to the first of the next sixteen.
                        sixteen!(T => {
                            next_word::<T>(&mut words);
                            early = round::<T>(&mut working, early, words[(T + 1) % 16], constants[T]);
                        });
                    }
                    sixteen!(T => {
                        let constant = if T < 15 { K[K.len() - 15 + T] } else { 0 };
                        early = round::<T>(&mut working, early, words[(T + 1) % 16], constant);
                    });
                    for (chain, working) in chain.iter_mut().zip(working) {
                        *chain = add(*chain, working);
                    }
                }
                store_states(states, chain);
            }

            /// Round `T`, counted modulo eight. `early` is what the round before has made of this one's sum: h, word and
            /// constant; the same of the next round comes back. Instead of moving the working variables, each round finds
            /// them one place further.
            helper fn round<const T: usize>(
                working: &mut [Vector; 8], early: Vector, next_word: Vector, next_constant: u32
            ) -> Vector {
                let [a, b, c, d, e, f, g, _] = std::array::from_fn(|i| working[(i + 16 - T) % 8]);
                // Rotations and other instructions in turn: the processor deals them out to its units in their order, and
                // only half of the units rotate.
                let x = rotate_left::<26>(e);
                let next = add(next_word, splat(next_constant));
                let e = behind(x, next, e);
                let y = rotate_left::<21>(e);
                let next = add(next, g);
                let e = behind(y, next, e);
                let z = rotate_left::<7>(e);
                let t1 = add(early, choose(e, f, after(next, g)));
                let a = behind(z, t1, a);
                let u = rotate_left::<30>(a);
                let t1 = add(t1, parity(x, y, z));
                let a = behind(u, t1, a);
                let v = rotate_left::<19>(a);
                let next_e = add(d, t1);
                let a = behind(v, next_e, a);
                let w = rotate_left::<10>(a);
                let sum = add(t1, majority(a, b, c));
                working[(16 - T) % 8] = a;
                working[(4 + 16 - T) % 8] = e;
                working[(3 + 16 - T) % 8] = next_e;
                working[(7 + 16 - T) % 8] = add(sum, parity(u, v, w));
                next
            }

            /// Word `T` of the next sixteen of the schedule, in the place of that of the sixteen before them.
            helper fn next_word<const T: usize>(words: &mut [Vector; 16]) {
                let (w1, w9, w14) = (words[(T + 1) % 16], words[(T + 9) % 16], words[(T + 14) % 16]);
                let sigma_0 = parity(rotate_left::<25>(w1), rotate_left::<14>(w1), shift_right::<3>(w1));
                let sigma_1 = parity(rotate_left::<15>(w14), rotate_left::<13>(w14), shift_right::<10>(w14));
                words[T] = add(add(words[T], w9), add(sigma_0, sigma_1));
            }
        }
    };
}
