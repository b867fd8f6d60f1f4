//! Which process goes on with a run.

use std::fs::{self, File, TryLockError};
use std::path::PathBuf;

use super::Store;

/// The right to go on with a run, until it is dropped or its process ends, however it ends.
#[derive(Debug)]
pub struct Claim {
    /// A lock goes with its file.
    _file: Option<File>,
    path: PathBuf,
}

impl Store {
    /// Claims a run; `None` if another process has it. Where a file cannot be locked, nobody is kept from anything.
    pub fn claim(&self, run: i64) -> Option<Claim> {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".run-{run}.lock"));
        let path = PathBuf::from(name);
        let file = File::create(&path).ok();
        match file.as_ref().map(File::try_lock) {
            Some(Err(TryLockError::WouldBlock)) => None,
            _ => Some(Claim { _file: file, path }),
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // One that stays says nothing: only its lock counts.
        let _ = fs::remove_file(&self.path);
    }
}
