//! The command line of `speedwell results`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::stored::StoreArguments;

/// `speedwell results`
#[derive(Debug, Args)]
pub struct ResultsArguments {
    /// Which store
    #[command(flatten)]
    pub store: StoreArguments,
    /// What to do
    #[command(subcommand)]
    pub command: ResultsCommand,
}

/// What to do with results. A run is named by its number, as `latest`, or by eight or more characters of its identity.
#[derive(Debug, Subcommand)]
pub enum ResultsCommand {
    /// List the runs
    List {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Print the tables of a run
    Show {
        /// A run: its number, or `latest`; or a file of `speed --json` or `--jsonl`, or one that `import` reads
        run: String,
        /// Print one JSON document, with what every round took
        #[arg(long)]
        json: bool,
    },
    /// Say what became faster or slower from one run to another; the exit code is 1 if something became slower
    Compare(CompareArguments),
    /// Write runs in the form of another program
    Export(ExportArguments),
    /// Forget runs
    Delete {
        /// Runs
        #[arg(value_name = "RUN", required = true)]
        runs: Vec<String>,
    },
    /// Take over the runs of other stores
    Merge {
        /// Stores
        #[arg(value_name = "FILE", required = true)]
        others: Vec<PathBuf>,
    },
}

/// `speedwell results compare`
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// The run before: its number, or `latest`; or a file of `speed --json` or `--jsonl`, or one that `import` reads
    pub before: String,
    /// The run after
    pub after: String,
    /// How much slower something may become, in per cent: less is not told from what a machine does on another day
    #[arg(long, value_name = "PER CENT", default_value = "5", value_parser = parse_threshold)]
    pub threshold: f64,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

fn parse_threshold(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').trim().parse() {
        Ok(percent) if (0.0..100.0).contains(&percent) => Ok(percent),
        _ => Err("a threshold is a number of per cent from 0 to 100".to_owned()),
    }
}

/// `speedwell results export`
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// Runs, or files of `speed --json` or `--jsonl`, or that `import` reads
    #[arg(value_name = "RUN", default_value = "latest")]
    pub runs: Vec<String>,
    /// The form
    #[arg(long, value_enum, default_value_t = Form::Jsonl)]
    pub format: Form,
    /// What every round took, a row a round, instead of the figures made of it: with csv and parquet
    #[arg(long)]
    pub samples: bool,
    /// Write to this file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// A form that another program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values
    Csv,
    /// Apache Parquet
    Parquet,
    /// JUnit's XML, as CI services show it: a test a figure, a wrong answer is a failure
    Junit,
    /// The JSON of Bencher
    Bencher,
}
