//! A source: a folder or a packed one, the digest of all that is in it, and its version.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use speedwell::digest::{Digest, Sha256};

use super::{BuildError, Library, Table};

/// A source that can be built from.
pub(super) struct Source {
    /// The folder. Nothing is written to it.
    pub folder: PathBuf,
    /// Its version: `1.0.2u`.
    pub version: String,
    /// The digest of its files, in hexadecimal.
    pub digest: String,
}

/// Folders that are results and not source.
const NO_SOURCE: [&str; 2] = [".git", "target"];

impl Source {
    /// Opens a table's source. A packed one is unpacked into the cache, once.
    pub fn open(table: &Table, cache: &Path) -> Result<Source, BuildError> {
        let error = |why: String| BuildError::Source { path: table.source.clone(), why };
        let given = table.source.canonicalize().map_err(|why| error(why.to_string()))?;
        let folder = if given.is_dir() { given } else { unpack(&given, cache).map_err(error)? };
        let (mark, what) = match table.library {
            Library::Openssl => ("Configure", "OpenSSL"),
            Library::Speedwell => ("crates/cli/Cargo.toml", "Speedwell"),
        };
        let folder = find(&folder, mark, 3).ok_or_else(|| error(format!("no {mark} in it: that is no {what}")))?;
        let version = match table.library {
            Library::Openssl => openssl_version(&folder),
            Library::Speedwell => speedwell_version(&folder),
        };
        let version = version.ok_or_else(|| error(format!("it does not say which version of {what} it is")))?;
        let mut hash = Sha256::new();
        digest(&folder, &folder, &mut hash).map_err(|why| error(why.to_string()))?;
        Ok(Source { folder, version, digest: hexadecimal(&hash.finalize()) })
    }

    /// The first two numbers of the version, and the third: `[1, 0, 2]` for 1.0.2u.
    pub fn numbers(&self) -> [u32; 3] {
        let mut parts = self.version.split('.').map(|part| {
            let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().unwrap_or(0)
        });
        [(); 3].map(|()| parts.next().unwrap_or(0))
    }
}

/// The folder that has this file: the given one or one of those below it.
fn find(folder: &Path, mark: &str, depth: usize) -> Option<PathBuf> {
    if folder.join(mark).is_file() {
        return Some(folder.to_owned());
    }
    let entries = fs::read_dir(folder).ok().filter(|_| depth > 0)?;
    let mut folders: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|p| p.is_dir()).collect();
    folders.sort();
    folders.iter().find_map(|folder| find(folder, mark, depth - 1))
}

fn unpack(packed: &Path, cache: &Path) -> Result<PathBuf, String> {
    let bytes = fs::read(packed).map_err(|error| error.to_string())?;
    let folder = cache.join("sources").join(&hexadecimal(&Sha256::digest(&bytes))[..16]);
    if folder.is_dir() {
        return Ok(folder);
    }
    let partial = folder.with_extension("partial");
    let _ = fs::remove_dir_all(&partial);
    fs::create_dir_all(&partial).map_err(|error| error.to_string())?;
    let output = Command::new("tar").arg("-xf").arg(packed).arg("-C").arg(&partial).output();
    let output = output.map_err(|error| format!("tar cannot be run: {error}"))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(format!("tar cannot unpack it: {}", words.lines().next().unwrap_or_default()));
    }
    fs::rename(&partial, &folder).map_err(|error| error.to_string())?;
    Ok(folder)
}

/// Of 3.0 and later in a file of its own, before that in a header.
fn openssl_version(folder: &Path) -> Option<String> {
    if let Ok(text) = fs::read_to_string(folder.join("VERSION.dat")) {
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('=')).map(str::trim);
        return Some(format!("{}.{}.{}", value("MAJOR")?, value("MINOR")?, value("PATCH")?));
    }
    let headers = ["include/openssl/opensslv.h", "crypto/opensslv.h"];
    let text = headers.iter().find_map(|header| fs::read_to_string(folder.join(header)).ok())?;
    let (_, rest) = text.split_once("\"OpenSSL ")?;
    // The header has a second text, for a build that nobody makes from this source alone.
    rest.split_whitespace().next().map(|version| version.trim_end_matches("-fips").to_owned())
}

fn speedwell_version(folder: &Path) -> Option<String> {
    let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("version = "))?;
    Some(line.trim_matches('"').to_owned())
}

/// Adds all files below a folder, with their names, in order.
fn digest(root: &Path, folder: &Path, hash: &mut Sha256) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let kind = fs::symlink_metadata(&path)?.file_type();
        if kind.is_dir() && !NO_SOURCE.contains(&name) {
            digest(root, &path, hash)?;
        } else if kind.is_file() {
            let bytes = fs::read(&path)?;
            let place = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
            Digest::update(hash, format!("{place}\0{}\0", bytes.len()));
            Digest::update(hash, &bytes);
        }
    }
    Ok(())
}

/// Bytes as hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
