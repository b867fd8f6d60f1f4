//! `speedwell digest`: digests of files, and lists of them checked. Also under the name `digest`.

use anyhow::Result;
use clap::Args;
use speedwell::names::{Algorithm, Kind, algorithms, find};

use crate::output;
use crate::sums::{self, Function, SumArguments};

/// `speedwell digest`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  speedwell digest -a sha512 *.iso > SUMS      in the form of sha512sum
  speedwell digest --check SUMS                each line's algorithm is known by its form
  speedwell digest -a md5 -r --tag folder      everything in a folder, as BSD's md5 prints it

Called by the name `digest`, through a link, it prints as Solaris' command does: the digest alone for one file.
Exit codes: 0 all is well; 1 a file differs or cannot be read; 2 the command line is not understood.")]
pub struct DigestArguments {
    /// The algorithm; with --check, that of lines that do not name one, and lines that name another are refused [default:
    /// sha256, and with --check each line's]
    #[arg(short, long)]
    algorithm: Option<String>,
    /// List the algorithms
    #[arg(short, long)]
    list: bool,
    #[command(flatten)]
    sums: SumArguments,
}

/// Runs the command.
pub fn run(arguments: &DigestArguments) -> Result<()> {
    if arguments.list {
        return output::print_names(algorithms().filter(|it| matches!(it.kind, Kind::Digest { .. })));
    }
    let named: Option<&'static Algorithm> = arguments.algorithm.as_deref().map(find).transpose()?;
    if arguments.sums.check {
        return sums::check(&arguments.sums, named, Function::digest);
    }
    let algorithm = named.map_or_else(|| find("sha256"), Ok)?;
    sums::print(&arguments.sums, &Function::digest(algorithm)?)
}
