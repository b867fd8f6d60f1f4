//! The options that `digest` and `mac` share.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use speedwell::checklist::{Encoding, Style};

/// Options on files, output and checking.
#[derive(Debug, Args)]
pub struct SumArguments {
    /// Files; standard input if none is named, or for `-`
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Go into folders; links are followed to files, and to folders only where they are named here
    #[arg(short, long)]
    pub recursive: bool,
    /// Threads [default: as many as the processor runs at once]
    #[arg(short = 'j', long, value_name = "N")]
    pub jobs: Option<NonZero<usize>>,
    /// Print `algorithm (file) = digest`, as Solaris' commands do
    #[arg(short, long, group = "style")]
    pub verbose: bool,
    /// Print `ALGORITHM (file) = digest`, as BSD's commands do
    #[arg(long, group = "style")]
    pub tag: bool,
    /// Print `digest  file`, as coreutils' commands do: the default
    #[arg(long, group = "style")]
    pub untagged: bool,
    /// Print one JSON array with an object for each file
    #[arg(long, group = "style", conflicts_with = "zero")]
    pub json: bool,
    /// Write digests in base64 instead of hexadecimal digits
    #[arg(long)]
    pub base64: bool,
    /// End lines with a zero byte, and escape no names
    #[arg(short, long)]
    pub zero: bool,
    /// Check lists in any of these forms, and in those of sha256sum, md5sum, cksum -a, shasum and openssl dgst
    #[arg(short, long, conflicts_with_all = ["style", "base64", "recursive"])]
    pub check: bool,
    /// With --check, do not print `OK` for each file that is
    #[arg(long, requires = "check")]
    pub quiet: bool,
    /// With --check, print nothing: the exit code tells
    #[arg(long, requires = "check")]
    pub status: bool,
    /// With --check, fail if a line has none of the forms
    #[arg(long, requires = "check")]
    pub strict: bool,
    /// With --check, pass over files that are not there
    #[arg(long, requires = "check")]
    pub ignore_missing: bool,
    /// With --check, name every line that has none of the forms
    #[arg(short, long, requires = "check")]
    pub warn: bool,
    /// Name the kernels that run
    #[arg(long)]
    pub debug: bool,
    /// Print as Solaris' command does, the digest alone for one file: set where that command's name is used
    #[arg(long, hide = true)]
    pub as_link: bool,
}

impl SumArguments {
    /// The style of lines for so many files.
    pub fn style(&self, files: usize) -> Style {
        match self {
            SumArguments { json: true, .. } => Style::Json,
            SumArguments { tag: true, .. } => Style::Tag,
            SumArguments { untagged: true, .. } => Style::Coreutils,
            SumArguments { verbose: true, .. } => Style::Solaris,
            SumArguments { as_link: true, .. } if files == 1 => Style::Bare,
            SumArguments { as_link: true, .. } => Style::Solaris,
            _ => Style::Coreutils,
        }
    }

    /// How digests are written.
    pub fn encoding(&self) -> Encoding {
        if self.base64 { Encoding::Base64 } else { Encoding::Hex }
    }
}
