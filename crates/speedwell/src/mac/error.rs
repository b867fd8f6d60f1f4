//! What can go wrong with a message authentication code.

use std::fmt;

use crate::select::SelectError;

/// Why a MAC refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MacError {
    /// The tag is not that of the message under this key: do not use the message.
    WrongTag,
    /// A tag that is longer than the MAC's, or cut to fewer bytes than are safe.
    TagLength {
        /// The bytes given.
        given: usize,
        /// The fewest.
        least: usize,
        /// The most: the whole tag.
        most: usize,
    },
    /// A key of a length that the MAC does not have.
    KeyLength {
        /// The bytes given.
        given: usize,
        /// The bytes that it must have.
        expected: usize,
    },
    /// A name that is no MAC's canonical name.
    UnknownAlgorithm {
        /// The name given.
        name: String,
    },
    /// No kernel may run.
    Select(SelectError),
}

impl fmt::Display for MacError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MacError::WrongTag => formatter.write_str("the tag is wrong: the message, the tag or the key is another"),
            MacError::TagLength { given, least, most } => {
                write!(formatter, "a tag of {given} bytes does not fit; it must have {least} to {most}")
            }
            MacError::KeyLength { given, expected } => {
                write!(formatter, "a key of {given} bytes does not fit; it must have {expected}")
            }
            MacError::UnknownAlgorithm { name } => {
                write!(formatter, "'{name}' is no message authentication code; `names::find` knows all spellings")
            }
            MacError::Select(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for MacError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            MacError::Select(error) => Some(error),
            _ => None,
        }
    }
}

impl From<SelectError> for MacError {
    fn from(error: SelectError) -> Self {
        MacError::Select(error)
    }
}
