//! Everything that can be named as a subject, how it is started, and how it is installed where it is missing.

use std::io;
use std::path::{Path, PathBuf};

use super::worker::{Command, Worker, serve};
use super::{Absent, Facts, InProcess, Setup, Skip, Subject, foreign, library_subject, openssl};
use crate::algorithm::Algorithm;
use crate::case::{Case, Operation};

/// A subject that can be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// As it is named: `libgcrypt`.
    pub name: &'static str,
    /// What it is, in a few words.
    pub what: &'static str,
    /// What may stand behind its name and `=`.
    pub place: Place,
    /// The Debian packages that bring it; any of them does.
    pub packages: &'static [&'static str],
}

/// What may stand behind a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The path of a library; without it the dynamic linker finds one.
    Library,
    /// The path of another build of our command.
    Command,
    /// Nothing: it is a worker that `cargo xtask peers` builds.
    Peer,
    /// Nothing: there is only one.
    Nothing,
}

/// All that can be named, but for `worker=COMMAND`.
pub const KNOWN: &[Known] = &[
    Known { name: "speedwell", what: "this library, or another build of it", place: Place::Command, packages: &[] },
    library("openssl", "OpenSSL's libcrypto, 1.0 to 4.x", &["libssl3", "libssl3t64"]),
    library("libgcrypt", "libgcrypt, GnuPG's", &["libgcrypt20"]),
    library("nettle", "Nettle and Hogweed, GnuTLS's", &["libhogweed6", "libhogweed6t64"]),
    library("botan", "Botan 2 or 3", &["libbotan-2-19", "libbotan-3-7"]),
    library("wolfssl", "wolfSSL's wolfCrypt", &["libwolfssl35", "libwolfssl42t64"]),
    library("ipsec-mb", "Intel's Multi-Buffer Crypto for IPsec", &["libipsec-mb1", "libipsec-mb2"]),
    library("pkcs11", "a PKCS #11 module, SoftHSM if none is named", &["softhsm2"]),
    Known { name: "af-alg", what: "the Linux kernel, by sockets", place: Place::Nothing, packages: &[] },
    peer("aws-lc-rs", "AWS-LC in Rust's clothes"),
    peer("rustcrypto", "the RustCrypto crates"),
    peer("ring", "ring"),
    peer("graviola", "Graviola"),
    peer("rscrypto", "rscrypto"),
];

const fn library(name: &'static str, what: &'static str, packages: &'static [&'static str]) -> Known {
    Known { name, what, place: Place::Library, packages }
}

const fn peer(name: &'static str, what: &'static str) -> Known {
    Known { name, what, place: Place::Peer, packages: &[] }
}

impl Known {
    /// How it is got where it is missing; `None` if it cannot be.
    pub fn install(&self) -> Option<String> {
        match self.place {
            Place::Peer => Some("cargo xtask peers".to_owned()),
            _ if self.packages.is_empty() => None,
            _ => Some(format!("apt-get install {}", self.packages.join(" # or "))),
        }
    }

    /// How it is named with what may stand behind it.
    pub fn usage(&self) -> String {
        match self.place {
            Place::Library | Place::Command => format!("{0}, {0}=PATH", self.name),
            Place::Peer | Place::Nothing => self.name.to_owned(),
        }
    }
}

/// Why a subject that was named cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is none of that name.
    #[error("unknown subject '{name}'; {}", suggestion(*.nearest))]
    Unknown {
        /// As it was given.
        name: String,
        /// The known name most like it, if one is like it.
        nearest: Option<&'static str>,
    },
    /// There is only one of it, and a path was given.
    #[error("'{name}' takes no path; name it alone")]
    NoPath {
        /// Its name.
        name: &'static str,
    },
    /// It was given by a path or command, and that does not work.
    #[error("cannot compare with '{name}': {why}")]
    Start {
        /// As it was given.
        name: String,
        /// What is wrong.
        why: Skip,
    },
}

fn suggestion(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean '{nearest}'?"),
        None => {
            let names: Vec<String> = KNOWN.iter().map(Known::usage).collect();
            format!("known are {} and worker=COMMAND", names.join(", "))
        }
    }
}

/// Finds and starts what a name means: `openssl`, `openssl=/path/to/libcrypto.so`, `worker=COMMAND`. `program` is our own
/// command, which serves the libraries as a worker.
///
/// What is named without a path and is not there is a subject all the same: one that says why it has no figures.
///
/// # Errors
/// If the name is unknown, or its path or command does not work.
pub fn open(name: &str, program: &Path) -> Result<Box<dyn Subject>, OpenError> {
    let (word, place) = name.split_once('=').map_or((name, None), |(word, place)| (word, Some(place.trim())));
    if word == "worker" {
        let mut words = place.unwrap_or_default().split_whitespace();
        let first = words.next().ok_or_else(|| unknown(name))?;
        let worker = Worker::start(Command::new(first, words));
        return worker.map(boxed).map_err(|why| OpenError::Start { name: name.to_owned(), why });
    }
    let known = KNOWN.iter().find(|known| known.name == word).ok_or_else(|| unknown(word))?;
    let place = place.filter(|place| !place.is_empty());
    let started = match (known.place, place) {
        (Place::Command, None) => return Ok(Box::new(library_subject())),
        (Place::Command, Some(path)) => Worker::start(Command::new(path, ["worker", word])),
        (Place::Library, Some(path)) => Worker::start(Command::new(program, ["worker", word, path])),
        (Place::Library | Place::Nothing, None) => Worker::start(Command::new(program, ["worker", word])),
        (Place::Peer, None) => match peer_program(word) {
            Some(program) => Worker::start(Command::new(program, [""; 0])),
            None => Err(Skip::Unavailable("its worker is not built: `cargo xtask peers` does it".to_owned())),
        },
        (Place::Peer | Place::Nothing, Some(_)) => return Err(OpenError::NoPath { name: known.name }),
    };
    match started {
        Ok(worker) => Ok(boxed(worker)),
        Err(why) if place.is_none() => Ok(Box::new(Absent::new(known.name, with_hint(why, known)))),
        Err(why) => Err(OpenError::Start { name: name.to_owned(), why }),
    }
}

