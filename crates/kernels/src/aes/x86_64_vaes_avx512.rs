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
    vector: __m512i of 4, in_flight: 8,
    load: load_512, store: store_512, broadcast: _mm512_broadcast_i32x4, xor: _mm512_xor_si512,
    add: _mm512_add_epi64, shuffle: _mm512_shuffle_epi8,
    rounds: [_mm512_aesenc_epi128, _mm512_aesenclast_epi128, _mm512_aesdec_epi128, _mm512_aesdeclast_epi128],
    after: |previous, current| _mm512_alignr_epi64::<6>(current, previous);

    name: "aes.cbc_encrypt_lanes/x86_64_vaes_avx512", primitive: super::CbcEncryptLanes,
    fn cbc_encrypt_lanes(keys: &[&EncryptKeys], chains: &mut [Block], messages: &mut [InOutBuf<'_, '_, Block>]) {
        by_key_size(32, keys, chains, messages, |keys, chains, messages, blocks| match keys[0].schedule() {
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
            ..=8 => chaining::<KEYS, 2, 8>(keys, chains, messages, blocks),
            ..=16 => chaining::<KEYS, 4, 16>(keys, chains, messages, blocks),
            _ => chaining::<KEYS, 8, 32>(keys, chains, messages, blocks),
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
        let mut spare = [[0; 16]; STRETCH];
        let mut all = [[0; 16]; STREAMS];
        all[..chains.len()].copy_from_slice(chains);
        let mut state: [__m512i; VECTORS] = std::array::from_fn(|v| load_512(&all.as_chunks::<4>().0[v]));
        for start in (0..blocks).step_by(STRETCH) {
            let mut rows = Rows::<Block, STREAMS>::new(messages, &mut spare, start, blocks.min(start + STRETCH));
            while let Some(mut row) = rows.next() {
                let round_keys = opaque_ref(round_keys);
                let blocks = row.inputs();
                for v in 0..VECTORS {
                    let plaintext = four([blocks[4 * v], blocks[4 * v + 1], blocks[4 * v + 2], blocks[4 * v + 3]]);
                    state[v] = _mm512_ternarylogic_epi64::<0b1001_0110>(state[v], plaintext, load_512(&round_keys[0][v].0));
                }
                for round in &round_keys[1..KEYS - 1] {
                    for v in 0..VECTORS {
                        state[v] = _mm512_aesenc_epi128(state[v], load_512(&round[v].0));
                    }
                }
                for v in 0..VECTORS {
                    state[v] = _mm512_aesenclast_epi128(state[v], load_512(&round_keys[KEYS - 1][v].0));
                    store_128(row.get(4 * v).get_out(), _mm512_castsi512_si128(state[v]));
                    store_128(row.get(4 * v + 1).get_out(), _mm512_extracti32x4_epi32::<1>(state[v]));
                    store_128(row.get(4 * v + 2).get_out(), _mm512_extracti32x4_epi32::<2>(state[v]));
                    store_128(row.get(4 * v + 3).get_out(), _mm512_extracti32x4_epi32::<3>(state[v]));
                }
            }
        }
        for v in 0..VECTORS {
            store_512(&mut all.as_chunks_mut::<4>().0[v], state[v]);
        }
        let count = chains.len();
        chains.copy_from_slice(&all[..count]);
    }

    helper fn four(blocks: [&Block; 4]) -> __m512i {
        let all = _mm512_castsi128_si512(load_128(blocks[0]));
        let all = _mm512_inserti32x4::<1>(all, load_128(blocks[1]));
        let all = _mm512_inserti32x4::<2>(all, load_128(blocks[2]));
        _mm512_inserti32x4::<3>(all, load_128(blocks[3]))
    }
}
