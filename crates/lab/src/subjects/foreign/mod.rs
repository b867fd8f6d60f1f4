//! Other libraries, found at run time and used as their own manuals tell applications to use them.
//!
//! Each library is one file with a function that loads it and gives a subject of this process. They belong into worker
//! processes: the catalogue starts them there. What all have in common stands once: [`loader`] and [`usage`].

mod af_alg;
mod botan;
mod gcrypt;
mod ipsec_mb;
mod loader;
mod nettle;
mod pkcs11;
pub mod usage;
mod wolfssl;

use std::path::Path;

use super::InProcess;

pub use loader::LoadError;
pub(super) use loader::{Loaded, describe, functions};
pub(super) use usage::{Context, LONGEST, Tagger, mac};

/// The subject that a library is in this process, by the catalogue's name of the library.
pub(super) fn load(name: &str, path: Option<&Path>) -> Option<Result<InProcess, LoadError>> {
    Some(match name {
        "libgcrypt" => gcrypt::subject(path),
        "nettle" => nettle::subject(path),
        "botan" => botan::subject(path),
        "wolfssl" => wolfssl::subject(path),
        "ipsec-mb" => ipsec_mb::subject(path),
        "af-alg" => af_alg::subject(),
        "pkcs11" => pkcs11::subject(path),
        _ => return None,
    })
}

/// What is known of a file that was built.
pub(crate) fn describe_file(facts: crate::subjects::Facts, file: std::path::PathBuf) -> crate::subjects::Facts {
    describe(facts, Some(file))
}
