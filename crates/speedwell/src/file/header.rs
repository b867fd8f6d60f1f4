//! How a file begins: what its keys are derived from, and a tag that tells a wrong key from a changed file.

use argon2::{Algorithm, Argon2, Params, Version};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::FileError;
use crate::digest::Sha256;
use crate::mac::HmacKey;

/// Bytes of a header.
pub const HEADER: usize = PARAMETERS + COMMITMENT;

/// The bytes before the commitment.
const PARAMETERS: usize = 56;
const COMMITMENT: usize = 32;
const SALT: usize = 32;

/// The first bytes: none of ASCII, a name, and line ends, so that a transfer that translates text is noticed at once.
const MAGIC: [u8; 8] = *b"\x89SPDW\r\n\x1a";
const VERSION: u8 = 1;

/// What a file is encrypted with.
pub enum Credential<'a> {
    /// A key that nobody can guess: 32 random bytes.
    Key(&'a [u8; 32]),
    /// A passphrase, of any length.
    Passphrase(&'a [u8]),
}

/// How keys are derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyDerivation {
    /// From a raw key.
    RawKey,
    /// From a passphrase by Argon2id (RFC 9106) at a cost.
    Argon2id(Argon2Cost),
}

/// What it costs to try a passphrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argon2Cost {
    /// Memory in KiB.
    pub memory: u32,
    /// Passes over the memory.
    pub passes: u32,
    /// Lanes.
    pub lanes: u32,
}

impl Default for Argon2Cost {
    /// The second of the two costs that RFC 9106, section 4, recommends: 64 MiB, three passes, four lanes.
    fn default() -> Self {
        Argon2Cost { memory: 64 << 10, passes: 3, lanes: 4 }
    }
}

/// The beginning of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    derivation: KeyDerivation,
    salt: [u8; SALT],
}

impl Header {
    /// A header with a fresh salt.
    ///
    /// # Errors
    /// [`FileError::NoRandomness`] or [`FileError::Cost`].
    pub fn new(derivation: KeyDerivation) -> Result<Header, FileError> {
        let mut salt = [0; SALT];
        getrandom::fill(&mut salt).map_err(|_| FileError::NoRandomness)?;
        let header = Header { derivation, salt };
        header.check()?;
        Ok(header)
    }

    /// How keys are derived.
    pub fn derivation(&self) -> KeyDerivation {
        self.derivation
    }

    /// Derives the key of the chunks, and the header's bytes as they stand in the file.
    ///
    /// # Errors
    /// [`FileError::NeedsKey`], [`FileError::NeedsPassphrase`] or [`FileError::Memory`].
    pub(super) fn keys(&self, credential: &Credential<'_>) -> Result<(Zeroizing<[u8; 32]>, [u8; HEADER]), FileError> {
        let secret = match (credential, self.derivation) {
            (Credential::Key(key), KeyDerivation::RawKey) => Zeroizing::new(**key),
            (Credential::Passphrase(passphrase), KeyDerivation::Argon2id(cost)) => self.argon2id(passphrase, cost)?,
            (Credential::Key(_), _) => return Err(FileError::NeedsPassphrase),
            (Credential::Passphrase(_), _) => return Err(FileError::NeedsKey),
        };
        let parameters = self.parameters();
        // HKDF (RFC 5869) with SHA-256: extraction, and two expansions of one block each.
        let extracted = Zeroizing::new(<[u8; 32]>::from(HmacKey::<Sha256>::new(&self.salt).tag(&secret[..])));
        let key = HmacKey::<Sha256>::new(&extracted[..]);
        let expand = |purpose: &[u8]| <[u8; 32]>::from(key.tag(&[purpose, &parameters, &[1]].concat()));
        let mut bytes = [0; HEADER];
        bytes[..PARAMETERS].copy_from_slice(&parameters);
        bytes[PARAMETERS..].copy_from_slice(&expand(b"speedwell file commitment"));
        Ok((Zeroizing::new(expand(b"speedwell file chunks")), bytes))
    }

    /// Reads a header; what follows it is left alone. The commitment is checked when there is a key.
    ///
    /// # Errors
    /// [`FileError::NotThisForm`], [`FileError::HeaderCut`], [`FileError::UnknownVersion`] or [`FileError::Cost`].
    pub fn read(bytes: &[u8]) -> Result<Header, FileError> {
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) || bytes.is_empty() {
            return Err(FileError::NotThisForm);
        }
        let Some(bytes) = bytes.first_chunk::<HEADER>() else {
            return Err(FileError::HeaderCut { bytes: bytes.len() });
        };
        let number = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let cost = Argon2Cost { memory: number(12), passes: number(16), lanes: number(20) };
        let derivation = match &bytes[8..12] {
            [VERSION, 0, 0, 0] => KeyDerivation::RawKey,
            [VERSION, 1, 0, 0] => KeyDerivation::Argon2id(cost),
            _ => return Err(FileError::UnknownVersion { version: bytes[8], derivation: bytes[9] }),
        };
        let mut salt = [0; SALT];
        salt.copy_from_slice(&bytes[24..PARAMETERS]);
        let header = Header { derivation, salt };
        header.check()?;
        Ok(header)
    }

    /// Whether a header's bytes are those that a key gives.
    pub(super) fn is_committed(expected: &[u8; HEADER], given: &[u8; HEADER]) -> bool {
        expected.ct_eq(given).into()
    }

    fn parameters(&self) -> [u8; PARAMETERS] {
        let (derivation, cost) = match self.derivation {
            KeyDerivation::RawKey => (0, Argon2Cost { memory: 0, passes: 0, lanes: 0 }),
            KeyDerivation::Argon2id(cost) => (1, cost),
        };
        let mut bytes = [0; PARAMETERS];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&[VERSION, derivation]);
        bytes[12..16].copy_from_slice(&cost.memory.to_be_bytes());
        bytes[16..20].copy_from_slice(&cost.passes.to_be_bytes());
        bytes[20..24].copy_from_slice(&cost.lanes.to_be_bytes());
        bytes[24..].copy_from_slice(&self.salt);
        bytes
    }

    fn check(&self) -> Result<(), FileError> {
        let KeyDerivation::Argon2id(Argon2Cost { memory, passes, lanes }) = self.derivation else { return Ok(()) };
        let is_usual = (1..=64).contains(&lanes) && (8 * lanes..=4 << 20).contains(&memory);
        if is_usual && (1..=1000).contains(&passes) {
            return Ok(());
        }
        Err(FileError::Cost { memory, passes, lanes })
    }

    fn argon2id(&self, passphrase: &[u8], cost: Argon2Cost) -> Result<Zeroizing<[u8; 32]>, FileError> {
        let Argon2Cost { memory, passes, lanes } = cost;
        let refused = |_| FileError::Cost { memory, passes, lanes };
        let parameters = Params::new(memory, passes, lanes, Some(32)).map_err(refused)?;
        // The memory is asked for here, so that too little of it is an error.
        let mut blocks = Vec::new();
        blocks.try_reserve_exact(parameters.block_count()).map_err(|_| FileError::Memory { memory })?;
        blocks.resize(parameters.block_count(), argon2::Block::default());
        let mut blocks = Zeroizing::new(blocks);
        let mut key = Zeroizing::new([0; 32]);
        Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters)
            .hash_password_into_with_memory(passphrase, &self.salt, &mut key[..], &mut blocks[..])
            .map_err(refused)?;
        Ok(key)
    }
}
