//! How the files of older commands begin.

use super::FileError;

/// What a file of `openssl enc` begins with, before the salt.
pub const OPENSSL_MAGIC: [u8; 8] = *b"Salted__";

/// Bytes of the salt behind it.
pub const OPENSSL_SALT: usize = 8;

/// Bytes of the salt of Solaris' `encrypt`.
pub const SOLARIS_SALT: usize = 16;

/// How a file of Solaris' `encrypt` begins: version 1 and the iterations of PBKDF2, both big-endian with 32 bits, the
/// initialisation vector, and the salt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolarisHeader {
    /// The iterations of PBKDF2.
    pub iterations: u32,
    /// The initialisation vector: of a block's length, or none for RC4.
    pub iv: Vec<u8>,
    /// The salt.
    pub salt: [u8; SOLARIS_SALT],
}

const VERSION: [u8; 4] = [0, 0, 0, 1];

/// More iterations are not tried for a file that anybody may have written.
const MOST_ITERATIONS: u64 = 100_000_000;

impl SolarisHeader {
    /// The header as it is written.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&VERSION[..], &self.iterations.to_be_bytes(), &self.iv, &self.salt].concat()
    }

    /// The most bytes that a header has with an initialisation vector of this length.
    pub fn longest(iv: usize) -> usize {
        12 + iv + SOLARIS_SALT
    }

    /// Reads a header, and how many bytes it has.
    ///
    /// The command of 64-bit systems once wrote the iterations with eight bytes. No count is 2^32 or more, and none is zero:
    /// where the first four bytes are zero, there are eight.
    ///
    /// # Errors
    /// [`FileError::NotThisForm`] or [`FileError::HeaderCut`].
    pub fn read(bytes: &[u8], iv: usize) -> Result<(SolarisHeader, usize), FileError> {
        let cut = || FileError::HeaderCut { bytes: bytes.len() };
        let rest = match bytes.strip_prefix(&VERSION) {
            Some(rest) => rest,
            None if VERSION.starts_with(bytes) => return Err(cut()),
            None => return Err(FileError::NotThisForm),
        };
        let (short, after_short) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
        let (iterations, rest) = match u32::from_be_bytes(*short) {
            0 => {
                let (low, rest) = after_short.split_first_chunk::<4>().ok_or_else(cut)?;
                (u32::from_be_bytes(*low), rest)
            }
            short => (short, after_short),
        };
        if iterations == 0 || u64::from(iterations) > MOST_ITERATIONS {
            return Err(FileError::NotThisForm);
        }
        let (iv, rest) = rest.split_at_checked(iv).ok_or_else(cut)?;
        let salt = rest.first_chunk::<SOLARIS_SALT>().ok_or_else(cut)?;
        let length = bytes.len() - rest.len() + SOLARIS_SALT;
        Ok((SolarisHeader { iterations, iv: iv.to_vec(), salt: *salt }, length))
    }
}
