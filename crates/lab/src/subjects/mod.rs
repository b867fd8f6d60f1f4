//! What the lab can time: our library, one forced kernel, a foreign library in a worker process.
//!
//! A [`Subject`] is set up for one case after the other and then visited. Those that run in this process are made from
//! a function that gives a [`Setup`] for a case ([`InProcess`]); the worker process at the other end of a
//! [worker] serves the same function.

#[cfg(unix)]
mod catalogue;
#[cfg(unix)]
mod foreign;
mod in_process;
mod kernel;
mod library;
mod many;
#[cfg(unix)]
pub mod openssl;
mod primitive;
mod public_key;
mod record;
mod team;
#[cfg(unix)]
pub mod worker;

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::case::{Answer, Case, Operation};
use crate::sampler::Visit;

#[cfg(unix)]
pub use catalogue::{Found, KNOWN, Known, OpenError, Place, look, open, peer_main, worker_main};
#[cfg(unix)]
pub(crate) use foreign::describe_file;
#[cfg(unix)]
pub use foreign::{LoadError, usage};
pub use in_process::{InProcess, Setup};
pub(crate) use kernel::reference;
pub use kernel::{implementation_subject, kernel_subject};
pub use library::library_subject;
pub use primitive::primitive_subject;
pub use team::Team;

/// Something that can be timed.
pub trait Subject: Send {
    /// What it is.
    fn facts(&self) -> &Facts;

    /// Sets it up for a case and does the case once.
    ///
    /// # Errors
    /// If it cannot do the case; it can still be asked for another one.
    fn prepare(&mut self, case: &Case) -> Result<Prepared, Skip>;

    /// Does the case that it was last prepared for, again and again, and gives nanoseconds per call, one value a
    /// sample.
    ///
    /// # Errors
    /// If it fails on the way, or was not prepared.
    fn visit(&mut self, visit: Visit) -> Result<Vec<f64>, Skip>;

    /// The same subject once more, independent of this one: for another thread.
    ///
    /// # Errors
    /// If it cannot be started.
    fn another(&self) -> Result<Box<dyn Subject>, Skip>;

    /// Moves it to a core, if it does not run in the calling thread anyway.
    fn pin(&mut self, _core: usize) {}
}

/// What a subject is, for the head of a report. Only the name must be known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// By which results name it: `speedwell`, `openssl-3.0.19`.
    pub name: String,
    /// Its version as it states it itself.
    pub version: Option<String>,
    /// How it was built, in its own words: compiler, flags, platform.
    pub build: Option<String>,
    /// The compiler that built it, with its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// The flags that the compiler got.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flags: Option<String>,
    /// The file that was loaded or started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The SHA-256 digest of that file, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

impl Facts {
    /// Facts of which only the name is known.
    pub fn named(name: &str) -> Facts {
        Facts { name: name.to_owned(), ..Facts::default() }
    }
}

/// A subject that is ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prepared {
    /// What it made of the case.
    pub answer: Answer,
    /// The kernel that does the work, if it is known.
    pub kernel: Option<String>,
}

/// A subject that is not there: a library that is not installed. It stands in a report with the reason.
#[derive(Clone, Debug)]
pub struct Absent {
    facts: Facts,
    why: Skip,
}

impl Absent {
    /// A subject of that name, missing for that reason.
    pub fn new(name: &str, why: Skip) -> Absent {
        Absent { facts: Facts::named(name), why }
    }
}

impl Subject for Absent {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn prepare(&mut self, _case: &Case) -> Result<Prepared, Skip> {
        Err(self.why.clone())
    }

    fn visit(&mut self, _visit: Visit) -> Result<Vec<f64>, Skip> {
        Err(self.why.clone())
    }

    fn another(&self) -> Result<Box<dyn Subject>, Skip> {
        Ok(Box::new(self.clone()))
    }
}

/// Why a subject has no figure for a case.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Skip {
    /// It has nothing to do with the case: not worth a row in a report.
    #[error("does not apply")]
    NotApplicable,
    /// The lab has no such algorithm.
    #[error("unknown algorithm '{algorithm}'")]
    UnknownAlgorithm {
        /// As it was asked for.
        algorithm: String,
    },
    /// The algorithm has no such operation.
    #[error("{algorithm} has no operation '{operation}'")]
    Operation {
        /// The algorithm.
        algorithm: &'static str,
        /// As it was asked for.
        operation: Operation,
    },
    /// The mode has no padding.
    #[error("works on whole units of {unit} bytes, and {bytes} bytes are not: choose a multiple")]
    Length {
        /// Bytes of a unit.
        unit: usize,
        /// As it was asked for.
        bytes: usize,
    },
    /// The subject does not offer this.
    #[error("does not offer {0}")]
    NotOffered(String),
    /// The processor lacks instruction sets.
    #[error("needs {0}, which this processor lacks")]
    Processor(String),
    /// The output is not what others made.
    #[error("wrong: made {made}, where {by} made {expected}")]
    Wrong {
        /// The subject's output.
        made: Box<Answer>,
        /// What it should be.
        expected: Box<Answer>,
        /// Who says so.
        by: String,
    },
    /// The subject reports a failure of its own.
    #[error("{0}")]
    Failed(String),
    /// A worker could not be started.
    #[error("the worker cannot be started: {0}")]
    NotStarted(String),
    /// A worker says that it has nothing to offer: a library that is not there.
    #[error("{0}")]
    Unavailable(String),
    /// A worker ended without being asked to.
    #[error("the worker crashed ({status}) while {doing}{}", quoted(.last_words))]
    Crashed {
        /// Exit code or signal.
        status: String,
        /// What it was asked to do.
        doing: String,
        /// The end of what it wrote to its standard error.
        last_words: String,
    },
    /// A worker did not answer in time.
    #[error("the worker hung: no answer for {} s while {doing}", .after.as_secs_f64())]
    Hung {
        /// The patience.
        after: Duration,
        /// What it was asked to do.
        doing: String,
    },
    /// A worker answered with something else than the protocol provides for.
    #[error("the worker does not keep to the protocol: {0}")]
    Protocol(String),
}

impl Skip {
    pub(crate) fn wrong(made: &Answer, expected: &Answer, by: impl Into<String>) -> Skip {
        Skip::Wrong { made: Box::new(made.clone()), expected: Box::new(expected.clone()), by: by.into() }
    }
}

fn quoted(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!("; its last words: {words}") }
}
