//! VAES on 512-bit vectors: one instruction is a round of four blocks.
//!
//! Bound by the rate of rounds: one vector a cycle on Zen 4 and on Intel from Ice Lake on, that is 64 bytes a cycle
//! divided by the number of rounds; two a cycle on Zen 5. Eight vectors in flight fill a latency of four cycles at both
//! rates. CBC encryption of one message, key expansion and key inversion have nothing to gain from width and are left
//! to AES-NI.
//!
//! CBC encryption of many messages has one in each lane of 128 bits, with a key of its own: the round keys of four messages
//! are put together once a call, and loaded where they are used. It is bound by the rate of rounds and just as much by that
//! of loads, one vector a cycle each on Zen 4; gathering four blocks and storing them comes on top of the loads.

use super::lanes::{STRETCH, by_key_size};
use crate::simd::rows::Rows;

/// Rows of four blocks from one that is worked on to one that is called into the cache: so many messages are more than the
/// processor foresees.
const AHEAD: usize = 4;

/// Rounds whose keys stay in registers, as there are too many loads otherwise.
const RESIDENT: usize = 4;

/// A round key of each of four messages.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Four([Block; 4]);

parallel_kernels! {
    isa: ["aes", "vaes", "avx512f", "avx512bw"],
    names: [
        "aes.encrypt_blocks/x86_64_vaes_avx512",
        "aes.decrypt_blocks/x86_64_vaes_avx512",
        "aes.cbc_decrypt/x86_64_vaes_avx512",
        "aes.ctr/x86_64_vaes_avx512",
    ],
    vector: __m512i of 4, in_flight: 8, held: true, place: in_order_512,
    load: load_512, store: store_512, broadcast: _mm512_broadcast_i32x4, xor: _mm512_xor_si512,
    add: _mm512_add_epi64, shuffle: _mm512_shuffle_epi8,
    rounds: [_mm512_aesenc_epi128, _mm512_aesenclast_epi128, _mm512_aesdec_epi128, _mm512_aesdeclast_epi128],
    after: |previous, current| _mm512_alignr_epi64::<6>(current, previous),
    repetitive: 1280 blocks;

    name: "aes.cbc_encrypt_lanes/x86_64_vaes_avx512", primitive: super::CbcEncryptLanes,
    fn cbc_encrypt_lanes(keys: &[&EncryptKeys], chains: &mut [Block], messages: &mut [InOutBuf<'_, '_, Block>]) {
        by_key_size(16, keys, chains, messages, |keys, chains, messages, blocks| match keys[0].schedule() {
            Schedule::Aes128(_) => chaining_any::<11>(keys, chains, messages, blocks),
            Schedule::Aes192(_) => chaining_any::<13>(keys, chains, messages, blocks),
            Schedule::Aes256(_) => chaining_any::<15>(keys, chains, messages, blocks),
        });
    }

    helper fn chaining_any<const KEYS: usize>(
        keys: &[&EncryptKeys], chains: &mut [Block], messages: &mut [InOutBuf<'_, '_, Block>], blocks: usize
    ) {
        match messages.len() {
            ..=4 => chaining::<KEYS, 1, 4>(keys, chains, messages, blocks),
            5..=8 => chaining::<KEYS, 2, 8>(keys, chains, messages, blocks),
            _ => chaining::<KEYS, 4, 16>(keys, chains, messages, blocks),
        }
    }

    /// `STREAMS` messages, four in each of `VECTORS` vectors. Streams for which there is no message work on nothing that
    /// matters: that takes no longer.
    outlined fn chaining<const KEYS: usize, const VECTORS: usize, const STREAMS: usize>(
        keys: &[&EncryptKeys], chains: &mut [Block], messages: &mut [InOutBuf<'_, '_, Block>], blocks: usize
    ) {
        let schedules: [&[Block; KEYS]; STREAMS] = std::array::from_fn(|i| keys[i.min(keys.len() - 1)].round_keys());
        let mut round_keys = Scratch::<[Four; VECTORS], KEYS>::new();
        let mut round = 0;
        let round_keys = round_keys.fill(|| {
            let keys = std::array::from_fn(|v| Four(std::array::from_fn(|i| schedules[4 * v + i][round])));
            round += 1;
            keys
        });
        let mut all = [[0; 16]; STREAMS];
        all[..chains.len()].copy_from_slice(chains);
        let mut state: [__m512i; VECTORS] = std::array::from_fn(|v| load_512(&all.as_chunks::<4>().0[v]));
        let resident = std::array::from_fn(|i| std::array::from_fn(|v| load_512(&round_keys[1 + i][v].0)));
        let whole = blocks - blocks % 4;
        let mut spare = [[[0; 16]; 4]; STRETCH / 4];
        let stretch = if messages.len() == STREAMS { whole } else { STRETCH };
        // Not `step_by`, which divides: nothing here is secret, but divisions are what a look for leaks stops at.
        let mut start = 0;
        while start < whole {
            let count = stretch.min(whole - start) / 4;
            let rows = Rows::<[Block; 4], STREAMS>::new::<4, _>(messages, &mut spare, start, count);
            state = chaining_fours(round_keys, &resident, state, rows);
            start += 4 * count;
        }
        let mut rows = Rows::<Block, STREAMS>::new::<1, _>(messages, &mut spare[0], whole, blocks - whole);
        while let Some(mut row) = rows.next() {
            let inputs = row.inputs();
            let plaintext = std::array::from_fn(|v| four([inputs[4 * v], inputs[4 * v + 1], inputs[4 * v + 2], inputs[4 * v + 3]]));
            state = encrypted(opaque_ref(round_keys), &resident, state, plaintext);
            for v in 0..VECTORS {
                store_128(row.get(4 * v).get_out(), _mm512_castsi512_si128(state[v]));
                store_128(row.get(4 * v + 1).get_out(), _mm512_extracti32x4_epi32::<1>(state[v]));
                store_128(row.get(4 * v + 2).get_out(), _mm512_extracti32x4_epi32::<2>(state[v]));
                store_128(row.get(4 * v + 3).get_out(), _mm512_extracti32x4_epi32::<3>(state[v]));
            }
        }
        for v in 0..VECTORS {
            store_512(&mut all.as_chunks_mut::<4>().0[v], state[v]);
        }
        let count = chains.len();
        chains.copy_from_slice(&all[..count]);
    }

    /// Rows of four blocks, which are loaded and stored as vectors of one message and transposed in between. The next row
    /// comes and the one before goes while this one is worked on, between its rounds: in their own time, those steps would
    /// wait for the end of the chain and the next chain for them.
    helper fn chaining_fours<const KEYS: usize, const VECTORS: usize, const STREAMS: usize>(
        round_keys: &[[Four; VECTORS]; KEYS], resident: &[[__m512i; VECTORS]; RESIDENT], first: [__m512i; VECTORS],
        rows: Rows<'_, [Block; 4], STREAMS>
    ) -> [__m512i; VECTORS] {
        let (mut rows, mut state) = (rows, first);
        let mut plaintext = [[[first[0]; VECTORS]; 4]; 2];
        let mut ciphertext = [[[first[0]; VECTORS]; 4]; 2];
        for v in 0..VECTORS {
            let columns = transposed(std::array::from_fn(|i| load_512(rows.input(4 * v + i, 0))));
            for i in 0..4 {
                plaintext[0][i][v] = columns[i];
            }
        }
        for at in 0..rows.count() {
            let (this, other) = (at % 2, (at + 1) % 2);
            let next = (at + 1).min(rows.count() - 1);
            for i in 0..4 {
                state = encrypted(opaque_ref(round_keys), resident, state, plaintext[this][i]);
                ciphertext[this][i] = state;
                if i < VECTORS {
                    for j in 0..4 {
                        rows.fetch(4 * i + j, at + AHEAD);
                    }
                    let columns = transposed(std::array::from_fn(|j| load_512(rows.input(4 * i + j, next))));
                    for j in 0..4 {
                        plaintext[other][j][i] = columns[j];
                    }
                    if at > 0 {
                        let outputs = transposed(std::array::from_fn(|j| ciphertext[other][j][i]));
                        for j in 0..4 {
                            store_512(rows.output(4 * i + j, at - 1), outputs[j]);
                        }
                    }
                }
            }
        }
        let last = rows.count() - 1;
        for v in 0..VECTORS {
            let outputs = transposed(std::array::from_fn(|j| ciphertext[last % 2][j][v]));
            for j in 0..4 {
                store_512(rows.output(4 * v + j, last), outputs[j]);
            }
        }
        state
    }

    /// The next block of ciphertext of every stream.
    helper fn encrypted<const KEYS: usize, const VECTORS: usize>(
        round_keys: &[[Four; VECTORS]; KEYS], resident: &[[__m512i; VECTORS]; RESIDENT],
        previous: [__m512i; VECTORS], plaintext: [__m512i; VECTORS]
    ) -> [__m512i; VECTORS] {
        let mut state = previous;
        for v in 0..VECTORS {
            let first = load_512(&round_keys[0][v].0);
            state[v] = _mm512_ternarylogic_epi64::<0b1001_0110>(state[v], plaintext[v], first);
        }
        for round in resident {
            for v in 0..VECTORS {
                state[v] = _mm512_aesenc_epi128(state[v], round[v]);
            }
        }
        for round in &round_keys[1 + RESIDENT..KEYS - 1] {
            for v in 0..VECTORS {
                state[v] = _mm512_aesenc_epi128(state[v], load_512(&round[v].0));
            }
        }
        for v in 0..VECTORS {
            state[v] = _mm512_aesenclast_epi128(state[v], load_512(&round_keys[KEYS - 1][v].0));
        }
        state
    }

    /// Exchanges rows and columns of blocks.
    helper fn transposed(rows: [__m512i; 4]) -> [__m512i; 4] {
        let [a, b, c, d] = rows;
        let (ab_even, ab_odd) = (_mm512_shuffle_i64x2::<0b10_00_10_00>(a, b), _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b));
        let (cd_even, cd_odd) = (_mm512_shuffle_i64x2::<0b10_00_10_00>(c, d), _mm512_shuffle_i64x2::<0b11_01_11_01>(c, d));
        [
            _mm512_shuffle_i64x2::<0b10_00_10_00>(ab_even, cd_even),
            _mm512_shuffle_i64x2::<0b10_00_10_00>(ab_odd, cd_odd),
            _mm512_shuffle_i64x2::<0b11_01_11_01>(ab_even, cd_even),
            _mm512_shuffle_i64x2::<0b11_01_11_01>(ab_odd, cd_odd),
        ]
    }

    helper fn four(blocks: [&Block; 4]) -> __m512i {
        let all = _mm512_castsi128_si512(load_128(blocks[0]));
        let all = _mm512_inserti32x4::<1>(all, load_128(blocks[1]));
        let all = _mm512_inserti32x4::<2>(all, load_128(blocks[2]));
        _mm512_inserti32x4::<3>(all, load_128(blocks[3]))
    }
}
