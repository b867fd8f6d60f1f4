//! `speedwell share`: manual pages and completions, as packages install them below a prefix's `share`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;

use crate::arguments::Arguments;

/// `speedwell share`
#[derive(Debug, Args)]
pub struct ShareArguments {
    /// The folder that gets man/, bash-completion/, zsh/ and fish/
    folder: PathBuf,
}

/// Where each shell looks for completions.
const COMPLETIONS: &[(Shell, &str)] = &[
    (Shell::Bash, "bash-completion/completions/speedwell"),
    (Shell::Zsh, "zsh/site-functions/_speedwell"),
    (Shell::Fish, "fish/vendor_completions.d/speedwell.fish"),
];

/// Runs the command.
pub fn run(arguments: &ShareArguments) -> Result<()> {
    let command = Arguments::command();
    let mut command = command.disable_help_subcommand(true);
    command.build();
    for (shell, place) in COMPLETIONS {
        let mut script = Vec::new();
        clap_complete::generate(*shell, &mut Arguments::command(), "speedwell", &mut script);
        write(&arguments.folder.join(place), &script)?;
    }
    let manual = arguments.folder.join("man/man1");
    write_page(&manual, &command, "speedwell")?;
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        let name = format!("speedwell-{}", subcommand.get_name());
        write_page(&manual, subcommand, &name)?;
        for nested in subcommand.get_subcommands().filter(|nested| !nested.is_hide_set() && nested.get_name() != "help")
        {
            write_page(&manual, nested, &format!("{name}-{}", nested.get_name()))?;
        }
    }
    Ok(())
}

fn write_page(manual: &Path, command: &Command, name: &str) -> Result<()> {
    let mut page = Vec::new();
    // No date: a page that says the same is the same file.
    clap_mangen::Man::new(command.clone()).title(name).date("").render(&mut page)?;
    write(&manual.join(format!("{name}.1")), &page)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    fs::create_dir_all(path.parent().expect("every file has a folder")).with_context(cannot)?;
    fs::write(path, bytes).with_context(cannot)
}
