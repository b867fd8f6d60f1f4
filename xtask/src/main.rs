//! Developers' tasks, as a program of the workspace: `cargo xtask --help`.

mod interop;
mod peers;
mod statistics;
mod structure;
mod table;
mod timing;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Developers' tasks", disable_version_flag = true)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check that imports run down the floors, and that `unsafe` and build scripts stay where they belong
    Structure,
    /// Try whether the laboratory's verdicts hold on this machine, and write the table of docs/measuring.md
    Statistics,
    /// Generate the table by which plans choose, from measurements/
    Table {
        /// Only say whether it is up to date
        #[arg(long)]
        check: bool,
    },
    /// Install the programs and libraries that tests compare with (Debian packages, as root)
    Interop,
    /// Build the workers for other Rust libraries, which `speed --vs` then finds
    Peers {
        /// Only these
        names: Vec<String>,
    },
    /// Examine on the machine code whether kernels are constant in time, and keep the records
    ///
    /// Without arguments: what has no record for its present source and compiler.
    Timing(timing::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Structure => structure::check(&workspace()),
        Task::Statistics => statistics::write(&workspace()),
        Task::Table { check } => table::run(&workspace(), check),
        Task::Interop => interop::install(),
        Task::Peers { names } => peers::build(&workspace(), &names),
        Task::Timing(arguments) => timing::run(&workspace(), &arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's root.
fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask stands in the workspace").to_owned()
}
