//! What can be wrong with an encrypted file.

use std::fmt;

use crate::aead::AeadError;

/// Why a file cannot be encrypted or decrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// The file does not begin as files of this form do.
    NotThisForm,
    /// The file ends within its header.
    HeaderCut {
        /// The bytes there are.
        bytes: usize,
    },
    /// A version, or a way to derive keys, that is not known.
    UnknownVersion {
        /// The version.
        version: u8,
        /// The way to derive keys.
        derivation: u8,
    },
    /// The cost of Argon2id is none that Argon2id has, or more than is tried for a file that anybody may have written.
    Cost {
        /// Memory in KiB.
        memory: u32,
        /// Passes over it.
        passes: u32,
        /// Lanes.
        lanes: u32,
    },
    /// The file was encrypted with a passphrase and a key was given.
    NeedsPassphrase,
    /// The file was encrypted with a key and a passphrase was given.
    NeedsKey,
    /// The key or passphrase is wrong, or the header was changed.
    WrongKey,
    /// A chunk is not what was sealed at its place: it was changed, moved, or is not the last where the file ends.
    Chunk {
        /// Its number, from zero.
        number: u64,
    },
    /// The file ends within a chunk or before one.
    Cut {
        /// The number of the chunk.
        number: u64,
    },
    /// More chunks than there are nonces.
    TooLong,
    /// The operating system has no random bytes.
    NoRandomness,
    /// There is not enough memory for Argon2id.
    Memory {
        /// Memory in KiB.
        memory: u32,
    },
    /// AES-GCM refuses.
    Aead(AeadError),
}

impl fmt::Display for FileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::NotThisForm => formatter
                .write_str("it is not encrypted in this form; if another program wrote it, name the form by --format"),
            FileError::HeaderCut { bytes } => {
                write!(formatter, "it is cut: it has {bytes} bytes and ends within its header")
            }
            FileError::UnknownVersion { version, derivation } => write!(
                formatter,
                "version {version} with key derivation {derivation} is not known here; a newer version may read it"
            ),
            FileError::Cost { memory, passes, lanes } => write!(
                formatter,
                "Argon2id with {memory} KiB, {passes} passes and {lanes} lanes is out of bounds: 8 KiB a lane to 4 GiB, 1 to 1000 passes, 1 to 64 lanes"
            ),
            FileError::NeedsPassphrase => formatter.write_str("it was encrypted with a passphrase, not with a key"),
            FileError::NeedsKey => formatter.write_str("it was encrypted with a key, not with a passphrase"),
            FileError::WrongKey => {
                formatter.write_str("the key or passphrase is wrong, or the file's header was changed")
            }
            FileError::Chunk { number } => {
                write!(formatter, "chunk {number} is not what was encrypted: the file was changed or cut")
            }
            FileError::Cut { number } => write!(formatter, "the file is cut: it ends in or before chunk {number}"),
            FileError::TooLong => formatter.write_str("the file has more than 2^32 chunks, 256 TiB; split it"),
            FileError::NoRandomness => formatter.write_str("the operating system has no random bytes"),
            FileError::Memory { memory } => {
                write!(formatter, "Argon2id needs {memory} KiB of memory, which are not there")
            }
            FileError::Aead(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for FileError {}

impl From<AeadError> for FileError {
    fn from(error: AeadError) -> Self {
        FileError::Aead(error)
    }
}
