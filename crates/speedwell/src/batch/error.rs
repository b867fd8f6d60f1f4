//! What can go wrong with a batch.

use std::fmt;

use crate::select::SelectError;

/// Why a batch refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchError {
    /// There are not as many outputs as messages. Nothing was processed.
    OutputCount {
        /// The messages.
        messages: usize,
        /// The outputs.
        outputs: usize,
    },
    /// The output has not as many bytes as all digests together. Nothing was processed.
    OutputBytes {
        /// The bytes needed.
        needed: usize,
        /// The bytes given.
        given: usize,
    },
    /// There is no digest with this canonical name.
    NotADigest {
        /// The name given.
        name: String,
    },
    /// Only whole blocks of a digest can stand before the messages of a batch.
    PrefixLength {
        /// The bytes given.
        bytes: usize,
        /// The bytes of a block.
        block: usize,
    },
    /// A message to be encrypted is not a whole number of blocks.
    NotWholeBlocks {
        /// The bytes given.
        bytes: usize,
    },
    /// No kernel may run.
    Select(SelectError),
}

impl fmt::Display for BatchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::OutputCount { messages, outputs } => {
                write!(formatter, "there are {outputs} outputs for {messages} messages; give one for each")
            }
            BatchError::OutputBytes { needed, given } => {
                write!(formatter, "the output has {given} bytes where all digests together have {needed}")
            }
            BatchError::NotADigest { name } => {
                write!(formatter, "'{name}' is not the canonical name of a digest; see speedwell::names")
            }
            BatchError::PrefixLength { bytes, block } => {
                write!(formatter, "a prefix of {bytes} bytes is not a whole number of blocks of {block}; pad it")
            }
            BatchError::NotWholeBlocks { bytes } => {
                write!(formatter, "{bytes} bytes are not a whole number of blocks of 16; pad the message")
            }
            BatchError::Select(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for BatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BatchError::Select(error) => Some(error),
            _ => None,
        }
    }
}

impl From<SelectError> for BatchError {
    fn from(error: SelectError) -> Self {
        BatchError::Select(error)
    }
}
