//! The command line.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use speedwell::select::Policy;

use crate::build::BuildArguments;
use crate::crypt::CryptArguments;
use crate::digest::DigestArguments;
use crate::import::ImportArguments;
use crate::mac::MacArguments;
use crate::recommend::RecommendArguments;
use crate::report::ReportArguments;
use crate::results::ResultsArguments;
use crate::run::RunArguments;
use crate::selftest::SelftestArguments;
use crate::share::ShareArguments;
use crate::stored::StoreArguments;
use crate::tune::TuneArguments;

/// Measures, explains and chooses the fastest safe implementation of each cryptographic primitive on this processor.
#[derive(Debug, Parser)]
#[command(name = "speedwell", version, about, after_help = AFTER_HELP, propagate_version = true)]
pub struct Arguments {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

const AFTER_HELP: &str = "Environment:
  SPEEDWELL_FORCE=sha256.compress=portable,aes.ctr=cycle   use these kernels
  SPEEDWELL_CPU=-avx512f,-vaes                             do without these instruction sets
  SPEEDWELL_PROFILE=PATH                                   choose kernels by this profile of `speedwell tune`
  NO_COLOR=1                                               no colours";

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Time algorithms, kernels and other libraries side by side
    Speed(SpeedArguments),
    /// List the algorithms, their kernels, and which is chosen and why
    List(ListArguments),
    /// Run an experiment from its file: build what is missing, measure, keep and show
    Run(RunArguments),
    /// List, show, compare and export the results that were kept
    Results(ResultsArguments),
    /// Try whether verdicts on this machine hold: plant a small slowdown and look for it, many times
    Selftest(SelftestArguments),
    /// List what can be compared with: which libraries are here, and how to install the others
    Subjects(SubjectsArguments),
    /// Build libraries from source with several compilers and flags, to compare the builds
    Build(BuildArguments),
    /// Measure every kernel on this host, and write the profile from which the library chooses here
    Tune(TuneArguments),
    /// Show runs: as a page, as figures, or in the terminal
    Report(ReportArguments),
    /// Say what to use for what, by measurement
    Recommend(RecommendArguments),
    /// Read results from elsewhere: tables of `openssl speed`, speed-ups, timings, Phoronix XML
    Import(ImportArguments),
    /// Print or check digests of files
    Digest(DigestArguments),
    /// Print or check message authentication codes of files
    Mac(MacArguments),
    /// Encrypt a file
    Encrypt(CryptArguments),
    /// Decrypt a file
    Decrypt(CryptArguments),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write manual pages and completions into a folder, as packages install them
    #[command(hide = true)]
    Share(ShareArguments),
    /// Serve the laboratory from a process of its own: one line of JSON in, one out
    #[command(hide = true)]
    Worker(WorkerArguments),
}

