//! Where keys and passphrases come from: never the command line, which every user of the machine can read.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use zeroize::Zeroizing;

/// A secret's bytes, wiped on drop.
pub type Secret = Zeroizing<Vec<u8>>;

/// More than any key or passphrase: whoever names a larger file has named the wrong one.
const LONGEST: usize = 1 << 20;

/// Where a key comes from.
#[derive(Debug, Args)]
pub struct KeyArguments {
    /// Read the key from this file: its bytes are the key
    #[arg(short = 'k', long, value_name = "FILE", group = "secret")]
    pub key_file: Option<PathBuf>,
    /// Read the key from this open file descriptor
    #[arg(long, value_name = "N", group = "secret")]
    pub key_fd: Option<u32>,
    /// Take the key from this environment variable, in hexadecimal digits
    #[arg(long, value_name = "NAME", group = "secret")]
    pub key_env: Option<String>,
}

/// Where a passphrase comes from.
#[derive(Debug, Args)]
pub struct PassphraseArguments {
    /// Read the passphrase from the first line of this file
    #[arg(short = 'p', long, value_name = "FILE", group = "secret")]
    pub passphrase_file: Option<PathBuf>,
    /// Read the passphrase from the first line of this open file descriptor
    #[arg(long, value_name = "N", group = "secret")]
    pub passphrase_fd: Option<u32>,
    /// Take the passphrase from this environment variable
    #[arg(long, value_name = "NAME", group = "secret")]
    pub passphrase_env: Option<String>,
}

impl KeyArguments {
    /// The key; `None` if none of the options is given.
    pub fn read(&self) -> Result<Option<Secret>> {
        if let Some(path) = &self.key_file {
            return Ok(Some(read_file(path).with_context(|| format!("cannot read the key file {}", path.display()))?));
        }
        if let Some(number) = self.key_fd {
            return Ok(Some(read_descriptor(number)?));
        }
        let Some(name) = &self.key_env else { return Ok(None) };
        let digits = environment(name)?;
        let key = speedwell::checklist::Encoding::Hex.decode(digits.trim_ascii());
        let key = key.with_context(|| format!("the environment variable {name} does not hold hexadecimal digits"))?;
        Ok(Some(Zeroizing::new(key)))
    }
}

impl PassphraseArguments {
    /// The passphrase; `None` if none of the options is given.
    pub fn read(&self) -> Result<Option<Secret>> {
        let text = if let Some(path) = &self.passphrase_file {
            read_file(path).with_context(|| format!("cannot read the passphrase file {}", path.display()))?
        } else if let Some(number) = self.passphrase_fd {
            read_descriptor(number)?
        } else if let Some(name) = &self.passphrase_env {
            return Ok(Some(environment(name)?));
        } else {
            return Ok(None);
        };
        let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        Ok(Some(Zeroizing::new(line.strip_suffix(b"\r").unwrap_or(line).to_vec())))
    }
}

/// Asks on the terminal, without an echo; twice if the answer is going to be needed again.
pub fn ask(what: &str, twice: bool, options: &str) -> Result<Secret> {
    let can_ask = if cfg!(unix) { Path::new("/dev/tty").exists() } else { io::stdin().is_terminal() };
    let ask = |prompt: String| -> Result<Zeroizing<String>> {
        let answer = can_ask.then(|| rpassword::prompt_password(prompt).ok()).flatten();
        let answer = answer.with_context(|| format!("there is no terminal to ask for the {what} on; use {options}"))?;
        Ok(Zeroizing::new(answer))
    };
    let answer = ask(format!("Enter the {what}: "))?;
    if answer.is_empty() {
        bail!("the {what} is empty");
    }
    if twice && *ask(format!("Enter the {what} again: "))? != *answer {
        bail!("the two are not the same");
    }
    Ok(Zeroizing::new(answer.as_bytes().to_vec()))
}

fn read_file(path: &Path) -> io::Result<Secret> {
    let mut secret = Zeroizing::new(Vec::with_capacity(4096));
    File::open(path)?.take(LONGEST as u64 + 1).read_to_end(&mut secret)?;
    if secret.len() > LONGEST {
        return Err(io::Error::other(format!("it has more than {LONGEST} bytes")));
    }
    Ok(secret)
}

fn read_descriptor(number: u32) -> Result<Secret> {
    read_file(&PathBuf::from(format!("/dev/fd/{number}")))
        .with_context(|| format!("cannot read the file descriptor {number}"))
}

fn environment(name: &str) -> Result<Secret> {
    let value = std::env::var_os(name).with_context(|| format!("there is no environment variable {name}"))?;
    Ok(Zeroizing::new(value.into_encoded_bytes()))
}
