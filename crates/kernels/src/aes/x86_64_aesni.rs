//! AES-NI: one instruction a round.
//!
//! - `cbc_encrypt` is bound by latency: a block waits for the one before through ten, twelve or fourteen dependent
//!   rounds of 4 cycles (Zen, Skylake; 3 from Ice Lake on). The next plaintext is added to the last round key and the
//!   first beforehand: `aesenclast(x, last ^ first ^ plaintext)` is the next block's state after its first key
//!   addition, so that nothing but rounds stands on the chain.
//! - `cbc_encrypt_lanes` is bound by the rate of rounds or by that of loads, as no two messages share a round key: two of
//!   each a cycle on Zen. Eight messages in flight fill the latency.
//! - The other modes are bound by the rate of rounds: one a cycle (Intel before Ice Lake) or two. Eight blocks in
//!   flight fill the latency.
//! - `expand_key` is a chain through the last word x of each round key. With a word in all four columns `aesenclast` is
//!   SubWord, as ShiftRows then moves bytes among equals, and it adds its key besides; it takes 4 cycles where
//!   `aeskeygenassist` takes some twelve. Summing up the recurrence of FIPS 197 over four round keys leaves x(i) =
//!   SubWord(RotWord(x(i-1))) + x(i-4) + constant: a shuffle and an `aesenclast`, five cycles a round key. The other
//!   words are sums of the x before (`four_words`), and not on the chain.
//!
//! Instructions: S. Gueron, "Intel Advanced Encryption Standard (AES) New Instructions Set", 2010. Latencies: A. Fog,
//! "Instruction tables".

use super::keys::ScheduleMut;
use super::lanes::{STRETCH, by_key_size};
use crate::simd::rows::Rows;

/// Messages that `cbc_encrypt_lanes` works on at a time.
const STREAMS: usize = 8;

