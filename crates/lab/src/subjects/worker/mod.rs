//! A subject in another process: a library that may crash, hang, print, or have symbols of the same names as another.
//!
//! The two ends speak JSON lines: the worker reads a [request](protocol::Request) a line from its standard input and
//! answers each with one [reply](protocol::Reply) on its standard output (docs/workers.md). [`Worker`] is the
//! lab's end, [`serve`] the other one.

mod process;
pub mod protocol;
mod serve;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use super::{Facts, Prepared, Skip, Subject};
use crate::affinity;
use crate::case::Case;
use crate::sampler::Visit;

use process::Process;
use protocol::{Reply, Request, VERSION};

pub use serve::serve;

/// A subject that a worker process runs. It is started again when there is a next case after a crash.
pub struct Worker {
    command: Command,
    facts: Facts,
    process: Option<Process>,
    core: Option<usize>,
}

/// How a worker is started, and how long it may keep silent.
#[derive(Clone, Debug)]
pub struct Command {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// A worker that has not answered for so long hangs.
    pub patience: Duration,
}

impl Command {
    /// A command with the usual patience.
    pub fn new<A: Into<OsString>>(program: impl Into<PathBuf>, arguments: impl IntoIterator<Item = A>) -> Command {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Command { program: program.into(), arguments, patience: Duration::from_secs(10) }
    }
}

impl Worker {
    /// Starts the worker and learns what it is.
    ///
    /// # Errors
    /// [`Skip::NotStarted`] if it cannot be started; [`Skip::Unavailable`] if its library is not there or cannot be used;
    /// others if it does not behave.
    pub fn start(command: Command) -> Result<Worker, Skip> {
        let (process, facts) = launch(&command)?;
        Ok(Worker { command, facts, process: Some(process), core: None })
    }

    /// Asks for something. A worker that fails at it is gone.
    fn ask(&mut self, request: &Request) -> Result<Reply, Skip> {
        if self.process.is_none() {
            let (process, _) = launch(&self.command)?;
            if let Some(core) = self.core {
                affinity::pin_process(process.id(), core);
            }
            self.process = Some(process);
        }
        let process = self.process.as_mut().expect("it was started above");
        let reply = process.ask(request, self.command.patience);
        if reply.is_err() {
            self.process = None;
        }
        reply
    }
}

impl Subject for Worker {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn prepare(&mut self, case: &Case) -> Result<Prepared, Skip> {
        match self.ask(&Request::Prepare(case.clone()))? {
            Reply::Prepared(prepared) => Ok(prepared),
            Reply::Skip(why) => Err(Skip::Failed(why)),
            other => Err(unexpected("prepared", &other)),
        }
    }

    fn visit(&mut self, visit: Visit) -> Result<Vec<f64>, Skip> {
        if self.process.is_none() {
            return Err(Skip::Failed("visited without being prepared".to_owned()));
        }
        match self.ask(&Request::Visit(visit))? {
            Reply::Samples(times) if times.len() == visit.samples as usize && times.iter().all(|time| *time >= 0.0) => {
                Ok(times)
            }
            Reply::Skip(why) => Err(Skip::Failed(why)),
            other => Err(unexpected(&format!("{} samples", visit.samples), &other)),
        }
    }

    fn another(&self) -> Result<Box<dyn Subject>, Skip> {
        Ok(Box::new(Worker::start(self.command.clone())?))
    }

    fn pin(&mut self, core: usize) {
        self.core = Some(core);
        if let Some(process) = &self.process {
            affinity::pin_process(process.id(), core);
        }
    }
}

/// Starts the process and waits for its greeting.
fn launch(command: &Command) -> Result<(Process, Facts), Skip> {
    let mut process = Process::start(command)?;
    match process.reply("it was starting", command.patience)? {
        Reply::Hello { protocol: VERSION, facts } => Ok((process, facts)),
        Reply::Hello { protocol, .. } => {
            Err(Skip::Protocol(format!("it speaks version {protocol}, and this lab version {VERSION}: rebuild it")))
        }
        Reply::Unavailable(why) => Err(Skip::Unavailable(why)),
        other => Err(unexpected("hello", &other)),
    }
}

fn unexpected(wanted: &str, reply: &Reply) -> Skip {
    let text = serde_json::to_string(reply).unwrap_or_default();
    let start: String = text.chars().take(100).collect();
    Skip::Protocol(format!("expected {wanted}, got {start}"))
}
