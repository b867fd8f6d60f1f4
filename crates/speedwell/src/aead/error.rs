//! What can go wrong with authenticated encryption.

use std::fmt;

use crate::select::SelectError;

/// Why an authenticated cipher refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AeadError {
    /// The tag is not that of the message, the associated data and the nonce under this key: there is no message.
    WrongTag,
    /// A tag of a length that GCM does not have, or that is too short to be safe.
    TagLength {
        /// The bytes given.
        given: usize,
    },
    /// An empty nonce.
    NoNonce,
    /// A message longer than the counter can number the blocks of.
    MessageTooLong {
        /// The bytes given.
        given: u64,
    },
    /// Associated data, or a nonce, of more bits than 64 bits can count.
    AssociatedDataTooLong {
        /// The bytes given.
        given: u64,
    },
    /// Something sealed that is shorter than its tag.
    NoTag {
        /// The bytes given.
        given: usize,
    },
    /// No kernel may run.
    Select(SelectError),
}

impl fmt::Display for AeadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AeadError::WrongTag => {
                formatter.write_str("the tag is wrong: the message, its header, the nonce or the key is another")
            }
            AeadError::TagLength { given } => {
                write!(formatter, "a tag of {given} bytes does not fit; it must have 12 to 16")
            }
            AeadError::NoNonce => formatter.write_str("the nonce is empty; use 12 bytes, other ones for every message"),
            AeadError::MessageTooLong { given } => write!(
                formatter,
                "a message of {given} bytes is too long for one nonce; cut it into parts of at most {} bytes",
                super::gcm::LONGEST_MESSAGE
            ),
            AeadError::AssociatedDataTooLong { given } => write!(
                formatter,
                "associated data or a nonce of {given} bytes is too long; the most is {} bytes",
                super::gcm::LONGEST_ASSOCIATED_DATA
            ),
            AeadError::NoTag { given } => {
                write!(formatter, "{given} bytes hold no tag, which has 16 and stands behind the ciphertext")
            }
            AeadError::Select(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for AeadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            AeadError::Select(error) => Some(error),
            _ => None,
        }
    }
}

impl From<SelectError> for AeadError {
    fn from(error: SelectError) -> Self {
        AeadError::Select(error)
    }
}
