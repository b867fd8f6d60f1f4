//! Our own form: chunks under AES-256-GCM, on all threads.

use std::io::Write;

use anyhow::{Context, Result};
use speedwell::file::{Argon2Cost, CHUNK, Credential, HEADER, Header, KeyDerivation, Opener, SEALED_CHUNK, Sealer};
use zeroize::Zeroizing;

use super::arguments::Given;
use super::{Direction, Task, beginning, pipeline};

/// Chunks of a part. On one thread, in and out fit into a second cache. On more, threads wait for each other at every
/// part, and to be woken takes as long as a chunk does.
fn chunks(threads: usize) -> usize {
    if threads == 1 { 2 } else { 8 }
}

/// Encrypts or decrypts.
pub fn run(mut task: Task<'_>) -> Result<()> {
    let chunks = chunks(task.threads);
    match task.direction {
        Direction::Encrypt => {
            let (key, passphrase) = take(task.arguments.secret(task.direction)?)?;
            let (credential, derivation) = match &key {
                Some(key) => (Credential::Key(key), KeyDerivation::RawKey),
                None => (Credential::Passphrase(&passphrase), KeyDerivation::Argon2id(Argon2Cost::default())),
            };
            let (sealer, header) = Sealer::new(&credential, derivation)?;
            task.output.file().write_all(&header).context("cannot write the output")?;
            task.bar.reset_elapsed();
            pipeline::run(
                task.threads,
                chunks * CHUNK,
                task.input,
                task.output.file(),
                &task.bar,
                |part, last, text, out| Ok(sealer.seal(part * chunks as u64, last, text, out)?),
            )
        }
        Direction::Decrypt => {
            let header = beginning(&mut task.input, HEADER).context("cannot read on")?;
            // Nobody should be asked for a passphrase of what is no such file.
            Header::read(&header)?;
            let (key, passphrase) = take(task.arguments.secret(task.direction)?)?;
            let credential = match &key {
                Some(key) => Credential::Key(key),
                None => Credential::Passphrase(&passphrase),
            };
            let opener = Opener::new(&credential, &header)?;
            task.bar.inc(header.len() as u64);
            task.bar.reset_elapsed();
            pipeline::run(
                task.threads,
                chunks * SEALED_CHUNK,
                task.input,
                task.output.file(),
                &task.bar,
                |part, last, sealed, out| Ok(opener.open(part * chunks as u64, last, sealed, out)?),
            )
        }
    }
}

/// Either a key or a passphrase.
type Taken = (Option<Zeroizing<[u8; 32]>>, Zeroizing<Vec<u8>>);

fn take(given: Given) -> Result<Taken> {
    Ok(match given {
        Given::Key(key) => (Some(Given::exact::<32>(&key)?), Zeroizing::default()),
        Given::Passphrase(passphrase) => (None, passphrase),
    })
}
