//! `speedwell mac`: message authentication codes of files, and lists of them checked. Also under the name `mac`.

use anyhow::{Result, bail};
use clap::Args;
use speedwell::names::{Kind, algorithms, find};

use crate::output;
use crate::secrets::{self, KeyArguments};
use crate::sums::{self, Function, SumArguments};

/// `speedwell mac`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  speedwell mac -a hmac-sha256 -k key *.iso > TAGS
  speedwell mac -a hmac-sha256 -k key --check TAGS
  speedwell mac -a aes-128-cmac --key-env KEY file      KEY=00112233445566778899aabbccddeeff

Keys never stand on the command line, where every user of the machine can read them. Without an option, the key is asked
for on the terminal. HMAC takes keys of any length, CMAC those of its cipher.
Exit codes: 0 all is well; 1 a file differs or cannot be read; 2 the command line is not understood.")]
pub struct MacArguments {
    /// The algorithm; with --check, lines that name another are refused [default: hmac-sha256]
    #[arg(short, long)]
    algorithm: Option<String>,
    /// List the algorithms
    #[arg(short, long)]
    list: bool,
    #[command(flatten)]
    key: KeyArguments,
    #[command(flatten)]
    sums: SumArguments,
}

/// Runs the command.
pub fn run(arguments: &MacArguments) -> Result<()> {
    if arguments.list {
        return output::print_names(algorithms().filter(|it| matches!(it.kind, Kind::Mac { .. })));
    }
    let algorithm = find(arguments.algorithm.as_deref().unwrap_or("hmac-sha256"))?;
    if !matches!(algorithm.kind, Kind::Mac { .. }) {
        bail!("'{}' is no message authentication code but a {}", algorithm.name, algorithm.kind.name());
    }
    let key = match arguments.key.read()? {
        Some(key) => key,
        None => secrets::ask("key", false, "--key-file, --key-fd or --key-env")?,
    };
    if arguments.sums.check {
        return sums::check(&arguments.sums, Some(algorithm), |algorithm| Function::mac(algorithm, key.clone()));
    }
    sums::print(&arguments.sums, &Function::mac(algorithm, key)?)
}
