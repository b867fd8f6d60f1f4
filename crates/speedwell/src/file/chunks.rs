//! The chunks behind the header: sealed and opened under nonces that tell their place.

use cipher::InOutBuf;

use super::{Credential, FileError, HEADER, Header, KeyDerivation};
use crate::aead::{AeadError, Aes256Gcm};

/// Bytes of a message in a chunk; the last may have fewer, and none only where the whole message is empty.
pub const CHUNK: usize = 64 << 10;

/// Bytes of a whole chunk in the file: with its tag.
pub const SEALED_CHUNK: usize = CHUNK + TAG;

const TAG: usize = 16;

/// Seals the chunks of one message.
#[derive(Debug)]
pub struct Sealer(Aes256Gcm);

/// Opens the chunks of one message.
#[derive(Debug)]
pub struct Opener(Aes256Gcm);

impl Sealer {
    /// A sealer with keys of its own, and the header that the file begins with.
    ///
    /// # Errors
    /// Those of [`Header::new`], and if the credential is not of the derivation's kind.
    pub fn new(credential: &Credential<'_>, derivation: KeyDerivation) -> Result<(Sealer, [u8; HEADER]), FileError> {
        let (key, header) = Header::new(derivation)?.keys(credential)?;
        Ok((Sealer(Aes256Gcm::new(&key)), header))
    }

    /// Seals consecutive chunks of which the first has this number, and appends them to `sealed`. Unless they are the last,
    /// the message must be a whole number of chunks. No place may be sealed twice with different messages: the nonce tells
    /// the place.
    ///
    /// # Errors
    /// [`FileError::TooLong`].
    ///
    /// # Panics
    /// If a part that is not the last is empty or not a whole number of chunks.
    pub fn seal(&self, first: u64, is_last: bool, message: &[u8], sealed: &mut Vec<u8>) -> Result<(), FileError> {
        assert!(
            is_last || !message.is_empty() && message.len().is_multiple_of(CHUNK),
            "only the last chunk may be short"
        );
        let chunks = message.len().div_ceil(CHUNK).max(1);
        let start = sealed.len();
        sealed.resize(start + message.len() + chunks * TAG, 0);
        let mut places = sealed[start..].chunks_mut(SEALED_CHUNK);
        for i in 0..chunks {
            let chunk = &message[i * CHUNK..message.len().min((i + 1) * CHUNK)];
            let (text, tag) = places.next().expect("there is a place for each chunk").split_at_mut(chunk.len());
            let nonce = nonce(first + i as u64, is_last && i + 1 == chunks)?;
            let buffer = InOutBuf::new(chunk, text).expect("a chunk's place has its length");
            tag.copy_from_slice(&self.0.encrypt(&nonce, &[], buffer)?);
        }
        Ok(())
    }
}

impl Opener {
    /// An opener for the file that begins with these bytes, which must be a header's.
    ///
    /// # Errors
    /// Those of [`Header::read`]; [`FileError::WrongKey`], or if the credential is not of the header's kind.
    pub fn new(credential: &Credential<'_>, header: &[u8]) -> Result<Opener, FileError> {
        let parsed = Header::read(header)?;
        let given = header.first_chunk().ok_or(FileError::HeaderCut { bytes: header.len() })?;
        let (key, expected) = parsed.keys(credential)?;
        if !Header::is_committed(&expected, given) {
            return Err(FileError::WrongKey);
        }
        Ok(Opener(Aes256Gcm::new(&key)))
    }

    /// Opens consecutive chunks of which the first has this number, and appends what was in them to `message`: only what is
    /// authentic; on an error nothing of the chunk that it is about and of those after it.
    ///
    /// # Errors
    /// [`FileError::Chunk`] or [`FileError::Cut`].
    pub fn open(&self, first: u64, is_last: bool, sealed: &[u8], message: &mut Vec<u8>) -> Result<(), FileError> {
        let chunks = sealed.len().div_ceil(SEALED_CHUNK);
        if chunks == 0 {
            return Err(FileError::Cut { number: first });
        }
        let start = message.len();
        message.resize(start + sealed.len(), 0);
        let mut end = start;
        for (i, chunk) in sealed.chunks(SEALED_CHUNK).enumerate() {
            let number = first + i as u64;
            let opened = self.open_one(number, is_last && i + 1 == chunks, chunk, &mut message[end..]);
            match opened {
                Ok(length) => end += length,
                Err(error) => {
                    message.truncate(end);
                    return Err(error);
                }
            }
        }
        message.truncate(end);
        Ok(())
    }

    fn open_one(&self, number: u64, is_last: bool, sealed: &[u8], message: &mut [u8]) -> Result<usize, FileError> {
        let Some((text, tag)) = sealed.split_last_chunk::<TAG>() else { return Err(FileError::Cut { number }) };
        // A short chunk is the last; one without a byte is the only one.
        if text.len() < CHUNK && !is_last || text.is_empty() && number > 0 {
            return Err(FileError::Cut { number });
        }
        let buffer = InOutBuf::new(text, &mut message[..text.len()]).expect("both are as long as the text");
        match self.0.decrypt(&nonce(number, is_last)?, &[], buffer, tag) {
            Ok(()) => Ok(text.len()),
            Err(AeadError::WrongTag) => Err(FileError::Chunk { number }),
            Err(error) => Err(error.into()),
        }
    }
}

/// A chunk's number as eleven bytes, and whether it is the last.
fn nonce(number: u64, is_last: bool) -> Result<[u8; 12], FileError> {
    if number > u64::from(u32::MAX) {
        return Err(FileError::TooLong);
    }
    let mut nonce = [0; 12];
    nonce[3..11].copy_from_slice(&number.to_be_bytes());
    nonce[11] = u8::from(is_last);
    Ok(nonce)
}

/// A message as a whole file.
///
/// # Errors
/// Those of [`Sealer`].
pub fn encrypt_to_vec(
    credential: &Credential<'_>,
    derivation: KeyDerivation,
    message: &[u8],
) -> Result<Vec<u8>, FileError> {
    let (sealer, header) = Sealer::new(credential, derivation)?;
    let mut file = header.to_vec();
    sealer.seal(0, true, message, &mut file)?;
    Ok(file)
}

/// The message of a whole file.
///
/// # Errors
/// Those of [`Opener`].
pub fn decrypt_to_vec(credential: &Credential<'_>, file: &[u8]) -> Result<Vec<u8>, FileError> {
    let opener = Opener::new(credential, file)?;
    let mut message = Vec::new();
    opener.open(0, true, &file[HEADER..], &mut message)?;
    Ok(message)
}
