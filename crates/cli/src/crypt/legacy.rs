//! The forms of `openssl enc -pbkdf2` and of Solaris' commands. Neither detects a change of the file.

use std::io::{Read, Write};

use anyhow::{Context, Result, anyhow, bail};
use speedwell::file::{FileError, OPENSSL_MAGIC, OPENSSL_SALT, SOLARIS_SALT, SolarisHeader, pbkdf2_by_name};
use speedwell::names::Kind;
use zeroize::Zeroizing;

use super::arguments::{Format, Given};
use super::modes::{Stage, stage};
use super::{Direction, Task, beginning};
use crate::sums::fill;

/// Bytes that are read at once.
const PART: usize = 256 << 10;

/// Encrypts or decrypts.
pub fn run(mut task: Task<'_>) -> Result<()> {
    let mut read = Vec::new();
    let (head, stage) = match task.arguments.format {
        Format::Solaris => solaris(&mut task, &mut read)?,
        _ => openssl(&mut task, &mut read)?,
    };
    // To be asked for a passphrase is no work.
    task.bar.reset_elapsed();
    let output = task.output.file();
    output.write_all(&head).context("cannot write the output")?;
    through(stage, &read, task.input, output, &task.bar)
}

/// What is written before the message, and the cipher. `rest` gets what was read of the message already.
type Begun = (Vec<u8>, Box<dyn Stage>);

fn openssl(task: &mut Task<'_>, _rest: &mut Vec<u8>) -> Result<Begun> {
    let (algorithm, iv) = task.arguments.cipher()?;
    let (salt, head) = match task.direction {
        Direction::Encrypt => {
            let salt: [u8; OPENSSL_SALT] = random()?;
            (salt, [OPENSSL_MAGIC, salt].concat())
        }
        Direction::Decrypt => {
            let head = beginning(&mut task.input, OPENSSL_MAGIC.len() + OPENSSL_SALT).context("cannot read on")?;
            let salt = head.strip_prefix(&OPENSSL_MAGIC).and_then(|salt| salt.try_into().ok());
            (
                salt.context("it does not begin as `openssl enc` with a salt writes it: `Salted__` and eight bytes")?,
                Vec::new(),
            )
        }
    };
    let Given::Passphrase(passphrase) = task.arguments.secret(task.direction)? else {
        bail!("--format openssl derives its keys from a passphrase: use one of the passphrase options");
    };
    let key_length = key_length(algorithm.kind);
    let mut key = Zeroizing::new(vec![0; key_length + iv]);
    let digest = task.arguments.key_derivation_digest()?.name;
    pbkdf2_by_name(digest, &passphrase, &salt, task.arguments.iterations(), &mut key)
        .ok_or_else(|| anyhow!("'{digest}' is no digest of PBKDF2"))?;
    let (key, iv) = key.split_at(key_length);
    Ok((head, stage(algorithm, task.direction, key, iv)?))
}

fn solaris(task: &mut Task<'_>, rest: &mut Vec<u8>) -> Result<Begun> {
    let (algorithm, iv_length) = task.arguments.cipher()?;
    let (header, head) = match task.direction {
        Direction::Encrypt => {
            let iv = random::<16>()?[..iv_length].to_vec();
            let header = SolarisHeader { iterations: task.arguments.iterations(), iv, salt: random::<SOLARIS_SALT>()? };
            let head = header.to_bytes();
            (header, head)
        }
        Direction::Decrypt => {
            let head = beginning(&mut task.input, SolarisHeader::longest(iv_length)).context("cannot read on")?;
            let (header, length) = SolarisHeader::read(&head, iv_length)?;
            rest.extend_from_slice(&head[length..]);
            (header, Vec::new())
        }
    };
    let key = match task.arguments.secret(task.direction)? {
        Given::Key(key) => key,
        Given::Passphrase(passphrase) => {
            let mut key = Zeroizing::new(vec![0; key_length(algorithm.kind)]);
            pbkdf2_by_name("sha1", &passphrase, &header.salt, header.iterations, &mut key).context("SHA-1 is there")?;
            key
        }
    };
    if !matches!(algorithm.kind, Kind::StreamCipher { .. }) && key.len() != key_length(algorithm.kind) {
        bail!("the key has {} bytes where {} needs {}", key.len(), algorithm.name, key_length(algorithm.kind));
    }
    Ok((head, stage(algorithm, task.direction, &key, &header.iv)?))
}

/// The whole input, in order.
fn through(
    mut stage: Box<dyn Stage>,
    first: &[u8],
    mut input: impl Read,
    output: &mut impl Write,
    bar: &indicatif::ProgressBar,
) -> Result<()> {
    let (mut part, mut result) = (Zeroizing::new(vec![0; PART]), Zeroizing::new(Vec::new()));
    stage.update(first, &mut result)?;
    loop {
        let length = fill(&mut part, &mut input).context("cannot read on")?;
        stage.update(&part[..length], &mut result)?;
        bar.inc(length as u64);
        if length < PART {
            break;
        }
        output.write_all(&result).context("cannot write the output")?;
        result.clear();
    }
    stage.finish(&mut result)?;
    output.write_all(&result).context("cannot write the output")
}

fn key_length(kind: Kind) -> usize {
    match kind {
        Kind::BlockCipher { key, .. } | Kind::StreamCipher { key } => key,
        _ => 0,
    }
}

fn random<const BYTES: usize>() -> Result<[u8; BYTES]> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|_| FileError::NoRandomness)?;
    Ok(bytes)
}
