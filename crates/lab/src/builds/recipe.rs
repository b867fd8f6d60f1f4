//! What recipes share: a combination, its key in the cache, and commands whose words go to a log.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use speedwell::digest::{Digest, Sha256};

use super::source::hexadecimal;
use super::{Asm, Event};
use crate::subjects::Facts;

/// One choice of each list.
pub(super) struct Combination {
    pub name: String,
    /// What the build is found by in the cache.
    pub key: String,
    /// The file that shows that it is there.
    pub product: &'static str,
    /// The compiler as it is called, and in its own words.
    pub compiler: String,
    pub compiler_version: String,
    /// What is handed to the compiler.
    pub flags: Vec<String>,
    pub asm: Asm,
    /// The environment that the build needs.
    pub environment: Vec<(String, String)>,
    pub version: String,
    pub profile: String,
    /// Why it cannot be built, if that is known beforehand.
    pub impossible: Option<String>,
}

impl Combination {
    pub fn facts(&self) -> Facts {
        Facts {
            version: Some(self.version.clone()),
            compiler: Some(self.compiler_version.clone()),
            flags: Some(self.flags.join(" ")),
            ..Facts::named(&self.name)
        }
    }
}

/// The key of everything that a build depends on. The number counts changes of the recipes.
pub(super) fn key(parts: &[&str]) -> String {
    const RECIPES: &str = "1";
    let mut hash = Sha256::new();
    for part in [RECIPES, std::env::consts::ARCH, std::env::consts::OS].iter().chain(parts) {
        Digest::update(&mut hash, format!("{}:{part}", part.len()));
    }
    hexadecimal(&hash.finalize())[..24].to_owned()
}

/// The first line of what a compiler says of itself, or why it does not.
pub(super) fn version_of(compiler: &str, argument: &str) -> Result<String, String> {
    let output = Command::new(compiler).arg(argument).output();
    let output = output.map_err(|error| format!("the compiler '{compiler}' cannot be run: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match text.lines().next() {
        Some(line) if output.status.success() => Ok(line.to_owned()),
        _ => Err(format!("'{compiler} {argument}' fails: {}", output.status)),
    }
}

/// Where commands write, and who is told what is done.
pub(super) struct Log<'a, 'b> {
    file: File,
    tell: &'a mut (dyn FnMut(Event<'_>) + 'b),
}

impl<'a, 'b> Log<'a, 'b> {
    pub fn create(path: &Path, tell: &'a mut (dyn FnMut(Event<'_>) + 'b)) -> io::Result<Log<'a, 'b>> {
        Ok(Log { file: File::create(path)?, tell })
    }

    /// Runs a command to its end, with its words in the log; if it fails, says so.
    pub fn run(&mut self, step: &str, command: &mut Command) -> Result<(), String> {
        (self.tell)(Event::Step(step));
        let failed = |error: io::Error| format!("{step}: {error}");
        writeln!(self.file, "$ {command:?}").map_err(failed)?;
        let [out, errors] = [self.file.try_clone(), self.file.try_clone()];
        command.stdin(Stdio::null()).stdout(out.map_err(failed)?).stderr(errors.map_err(failed)?);
        let status =
            command.status().map_err(|error| format!("{step}: {:?} cannot be run: {error}", command.get_program()))?;
        if status.success() { Ok(()) } else { Err(format!("{step} failed ({status})")) }
    }
}
