//! Where the output goes: into a temporary file that takes the name when all is done, or straight into a pipe or device.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

/// The output. Dropped without [`keep`](Destination::keep), a file that was begun is removed.
pub enum Destination {
    /// A file beside the one that it will replace.
    Temporary {
        /// The file that is written.
        file: NamedTempFile,
        /// The name that it will take.
        path: PathBuf,
    },
    /// A pipe, a device, or standard output.
    Direct(File),
}

/// What Ctrl-C removes.
static BEGUN: Mutex<Option<PathBuf>> = Mutex::new(None);

impl Destination {
    /// The output at a path, or standard output, with the mode of the input's file.
    pub fn create(path: Option<&Path>, input: Option<&Metadata>) -> Result<Destination> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Destination::Direct(standard_output().context("cannot write to standard output")?));
        };
        let cannot = || format!("cannot write {}", path.display());
        // A link keeps pointing where it does; what it points to is replaced.
        let path_replaced = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&path_replaced) {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::from(io::ErrorKind::IsADirectory)).with_context(cannot);
            }
            Ok(found) if !found.is_file() => {
                let file = File::options().write(true).open(&path_replaced).with_context(cannot)?;
                return Ok(Destination::Direct(file));
            }
            _ => {}
        }
        let folder = match path_replaced.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        remove_on_interrupt();
        let mut builder = tempfile::Builder::new();
        builder.prefix(".speedwell-");
        #[cfg(unix)]
        if input.is_none() {
            // As for any new file: the process's mask says who may read it.
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        let mut begun = BEGUN.lock().expect("the lock is held for no work that could panic");
        let file = builder.tempfile_in(folder).with_context(cannot)?;
        *begun = Some(file.path().to_owned());
        drop(begun);
        if let Some(input) = input.filter(|input| input.is_file()) {
            file.as_file().set_permissions(input.permissions()).with_context(cannot)?;
        }
        Ok(Destination::Temporary { file, path: path_replaced })
    }

    /// What is written to.
    pub fn file(&mut self) -> &mut File {
        match self {
            Destination::Temporary { file, .. } => file.as_file_mut(),
            Destination::Direct(file) => file,
        }
    }

    /// Makes sure that all is on the disk, and gives the file its name.
    pub fn keep(self) -> Result<()> {
        match self {
            Destination::Direct(file) => {
                if file.metadata().is_ok_and(|of_file| of_file.is_file()) {
                    file.sync_all().context("cannot write the output to the disk")?;
                }
                Ok(())
            }
            Destination::Temporary { file, path } => {
                let cannot = || format!("cannot write {}", path.display());
                file.as_file().sync_all().with_context(cannot)?;
                let mut begun = BEGUN.lock().expect("the lock is held for no work that could panic");
                file.persist(&path).map_err(|error| error.error).with_context(cannot)?;
                *begun = None;
                drop(begun);
                // The name is on the disk when the folder is. Where folders cannot be opened, the system sees to it.
                if let Some(Ok(folder)) = path.parent().map(File::open) {
                    let _ = folder.sync_all();
                }
                Ok(())
            }
        }
    }
}

fn standard_output() -> io::Result<File> {
    #[cfg(unix)]
    return std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned().map(File::from);
    #[cfg(windows)]
    return std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned().map(File::from);
}

/// Ctrl-C, and being asked to end, remove the file that was begun.
fn remove_on_interrupt() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let installed = ctrlc::set_handler(|| {
            if let Some(path) = BEGUN.lock().ok().and_then(|mut begun| begun.take()) {
                let _ = fs::remove_file(path);
            }
            // What a shell reports of a process that a signal ended: 128 and the number of SIGINT.
            std::process::exit(130);
        });
        // Without a handler the file stays when the process is interrupted: no reason to do no work.
        let _ = installed;
    });
}
