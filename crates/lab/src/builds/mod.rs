//! Libraries built from source with one compiler and set of flags after the other, to be measured side by side.
//!
//! A [`Table`] names a source and lists of compilers, flags and so on; [`realize`] builds every combination that is not in
//! the cache, each in a folder of its own, and gives them all back. A combination that cannot be built is one of them, with
//! the reason and the log.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::subjects::Facts;

/// What is to be built: all combinations of the lists.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// What the builds' names begin with; the library's name and version if it is empty.
    #[serde(default)]
    pub name: String,
    /// Of which library this is the source.
    #[serde(default)]
    pub library: Library,
    /// A folder or a packed one (anything that `tar` unpacks).
    pub source: PathBuf,
    /// Compilers; `cc` if there is none.
    #[serde(default)]
    pub cc: Vec<String>,
    /// Flags for the compiler: each entry is one set of them, words apart by spaces; the library's own if there is none.
    #[serde(default)]
    pub cflags: Vec<String>,
    /// With assembly or without; with it if there is none.
    #[serde(default)]
    pub asm: Vec<Asm>,
}

/// A library that the laboratory can build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Library {
    /// OpenSSL from 1.0.0 on.
    #[default]
    Openssl,
    /// This one.
    Speedwell,
}

/// Whether a library is built with its assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Asm {
    /// It is.
    Yes,
    /// It is not.
    No,
}

/// One combination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// By which results name it: `openssl-4.0.3-gcc-12-O3-asm`.
    pub name: String,
    /// The library or program.
    pub path: PathBuf,
    /// Compiler, flags, version and hash.
    pub facts: Facts,
    /// Why it could not be built, if so: then there is nothing at the path.
    pub failed: Option<String>,
}

/// Why nothing can be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// There is no source of that name.
    #[error("cannot read the source '{}': {why}", .path.display())]
    Source {
        /// As it was given.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The cache cannot be used.
    #[error("cannot use the cache '{}': {why}; name another with --cache", .path.display())]
    Cache {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

/// Builds all combinations of a table that are not in the user's cache yet.
///
/// # Errors
/// If there is no source, or no cache. A combination that cannot be built is no error.
pub fn realize(table: &Table) -> Result<Vec<Built>, BuildError> {
    Err(BuildError::Source { path: table.source.clone(), why: "not written yet".to_owned() })
}

/// Where builds are kept: in the user's cache (`XDG_CACHE_HOME` or `~/.cache`).
pub fn default_cache() -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute()).or_else(home);
    base.unwrap_or_else(std::env::temp_dir).join("speedwell")
}
