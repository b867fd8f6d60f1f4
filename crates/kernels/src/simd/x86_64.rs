//! Vector loads and stores of x86-64, from and to arrays: the array's type is the proof that the memory is there.
//!
//! All are unaligned accesses, which cost nothing extra inside a cache line. The wider ones are compiled with the
//! instruction set that they need and so can only be called from kernels that have it.

use std::arch::asm;
use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _MM_HINT_T0, _mm_and_si128, _mm_loadu_si128, _mm_prefetch, _mm_set_epi64x,
    _mm_storeu_si128, _mm256_and_si256, _mm256_loadu_si256, _mm256_storeu_si256, _mm512_loadu_si512,
    _mm512_mask_storeu_epi8, _mm512_maskz_loadu_epi8, _mm512_maskz_mov_epi8, _mm512_storeu_si512,
};

/// Loads 16 bytes.
#[inline(always)]
pub fn load_128<T: Bytes<16>>(from: &T) -> __m128i {
    // SAFETY: `T` is 16 plain bytes, and the load needs no alignment.
    unsafe { _mm_loadu_si128(std::ptr::from_ref(from).cast()) }
}

/// Stores 16 bytes.
#[inline(always)]
pub fn store_128<T: Bytes<16>>(to: &mut T, value: __m128i) {
    // SAFETY: `T` is 16 plain bytes of which every pattern is valid, and the store needs no alignment.
    unsafe { _mm_storeu_si128(std::ptr::from_mut(to).cast(), value) }
}

/// A vector of two halves.
#[inline(always)]
pub fn from_halves(low: u64, high: u64) -> __m128i {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { _mm_set_epi64x(high.cast_signed(), low.cast_signed()) }
}

/// Loads 32 bytes.
#[inline]
#[target_feature(enable = "avx")]
pub fn load_256<T: Bytes<32>>(from: &T) -> __m256i {
    // SAFETY: `T` is 32 plain bytes, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(std::ptr::from_ref(from).cast()) }
}

/// Stores 32 bytes.
#[inline]
#[target_feature(enable = "avx")]
pub fn store_256<T: Bytes<32>>(to: &mut T, value: __m256i) {
    // SAFETY: `T` is 32 plain bytes of which every pattern is valid, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(std::ptr::from_mut(to).cast(), value) }
}

/// Loads 64 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn load_512<T: Bytes<64>>(from: &T) -> __m512i {
    // SAFETY: `T` is 64 plain bytes, and the load needs no alignment.
    unsafe { _mm512_loadu_si512(std::ptr::from_ref(from).cast()) }
}

/// Stores 64 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn store_512<T: Bytes<64>>(to: &mut T, value: __m512i) {
    // SAFETY: `T` is 64 plain bytes of which every pattern is valid, and the store needs no alignment.
    unsafe { _mm512_storeu_si512(std::ptr::from_mut(to).cast(), value) }
}

/// Loads up to 64 bytes; the others are zero.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn load_some_512(from: &[u8]) -> __m512i {
    // SAFETY: only the bytes that the mask names are read, and there are so many; an access that is masked out faults not.
    unsafe { _mm512_maskz_loadu_epi8(first_lanes(from.len()), from.as_ptr().cast()) }
}

/// Stores the first bytes: as many as there is room for, and at most 64.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn store_some_512(to: &mut [u8], value: __m512i) {
    // SAFETY: only the bytes that the mask names are written, and there is room for so many.
    unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), first_lanes(to.len()), value) }
}

/// The first bytes of a vector; the others are zero.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn keep_512(value: __m512i, bytes: usize) -> __m512i {
    _mm512_maskz_mov_epi8(first_lanes(bytes), value)
}

/// A mask of as many bits, at most 64.
#[inline(always)]
fn first_lanes(count: usize) -> u64 {
    u64::MAX.checked_shr(64 - count.min(64) as u32).unwrap_or(0)
}

/// Loads up to 32 bytes; the others are zero.
#[inline]
#[target_feature(enable = "avx")]
pub fn load_some_256(from: &[u8]) -> __m256i {
    let mut bytes = [0u8; 32];
    bytes[..from.len()].copy_from_slice(from);
    load_256(&bytes)
}

/// Stores the first bytes: as many as there is room for, and at most 32.
#[inline]
#[target_feature(enable = "avx")]
pub fn store_some_256(to: &mut [u8], value: __m256i) {
    let mut bytes = [0u8; 32];
    store_256(&mut bytes, value);
    to.copy_from_slice(&bytes[..to.len()]);
}

/// The first bytes of a vector; the others are zero.
#[inline]
#[target_feature(enable = "avx2")]
pub fn keep_256(value: __m256i, bytes: usize) -> __m256i {
    _mm256_and_si256(value, load_256(first_bytes::<32>(bytes)))
}

/// Loads up to 16 bytes; the others are zero.
#[inline(always)]
pub fn load_some_128(from: &[u8]) -> __m128i {
    let mut bytes = [0u8; 16];
    bytes[..from.len()].copy_from_slice(from);
    load_128(&bytes)
}

