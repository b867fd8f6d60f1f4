//! Files, what is in folders, and standard input.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where bytes come from.
pub enum Source {
    /// Standard input.
    Standard,
    /// A file.
    File(PathBuf),
    /// Nowhere: a folder that cannot be read.
    Unreadable(io::Error),
}

/// A source with its name in the output.
pub struct Input {
    /// Where bytes come from.
    pub source: Source,
    /// As bytes.
    pub name: Vec<u8>,
}

impl Source {
    /// What a name in a list means.
    pub fn named(path: PathBuf) -> Source {
        if path == Path::new("-") { Source::Standard } else { Source::File(path) }
    }
}

/// The inputs that the operands mean, folders in the order of names.
pub fn collect(operands: &[PathBuf], recursive: bool) -> Vec<Input> {
    if operands.is_empty() {
        return vec![Input { source: Source::Standard, name: b"-".to_vec() }];
    }
    let mut inputs = Vec::with_capacity(operands.len());
    for operand in operands {
        if recursive && operand.is_dir() {
            walk(operand, &mut inputs);
        } else {
            let name = native_name(operand.as_os_str()).to_vec();
            inputs.push(Input { source: Source::named(operand.clone()), name });
        }
    }
    inputs
}

fn walk(folder: &Path, inputs: &mut Vec<Input>) {
    let name = |path: &Path| native_name(path.as_os_str()).to_vec();
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return inputs.push(Input { source: Source::Unreadable(error), name: name(folder) }),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&path, inputs),
            // A pipe or a device in a folder would be waited for.
            Ok(kind) if kind.is_file() || kind.is_symlink() && path.is_file() => {
                inputs.push(Input { name: name(&path), source: Source::File(path) });
            }
            Ok(_) => {}
            Err(error) => inputs.push(Input { source: Source::Unreadable(error), name: name(&path) }),
        }
    }
}

/// A name as the bytes that the system has for it.
pub fn native_name(name: &OsStr) -> &[u8] {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStrExt::as_bytes(name);
    #[cfg(not(unix))]
    name.as_encoded_bytes()
}

/// The path that a name in a list means; `None` where the system has no such names.
pub fn path_of(name: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    return Some(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name).into());
    #[cfg(not(unix))]
    std::str::from_utf8(name).ok().map(PathBuf::from)
}
