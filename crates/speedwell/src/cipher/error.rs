//! What can go wrong with a cipher.

use std::fmt;

use crate::select::SelectError;

/// Why a cipher refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CipherError {
    /// A key of a length that the cipher does not have.
    KeyLength {
        /// The bytes given.
        given: usize,
        /// What it takes.
        expected: &'static str,
    },
    /// The output has no room for what the call would write. Nothing was processed.
    OutputTooSmall {
        /// The bytes needed.
        needed: usize,
        /// The bytes given.
        given: usize,
    },
    /// Input and output of a call that needs them equally long are not.
    LengthsDiffer {
        /// The bytes of input.
        input: usize,
        /// The bytes of output.
        output: usize,
    },
    /// The message is not a whole number of blocks, and its mode or padding needs one.
    NotWholeBlocks {
        /// The bytes of the message, or of its last part.
        bytes: usize,
    },
    /// The padding is wrong. Telling this to whoever sent the ciphertext is an oracle that decrypts it (S. Vaudenay,
    /// EUROCRYPT 2002): check a MAC first.
    BadPadding,
    /// No kernel may run.
    Select(SelectError),
}

impl fmt::Display for CipherError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CipherError::KeyLength { given, expected } => {
                write!(formatter, "a key of {given} bytes does not fit; it must have {expected}")
            }
            CipherError::OutputTooSmall { needed, given } => {
                write!(formatter, "the output has {given} bytes where {needed} are needed")
            }
            CipherError::LengthsDiffer { input, output } => {
                write!(formatter, "the input has {input} bytes and the output {output}; they must be equally long")
            }
            CipherError::NotWholeBlocks { bytes } => {
                write!(formatter, "{bytes} bytes are not a whole number of blocks; pad the message")
            }
            CipherError::BadPadding => formatter.write_str("the padding is wrong"),
            CipherError::Select(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for CipherError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CipherError::Select(error) => Some(error),
            _ => None,
        }
    }
}

impl From<SelectError> for CipherError {
    fn from(error: SelectError) -> Self {
        CipherError::Select(error)
    }
}
