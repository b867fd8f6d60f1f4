//! Where a command takes runs from: files of documents, and the store.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Args;
use speedwell_lab::import::{Hints, import};
use speedwell_lab::report::Run;

use crate::stored::StoreArguments;

/// Runs, as arguments name them.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// Runs: files (JSON of `speed`, `tune` or `import`, or anything that `import` reads), `-`, or runs of the store by
    /// number, identity or `latest`
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<String>,
    /// The store that numbers are of
    #[command(flatten)]
    pub store: StoreArguments,
}

/// Loads them, in their order.
pub fn load(arguments: &RunArguments) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    for name in &arguments.runs {
        let mut found = named(name, &arguments.store)?;
        if is_of_store(name) {
            found.iter_mut().for_each(|run| run.name.insert_str(0, "run "));
        }
        runs.extend(found);
    }
    Ok(runs)
}

/// Loads what must be one run.
pub fn one(name: &str, store: &StoreArguments) -> Result<Run> {
    let mut runs = named(name, store)?;
    match (runs.pop(), runs.len()) {
        (Some(run), 0) => Ok(run),
        (_, more) => bail!("{name} holds {} runs, and one is wanted: give a file that has one", more + 1),
    }
}

/// What a name means: a run of the store, called by its number, or the runs of a file, called by its name.
fn named(name: &str, store: &StoreArguments) -> Result<Vec<Run>> {
    if is_of_store(name) {
        return Ok(vec![from_store(name, store)?]);
    }
    if name != "-" && !Path::new(name).exists() {
        bail!("there is no file {name}, and a run is named by its number, its identity or as `latest`");
    }
    from_text(name, &read(name)?)
}

/// The text of a file, or of standard input for `-`.
pub fn read(name: &str) -> Result<String> {
    let mut bytes = Vec::new();
    if name == "-" {
        std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
    } else {
        bytes = fs::read(name).with_context(|| format!("cannot read {name}"))?;
    }
    // Pages of old are in all sorts of encodings; figures are ASCII in all of them.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn from_text(name: &str, text: &str) -> Result<Vec<Run>> {
    let found = import(name, text, &Hints::default())?;
    let many = found.len() > 1;
    let name = |index: usize| if many { format!("{name}#{}", index + 1) } else { name.to_owned() };
    Ok(found.into_iter().enumerate().map(|(index, one)| Run { name: name(index), report: one.report }).collect())
}

fn from_store(name: &str, store: &StoreArguments) -> Result<Run> {
    let store = store.open()?;
    let run = store.find(name)?;
    Ok(Run { name: run.to_string(), report: store.load(run)? })
}

/// Whether a name is of a run in the store: no file has it, and it is a number, an identity or `latest`.
fn is_of_store(name: &str) -> bool {
    let is_identity = name.len() >= 8 && name.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    name == "latest" || ((is_number || is_identity) && !Path::new(name).exists())
}
