//! The messages that a cipher works on in place, one after the other.

use crate::case::Buffer;

/// A few copies of a message in a row, taken in turn.
///
/// A cipher that got the same bytes again at once would wait for its own output: for the store, the load that forwards
/// it, and the latency of all rounds. Programs do not encrypt what they have just encrypted. Small messages therefore
/// lie side by side, enough of them that a message is out of the store queue when its turn comes, and few enough to stay
/// in the first-level cache. A message of [`SPAN`] bytes or more is alone: its beginning is long done when its end is.
pub struct Ring {
    buffer: Buffer,
    length: usize,
    stride: usize,
    next: usize,
}

/// Bytes that the messages of a ring take up together, if one does not take more.
pub const SPAN: usize = 4096;

impl Ring {
    /// Copies of a message, each with room for a multiple of `unit` bytes, zeros behind the message.
    pub fn new(message: &[u8], unit: usize) -> Ring {
        let length = message.len().next_multiple_of(unit.max(1));
        let stride = length.next_multiple_of(ALIGNMENT).max(ALIGNMENT);
        let mut buffer = Buffer::zeroed((SPAN / stride).max(1) * stride);
        for copy in buffer.chunks_exact_mut(stride) {
            copy[..message.len()].copy_from_slice(message);
        }
        Ring { buffer, length, stride, next: 0 }
    }

    /// One message, every time again: for work that does not write it.
    pub fn alone(buffer: Buffer) -> Ring {
        Ring { length: buffer.len(), stride: buffer.len(), buffer, next: 0 }
    }

    /// The message that is taken first.
    pub fn first(&self) -> &[u8] {
        &self.buffer[..self.length]
    }

    /// The message whose turn it is, and the one after it the next time.
    #[inline]
    pub fn take(&mut self) -> &mut [u8] {
        let start = self.next;
        let after = start + self.stride;
        self.next = if after == self.buffer.len() { 0 } else { after };
        &mut self.buffer[start..start + self.length]
    }
}

/// Messages start where a vector of a block may be loaded without crossing a cache line.
const ALIGNMENT: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Case, Operation};

    fn ring(bytes: usize, unit: usize) -> Ring {
        Ring::new(&Case::new("aes-128-ctr", Operation::Encrypt, bytes).input(), unit)
    }

    #[test]
    fn messages_come_in_turn_and_come_again() {
        let mut ring = ring(16, 16);
        let first = ring.take().as_ptr();
        assert!((1..SPAN / 16).all(|_| ring.take().as_ptr() != first));
        assert_eq!(ring.take().as_ptr(), first);
    }

    #[test]
    fn a_long_message_is_alone_and_an_empty_one_is_possible() {
        let mut long = ring(10_000, 16);
        assert_eq!(long.take().as_ptr(), long.take().as_ptr());
        assert_eq!(ring(0, 16).take().len(), 0);
    }

    #[test]
    fn each_holds_the_message_and_zeros_to_the_unit() {
        let case = Case::new("aes-128-ctr", Operation::Encrypt, 20);
        let mut ring = Ring::new(&case.input(), 16);
        for _ in 0..3 {
            let message = ring.take();
            assert_eq!((message.len(), &message[..20], &message[20..]), (32, &case.input()[..], &[0; 12][..]));
        }
    }
}
