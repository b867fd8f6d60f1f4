//! Elements of many buffers of equal length, side by side: element after element of all of them.

use std::array;
use std::marker::PhantomData;

use inout::{InOut, InOutBuf};

/// The rows of `N` buffers: row `i` is the `i`-th element of each.
pub(crate) struct Rows<'a, T, const N: usize> {
    inputs: [*const T; N],
    outputs: [*mut T; N],
    next: usize,
    end: usize,
    buffers: PhantomData<&'a mut T>,
}

/// The element at one place of every buffer.
pub(crate) struct Row<'r, 'a, T, const N: usize> {
    rows: &'r mut Rows<'a, T, N>,
    at: usize,
}

impl<'a, T, const N: usize> Rows<'a, T, N> {
    /// The rows of at most `N` buffers, from element `start` on: so many, whose elements are each so many of the buffers'
    /// as a `T` has. The buffers that are missing are all the `spare` one, whose content does not matter.
    ///
    /// # Panics
    /// If there are more buffers, or if any of them is shorter, or the spare one where it is needed.
    #[inline(always)]
    pub fn new<const PARTS: usize, P>(
        buffers: &'a mut [InOutBuf<'_, '_, P>],
        spare: &'a mut [T],
        start: usize,
        count: usize,
    ) -> Self
    where
        T: Parts<PARTS, P>,
    {
        assert!(buffers.len() == N || buffers.len() < N && count <= spare.len());
        let spare: *mut T = spare.as_mut_ptr();
        let (mut inputs, mut outputs) = ([spare.cast_const(); N], [spare; N]);
        for (i, buffer) in buffers.iter_mut().enumerate() {
            assert!(start + count * PARTS <= buffer.len());
            let (input, output) = buffer.reborrow().into_raw();
            // SAFETY: `start` is not behind the buffer's end, and a `T` is laid out as its parts are.
            (inputs[i], outputs[i]) = unsafe { (input.add(start).cast(), output.add(start).cast()) };
        }
        Rows { inputs, outputs, next: 0, end: count, buffers: PhantomData }
    }

    /// Their number.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.end
    }

    /// The input of buffer `i` in row `at`.
    #[inline(always)]
    pub fn input(&self, i: usize, at: usize) -> &T {
        assert!(at < self.end);
        // SAFETY: every buffer has as many elements as there are rows, and is borrowed for as long as the rows are.
        unsafe { &*self.inputs[i].add(at) }
    }

    /// Asks for the input of buffer `i` in row `at`, which need not be there.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn fetch(&self, i: usize, at: usize) {
        super::x86_64::prefetch(self.inputs[i].wrapping_add(at));
    }

    /// The output of buffer `i` in row `at`.
    #[inline(always)]
    pub fn output(&mut self, i: usize, at: usize) -> &mut T {
        assert!(at < self.end);
        // SAFETY: as in `input`, and nothing else of the rows is borrowed.
        unsafe { &mut *self.outputs[i].add(at) }
    }

    /// The next row.
    #[inline(always)]
    pub fn next(&mut self) -> Option<Row<'_, 'a, T, N>> {
        let at = self.next;
        if at == self.end {
            return None;
        }
        self.next = at + 1;
        Some(Row { rows: self, at })
    }
}

/// Types that are laid out as `PARTS` of `P` one after the other.
///
/// # Safety
/// Implement it only for such types.
pub(crate) unsafe trait Parts<const PARTS: usize, P> {}

// SAFETY: it is itself.
unsafe impl<const BYTES: usize> Parts<1, [u8; BYTES]> for [u8; BYTES] {}

// SAFETY: an array is laid out as its elements are.
unsafe impl<P, const PARTS: usize> Parts<PARTS, P> for [P; PARTS] {}

impl<T, const N: usize> Row<'_, '_, T, N> {
    /// The element of buffer `i`.
    #[inline(always)]
    pub fn get(&mut self, i: usize) -> InOut<'_, '_, T> {
        let (input, output) = (self.rows.inputs[i], self.rows.outputs[i]);
        // SAFETY: every buffer has as many elements as there are rows, and is borrowed for as long as the rows are; this
        // row hands out one element at a time.
        unsafe { InOut::from_raw(input.add(self.at), output.add(self.at)) }
    }

    /// All inputs.
    #[inline(always)]
    pub fn inputs(&self) -> [&T; N] {
        // SAFETY: as in `get`; nothing is written as long as these live.
        array::from_fn(|i| unsafe { &*self.rows.inputs[i].add(self.at) })
    }
}
