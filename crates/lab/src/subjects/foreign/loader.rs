//! Libraries found at run time, and tables of their functions.

use std::error::Error;
use std::ffi::{CStr, c_void};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use libloading::Library;
use serde::Deserialize;
use speedwell::digest::{Digest, Sha256};

use crate::subjects::Facts;

/// Why there is no library to measure.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The library of that path cannot be loaded.
    #[error("cannot load {library} from '{}': {why}", .path.display())]
    Path {
        /// What it should be.
        library: &'static str,
        /// As it was given.
        path: PathBuf,
        /// The dynamic linker's words.
        why: String,
    },
    /// The system has none where the dynamic linker looks.
    #[error("this system has none of {names} ({why})")]
    NotInstalled {
        /// The names tried.
        names: String,
        /// The dynamic linker's words on the first one.
        why: String,
    },
    /// It is another library, or too old.
    #[error("{library} has no {function}: {wanted} is needed")]
    Lacks {
        /// What it says it is, or its path.
        library: String,
        /// The function that is not there.
        function: &'static str,
        /// What is.
        wanted: &'static str,
    },
    /// It is the right library, and does not work.
    #[error("{library} cannot be used: {why}")]
    Unusable {
        /// What it says it is, or its path.
        library: String,
        /// What it says is wrong.
        why: String,
    },
}

/// A loaded library. It is never unloaded: libraries have handlers that run at exit.
#[derive(Clone, Copy)]
pub(in crate::subjects) struct Loaded {
    library: &'static Library,
    wanted: &'static str,
}

impl Loaded {
    /// Loads the library of that path, or the first of these names that the dynamic linker finds.
    pub fn open(wanted: &'static str, path: Option<&Path>, names: &[&str]) -> Result<Loaded, LoadError> {
        // SAFETY: loading runs the library's initialisers. It is what the user asked to measure, and the process that does
        // this is a worker, kept apart for just that.
        let load = |name: &Path| unsafe { Library::new(name) }.map_err(words);
        let leak = |library| Loaded { library: Box::leak(Box::new(library)), wanted };
        if let Some(path) = path {
            // Without a slash the dynamic linker would look elsewhere than the user means.
            let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            let error = |why| LoadError::Path { library: wanted, path: path.to_owned(), why };
            return load(&absolute).map(leak).map_err(error);
        }
        let mut first = None;
        for name in names {
            match load(Path::new(name)) {
                Ok(library) => return Ok(leak(library)),
                Err(error) => first = first.or(Some(error)),
            }
        }
        Err(LoadError::NotInstalled { names: names.join(", "), why: first.unwrap_or_default() })
    }

    /// A symbol, if the library has it.
    ///
    /// # Safety
    /// `T` is a function pointer or a pointer, of the type that the library's header gives the symbol.
    pub unsafe fn find<T: Copy>(&self, name: &str) -> Option<T> {
        // SAFETY: as the caller has promised. libloading adds the final zero.
        unsafe { self.library.get::<T>(name.as_bytes()) }.ok().map(|symbol| *symbol)
    }

    /// A symbol that must be there.
    ///
    /// # Safety
    /// As [`Loaded::find`].
    pub unsafe fn get<T: Copy>(&self, name: &'static str) -> Result<T, LoadError> {
        // SAFETY: as the caller has promised.
        unsafe { self.find(name) }.ok_or_else(|| LoadError::Lacks {
            library: "this library".to_owned(),
            function: name,
            wanted: self.wanted,
        })
    }

    /// The file that a symbol comes from.
    pub fn file_of(&self, name: &str) -> Option<PathBuf> {
        // SAFETY: the pointer is not used but for its value.
        let symbol = unsafe { self.find::<*const c_void>(name) }?;
        let mut information = std::mem::MaybeUninit::<libc::Dl_info>::uninit();
        // SAFETY: the structure may be written.
        if unsafe { libc::dladdr(symbol, information.as_mut_ptr()) } == 0 {
            return None;
        }
        // SAFETY: the function has filled it, and the name lives as long as the library.
        let name = unsafe { CStr::from_ptr(information.assume_init().dli_fname) };
        let path = PathBuf::from(name.to_string_lossy().into_owned());
        Some(path.canonicalize().unwrap_or(path))
    }
}

/// The dynamic linker's own words, which the error keeps as its source.
fn words(error: libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// Declares a table of functions of a library, and how it is filled. A function that has had several names is found by any
/// of them.
macro_rules! functions {
    ($(#[$meta:meta])* $table:ident {
        $($name:ident $(or $other:literal)*: fn($($argument:ty),* $(,)?) $(-> $result:ty)?;)*
    }) => {
        $(#[$meta])*
        #[allow(non_snake_case)]
        #[derive(Clone, Copy)]
        pub(super) struct $table {
            $(pub(super) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl $table {
            /// Finds all of them.
            #[allow(dead_code)]
            pub fn find(
                library: &$crate::subjects::foreign::Loaded,
            ) -> Result<$table, $crate::subjects::foreign::LoadError> {
                Ok($table {
                    $(
                        // SAFETY: the type is that of the library's header.
                        $name: unsafe {
                            library.find(stringify!($name)) $(.or_else(|| library.find($other)))*
                                .map_or_else(|| library.get(stringify!($name)), Ok)?
                        },
                    )*
                })
            }
        }
    };
}
pub(in crate::subjects) use functions;

/// What a builder left beside a library or program that it built: `NAME.facts.json`.
#[derive(Deserialize)]
struct Note {
    name: Option<String>,
    compiler: Option<String>,
    flags: Option<String>,
}

/// Completes what a library says of itself by its file: its digest, and what its builder noted.
pub(in crate::subjects) fn describe(mut facts: Facts, file: Option<PathBuf>) -> Facts {
    let Some(file) = file else { return facts };
    facts.sha256 = digest_of(&file);
    let mut note = file.clone().into_os_string();
    note.push(".facts.json");
    if let Some(note) = std::fs::read(note).ok().and_then(|text| serde_json::from_slice::<Note>(&text).ok()) {
        facts.name = note.name.unwrap_or(facts.name);
        facts.compiler = note.compiler.or(facts.compiler);
        // A library that tells all its flags knows more than was asked for.
        facts.flags = facts.flags.or(note.flags);
    }
    facts.file = Some(file);
    facts
}

/// The SHA-256 digest of a file in hexadecimal.
fn digest_of(file: &Path) -> Option<String> {
    let (mut file, mut hash, mut part) = (File::open(file).ok()?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut part).ok()? {
            0 => break,
            read => Digest::update(&mut hash, &part[..read]),
        }
    }
    Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
