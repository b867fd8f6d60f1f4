//! Standard output that survives a closed pipe: `speedwell … | head` ends quietly, a full disk is an error.

use std::io::{ErrorKind, Write};

use anyhow::{Context, Result};

/// Writes a text, without its styles where nobody sees them. A reader that has gone away is no error.
pub fn print(text: &str) -> Result<()> {
    let mut stream = anstream::stdout().lock();
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write to standard output"),
    }
}

/// Writes the names of algorithms, one a line.
pub fn print_names<'a>(algorithms: impl Iterator<Item = &'a speedwell::names::Algorithm>) -> Result<()> {
    print(&algorithms.map(|algorithm| format!("{}\n", algorithm.name)).collect::<String>())
}
