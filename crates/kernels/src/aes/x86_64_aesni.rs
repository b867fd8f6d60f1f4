//! AES-NI: one instruction a round.
//!
//! - `cbc_encrypt` is bound by latency: a block waits for the one before through ten, twelve or fourteen dependent
//!   rounds of 4 cycles (Zen, Skylake; 3 from Ice Lake on). The next plaintext is added to the last round key and the
//!   first beforehand: `aesenclast(x, last ^ first ^ plaintext)` is the next block's state after its first key addition,
//!   so that nothing but rounds stands on the chain.
//! - The other modes are bound by the rate of rounds: one a cycle (Intel before Ice Lake) or two. Eight blocks in flight
//!   fill the latency.
//! - `expand_key` is a chain of a shuffle, SubWord and an addition a round key. With one word in all four columns,
//!   `aesenclast` is SubWord, as ShiftRows then moves bytes among equals; it takes 4 cycles where `aeskeygenassist` takes
//!   some twelve. The sums over the words before do not wait for it. About six cycles a round key.
//!
//! Instructions: S. Gueron, "Intel Advanced Encryption Standard (AES) New Instructions Set", 2010. Latencies: A. Fog,
//! "Instruction tables".

use super::keys::ScheduleMut;

parallel_kernels! {
    isa: ["aes", "ssse3", "sse4.1"],
    names: [
        "aes.encrypt_blocks/x86_64_aesni",
        "aes.decrypt_blocks/x86_64_aesni",
        "aes.cbc_decrypt/x86_64_aesni",
        "aes.ctr/x86_64_aesni",
    ],
    vector: __m128i of 1, in_flight: 8,
    load: load_128, store: store_128, broadcast: same, xor: _mm_xor_si128,
    add: _mm_add_epi64, shuffle: _mm_shuffle_epi8,
    rounds: [_mm_aesenc_si128, _mm_aesenclast_si128, _mm_aesdec_si128, _mm_aesdeclast_si128],
    after: |previous, _current| previous;

    name: "aes.cbc_encrypt/x86_64_aesni", primitive: super::CbcEncrypt,
    fn cbc_encrypt(keys: &EncryptKeys, chain: &mut Block, blocks: InOutBuf<'_, '_, Block>) {
        match keys.schedule() {
            Schedule::Aes128(keys) => chaining::<11>(keys, chain, blocks),
            Schedule::Aes192(keys) => chaining::<13>(keys, chain, blocks),
            Schedule::Aes256(keys) => chaining::<15>(keys, chain, blocks),
        }
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
        let between = _mm_xor_si128(first, last);
        let mut blocks = blocks.into_iter();
        let Some(mut block) = blocks.next() else { return };
        let mut state = _mm_xor_si128(_mm_xor_si128(load_128(chain), first), load_128(block.get_in()));
        for next in blocks {
            // Fifteen keys and the state do not fit into sixteen registers; loads are not on the chain.
            state = middle_rounds(opaque_ref(keys), state);
            let following = _mm_aesenclast_si128(state, _mm_xor_si128(between, load_128(next.get_in())));
            store_128(block.get_out(), _mm_aesenclast_si128(state, last));
            (block, state) = (next, following);
        }
        let ciphertext = _mm_aesenclast_si128(middle_rounds(keys, state), last);
        store_128(block.get_out(), ciphertext);
        store_128(chain, ciphertext);
    }

    helper fn middle_rounds<const KEYS: usize>(keys: &[Block; KEYS], state: __m128i) -> __m128i {
        let mut state = state;
        for key in &keys[1..KEYS - 1] {
            state = _mm_aesenc_si128(state, load_128(key));
        }
        state
    }

    helper fn expand_128(key: [&[u8; 8]; 2], keys: &mut [Block; 11]) {
        let mut words = join(key[0], key[1]);
        store_128(&mut keys[0], words);
        for i in 1..11 {
            words = _mm_xor_si128(sums(words), sub_rotated(words, ROUND_CONSTANTS[i - 1]));
            store_128(&mut keys[i], words);
        }
    }

    /// Six words a step: four in one vector, and two in another whose upper half is overwritten by the next step's.
    helper fn expand_192(key: [&[u8; 8]; 3], keys: &mut [Block; 13]) {
        let bytes = keys.as_flattened_mut();
        let mut four = join(key[0], key[1]);
        let mut two = join(key[2], key[2]);
        for i in 0..8 {
            store_at(bytes, 24 * i, four);
            store_at(bytes, 24 * i + 16, two);
            // The last word is the second of `two`.
            let substituted = sub_rotated(_mm_shuffle_epi32::<0x55>(two), ROUND_CONSTANTS[i]);
            four = _mm_xor_si128(sums(four), substituted);
            let sum = _mm_xor_si128(two, _mm_slli_si128::<4>(two));
            two = _mm_xor_si128(sum, _mm_shuffle_epi32::<0xff>(four));
        }
        store_at(bytes, 24 * 8, four);
    }

    helper fn expand_256(key: [&[u8; 8]; 4], keys: &mut [Block; 15]) {
        let mut even = join(key[0], key[1]);
        let mut odd = join(key[2], key[3]);
        store_128(&mut keys[0], even);
        store_128(&mut keys[1], odd);
        for i in 1..8 {
            even = _mm_xor_si128(sums(even), sub_rotated(odd, ROUND_CONSTANTS[i - 1]));
            store_128(&mut keys[2 * i], even);
            if i < 7 {
                let last_word = _mm_shuffle_epi32::<0xff>(even);
                odd = _mm_xor_si128(sums(odd), _mm_aesenclast_si128(last_word, _mm_setzero_si128()));
                store_128(&mut keys[2 * i + 1], odd);
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

    /// In word i the sum of words 0 to i.
    helper fn sums(words: __m128i) -> __m128i {
        let pairs = _mm_xor_si128(words, _mm_slli_si128::<4>(words));
        _mm_xor_si128(pairs, _mm_slli_si128::<8>(pairs))
    }

    /// SubWord(RotWord(last word)) plus the round constant, in all four words.
    helper fn sub_rotated(words: __m128i, constant: i32) -> __m128i {
        let rotated = _mm_shuffle_epi8(words, _mm_set1_epi32(0x0c0f_0e0d));
        _mm_aesenclast_si128(rotated, _mm_set1_epi32(constant))
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