/// Stores the first bytes: as many as there is room for, and at most 16.
#[inline(always)]
pub fn store_some_128(to: &mut [u8], value: __m128i) {
    let mut bytes = [0u8; 16];
    store_128(&mut bytes, value);
    to.copy_from_slice(&bytes[..to.len()]);
}

/// The first bytes of a vector; the others are zero.
#[inline]
#[target_feature(enable = "sse2")]
pub fn keep_128(value: __m128i, bytes: usize) -> __m128i {
    _mm_and_si128(value, load_128(first_bytes::<16>(bytes)))
}

/// So many bytes of ones, and zeros.
#[inline(always)]
fn first_bytes<const N: usize>(count: usize) -> &'static [u8; N] {
    const { assert!(N <= 32) };
    static ONES_AND_ZEROS: [u8; 64] = {
        let mut bytes = [0; 64];
        let mut i = 0;
        while i < 32 {
            bytes[i] = 0xff;
            i += 1;
        }
        bytes
    };
    ONES_AND_ZEROS[32 - count.min(32)..].first_chunk().expect("there are 32 zeros")
}

/// Asks for the cache line at an address, which may be any.
#[inline(always)]
pub fn prefetch<T>(address: *const T) {
    // SAFETY: a prefetch changes nothing but the caches.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}

/// The same value, hidden from the optimiser: a sum goes on from here, and is not regrouped with the terms behind it.
///
/// The optimiser takes a sum to be in no order and puts the terms where it likes. Where one term arrives last, in a
/// chain that bounds the kernel, this keeps it the last to be added.
#[inline(always)]
pub fn opaque_u32(mut value: u32) -> u32 {
    // SAFETY: there is no instruction.
    unsafe { asm!("/* {0:e} */", inout(reg) value, options(pure, nomem, nostack, preserves_flags)) };
    value
}

/// What [`opaque_u32`] is, for 64 bits.
#[inline(always)]
pub fn opaque_u64(mut value: u64) -> u64 {
    // SAFETY: there is no instruction.
    unsafe { asm!("/* {0} */", inout(reg) value, options(pure, nomem, nostack, preserves_flags)) };
    value
}

/// What [`opaque_u32`] is, for 128-bit vectors.
#[inline(always)]
pub fn opaque_128(mut value: __m128i) -> __m128i {
    // SAFETY: there is no instruction.
    unsafe { asm!("/* {0} */", inout(xmm_reg) value, options(pure, nomem, nostack, preserves_flags)) };
    value
}

/// The same reference, hidden from the optimiser each time: what is loaded through it inside a loop is loaded there,
/// and not kept in registers that the loop needs for other things.
#[expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read or written through the pointer")]
#[inline(always)]
pub fn opaque_ref<T>(value: &T) -> &T {
    let mut pointer = std::ptr::from_ref(value);
    // SAFETY: there is no instruction, and so the pointer is that of the reference still.
    unsafe {
        asm!("/* {0} */", inout(reg) pointer, options(nomem, nostack, preserves_flags));
        &*pointer
    }
}

/// Types that are `N` bytes of memory without padding, of which every bit pattern is valid.
///
/// # Safety
/// Implement it only for such types.
pub unsafe trait Bytes<const N: usize> {}

macro_rules! plain {
    ($($type:ty => $bytes:literal),* $(,)?) => {
        // SAFETY: arrays of integers have no padding, and the assertion checks the size.
        $(unsafe impl Bytes<$bytes> for $type {} const _: () = assert!(size_of::<$type>() == $bytes);)*
    };
}

plain! {
    [u8; 16] => 16, [u8; 32] => 32, [u8; 64] => 64,
    [u32; 4] => 16, [u32; 8] => 32, [u32; 16] => 64,
    [u64; 2] => 16, [u64; 4] => 32, [u64; 8] => 64,
    [[u8; 16]; 1] => 16, [[u8; 16]; 2] => 32, [[u8; 16]; 4] => 64,
    [[u64; 2]; 1] => 16, [[u64; 2]; 2] => 32, [[u64; 2]; 4] => 64,
}

/// The lanes of vectors as plain numbers, the lowest of the first vector first.
#[inline(always)]
pub fn lanes_of(vectors: &[__m512i]) -> &[u64] {
    // SAFETY: a vector is eight lanes without padding, and is aligned more than they are.
    unsafe { std::slice::from_raw_parts(vectors.as_ptr().cast(), vectors.len() * 8) }
}

/// The lanes of vectors as plain numbers, to be written.
#[inline(always)]
pub fn lanes_of_mut(vectors: &mut [__m512i]) -> &mut [u64] {
    // SAFETY: as in `lanes_of`; every bit pattern is a vector, and the borrow is unique.
    unsafe { std::slice::from_raw_parts_mut(vectors.as_mut_ptr().cast(), vectors.len() * 8) }
}

/// The same value, at this place among the others of its kind: instructions that make it stand before the next of them.
///
/// The compiler knows no processor that it compiles for here, and puts the longest chain of a loop where it likes. A
/// scheduler that is full of what waits for the chain does not get to see it.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn in_order_512(mut value: __m512i) -> __m512i {
    // SAFETY: there is no instruction.
    unsafe { asm!("/* {0} */", inout(zmm_reg) value, options(nomem, nostack, preserves_flags)) };
    value
}
