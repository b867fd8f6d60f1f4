//! From the command line to cases, subjects and settings.

use std::time::Duration;

use anyhow::{Context, Result};
use speedwell::names::{self, Algorithm, Kind, Mode};
use speedwell::select::Selector;
use speedwell_lab::case::{Case, Operation};
use speedwell_lab::experiment::Settings;
use speedwell_lab::subjects::{self, Subject};

use crate::arguments::{DEFAULT_SIZES, OperationName, SpeedArguments};

/// What is to be measured: every algorithm, operation and size.
pub fn cases(arguments: &SpeedArguments) -> Result<Vec<Case>> {
    let algorithms: Vec<&Algorithm> = if arguments.algorithms.is_empty() {
        names::algorithms().collect()
    } else {
        arguments.algorithms.iter().map(|name| names::find_all(name)).collect::<Result<Vec<_>, _>>()?.concat()
    };
    let mut cases = Vec::new();
    for algorithm in &algorithms {
        for operation in operations(algorithm.kind, arguments.operation.map(named)) {
            if let Kind::PublicKey { .. } = algorithm.kind {
                // A key has one size: a case is an operation, not a message.
                let messages = if operation == Operation::Sign { arguments.messages as usize } else { 1 };
                cases.push(Case { messages, ..Case::new(algorithm.name, operation, 0) });
                continue;
            }
            for bytes in sizes(arguments) {
                let messages = arguments.messages as usize;
                let whole = arguments.whole;
                cases.push(Case { messages, whole, ..Case::new(algorithm.name, operation, *bytes) });
            }
        }
    }
    if cases.is_empty() {
        let wanted = arguments.operation.map_or("", |operation| named(operation).name());
        return Err(UsageError(format!("none of the algorithms has the operation '{wanted}'")).into());
    }
    Ok(cases)
}

/// The sizes that were asked for; one short message if secrets are looked for and none was: there is most to see where
/// the work with the key is most of the work.
fn sizes(arguments: &SpeedArguments) -> &[usize] {
    if arguments.leak && arguments.bytes == DEFAULT_SIZES { &[64] } else { &arguments.bytes }
}

/// The operations of an algorithm that are to be measured. A key stream is the same in both directions, and so one of
/// them is enough, unless the other is asked for.
fn operations(kind: Kind, wanted: Option<Operation>) -> Vec<Operation> {
    let (all, default): (&[Operation], usize) = match kind {
        Kind::Digest { .. } => (&[Operation::Hash], 1),
        Kind::Mac { .. } => (&[Operation::Mac], 1),
        Kind::StreamCipher { .. } | Kind::BlockCipher { mode: Mode::Ctr, .. } => (&BOTH, 1),
        Kind::Aead { .. } | Kind::BlockCipher { .. } => (&BOTH, 2),
        // Making a key takes long and never the same time twice: only on request.
        Kind::PublicKey { encrypts: true, .. } => (&RSA, 4),
        Kind::PublicKey { .. } => (&[Operation::Sign, Operation::Verify], 2),
    };
    match wanted {
        Some(wanted) => all.iter().copied().filter(|operation| *operation == wanted).collect(),
        None => all[..default].to_vec(),
    }
}

const RSA: [Operation; 5] =
    [Operation::Sign, Operation::Verify, Operation::Encrypt, Operation::Decrypt, Operation::Generate];

const BOTH: [Operation; 2] = [Operation::Encrypt, Operation::Decrypt];

/// The operation that a word on the command line names.
pub fn named(operation: OperationName) -> Operation {
    match operation {
        OperationName::Encrypt => Operation::Encrypt,
        OperationName::Decrypt => Operation::Decrypt,
        OperationName::Hash => Operation::Hash,
        OperationName::Mac => Operation::Mac,
        OperationName::Sign => Operation::Sign,
        OperationName::Verify => Operation::Verify,
        OperationName::Generate => Operation::Generate,
    }
}

/// What is to be timed. The first is compared with the others: our library, or the first kernel that was named.
pub fn subjects(arguments: &SpeedArguments) -> Result<Vec<Box<dyn Subject>>> {
    let mut subjects: Vec<Box<dyn Subject>> = Vec::new();
    let all = arguments.kernel.iter().any(|name| name == "all");
    if all || arguments.kernel.is_empty() {
        subjects.push(Box::new(subjects::library_subject()));
    }
    if all {
        subjects.extend(kernels("all")?);
    } else {
        for name in &arguments.kernel {
            subjects.extend(kernels(name)?);
        }
    }
    for name in &arguments.vs {
        subjects.push(versus(name)?);
    }
    Ok(subjects)
}

/// What a `--kernel` names: one, or each one by itself.
pub fn kernels(name: &str) -> Result<Vec<Box<dyn Subject>>, UsageError> {
    if name == "all" {
        return implementations().into_iter().map(kernel).collect();
    }
    Ok(vec![kernel(name)?])
}

fn kernel(name: &str) -> Result<Box<dyn Subject>, UsageError> {
    let kernels: Vec<_> = speedwell_kernels::all()
        .filter(|kernel| [kernel.descriptor().name, kernel.descriptor().implementation()].contains(&name))
        .collect();
    if kernels.is_empty() {
        return Err(UsageError(format!(
            "unknown kernel '{name}'; the implementations are {}, and `speedwell list` names every kernel",
            implementations().join(", ")
        )));
    }
    Ok(Box::new(subjects::implementation_subject(name, kernels, Selector::host().cpu())))
}

/// The names of the kernels without their primitives, each once.
fn implementations() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for kernel in speedwell_kernels::all() {
        let name = kernel.descriptor().implementation();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// What a `--vs` names. A library that is named without a path and not there is a row in the report that says why; a path
/// or command that was given and does not work is an error.
pub fn versus(name: &str) -> Result<Box<dyn Subject>> {
    let this = std::env::current_exe().context("cannot find this program to start it as a worker")?;
    subjects::open(name, &this).map_err(|error| UsageError(error.to_string()).into())
}

/// How long, on how many threads. So many cells as there are algorithms share the time that people wait for a table.
pub fn settings(arguments: &SpeedArguments, cells: usize) -> Settings {
    let (usual, patience) =
        if arguments.quick { (Settings::quick(), QUICK_PATIENCE) } else { (Settings::default(), PATIENCE) };
    let share = patience.div_f64(cells.max(1) as f64);
    Settings {
        time_per_subject: arguments.seconds.map_or(usual.time_per_subject.min(share), Duration::from_secs_f64),
        threads: arguments.threads.into(),
        ..usual
    }
}

/// How long each subject is measured in all.
const PATIENCE: Duration = Duration::from_secs(78);
const QUICK_PATIENCE: Duration = Duration::from_secs(15);

/// A command line that clap understood and that still asks for what there is not.
#[derive(Debug)]
pub struct UsageError(pub String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}
