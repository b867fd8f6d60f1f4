//! VAES on 512-bit vectors: one instruction is a round of four blocks.
//!
//! Bound by the rate of rounds: one vector a cycle on Zen 4 and on Intel from Ice Lake on, that is 64 bytes a cycle
//! divided by the number of rounds; two a cycle on Zen 5. Eight vectors in flight fill a latency of four cycles at both
//! rates. CBC encryption, key expansion and key inversion have nothing to gain from width and are left to AES-NI.

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
}
