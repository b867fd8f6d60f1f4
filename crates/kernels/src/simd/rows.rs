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
    /// The rows from `start` to `end` of at most `N` buffers. The buffers that are missing are all the `spare` one, whose
    /// content does not matter.
    ///
    /// # Panics
    /// If there are more buffers, or if any of them or the spare one is shorter.
    #[inline(always)]
    pub fn new(buffers: &'a mut [InOutBuf<'_, '_, T>], spare: &'a mut [T], start: usize, end: usize) -> Self {
        assert!(buffers.len() <= N && start <= end && end - start <= spare.len());
        let spare: *mut T = spare.as_mut_ptr();
        let (mut inputs, mut outputs) = ([spare.cast_const(); N], [spare; N]);
        for (i, buffer) in buffers.iter_mut().enumerate() {
            assert!(end <= buffer.len());
            let (input, output) = buffer.reborrow().into_raw();
            // SAFETY: `start` is not behind the buffer's end.
            (inputs[i], outputs[i]) = unsafe { (input.add(start), output.add(start)) };
        }
        Rows { inputs, outputs, next: 0, end: end - start, buffers: PhantomData }
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