fn boxed(worker: Worker) -> Box<dyn Subject> {
    Box::new(worker)
}

/// A library that is not there, with the way to get it.
fn with_hint(why: Skip, known: &Known) -> Skip {
    match (why, known.install()) {
        (Skip::Unavailable(why), Some(install))
            if known.place == Place::Library && why.starts_with("this system has") =>
        {
            Skip::Unavailable(format!("{why}; {install}"))
        }
        (why, _) => why,
    }
}

fn unknown(name: &str) -> OpenError {
    let folded = name.to_ascii_lowercase();
    let nearest = KNOWN.iter().map(|known| (strsim::osa_distance(&folded, known.name), known.name)).min();
    // A name that has less than half of its letters right is no misspelling.
    let nearest = nearest.filter(|(distance, _)| distance * 2 <= folded.len()).map(|(_, name)| name);
    OpenError::Unknown { name: name.to_owned(), nearest }
}

/// The worker of a peer: in the folder that `SPEEDWELL_PEERS` names, beside this program, or where `cargo xtask peers` puts
/// it beside this program's folder.
fn peer_program(name: &str) -> Option<PathBuf> {
    let file = format!("speedwell-peer-{name}");
    let here = std::env::current_exe().ok()?;
    let beside = here.ancestors().skip(1).take(3).flat_map(|folder| [folder.to_owned(), folder.join("peers")]);
    let named = std::env::var_os("SPEEDWELL_PEERS").map(PathBuf::from);
    named.into_iter().chain(beside).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

/// Serves a library of the catalogue, or ours, as a worker, until the standard input ends.
///
/// # Errors
/// If the standard streams fail. A library that cannot be loaded is told to the lab, and no error here.
pub fn worker_main(name: &str, path: Option<&Path>) -> io::Result<()> {
    let subject = match name {
        "speedwell" => {
            let mut subject = library_subject();
            subject.describe(|facts| foreign::describe(facts, std::env::current_exe().ok()));
            return serve(Ok(&mut subject));
        }
        "openssl" => Some(openssl::openssl_subject(path)),
        other => foreign::load(other, path),
    };
    match subject {
        Some(Ok(mut subject)) => serve(Ok(&mut subject)),
        Some(Err(error)) => serve(Err(error.to_string())),
        None => serve(Err(unknown(name).to_string())),
    }
}

/// Serves a library that is linked into this program, as a worker, until the standard input ends.
///
/// # Errors
/// If the standard streams fail.
pub fn peer_main(
    name: &str,
    version: &str,
    set_up: impl Fn(&Case) -> Result<Setup, Skip> + Send + Sync + 'static,
) -> io::Result<()> {
    let facts = Facts { version: Some(format!("{name} {version}")), ..Facts::named(&format!("{name}-{version}")) };
    let facts = foreign::describe(facts, std::env::current_exe().ok());
    serve(Ok(&mut InProcess::new(facts, set_up)))
}

/// What a subject is on this machine.
#[derive(Clone, Debug)]
pub struct Found {
    /// As it was named.
    pub name: String,
    /// Its entry, if it has one.
    pub known: Option<&'static Known>,
    /// What it is, or why it is not here.
    pub facts: Result<Facts, Skip>,
    /// The algorithms that it offers, with their operations, in the order of the list of algorithms.
    pub offers: Vec<(&'static str, Vec<Operation>)>,
}

/// Looks for a subject as [`open`] does, and asks it for every algorithm.
///
/// # Errors
/// If the name is no subject's.
pub fn look(name: &str, program: &Path) -> Result<Found, OpenError> {
    let word = name.split('=').next().unwrap_or_default();
    let known = KNOWN.iter().find(|known| known.name == word);
    let found = |facts| Found { name: name.to_owned(), known, facts, offers: Vec::new() };
    let mut subject = match open(name, program) {
        Ok(subject) => subject,
        Err(OpenError::Start { why, .. }) => return Ok(found(Err(why))),
        Err(error) => return Err(error),
    };
    let mut found = found(Ok(subject.facts().clone()));
    for algorithm in Algorithm::all() {
        let mut offered = Vec::new();
        for operation in algorithm.operations() {
            match subject.prepare(&Case::new(algorithm.name, *operation, 64)) {
                Ok(_) => offered.push(*operation),
                // One that is absent says so to whatever it is asked.
                Err(why @ (Skip::Unavailable(_) | Skip::NotStarted(_))) => {
                    found.facts = Err(why);
                    return Ok(found);
                }
                Err(_) => (),
            }
        }
        if !offered.is_empty() {
            found.offers.push((algorithm.name, offered));
        }
    }
    Ok(found)
}
