//! Padding of the last block.

use subtle::{ConditionallySelectable, ConstantTimeEq, ConstantTimeLess};

use super::{Block, CipherError};

/// How a message is made a whole number of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Padding {
    /// One to sixteen bytes are added, each of which says how many (PKCS #7, RFC 5652, section 6.3).
    #[default]
    Pkcs7,
    /// Nothing is added: the message must be a whole number of blocks.
    None,
}

impl Padding {
    /// Pads the last block, of which `filled` bytes are message; `None` if there is no block to write.
    pub(super) fn pad(self, mut block: Block, filled: usize) -> Result<Option<Block>, CipherError> {
        match self {
            Padding::Pkcs7 => {
                let added = block.len() - filled;
                block[filled..].fill(added as u8);
                Ok(Some(block))
            }
            Padding::None if filled == 0 => Ok(None),
            Padding::None => Err(CipherError::NotWholeBlocks { bytes: filled }),
        }
    }
}

/// The number of message bytes in the last block under PKCS #7. Which byte of a wrong padding is wrong, and how long a
/// right one is, changes neither the instructions executed nor the addresses touched; that it is wrong is the result.
pub(super) fn unpad_pkcs7(block: &Block) -> Result<usize, CipherError> {
    let length = block[block.len() - 1];
    let mut good = !length.ct_eq(&0) & length.ct_lt(&17);
    for (i, byte) in block.iter().enumerate() {
        // The i-th byte is padding if at most `length` bytes follow it, itself included.
        let is_padding = ((block.len() - i - 1) as u8).ct_lt(&length);
        good &= !is_padding | byte.ct_eq(&length);
    }
    let message = u8::conditional_select(&0, &(block.len() as u8).wrapping_sub(length), good);
    if bool::from(good) { Ok(message.into()) } else { Err(CipherError::BadPadding) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_comes_back() {
        for filled in 0..16 {
            let padded = Padding::Pkcs7.pad([7; 16], filled).unwrap().unwrap();
            assert_eq!(unpad_pkcs7(&padded), Ok(filled));
        }
        assert_eq!(Padding::None.pad([7; 16], 0), Ok(None));
        assert_eq!(Padding::None.pad([7; 16], 3), Err(CipherError::NotWholeBlocks { bytes: 3 }));
    }

    #[test]
    fn every_wrong_padding_is_refused() {
        for last in 0..=255u8 {
            for wrong in 0..16 {
                let mut block = [last; 16];
                block[wrong] ^= 0x80;
                let length = usize::from(block[15]);
                let expected = (1..=16).contains(&length) && block[16 - length..].iter().all(|byte| *byte == block[15]);
                assert_eq!(unpad_pkcs7(&block).is_ok(), expected, "{block:x?}");
            }
            assert_eq!(unpad_pkcs7(&[last; 16]).is_ok(), (1..=16).contains(&last));
        }
    }
}
