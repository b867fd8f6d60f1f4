//! `speedwell recommend`: what to use for what, by measurement.

use anyhow::{Result, anyhow};
use clap::{Args, ValueEnum};
use speedwell_lab::recommend;

use crate::output;
use crate::runs::{self, RunArguments};

/// `speedwell recommend`
#[derive(Debug, Args)]
pub struct RecommendArguments {
    #[command(flatten)]
    runs: RunArguments,
    /// The form
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// A form of the advice.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people: which subject from which size on, by how much, how certain
    Text,
    /// A local profile for SPEEDWELL_PROFILE, from a run of `tune --json`
    Profile,
    /// A property query for openssl.cnf
    OpensslCnf,
    /// Lines for the C preprocessor
    Cpp,
}

/// Runs the command.
pub fn run(arguments: &RecommendArguments) -> Result<()> {
    let runs = runs::load(&arguments.runs)?;
    let advice = recommend::recommend(&runs);
    output::print(&match arguments.format {
        Format::Text => recommend::text(&advice),
        Format::Profile => recommend::profile(&runs).map_err(|why| anyhow!(why))?,
        Format::OpensslCnf => recommend::openssl_cnf(&advice),
        Format::Cpp => recommend::cpp(&advice),
    })
}