/// `speedwell list`
#[derive(Debug, Args)]
pub struct ListArguments {
    /// Algorithms, by name or alias; all if none is named
    #[arg(value_name = "ALGORITHM")]
    pub algorithms: Vec<String>,
    /// Show the choice under this policy [default: public for digests, secret for ciphers]
    #[arg(long, value_parser = parse_policy, value_name = "public|secret|strict")]
    pub policy: Option<Policy>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// `speedwell subjects`
#[derive(Debug, Args)]
#[command(after_help = SUBJECTS_HELP)]
pub struct SubjectsArguments {
    /// Subjects as `speed --vs` takes them; all that are known if none is named
    #[arg(value_name = "SUBJECT")]
    pub subjects: Vec<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

const SUBJECTS_HELP: &str = "Environment:
  SPEEDWELL_PEERS=DIR         where the workers of `cargo xtask peers` are, if not beside this program
  SPEEDWELL_PKCS11_PIN=PIN    log in to the PKCS #11 module; without it only public objects are made";

fn parse_policy(text: &str) -> Result<Policy, String> {
    let known = Policy::ALL.into_iter().find(|policy| policy.name() == text);
    known.ok_or_else(|| "the policies are public, secret and strict".to_owned())
}

/// `speedwell speed`
#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("format").args(["json", "jsonl", "csv", "mr"])),
    after_help = "Also understood, as in `openssl speed`: -evp ALGORITHM -bytes N -seconds N -decrypt -elapsed -multi N -mr"
)]
pub struct SpeedArguments {
    /// Algorithms, by name or alias; all if none is named
    #[arg(value_name = "ALGORITHM")]
    pub algorithms: Vec<String>,
    /// Only this operation
    #[arg(long, value_enum)]
    pub operation: Option<OperationName>,
    /// Message sizes in bytes
    #[arg(long, value_delimiter = ',', value_name = "N,…", default_values_t = DEFAULT_SIZES, value_parser = parse_size)]
    pub bytes: Vec<usize>,
    /// Seconds spent on each subject at each size
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    pub seconds: Option<f64>,
    /// Time this kernel by itself (`x86_64_aesni` or `aes.ctr/x86_64_aesni`), or `all`
    #[arg(long, value_name = "NAME|all")]
    pub kernel: Vec<String>,
    /// Compare with this: a library that `speedwell subjects` lists (`openssl`, `libgcrypt=PATH`, …), `speedwell` (itself:
    /// the noise), `speedwell=PATH` (another build of this command), or a worker's command line as `worker=COMMAND`
    #[arg(long, value_name = "SUBJECT")]
    pub vs: Vec<String>,
    /// Messages handed over or signed at once: by us as a batch, by others one by one. All of them count
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub messages: u32,
    /// Threads that work at the same time, each on messages of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Time the whole operation of a cipher: key, initialisation vector and data without padding, for each message anew
    #[arg(long)]
    pub whole: bool,
    /// Look for secrets in the time instead of measuring speed: fixed against random keys, and the correlation with how
    /// many of their bits are ones
    #[arg(long, requires = "algorithms", conflicts_with_all = ["csv", "mr", "threads"])]
    pub leak: bool,
    /// Fewer and shorter rounds: an overview in under twenty seconds
    #[arg(long)]
    pub quick: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// Print one JSON object a line
    #[arg(long)]
    pub jsonl: bool,
    /// Print comma-separated values
    #[arg(long)]
    pub csv: bool,
    /// Print the machine format of `openssl speed -mr`
    #[arg(long)]
    pub mr: bool,
    /// Keep the results, and what every round took, in the store
    #[arg(long, conflicts_with = "leak")]
    pub save: bool,
    /// Where they are kept
    #[command(flatten)]
    pub store: StoreArguments,
    /// No colours and no progress bar
    #[arg(long)]
    pub no_color: bool,
}

/// The sizes that `openssl speed` has by default.
pub const DEFAULT_SIZES: [usize; 6] = [16, 64, 256, 1024, 8192, 16384];

/// The largest message: more does not fit into the memory of a small machine in several copies.
const LARGEST: usize = 1 << 30;

fn parse_size(text: &str) -> Result<usize, String> {
    match text.trim().parse() {
        Ok(size @ 1..=LARGEST) => Ok(size),
        _ => Err(format!("a size is a whole number of bytes from 1 to {LARGEST}")),
    }
}

pub fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("seconds are a number from 0.001 to 3600".to_owned()),
    }
}

/// An operation, as a value of `--operation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OperationName {
    /// Encryption
    Encrypt,
    /// Decryption
    Decrypt,
    /// Hashing
    Hash,
    /// Message authentication
    Mac,
    /// Signing
    Sign,
    /// Checking a signature
    Verify,
    /// Making a key
    Generate,
}

/// `speedwell worker`
#[derive(Debug, Args)]
pub struct WorkerArguments {
    /// What to serve: a name that `speedwell subjects` lists
    pub subject: String,
    /// The library [default: the system's]
    pub path: Option<PathBuf>,
}
