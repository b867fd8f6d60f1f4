//! VAES on 256-bit vectors: one instruction is a round of two blocks.
//!
//! Bound by the rate of rounds: two vectors a cycle on Zen 3 and later (64 bytes), one or two on Intel from Ice Lake
//! and Alder Lake on. Eight vectors in flight fill a latency of four cycles at two a cycle. CBC encryption, key
//! expansion and key inversion have nothing to gain from width and are left to AES-NI.

parallel_kernels! {
    isa: ["aes", "vaes", "avx2"],
    names: [
        "aes.encrypt_blocks/x86_64_vaes_avx2",
        "aes.decrypt_blocks/x86_64_vaes_avx2",
        "aes.cbc_decrypt/x86_64_vaes_avx2",
        "aes.ctr/x86_64_vaes_avx2",
    ],
    vector: __m256i of 2, in_flight: 8, held: false, place: std::convert::identity,
    load: load_256, store: store_256, broadcast: _mm256_broadcastsi128_si256, xor: _mm256_xor_si256,
    add: _mm256_add_epi64, shuffle: _mm256_shuffle_epi8,
    rounds: [_mm256_aesenc_epi128, _mm256_aesenclast_epi128, _mm256_aesdec_epi128, _mm256_aesdeclast_epi128],
    after: |previous, current| _mm256_permute2x128_si256::<0x21>(previous, current),
    repetitive: 768 blocks;
}
