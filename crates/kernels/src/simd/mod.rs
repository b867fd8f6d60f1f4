//! Loads, stores and casts with lengths in their types, so that kernels need no pointers.

pub use inout::InOutBuf;

use hybrid_array::{Array, sizes::U16};

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

/// Views 16-byte blocks of RustCrypto's array type as plain arrays.
pub fn from_arrays<'i, 'o>(buffer: InOutBuf<'i, 'o, Array<u8, U16>>) -> InOutBuf<'i, 'o, [u8; 16]> {
    let count = buffer.len();
    let (input, output) = buffer.into_raw();
    // SAFETY: `Array<u8, U16>` is a transparent wrapper of `[u8; 16]`, and the count is the buffer's.
    unsafe { InOutBuf::from_raw(input.cast(), output.cast(), count) }
}
