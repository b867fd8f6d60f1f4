//! The experiments of `experiments/`, one after the other, and their report.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

/// `cargo xtask experiments`
#[derive(Args)]
pub struct Arguments {
    /// Only these: `asm-or-c`
    names: Vec<String>,
    /// The source of an OpenSSL, a folder or a packed one, for those that build libraries
    #[arg(long, value_name = "DIR|TARBALL")]
    openssl: Option<PathBuf>,
}

/// Runs them; one that fails does not keep the others from being run.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let folder = root.join("experiments");
    let source = folder.join("sources/openssl");
    if let Some(given) = &arguments.openssl {
        let given = given.canonicalize().with_context(|| format!("cannot find {}", given.display()))?;
        fs::create_dir_all(folder.join("sources"))?;
        // Whatever was there before was a link of this kind, or is somebody's own.
        if source.is_symlink() {
            fs::remove_file(&source)?;
        }
        link(&given, &source).with_context(|| format!("cannot link {} to the source", source.display()))?;
    }
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.retain(|path| {
        arguments.names.is_empty() || arguments.names.iter().any(|name| path.ends_with(format!("{name}.toml")))
    });
    files.sort();
    let mut failed = Vec::new();
    for file in &files {
        if fs::read_to_string(file)?.contains("sources/openssl") && !source.exists() {
            eprintln!("{} is left out: it needs --openssl", file.display());
            continue;
        }
        let mut command = Command::new(env!("CARGO"));
        command.args(["run", "--release", "--quiet", "-p", "speedwell-cli", "--", "run"]).arg(file).current_dir(root);
        if !command.status().context("cannot run cargo")?.success() {
            failed.push(file.display().to_string());
        }
    }
    if files.is_empty() || !failed.is_empty() {
        bail!("these failed, or there is none of that name: {}", failed.join(", "));
    }
    Ok(())
}

#[cfg(unix)]
fn link(source: &Path, place: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(source, place)
}

#[cfg(not(unix))]
fn link(_source: &Path, _place: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
