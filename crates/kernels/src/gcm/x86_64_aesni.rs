//! AES-NI and PCLMULQDQ: one instruction is a round, or a quarter of the product, of one block.
//!
//! Bound by the units that both share: on Zen 4 two rounds start in a cycle, and one product in two.

stitched_kernels! {
    isa: ["aes", "pclmulqdq", "ssse3", "sse4.1"],
    names: [
        "gcm.expand_key/x86_64_aesni",
        "gcm.ghash/x86_64_aesni",
        "gcm.encrypt/x86_64_aesni",
        "gcm.decrypt/x86_64_aesni",
        "gcm.seal/x86_64_aesni",
        "gcm.open/x86_64_aesni",
    ],
    vector: __m128i of 1, in_flight: 4, summed: 4, integer_from: 0,
    load: load_128, store: store_128, load_some: load_some_128, store_some: store_some_128, keep: keep_128,
    broadcast: same, xor: _mm_xor_si128, add: _mm_add_epi32, shuffle: _mm_shuffle_epi8,
    swap: _mm_shuffle_epi32, product: _mm_clmulepi64_si128,
    rounds: [_mm_aesenc_si128, _mm_aesenclast_si128];

    helper fn xor3(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
        _mm_xor_si128(_mm_xor_si128(a, b), c)
    }

    helper fn fold(lane: __m128i) -> __m128i {
        lane
    }

    helper fn widen(block: __m128i) -> __m128i {
        block
    }
}

/// The vector of one block in all of its lanes.
#[inline(always)]
fn same(block: __m128i) -> __m128i {
    block
}
