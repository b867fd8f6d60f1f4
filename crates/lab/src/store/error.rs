//! What can be wrong with a store.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why a store cannot be read or written. What was measured is not lost by it: whoever measures still has the report.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is nowhere to look.
    #[error(
        "no place for the store: name one with --store or SPEEDWELL_STORE, since neither XDG_DATA_HOME nor HOME is set"
    )]
    NoPlace,
    /// There is no such file.
    #[error("there is no store at {}; `speedwell run` and `speedwell speed --save` write one", .path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The folder cannot be made.
    #[error("cannot make the folder {} for the store: {source}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file cannot be opened.
    #[error("cannot open the store {}: {why}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// The file is something else.
    #[error("{} is not a store of Speedwell: choose another file with --store", .path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// A later Speedwell wrote it.
    #[error(
        "the store {} has version {found}, and this Speedwell knows up to {known}: use a newer Speedwell, or another file with \
         --store",
        .path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The last known one.
        known: i64,
    },
    /// It may not be written.
    #[error("the store {} is read-only: choose another file with --store", .path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// There is no room.
    #[error("the disk with the store {} is full", .path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Someone else writes for too long.
    #[error("the store {} is being written by another process, and stayed so for {} s", .path.display(), super::PATIENCE.as_secs())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Its content makes no sense.
    #[error("the store {} is damaged: {what}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What makes no sense.
        what: String,
    },
    /// It has no such run.
    #[error("the store {} has no run '{run}'; `speedwell results list` shows those it has", .path.display())]
    NoRun {
        /// The file.
        path: PathBuf,
        /// As it was asked for.
        run: String,
    },
    /// Anything else that SQLite says.
    #[error("the store {} failed: {source}", .path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// What an error of SQLite means for the store at that path.
    pub(super) fn of(path: &Path, source: rusqlite::Error) -> StoreError {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full { path },
            Some(ErrorCode::ReadOnly) => StoreError::ReadOnly { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy { path },
            Some(ErrorCode::NotADatabase) => StoreError::NotAStore { path },
            Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged { path, what: source.to_string() },
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                StoreError::Open { path, why: source.to_string() }
            }
            _ => StoreError::Database { path, source },
        }
    }
}
