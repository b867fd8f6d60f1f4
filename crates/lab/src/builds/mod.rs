//! Libraries built from source with one compiler and set of flags after the other, to be measured side by side.
//!
//! A [`Table`] names a source and lists of compilers, flags and so on; a [`Workshop`] builds every combination that is not in
//! its cache, each in a folder of its own, and gives them all back. A combination that cannot be built is one of them, with
//! the reason and the log. [`realize`] does it with the user's cache, and in silence.

mod openssl;
mod recipe;
mod source;
mod speedwell;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Deserializer};
use serde_json::json;

use crate::subjects::{Absent, Facts, OpenError, Skip, Subject, open};

use recipe::{Combination, Log};

/// What is to be built: all combinations of the lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// What the builds' names begin with; the library's name and version if it is empty.
    #[serde(default)]
    pub name: String,
    /// Of which library this is the source.
    #[serde(default)]
    pub library: Library,
    /// A folder or a packed one (anything that `tar` unpacks).
    pub source: PathBuf,
    /// OpenSSL: compilers; `cc` if there is none.
    #[serde(default)]
    pub cc: Vec<String>,
    /// OpenSSL: flags for the compiler. Each entry is one set of them, words apart by spaces; the library's own if there is
    /// none.
    #[serde(default)]
    pub cflags: Vec<String>,
    /// OpenSSL: with assembly or without; with it if there is none.
    #[serde(default)]
    pub asm: Vec<Asm>,
    /// Speedwell: Cargo's profiles; `release` if there is none.
    #[serde(default)]
    pub profile: Vec<String>,
    /// Speedwell: what the compiler may use outside of kernels (`-C target-cpu`); `generic` if there is none.
    #[serde(default)]
    pub target_cpu: Vec<String>,
    /// Speedwell: in how many units a crate is compiled; what the profile says if there is none.
    #[serde(default)]
    pub codegen_units: Vec<u32>,
    /// Speedwell: `off`, `thin` or `fat`; what the profile says if there is none.
    #[serde(default)]
    pub lto: Vec<String>,
}

/// A library that the laboratory can build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Library {
    /// OpenSSL from 1.0.0 on.
    #[default]
    Openssl,
    /// This one.
    Speedwell,
}

/// Whether a library is built with its assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asm {
    /// It is.
    Yes,
    /// It is not.
    No,
}

impl std::str::FromStr for Asm {
    type Err = String;

    fn from_str(text: &str) -> Result<Asm, String> {
        match text {
            "yes" | "true" => Ok(Asm::Yes),
            "no" | "false" => Ok(Asm::No),
            _ => Err(format!("'{text}' is neither yes nor no")),
        }
    }
}

impl<'de> Deserialize<'de> for Asm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Asm, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Flag(bool),
            Word(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Flag(true) => Ok(Asm::Yes),
            Form::Flag(false) => Ok(Asm::No),
            Form::Word(word) => word.parse().map_err(serde::de::Error::custom),
        }
    }
}

/// One combination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// By which results name it: `openssl-4.0.3-gcc-12-O3-asm`.
    pub name: String,
    /// Of which library it is.
    pub library: Library,
    /// The library or program.
    pub path: PathBuf,
    /// Compiler, flags, version and hash.
    pub facts: Facts,
    /// Why it could not be built, if so: then there is nothing at the path.
    pub failed: Option<String>,
    /// What was printed while it was built.
    pub log: PathBuf,
    /// How long that took; `None` if it was there already.
    pub took: Option<Duration>,
}

impl Built {
    /// The subject that it is; if it could not be built, one that says why. `program` is our own command, which serves
    /// libraries as a worker.
    ///
    /// # Errors
    /// If it is there and cannot be started.
    pub fn subject(&self, program: &Path) -> Result<Box<dyn Subject>, OpenError> {
        match &self.failed {
            Some(why) => Ok(Box::new(Absent::new(&self.name, Skip::Unavailable(why.clone())))),
            None => open(&self.specification(), program),
        }
    }

    /// How `speed --vs` names it.
    pub fn specification(&self) -> String {
        let library = match self.library {
            Library::Openssl => "openssl",
            Library::Speedwell => "speedwell",
        };
        format!("{library}={}", self.path.display())
    }
}

