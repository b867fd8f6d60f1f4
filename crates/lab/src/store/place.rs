//! Where the store is.

use std::env;
use std::path::{Path, PathBuf};

use super::StoreError;

/// The store that is meant: the one given, or else `SPEEDWELL_STORE`, or else `speedwell/results.db` where programs of this
/// user keep their data (XDG Base Directory Specification: `XDG_DATA_HOME`, or `~/.local/share`).
///
/// # Errors
/// [`StoreError::NoPlace`] if none of these is set.
pub fn place(given: Option<&Path>) -> Result<PathBuf, StoreError> {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let chosen = given.map(Path::to_owned).or_else(|| variable("SPEEDWELL_STORE"));
    // The specification: a relative path is invalid and to be ignored.
    let data = || variable("XDG_DATA_HOME").filter(|path| path.is_absolute());
    let home = || variable("HOME").map(|home| home.join(".local/share"));
    let local = || variable("LOCALAPPDATA").filter(|_| cfg!(windows));
    chosen
        .or_else(|| data().or_else(local).or_else(home).map(|folder| folder.join("speedwell").join("results.db")))
        .ok_or(StoreError::NoPlace)
}
