//! Plain integer arithmetic, as FIPS 180-4 writes it: the reference for every other kernel, and the kernel of last
//! resort.
//!
//! Bound by the chain from one round's `e` to the next: Σ1, Ch and three additions, about eight cycles a round or 512 a
//! block where the schedule's work fits beside it.

use super::K;

kernel! {
    isa: [], timing: Constant,

    name: "sha256.compress/portable", primitive: super::Compress,
    fn compress(state: &mut [u32; 8], blocks: &[[u8; 64]]) {
        for block in blocks {
            let mut w = [0u32; 16];
            for (word, bytes) in w.iter_mut().zip(block.as_chunks().0) {
                *word = u32::from_be_bytes(*bytes);
            }
            let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
            for t in 0..64 {
                // The schedule is kept as a window of the last sixteen words (section 6.2.2, with 6.1.3's trick).
                if t >= 16 {
                    w[t % 16] = small_sigma_1(w[(t - 2) % 16])
                        .wrapping_add(w[(t - 7) % 16])
                        .wrapping_add(small_sigma_0(w[(t - 15) % 16]))
                        .wrapping_add(w[t % 16]);
                }
                let sigma_1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
                let choose = (e & f) ^ (!e & g);
                let t1 = h.wrapping_add(sigma_1).wrapping_add(choose).wrapping_add(K[t]).wrapping_add(w[t % 16]);
                let sigma_0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
                let majority = (a & b) ^ (a & c) ^ (b & c);
                let t2 = sigma_0.wrapping_add(majority);
                (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
            }
            for (word, working) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
                *word = word.wrapping_add(working);
            }
        }
    }
}

fn small_sigma_0(x: u32) -> u32 {
    x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3)
}

fn small_sigma_1(x: u32) -> u32 {
    x.rotate_right(17) ^ x.rotate_right(19) ^ (x >> 10)
}