/// Why nothing can be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// There is no source of that name, or it is of something else.
    #[error("cannot build from '{}': {why}", .path.display())]
    Source {
        /// As it was given.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The cache cannot be used.
    #[error("cannot use the cache '{}': {why}; name another with --cache", .path.display())]
    Cache {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

/// Something that happens while builds are made.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A combination is begun: its name, its number from 0, and how many there are.
    Begin(&'a str, usize, usize),
    /// What is done for it now.
    Step(&'a str),
    /// It is done, or has failed.
    End(&'a Built),
}

/// Builds all combinations of a table that are not in the user's cache yet, two jobs at a time.
///
/// # Errors
/// If there is no source, or no cache. A combination that cannot be built is no error.
pub fn realize(table: &Table) -> Result<Vec<Built>, BuildError> {
    Workshop::default().realize(table, &mut |_| ())
}

/// Where builds are kept: in the user's cache (`XDG_CACHE_HOME` or `~/.cache`).
pub fn default_cache() -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute()).or_else(home);
    base.unwrap_or_else(std::env::temp_dir).join("speedwell")
}

/// Where and how builds are made.
#[derive(Clone, Debug)]
pub struct Workshop {
    /// The folder that keeps them.
    pub cache: PathBuf,
    /// Jobs at a time.
    pub jobs: usize,
}

impl Default for Workshop {
    fn default() -> Self {
        Workshop { cache: default_cache(), jobs: 2 }
    }
}

impl Workshop {
    /// Builds all combinations of a table that are not in the cache yet.
    ///
    /// # Errors
    /// If there is no source, or no cache. A combination that cannot be built is no error.
    pub fn realize(&self, table: &Table, tell: &mut dyn FnMut(Event<'_>)) -> Result<Vec<Built>, BuildError> {
        let cannot = |why: std::io::Error| BuildError::Cache { path: self.cache.clone(), why: why.to_string() };
        let builds = self.cache.join("builds");
        fs::create_dir_all(&builds).map_err(cannot)?;
        let source = source::Source::open(table, &self.cache)?;
        let combinations = match table.library {
            Library::Openssl => openssl::combinations(table, &source),
            Library::Speedwell => speedwell::combinations(table, &source),
        };
        let all = combinations.len();
        let mut made = Vec::new();
        for (number, combination) in combinations.into_iter().enumerate() {
            tell(Event::Begin(&combination.name, number, all));
            let built = self.one(table.library, &source, combination, &builds, tell).map_err(cannot)?;
            tell(Event::End(&built));
            made.push(built);
        }
        Ok(made)
    }

    /// One combination, from the cache or made. An error is one of the cache.
    fn one(
        &self,
        library: Library,
        source: &source::Source,
        combination: Combination,
        builds: &Path,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> std::io::Result<Built> {
        let folder = builds.join(&combination.key);
        let path = folder.join(combination.product);
        let facts = combination.facts();
        let mut built = Built {
            name: combination.name.clone(),
            library,
            path: path.clone(),
            facts,
            failed: combination.impossible.clone(),
            log: folder.join("log"),
            took: None,
        };
        if built.failed.is_some() {
            return Ok(built);
        }
        // Whoever builds the same at the same time is waited for. The lock ends with the file.
        let lock = File::create(builds.join(format!("{}.lock", combination.key)))?;
        if lock.try_lock().is_err() {
            tell(Event::Step("waiting for another one that builds the same"));
            lock.lock()?;
        }
        if !path.exists() {
            let begin = Instant::now();
            let partial = builds.join(format!("{}.partial", combination.key));
            let _ = fs::remove_dir_all(&partial);
            fs::create_dir_all(partial.join("product"))?;
            fs::create_dir_all(&folder)?;
            let mut log = Log::create(&built.log, tell)?;
            let outcome = match library {
                Library::Openssl => openssl::build(source, &combination, &partial, self.jobs, &mut log),
                Library::Speedwell => {
                    speedwell::build(source, &combination, &partial, &self.cache, self.jobs, &mut log)
                }
            };
            built.took = Some(begin.elapsed());
            match outcome {
                Ok(()) => move_in(&partial.join("product"), &folder)?,
                Err(why) => built.failed = Some(format!("{why}; see {}", built.log.display())),
            }
            fs::remove_dir_all(&partial)?;
        }
        if built.failed.is_none() {
            // What a worker that loads it says of itself.
            let note = json!({"name": built.name, "compiler": built.facts.compiler, "flags": built.facts.flags});
            let mut name = path.clone().into_os_string();
            name.push(".facts.json");
            fs::write(name, note.to_string())?;
            built.facts = crate::subjects::describe_file(built.facts, path);
        }
        Ok(built)
    }
}

/// Moves what was built to where it is kept; the product itself comes last, because it shows that all is there.
fn move_in(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(from)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    entries.sort_by_key(|path| path.is_file());
    for entry in entries {
        let target = to.join(entry.file_name().unwrap_or_default());
        if target.is_dir() {
            fs::remove_dir_all(&target)?;
        }
        fs::rename(&entry, target)?;
    }
    Ok(())
}
