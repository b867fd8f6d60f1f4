//! Results that are kept: hosts, subjects with the facts of their builds, runs, and what every round took, in one SQLite file.
//!
//! Every cell is committed as soon as it is measured, so that a run which is killed leaves all cells that it finished.
//! Readers do not wait for writers; writers wait for each other (write-ahead log, [`PATIENCE`]). `schema.sql` says what is
//! where, for whoever reads a store with another program.

mod claim;
mod error;
mod merge;
mod place;
mod read;
mod recorder;
mod write;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

pub use claim::Claim;
pub use error::StoreError;
pub use merge::Merged;
pub use place::place;
pub use read::Run;
pub use recorder::Recorder;

/// A file with results.
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// How long a writer waits for another one.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The version of `schema.sql`.
const VERSION: i64 = 1;

/// By which a file is known to be a store: "Spdw".
const APPLICATION: i64 = 0x5370_6477;

impl Store {
    /// Opens a store that is there, for reading. One on a medium that cannot be written is read as it is.
    ///
    /// # Errors
    /// [`StoreError::Missing`], [`StoreError::NotAStore`] or [`StoreError::Newer`], and whatever SQLite says.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        match Store::readable(path, Connection::open_with_flags(path, flags)) {
            // A write-ahead log needs files beside the store; where they cannot be made, nobody writes it either.
            Err(StoreError::Open { .. } | StoreError::ReadOnly { .. }) => {
                let address = format!("file:{}?immutable=1", escaped(path));
                Store::readable(path, Connection::open_with_flags(address, flags | OpenFlags::SQLITE_OPEN_URI))
            }
            outcome => outcome,
        }
    }

    fn readable(path: &Path, connection: rusqlite::Result<Connection>) -> Result<Store, StoreError> {
        let store = Store::connect(path, connection)?;
        store.check()?;
        Ok(store)
    }

    /// Opens a store for writing, and makes it first if there is none.
    ///
    /// # Errors
    /// Those of [`Store::open`] but for the missing file; [`StoreError::Folder`], [`StoreError::ReadOnly`],
    /// [`StoreError::Full`] or [`StoreError::Busy`].
    pub fn create(path: &Path) -> Result<Store, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|source| StoreError::Folder { path: folder.to_owned(), source })?;
        }
        let mut store = Store::connect(path, Connection::open(path))?;
        if store.header()? == Header::EMPTY {
            store.set_up()?;
        }
        store.check()?;
        // Whoever cannot write learns it now, and not after the first measurement.
        store.change(|connection| connection.pragma_update(None, "user_version", VERSION))?;
        Ok(store)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Lets the file grow to so many pages of 4 KiB and no further, as a full disk does.
    ///
    /// # Errors
    /// Those of SQLite.
    pub fn limit_pages(&self, pages: u32) -> Result<(), StoreError> {
        let limited = self.connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()));
        limited.map_err(|error| self.error(error))
    }

    fn connect(path: &Path, connection: rusqlite::Result<Connection>) -> Result<Store, StoreError> {
        let connect = || {
            let connection = connection?;
            connection.busy_timeout(PATIENCE)?;
            connection.pragma_update(None, "foreign_keys", true)?;
            // Every commit is on the disk before the next cell begins: not even a power failure takes it.
            connection.pragma_update(None, "synchronous", "full")?;
            Ok(connection)
        };
        let connection = connect().map_err(|error| StoreError::of(path, error))?;
        Ok(Store { connection, path: path.to_owned() })
    }

    /// Makes the tables, unless another process was faster.
    fn set_up(&mut self) -> Result<(), StoreError> {
        self.keep_a_log().map_err(|error| self.error(error))?;
        self.change(|connection| {
            if connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))? == 0 {
                connection.execute_batch(include_str!("schema.sql"))?;
                connection.pragma_update(None, "application_id", APPLICATION)?;
                connection.pragma_update(None, "user_version", VERSION)?;
            }
            Ok(())
        })
    }

    /// Turns the write-ahead log on. SQLite does not wait here for another process that does the same.
    fn keep_a_log(&self) -> rusqlite::Result<()> {
        let begin = Instant::now();
        self.connection.pragma_update(None, "auto_vacuum", "full")?;
        loop {
            match self.connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())) {
                Err(error)
                    if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && begin.elapsed() < PATIENCE =>
                {
                    std::thread::sleep(Duration::from_millis(10));
                }
                outcome => return outcome,
            }
        }
    }

    /// Whether it is a store, and of a version that is known.
    fn check(&self) -> Result<(), StoreError> {
        let path = self.path.clone();
        match self.header()? {
            Header { application: APPLICATION, version: VERSION, .. } => Ok(()),
            Header { application: APPLICATION, version: found, .. } if found > VERSION => {
                Err(StoreError::Newer { path, found, known: VERSION })
            }
            _ => Err(StoreError::NotAStore { path }),
        }
    }

    fn header(&self) -> Result<Header, StoreError> {
        let number = |name: &str| self.connection.pragma_query_value(None, name, |row| row.get(0));
        let header = || {
            // The schema's version counts its changes: 0 is a file without any table.
            Ok(Header {
                application: number("application_id")?,
                version: number("user_version")?,
                changes: number("schema_version")?,
            })
        };
        header().map_err(|error| self.error(error))
    }

    /// Does something as one change: all of it, or nothing.
    fn change<T>(&mut self, body: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let path = &self.path;
        let begun = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let changed = begun.and_then(|transaction| {
            let value = body(&transaction)?;
            transaction.commit()?;
            Ok(value)
        });
        changed.map_err(|error| StoreError::of(path, error))
    }

    fn error(&self, error: rusqlite::Error) -> StoreError {
        StoreError::of(&self.path, error)
    }
}

/// What a file's first page says of it.
#[derive(PartialEq, Eq)]
struct Header {
    application: i64,
    version: i64,
    changes: i64,
}

impl Header {
    const EMPTY: Header = Header { application: 0, version: 0, changes: 0 };
}

/// A path as a part of a URI: what has a meaning there is written as its number.
fn escaped(path: &Path) -> String {
    path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}
