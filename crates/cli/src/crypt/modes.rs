//! The ciphers of the older forms behind one interface: a message in parts, in order.

use anyhow::{Result, anyhow};
use speedwell::cipher::{Aes, CbcDecryptor, CbcEncryptor, CipherError, Ctr, InOutBuf, Padding, Rc4};
use speedwell::names::{Algorithm, Kind, Mode};
use speedwell::select::Policy;
use zeroize::Zeroizing;

use super::Direction;

/// A message in progress.
pub trait Stage {
    /// Takes a part, and appends what is done.
    fn update(&mut self, input: &[u8], output: &mut Vec<u8>) -> Result<()>;

    /// Ends the message.
    fn finish(self: Box<Self>, output: &mut Vec<u8>) -> Result<()>;
}

const BLOCK: usize = 16;

/// A cipher under a key and an initialisation vector, which is empty where the cipher has none.
pub fn stage(algorithm: &Algorithm, direction: Direction, key: &[u8], iv: &[u8]) -> Result<Box<dyn Stage>> {
    match algorithm.kind {
        Kind::StreamCipher { .. } => Ok(Box::new(Rc4::from_key(key)?)),
        Kind::BlockCipher { mode, .. } => match key.len() {
            16 => block_cipher::<16>(mode, direction, key, iv),
            24 => block_cipher::<24>(mode, direction, key, iv),
            _ => block_cipher::<32>(mode, direction, key, iv),
        },
        _ => Err(anyhow!("'{}' is no cipher of this form", algorithm.name)),
    }
}

fn block_cipher<const KEY: usize>(mode: Mode, direction: Direction, key: &[u8], iv: &[u8]) -> Result<Box<dyn Stage>> {
    let expected = KEY;
    let wrong = |what: &str, given: usize| anyhow!("{what} of {given} bytes does not fit");
    let key: &[u8; KEY] =
        key.try_into().map_err(|_| anyhow!("a key of {} bytes does not fit; it must have {expected}", key.len()))?;
    if mode == Mode::Ecb {
        return Ok(Box::new(Ecb {
            cipher: Aes::<KEY>::with_policy(key, Policy::Secret)?,
            direction,
            pending: Zeroizing::default(),
        }));
    }
    let iv: &[u8; BLOCK] = iv.try_into().map_err(|_| wrong("an initialisation vector", iv.len()))?;
    Ok(match (mode, direction) {
        (Mode::Cbc, Direction::Encrypt) => Box::new(CbcEncryptor::new(key, iv)),
        (Mode::Cbc, Direction::Decrypt) => Box::new(CbcDecryptor::new(key, iv)),
        _ => Box::new(Ctr::new(key, iv)),
    })
}

/// Appends what a call writes that may write a block more than it is given.
fn append(
    more: usize,
    output: &mut Vec<u8>,
    write: impl FnOnce(&mut [u8]) -> Result<usize, CipherError>,
) -> Result<()> {
    let start = output.len();
    output.resize(start + more + BLOCK, 0);
    let written = write(&mut output[start..]).map_err(explain)?;
    output.truncate(start + written);
    Ok(())
}

fn explain(error: CipherError) -> anyhow::Error {
    match error {
        CipherError::BadPadding => {
            anyhow!(
                "the padding is wrong: the key or passphrase, an option, or the file is another than when it was encrypted"
            )
        }
        CipherError::NotWholeBlocks { .. } => anyhow!("the file is cut: it does not end with a whole block"),
        other => other.into(),
    }
}

impl<const KEY: usize> Stage for CbcEncryptor<KEY> {
    fn update(&mut self, input: &[u8], output: &mut Vec<u8>) -> Result<()> {
        append(input.len(), output, |output| CbcEncryptor::update(self, input, output))
    }

    fn finish(self: Box<Self>, output: &mut Vec<u8>) -> Result<()> {
        append(0, output, |output| CbcEncryptor::finish(*self, output, Padding::Pkcs7))
    }
}

impl<const KEY: usize> Stage for CbcDecryptor<KEY> {
    fn update(&mut self, input: &[u8], output: &mut Vec<u8>) -> Result<()> {
        append(input.len(), output, |output| CbcDecryptor::update(self, input, output))
    }

    fn finish(self: Box<Self>, output: &mut Vec<u8>) -> Result<()> {
        append(0, output, |output| CbcDecryptor::finish(*self, output, Padding::Pkcs7))
    }
}

impl<const KEY: usize> Stage for Ctr<KEY> {
    fn update(&mut self, input: &[u8], output: &mut Vec<u8>) -> Result<()> {
        self.apply(copied(input, output));
        Ok(())
    }

    fn finish(self: Box<Self>, _output: &mut Vec<u8>) -> Result<()> {
        Ok(())
    }
}

impl Stage for Rc4 {
    fn update(&mut self, input: &[u8], output: &mut Vec<u8>) -> Result<()> {
        self.apply(copied(input, output));
        Ok(())
    }

    fn finish(self: Box<Self>, _output: &mut Vec<u8>) -> Result<()> {
        Ok(())
    }
}

/// Input, with as much room behind the output.
fn copied<'a>(input: &'a [u8], output: &'a mut Vec<u8>) -> InOutBuf<'a, 'a, u8> {
    let start = output.len();
    output.resize(start + input.len(), 0);
    InOutBuf::new(input, &mut output[start..]).expect("the room is as long as the input")
}

/// Every block on its own, padded as PKCS #7 has it.
struct Ecb<const KEY: usize> {
    cipher: Aes<KEY>,
    direction: Direction,
    /// What is no whole block yet; in decryption also the last block, which has the padding.
    pending: Zeroizing<Vec<u8>>,
}

impl<const KEY: usize> Ecb<KEY> {
    fn run(&self, bytes: &mut [u8]) {
        let (blocks, _) = bytes.as_chunks_mut::<BLOCK>();
        match self.direction {
            Direction::Encrypt => self.cipher.encrypt(InOutBuf::from(blocks)),
            Direction::Decrypt => self.cipher.decrypt(InOutBuf::from(blocks)),
        }
    }
}

impl<const KEY: usize> Stage for Ecb<KEY> {
    fn update(&mut self, input: &[u8], output: &mut Vec<u8>) -> Result<()> {
        self.pending.extend_from_slice(input);
        let kept_back = usize::from(self.direction == Direction::Decrypt);
        let whole = self.pending.len().saturating_sub(kept_back) / BLOCK * BLOCK;
        let start = output.len();
        output.extend(self.pending.drain(..whole));
        self.run(&mut output[start..]);
        Ok(())
    }

    fn finish(mut self: Box<Self>, output: &mut Vec<u8>) -> Result<()> {
        let mut last = std::mem::take(&mut self.pending);
        if self.direction == Direction::Encrypt {
            let padding = BLOCK - last.len();
            last.resize(BLOCK, padding as u8);
            self.run(&mut last);
            output.extend_from_slice(&last);
            return Ok(());
        }
        if last.len() != BLOCK {
            return Err(explain(CipherError::NotWholeBlocks { bytes: last.len() }));
        }
        self.run(&mut last);
        let padding = usize::from(last[BLOCK - 1]);
        let text = BLOCK
            .checked_sub(padding)
            .filter(|text| padding > 0 && last[*text..].iter().all(|byte| usize::from(*byte) == padding));
        output.extend_from_slice(&last[..text.ok_or(explain(CipherError::BadPadding))?]);
        Ok(())
    }
}
