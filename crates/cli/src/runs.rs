//! Where a command takes runs from: files of documents, and the store.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use speedwell_lab::import::{Hints, import};
use speedwell_lab::report::Run;
use speedwell_lab::store::{Store, place};

/// Runs, as arguments name them.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// Runs: files (JSON of `speed`, `tune` or `import`, or anything that `import` reads), `-`, or runs of the store by
    /// number, identity or `latest`
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<String>,
    /// The store that numbers are of [default: SPEEDWELL_STORE, or speedwell/results.db in the user's data folder]
    #[arg(long, value_name = "PATH")]
    pub store: Option<PathBuf>,
}

/// Loads them, in their order.
pub fn load(arguments: &RunArguments) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    for name in &arguments.runs {
        if is_of_store(name) {
            runs.push(from_store(name, arguments.store.as_deref())?);
        } else {
            runs.extend(from_text(name, &read(name)?)?);
        }
    }
    Ok(runs)
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

fn from_store(name: &str, path: Option<&Path>) -> Result<Run> {
    let store = Store::open(&place(path)?)?;
    let report = store.load(store.find(name)?)?;
    Ok(Run { name: format!("run {name}"), report })
}

/// Whether a name is of a run in the store: no file has it, and it is a number, an identity or `latest`.
fn is_of_store(name: &str) -> bool {
    let is_identity = name.len() >= 8 && name.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    name == "latest" || ((is_number || is_identity) && !Path::new(name).exists())
}