parallel_kernels! {
    isa: ["aes", "ssse3", "sse4.1"],
    names: [
        "aes.encrypt_blocks/x86_64_aesni",
        "aes.decrypt_blocks/x86_64_aesni",
        "aes.cbc_decrypt/x86_64_aesni",
        "aes.ctr/x86_64_aesni",
    ],
    vector: __m128i of 1, in_flight: 8, held: false, place: std::convert::identity,
    load: load_128, store: store_128, broadcast: same, xor: _mm_xor_si128,
    add: _mm_add_epi64, shuffle: _mm_shuffle_epi8,
    rounds: [_mm_aesenc_si128, _mm_aesenclast_si128, _mm_aesdec_si128, _mm_aesdeclast_si128],
    after: |previous, _current| previous,
    repetitive: 640 blocks;

    name: "aes.cbc_encrypt/x86_64_aesni", primitive: super::CbcEncrypt,
    fn cbc_encrypt(keys: &EncryptKeys, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        match keys.schedule() {
            Schedule::Aes128(keys) => chaining::<11>(keys, chain, blocks),
            Schedule::Aes192(keys) => chaining::<13>(keys, chain, blocks),
            Schedule::Aes256(keys) => chaining::<15>(keys, chain, blocks),
        }
    }

    name: "aes.cbc_encrypt_lanes/x86_64_aesni", primitive: super::CbcEncryptLanes,
    fn cbc_encrypt_lanes(keys: &[&EncryptKeys], chains: &mut [Block], messages: &mut [InOutBuf<'_, '_, Block>]) {
        by_key_size(STREAMS, keys, chains, messages, |keys, chains, messages, blocks| match keys[0].schedule() {
            Schedule::Aes128(_) => chaining_streams::<11>(keys, chains, messages, blocks),
            Schedule::Aes192(_) => chaining_streams::<13>(keys, chains, messages, blocks),
            Schedule::Aes256(_) => chaining_streams::<15>(keys, chains, messages, blocks),
        });
    }

    name: "aes.expand_key/x86_64_aesni", primitive: super::ExpandKey,
    fn expand_key(key: &[u8], keys: &mut EncryptKeys) {
        match (keys.schedule_for(key.len()), key.as_chunks::<8>().0) {
            (Some(ScheduleMut::Aes128(keys)), [a, b]) => expand_128([a, b], keys),
            (Some(ScheduleMut::Aes192(keys)), [a, b, c]) => expand_192([a, b, c], keys),
            (Some(ScheduleMut::Aes256(keys)), [a, b, c, d]) => expand_256([a, b, c, d], keys),
            _ => {}
        }
    }

    name: "aes.invert_key/x86_64_aesni", primitive: super::InvertKey,
    fn invert_key(encrypt: &EncryptKeys, decrypt: &mut DecryptKeys) {
        match (encrypt.schedule(), decrypt.schedule_like(encrypt)) {
            (Schedule::Aes128(from), ScheduleMut::Aes128(to)) => invert::<11>(from, to),
            (Schedule::Aes192(from), ScheduleMut::Aes192(to)) => invert::<13>(from, to),
            (Schedule::Aes256(from), ScheduleMut::Aes256(to)) => invert::<15>(from, to),
            _ => {}
        }
    }

    helper fn chaining<const KEYS: usize>(keys: &[Block; KEYS], chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        let (first, last) = (load_128(&keys[0]), load_128(&keys[KEYS - 1]));
        let mut blocks = blocks.into_iter();
        let Some(mut block) = blocks.next() else { return };
        // The chaining value comes last: in a message that is cut into short calls it was stored a moment ago.
        let added = opaque_128(_mm_xor_si128(first, load_128(block.get_in())));
        let mut state = _mm_xor_si128(added, load_128(chain));
        loop {
            // Fifteen keys and the state do not fit into sixteen registers; loads are not on the chain.
            state = middle_rounds(opaque_ref(keys), state);
            let Some(next) = blocks.next() else { break };
            let added = _mm_xor_si128(first, load_128(next.get_in()));
            state = _mm_aesenclast_si128(state, _mm_xor_si128(added, last));
            store_128(block.get_out(), _mm_xor_si128(state, added));
            block = next;
        }
        let ciphertext = _mm_aesenclast_si128(state, last);
        store_128(block.get_out(), ciphertext);
        store_128(chain, ciphertext);
    }

    /// Streams for which there is no message work on nothing that matters: that takes no longer.
    outlined fn chaining_streams<const KEYS: usize>(
        keys: &[&EncryptKeys], chains: &mut [Block], messages: &mut [InOutBuf<'_, '_, Block>], blocks: usize
    ) {
        let keys: [&[Block; KEYS]; STREAMS] = std::array::from_fn(|i| keys[i.min(keys.len() - 1)].round_keys());
        let mut state = [_mm_setzero_si128(); STREAMS];
        for (state, chain) in state.iter_mut().zip(&*chains) {
            *state = load_128(chain);
        }
        let mut spare = [[0; 16]; STRETCH];
        for start in (0..blocks).step_by(STRETCH) {
            let mut rows = Rows::<Block, STREAMS>::new::<1, _>(messages, &mut spare, start, STRETCH.min(blocks - start));
            while let Some(mut row) = rows.next() {
                for i in 0..STREAMS {
                    let block = _mm_xor_si128(load_128(row.get(i).get_in()), load_128(&keys[i][0]));
                    state[i] = _mm_xor_si128(state[i], block);
                }
                for round in 1..KEYS - 1 {
                    for i in 0..STREAMS {
                        state[i] = _mm_aesenc_si128(state[i], load_128(&keys[i][round]));
                    }
                }
                for i in 0..STREAMS {
                    state[i] = _mm_aesenclast_si128(state[i], load_128(&keys[i][KEYS - 1]));
                    store_128(row.get(i).get_out(), state[i]);
                }
            }
        }
        for (state, chain) in state.iter().zip(chains) {
            store_128(chain, *state);
        }
    }

    helper fn middle_rounds<const KEYS: usize>(keys: &[Block; KEYS], state: __m128i) -> __m128i {
        let mut state = state;
        for key in &keys[1..KEYS - 1] {
            state = _mm_aesenc_si128(state, load_128(key));
        }
        state
    }

    helper fn expand_128(key: [&[u8; 8]; 2], keys: &mut [Block; 11]) {
        let words = join(key[0], key[1]);
        let mut last = last_words(words);
        store_128(&mut keys[0], words);
        for i in 1..11 {
            let next = _mm_aesenclast_si128(rotated(last[3]), with_constant(last[0], i));
            last = [last[1], last[2], last[3], next];
            store_128(&mut keys[i], four_words(last));
        }
    }

    /// Six words a step, of which the last is x(i) = SubWord(RotWord(x(i-1))) + x(i-2) + x(i-4) + x(i-6) + constant.
    helper fn expand_192(key: [&[u8; 8]; 3], keys: &mut [Block; 13]) {
        let bytes = keys.as_flattened_mut();
        let (four, two) = (join(key[0], key[1]), join(key[2], key[2]));
        store_at(bytes, 0, four);
        store_at(bytes, 16, two);
        let [w0, w1, w2, w3] = columns(four);
        let [w4, x0, _, _] = columns(two);
        // The last words of steps before the first, as if there had been some.
        let (x1, x2, x4) = (_mm_xor_si128(w4, x0), _mm_xor_si128(w3, x0), _mm_xor_si128(w1, x0));
        let x3 = _mm_xor_si128(_mm_xor_si128(w2, w4), x2);
        let x5 = _mm_xor_si128(_mm_xor_si128(w0, w4), x4);
        let mut last = [x5, x4, x3, x2, x1, x0];
        for i in 1..9 {
            let sum = _mm_xor_si128(_mm_xor_si128(last[0], last[2]), last[4]);
            let next = _mm_aesenclast_si128(rotated(last[5]), with_constant(sum, i));
            let [x5, x4, x3, x2, x1] = [last[1], last[2], last[3], last[4], last[5]];
            last = [x5, x4, x3, x2, x1, next];
            let (odd, even) = (_mm_blend_epi16::<0xf0>(x5, x3), _mm_blend_epi16::<0xf0>(x4, x2));
            let four = _mm_xor_si128(_mm_xor_si128(next, even), in_even_words(_mm_xor_si128(x1, odd)));
            store_at(bytes, 24 * i, four);
            if i < 8 {
                store_at(bytes, 24 * i + 16, _mm_xor_si128(next, in_even_words(x1)));
            }
        }
    }

    helper fn expand_256(key: [&[u8; 8]; 4], keys: &mut [Block; 15]) {
        let (even, odd) = (join(key[0], key[1]), join(key[2], key[3]));
        let (mut last_even, mut last_odd) = (last_words(even), last_words(odd));
        store_128(&mut keys[0], even);
        store_128(&mut keys[1], odd);
        for i in 1..8 {
            let next = _mm_aesenclast_si128(rotated(last_odd[3]), with_constant(last_even[0], i));
            last_even = [last_even[1], last_even[2], last_even[3], next];
            store_128(&mut keys[2 * i], four_words(last_even));
            if i < 7 {
                let next = _mm_aesenclast_si128(next, last_odd[0]);
                last_odd = [last_odd[1], last_odd[2], last_odd[3], next];
                store_128(&mut keys[2 * i + 1], four_words(last_odd));
            }
        }
    }

    helper fn invert<const KEYS: usize>(from: &[Block; KEYS], to: &mut [Block; KEYS]) {
        to[0] = from[KEYS - 1];
        for i in 1..KEYS - 1 {
            store_128(&mut to[i], _mm_aesimc_si128(load_128(&from[KEYS - 1 - i])));
        }
        to[KEYS - 1] = from[0];
    }

    /// The last words of a round key and of the three before it, as if there had been some; the oldest comes first.
    helper fn last_words(words: __m128i) -> [__m128i; 4] {
        let [w0, w1, w2, w3] = columns(words);
        let (w01, w23) = (_mm_xor_si128(w0, w1), _mm_xor_si128(w2, w3));
        [_mm_xor_si128(w01, w23), _mm_xor_si128(w1, w3), w23, w3]
    }

    /// A round key from its last word and those of the three before it: going back one round key and going back one
    /// word differ by the sum of the two, and so the words are x0 + x1 + x2 + x3, x0 + x2, x0 + x1 and x0.
    helper fn four_words(last: [__m128i; 4]) -> __m128i {
        let [x3, x2, x1, x0] = last;
        let in_even = in_even_words(_mm_xor_si128(x1, _mm_move_epi64(x3)));
        _mm_xor_si128(_mm_xor_si128(in_even, _mm_move_epi64(x2)), x0)
    }

    /// Each word in all four columns.
    helper fn columns(words: __m128i) -> [__m128i; 4] {
        [
            _mm_shuffle_epi32::<0x00>(words),
            _mm_shuffle_epi32::<0x55>(words),
            _mm_shuffle_epi32::<0xaa>(words),
            _mm_shuffle_epi32::<0xff>(words),
        ]
    }

    helper fn in_even_words(value: __m128i) -> __m128i {
        _mm_and_si128(value, _mm_set_epi32(0, -1, 0, -1))
    }

    /// RotWord of each word.
    helper fn rotated(words: __m128i) -> __m128i {
        _mm_shuffle_epi8(words, _mm_set_epi32(0x0c0f_0e0d, 0x080b_0a09, 0x0407_0605, 0x0003_0201))
    }

    helper fn with_constant(words: __m128i, i: usize) -> __m128i {
        _mm_xor_si128(words, _mm_set1_epi32(ROUND_CONSTANTS[i - 1]))
    }

    helper fn join(low: &[u8; 8], high: &[u8; 8]) -> __m128i {
        _mm_set_epi64x(i64::from_le_bytes(*high), i64::from_le_bytes(*low))
    }

    helper fn store_at(bytes: &mut [u8], offset: usize, value: __m128i) {
        if let Some(to) = bytes[offset..].first_chunk_mut::<16>() {
            store_128(to, value);
        }
    }
}

/// Powers of x in GF(2^8) (FIPS 197, section 5.2).
const ROUND_CONSTANTS: [i32; 10] = [1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36];

/// The vector of one block in all of its lanes.
#[inline(always)]
fn same(block: __m128i) -> __m128i {
    block
}
