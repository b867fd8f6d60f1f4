//! Loads, stores and casts with lengths in their types, so that kernels need no pointers.

pub use inout::InOutBuf;

use std::mem::MaybeUninit;

use hybrid_array::{Array, sizes::U16};
use zeroize::optimization_barrier;

#[cfg(target_arch = "x86_64")]
pub(crate) mod lanes;
#[cfg(target_arch = "x86_64")]
pub(crate) mod rows;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86_64;

/// Views a buffer as arrays of `N`; the elements that do not fill one are the second part. The twin of
/// [`slice::as_chunks`] for a pair of input and output.
pub fn as_chunks<'i, 'o, T, const N: usize>(
    buffer: InOutBuf<'i, 'o, T>,
) -> (InOutBuf<'i, 'o, [T; N]>, InOutBuf<'i, 'o, T>) {
    let whole = buffer.len() / N;
    let (head, tail) = buffer.split_at(whole * N);
    let (input, output) = head.into_raw();
    // SAFETY: `head` is valid for `whole * N` elements on both sides, and an array is laid out as its elements are.
    let arrays = unsafe { InOutBuf::from_raw(input.cast(), output.cast(), whole) };
    (arrays, tail)
}

/// Views arrays of bytes as the bytes that they are.
pub fn as_bytes<'i, 'o, const N: usize>(buffer: InOutBuf<'i, 'o, [u8; N]>) -> InOutBuf<'i, 'o, u8> {
    let bytes = buffer.len() * N;
    let (input, output) = buffer.into_raw();
    // SAFETY: an array of bytes is laid out as its bytes are, and there are so many of them on both sides.
    unsafe { InOutBuf::from_raw(input.cast(), output.cast(), bytes) }
}

/// Views 16-byte blocks of RustCrypto's array type as plain arrays.
pub fn from_arrays<'i, 'o>(buffer: InOutBuf<'i, 'o, Array<u8, U16>>) -> InOutBuf<'i, 'o, [u8; 16]> {
    let count = buffer.len();
    let (input, output) = buffer.into_raw();
    // SAFETY: `Array<u8, U16>` is a transparent wrapper of `[u8; 16]`, and the count is the buffer's.
    unsafe { InOutBuf::from_raw(input.cast(), output.cast(), count) }
}

/// Writes sixteen bytes, given as two little-endian halves, in one store.
///
/// Processors forward a store to a load that it covers. A kernel that loads whole vectors of what was written in smaller
/// pieces waits until all of them have left the store queue.
#[inline(always)]
pub fn write_16(to: &mut [u8; 16], low: u64, high: u64) {
    #[cfg(target_arch = "x86_64")]
    x86_64::store_128(to, x86_64::from_halves(low, high));
    #[cfg(not(target_arch = "x86_64"))]
    {
        *to = (u128::from(high) << 64 | u128::from(low)).to_le_bytes();
    }
}

/// Room for a table on the stack: written once, not zeroed before. Wiped on drop.
pub(crate) struct Scratch<T, const N: usize>(MaybeUninit<[T; N]>);

impl<T: Copy, const N: usize> Scratch<T, N> {
    /// Room with nothing in it.
    #[inline(always)]
    pub fn new() -> Self {
        Scratch(MaybeUninit::uninit())
    }

    /// Fills it from the first entry to the last.
    #[inline(always)]
    pub fn fill(&mut self, mut entry: impl FnMut() -> T) -> &[T; N] {
        let entries: *mut T = self.0.as_mut_ptr().cast();
        for i in 0..N {
            // SAFETY: there is room for `N` entries.
            unsafe { entries.add(i).write(entry()) };
        }
        // SAFETY: every entry has been written.
        unsafe { self.0.assume_init_ref() }
    }
}

impl<T, const N: usize> Drop for Scratch<T, N> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0 = MaybeUninit::zeroed();
        optimization_barrier(&self.0);
    }
}
