//! Standard output that survives a closed pipe: `speedwell … | head` ends quietly, a full disk is an error.

use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// Writes a text, without its styles where nobody sees them. A reader that has gone away is no error.
pub fn print(text: &str) -> Result<()> {
    let mut stream = anstream::stdout().lock();
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write to standard output"),
    }
}

/// Writes a file that is whole or not there.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".speedwell").tempfile_in(folder).with_context(cannot)?;
    file.write_all(bytes).with_context(cannot)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // A temporary file is its owner's alone; a report is not.
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644)).with_context(cannot)?;
    }
    file.persist(path).with_context(cannot)?;
    Ok(())
}

/// Writes the names of algorithms, one a line.
pub fn print_names<'a>(algorithms: impl Iterator<Item = &'a speedwell::names::Algorithm>) -> Result<()> {
    print(&algorithms.map(|algorithm| format!("{}\n", algorithm.name)).collect::<String>())
}
