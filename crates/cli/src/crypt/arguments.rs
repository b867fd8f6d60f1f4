//! The options of `encrypt` and `decrypt`.

use std::num::NonZero;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use speedwell::names::{Algorithm, Kind, Mode, find};
use zeroize::Zeroizing;

use super::Direction;
use crate::secrets::{KeyArguments, PassphraseArguments, Secret, ask};
use crate::speed::UsageError;

/// `speedwell encrypt` and `speedwell decrypt`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  head -c 32 /dev/urandom > key
  speedwell encrypt -k key -i disk.img -o disk.enc         authenticated; a change or a cut is found
  tar c folder | speedwell encrypt -o folder.enc           a passphrase is asked for
  speedwell decrypt -i folder.enc | tar x
  speedwell encrypt --format openssl -a aes-256-ctr -i f -o f.enc     openssl enc -d -pbkdf2 -aes-256-ctr reads it

Keys and passphrases never stand on the command line, where every user of the machine can read them. Without an option,
a passphrase is asked for. Input and output may be the same file: it is replaced when all is done. On an error the output
file is not touched. What is decrypted into a pipe is authentic as far as it goes; only exit code 0 says that it is whole.
Exit codes: 0 all is well; 1 it failed; 2 the command line is not understood.")]
pub struct CryptArguments {
    /// The input [default: standard input]
    #[arg(short, long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// The output [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The form of the encrypted file
    #[arg(long, value_enum, default_value_t = Format::Speedwell)]
    pub format: Format,
    /// The cipher, with --format [default: aes-256-cbc for openssl, aes-128-cbc for solaris]
    #[arg(short, long, value_name = "CIPHER")]
    algorithm: Option<String>,
    /// Iterations of PBKDF2, with --format [default: 10000 for openssl, 1000 for solaris]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    iterations: Option<u32>,
    /// The digest of PBKDF2, with --format openssl [default: sha256]
    #[arg(long, value_name = "DIGEST")]
    digest: Option<String>,
    /// Threads [default: as many as the processor runs at once]
    #[arg(short = 'j', long, value_name = "N")]
    pub jobs: Option<NonZero<usize>>,
    /// Show how far the work is, and its rate
    #[arg(short, long)]
    pub verbose: bool,
    #[command(flatten)]
    key: KeyArguments,
    #[command(flatten)]
    passphrase: PassphraseArguments,
}

/// The form of an encrypted file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Our own: AES-256-GCM in chunks, which finds every change
    Speedwell,
    /// That of `openssl enc -pbkdf2`; changes are not found
    Openssl,
    /// That of Solaris' encrypt and decrypt; changes are not found
    Solaris,
}

/// What a file is encrypted with.
pub enum Given {
    /// A key.
    Key(Secret),
    /// A passphrase.
    Passphrase(Secret),
}

impl CryptArguments {
    /// The key or passphrase that an option names; otherwise a passphrase that is asked for.
    pub fn secret(&self, direction: Direction) -> Result<Given> {
        if let Some(key) = self.key.read()? {
            return Ok(Given::Key(key));
        }
        if let Some(passphrase) = self.passphrase.read()? {
            if passphrase.is_empty() {
                bail!("the passphrase is empty");
            }
            return Ok(Given::Passphrase(passphrase));
        }
        let options = "--key-file, --passphrase-file, or their siblings";
        Ok(Given::Passphrase(ask("passphrase", direction == Direction::Encrypt, options)?))
    }

    /// The cipher and its initialisation vector's length, in a form that leaves the choice.
    pub fn cipher(&self) -> Result<(&'static Algorithm, usize)> {
        let name = match (self.algorithm.as_deref(), self.format) {
            (None, Format::Openssl) => "aes-256-cbc",
            // Solaris' own names.
            (None | Some("aes"), Format::Solaris) => "aes-128-cbc",
            (name, _) => name.unwrap_or("aes-256-gcm"),
        };
        let algorithm = find(name)?;
        match (algorithm.kind, self.format) {
            (Kind::Aead { .. }, Format::Speedwell) if algorithm.name == "aes-256-gcm" => Ok((algorithm, 12)),
            (Kind::BlockCipher { mode: Mode::Ecb, .. }, Format::Openssl) => Ok((algorithm, 0)),
            (Kind::BlockCipher { block, .. }, Format::Openssl)
            | (Kind::BlockCipher { mode: Mode::Cbc, block, .. }, Format::Solaris) => Ok((algorithm, block)),
            (Kind::StreamCipher { .. }, Format::Openssl | Format::Solaris) => Ok((algorithm, 0)),
            _ => Err(UsageError(format!("this form does not have the cipher '{}'", algorithm.name)).into()),
        }
    }

    /// Whether the options fit the form.
    pub fn check_form(&self) -> Result<()> {
        self.cipher()?;
        if self.format == Format::Speedwell && self.iterations.is_some() {
            return Err(UsageError("--iterations is for --format openssl and solaris".to_owned()).into());
        }
        if self.format != Format::Openssl && self.digest.is_some() {
            return Err(UsageError("--digest is for --format openssl".to_owned()).into());
        }
        self.key_derivation_digest().map(|_| ())
    }

    /// The iterations of PBKDF2.
    pub fn iterations(&self) -> u32 {
        self.iterations.unwrap_or(if self.format == Format::Openssl { 10_000 } else { 1000 })
    }

    /// The digest of PBKDF2.
    pub fn key_derivation_digest(&self) -> Result<&'static Algorithm> {
        let algorithm = match &self.digest {
            Some(name) => find(name)?,
            None => find(if self.format == Format::Solaris { "sha1" } else { "sha256" })?,
        };
        match algorithm.kind {
            Kind::Digest { .. } => Ok(algorithm),
            _ => Err(UsageError(format!("'{}' is no digest", algorithm.name)).into()),
        }
    }
}

impl Given {
    /// A key of exactly so many bytes.
    pub fn exact<const LENGTH: usize>(key: &Secret) -> Result<Zeroizing<[u8; LENGTH]>> {
        let Ok(exact) = <&[u8; LENGTH]>::try_from(&key[..]) else {
            bail!(
                "the key has {} bytes where {LENGTH} are needed; `head -c {LENGTH} /dev/urandom` makes one",
                key.len()
            );
        };
        Ok(Zeroizing::new(*exact))
    }
}
