//! Loads, stores and casts with lengths in their types, so that kernels need no pointers.

pub use inout::InOutBuf;

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
