//! VAES and VPCLMULQDQ on 256-bit vectors: one instruction is a round, or a quarter of the product, of two blocks.
//!
//! Bound by the units that both share. On Zen 4 two rounds of 32 bytes start in a cycle, but a product of 64 bits takes
//! as long as one on 512-bit vectors does, so that the hash weighs twice as much as there.

stitched_kernels! {
    isa: ["aes", "pclmulqdq", "ssse3", "sse4.1", "vaes", "vpclmulqdq", "avx2"],
    names: [
        "gcm.expand_key/x86_64_vaes_avx2",
        "gcm.ghash/x86_64_vaes_avx2",
        "gcm.encrypt/x86_64_vaes_avx2",
        "gcm.decrypt/x86_64_vaes_avx2",
        "gcm.seal/x86_64_vaes_avx2",
        "gcm.open/x86_64_vaes_avx2",
    ],
    vector: __m256i of 2, in_flight: 4, summed: 4, integer_from: 0,
    load: load_256, store: store_256, load_some: load_some_256, store_some: store_some_256, keep: keep_256,
    broadcast: _mm256_broadcastsi128_si256, xor: _mm256_xor_si256, add: _mm256_add_epi32, shuffle: _mm256_shuffle_epi8,
    swap: _mm256_shuffle_epi32, product: _mm256_clmulepi64_epi128,
    rounds: [_mm256_aesenc_epi128, _mm256_aesenclast_epi128];

    helper fn xor3(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        _mm256_xor_si256(_mm256_xor_si256(a, b), c)
    }

    helper fn fold(lanes: __m256i) -> __m128i {
        _mm_xor_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes))
    }

    helper fn widen(block: __m128i) -> __m256i {
        _mm256_zextsi128_si256(block)
    }
}
