//! VAES and VPCLMULQDQ on 512-bit vectors: one instruction is a round, or a quarter of the product, of four blocks.
//!
//! Bound by the units that both kinds of instruction share: on Zen 4 a round takes them for a cycle, and so does a
//! product of 64 bits. With ten rounds, four products, and two more products for the reduction of sixteen blocks, that is
//! 58 cycles for 256 bytes; 66 and 74 with longer keys. The sums, shuffles and key additions beside them should find room
//! on the other half of the vector units, but half of them are sent to these: about 68 cycles is what is reached. So every
//! vector instruction that can be had elsewhere counts, and long messages have their counter blocks made by the integer
//! units. Eight vectors in flight cover the latency; with four, and counters in vectors, it is 76 cycles.

stitched_kernels! {
    isa: ["aes", "pclmulqdq", "ssse3", "sse4.1", "vaes", "vpclmulqdq", "avx512f", "avx512bw"],
    names: [
        "gcm.expand_key/x86_64_vaes_avx512",
        "gcm.ghash/x86_64_vaes_avx512",
        "gcm.encrypt/x86_64_vaes_avx512",
        "gcm.decrypt/x86_64_vaes_avx512",
        "gcm.seal/x86_64_vaes_avx512",
        "gcm.open/x86_64_vaes_avx512",
    ],
    vector: __m512i of 4, in_flight: 8, summed: 4, integer_from: 4,
    load: load_512, store: store_512, load_some: load_some_512, store_some: store_some_512, keep: keep_512,
    broadcast: _mm512_broadcast_i32x4, xor: _mm512_xor_si512, add: _mm512_add_epi32, shuffle: _mm512_shuffle_epi8,
    swap: _mm512_shuffle_epi32, product: _mm512_clmulepi64_epi128,
    rounds: [_mm512_aesenc_epi128, _mm512_aesenclast_epi128];

    helper fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi64::<0x96>(a, b, c)
    }

    helper fn fold(lanes: __m512i) -> __m128i {
        let halves = _mm256_xor_si256(_mm512_castsi512_si256(lanes), _mm512_extracti64x4_epi64::<1>(lanes));
        _mm_xor_si128(_mm256_castsi256_si128(halves), _mm256_extracti128_si256::<1>(halves))
    }

    helper fn widen(block: __m128i) -> __m512i {
        _mm512_zextsi128_si512(block)
    }
}
