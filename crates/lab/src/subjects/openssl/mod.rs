//! OpenSSL's libcrypto, loaded at run time and used as a well-written application uses it: through EVP, with algorithms
//! fetched once and contexts used again. From 3.0 on that is the interface with providers; from 1.0.0 to 1.1.1 (and in
//! libraries that have forked from these) the one before.
//!
//! It belongs into a worker process: [`openssl_worker_main`] is what such a worker does.

mod aead;
mod api;
mod cipher;
mod classic_mac;
mod digest;
mod mac;
mod public_key;
mod record;

use std::ffi::CString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use api::Api;

use super::foreign::describe;
use super::worker::serve;
use super::{Facts, InProcess, Setup, Skip};
use crate::algorithm::{Algorithm, Kind};
use crate::case::{Case, Operation};
use crate::composed::Composed;

pub use super::LoadError;

/// Serves the libcrypto of that path, or the system's, as a worker, until the standard input ends.
///
/// # Errors
/// If the standard streams fail. A library that cannot be loaded is told to the lab, and no error here.
pub fn openssl_worker_main(path: Option<&Path>) -> io::Result<()> {
    match openssl_subject(path) {
        Ok(mut subject) => serve(Ok(&mut subject)),
        Err(error) => serve(Err(error.to_string())),
    }
}

/// The libcrypto of that path, or the system's, as a subject of this process.
///
/// # Errors
/// If it cannot be loaded, or is no OpenSSL of version 1.0.0 or newer.
pub fn openssl_subject(path: Option<&Path>) -> Result<InProcess, LoadError> {
    let library = Library { api: Api::load(path)?, path: path.map(Path::to_owned), legacy: OnceLock::new() };
    Ok(InProcess::new(library.facts(), move |case| library.set_up(case)))
}

/// A loaded library, and whether its provider of old algorithms had to be loaded, with the outcome.
struct Library {
    api: &'static Api,
    path: Option<PathBuf>,
    legacy: OnceLock<Result<(), String>>,
}

impl Library {
    fn facts(&self) -> Facts {
        let [version, compiler, built, platform, processor] = self.api.texts();
        let words: Vec<&str> = version.split_whitespace().collect();
        let [product, number] = [0, 1].map(|word| words.get(word).copied().unwrap_or_default());
        // `compiler: gcc -fPIC …`
        let command = compiler.strip_prefix("compiler: ").unwrap_or(&compiler);
        let (program, flags) = command.split_once(' ').unwrap_or((command, ""));
        let known =
            |text: &str| (!text.is_empty() && !text.contains("information not available")).then(|| text.to_owned());
        let parts = [platform.as_str(), &built, &compiler, &processor];
        let facts = Facts {
            compiler: known(command).and(known(program)),
            flags: known(command).and(known(flags.trim())),
            build: Some(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")),
            version: Some(version.clone()),
            ..Facts::named(&format!("{}-{number}", product.to_lowercase()))
        };
        describe(facts, self.api.file.clone())
    }

    fn set_up(&self, case: &Case) -> Result<Setup, Skip> {
        if let Some(Algorithm { kind: Kind::PublicKey { bits, .. }, .. }) = Algorithm::named(&case.algorithm) {
            return public_key::set_up(self.api, case, bits);
        }
        if let Some(composed) = Composed::of(case)? {
            let cipher = CString::new(composed.cipher).map_err(|_| Skip::NotOffered(case.algorithm.clone()))?;
            let chain = record::Chain::new(self.fetch(&cipher, cipher::Cipher::fetch)?);
            if self.api.modern.is_none() {
                return composed.of_parts(case, chain, classic_mac::hmac(self.api, composed.mac)?);
            }
            let (function, parameter, inner) = mac::spelled(composed.mac)?;
            let code = record::Code::new(self.fetch(&function, mac::Mac::fetch)?, parameter, inner);
            return composed.of_parts(case, chain, code);
        }
        let name = CString::new(case.algorithm.as_str()).map_err(|_| Skip::NotOffered(case.algorithm.clone()))?;
        if case.messages > 1 && (case.operation == Operation::Mac || aead::is(case)) {
            return Err(Skip::NotOffered(format!("{} of several messages", case.algorithm)));
        }
        match case.operation {
            Operation::Hash => digest::set_up(self.fetch(&name, digest::Digest::fetch)?, case),
            Operation::Mac if self.api.modern.is_none() => classic_mac::set_up(self.api, case),
            Operation::Mac => {
                let (function, parameter, inner) = mac::spelled(&case.algorithm)?;
                mac::set_up(self.api, self.fetch(&function, mac::Mac::fetch)?, parameter, &inner, case)
            }
            Operation::Encrypt | Operation::Decrypt if aead::is(case) => {
                aead::set_up(self.fetch(&name, cipher::Cipher::fetch)?, case)
            }
            Operation::Encrypt | Operation::Decrypt => {
                // It has no way to take several messages at once: they go one by one, each with a context of its own.
                let ciphers = (0..case.messages).map(|_| self.fetch(&name, cipher::Cipher::fetch));
                cipher::set_up(ciphers.collect::<Result<_, _>>()?, case)
            }
            other => Err(Skip::NotOffered(format!("{} of {}", other, case.algorithm))),
        }
    }

    /// Fetches an algorithm, if need be from the provider of old ones. OpenSSL knows all canonical names as aliases.
    fn fetch<T>(&self, name: &CString, fetch: fn(&'static Api, &CString) -> Option<T>) -> Result<T, Skip> {
        if let Some(fetched) = fetch(self.api, name) {
            return Ok(fetched);
        }
        let why = self.api.error();
        let legacy = self.legacy.get_or_init(|| self.load_legacy());
        fetch(self.api, name).ok_or_else(|| {
            let legacy = legacy.as_ref().err().map_or(String::new(), |why| format!("; legacy provider: {why}"));
            Skip::NotOffered(format!("{} ({why}{legacy})", name.to_string_lossy()))
        })
    }

    fn load_legacy(&self) -> Result<(), String> {
        if self.api.modern.is_none() {
            return Ok(());
        }
        // A library that is not installed looks for providers where it would be installed: they may be beside it.
        let folder = self.path.as_deref().and_then(Path::parent);
        let modules = folder.into_iter().flat_map(|folder| ["ossl-modules", "providers"].map(|name| folder.join(name)));
        if let Some(found) =
            modules.into_iter().find(|folder| LEGACY_FILES.iter().any(|file| folder.join(file).exists()))
        {
            self.api.search_providers_in(&found);
        }
        // Naming any provider turns off the one that is there by default: it is named as well.
        let failed = [c"legacy", c"default"].into_iter().find_map(|name| self.api.load_provider(name));
        failed.map_or(Ok(()), |why| Err(why.to_string()))
    }
}

const LEGACY_FILES: [&str; 2] = ["legacy.so", "legacy.dylib"];
