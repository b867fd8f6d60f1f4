//! `speedwell build`: libraries from source, in every combination of compilers and flags that is asked for.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use speedwell_lab::builds::{Asm, Built, Event, Library, Table, Workshop, default_cache};

use crate::output;
use crate::speed::UsageError;
use crate::speed::new_table;

/// `speedwell build`
#[derive(Debug, Args)]
pub struct BuildArguments {
    /// What to build
    #[command(subcommand)]
    library: BuildLibrary,
}

/// What can be built.
#[derive(Debug, Subcommand)]
enum BuildLibrary {
    /// OpenSSL's libcrypto, of any version from 1.0.0 on
    Openssl(OpensslArguments),
    /// This command from a checkout of its source, with other profiles and flags
    Speedwell(SpeedwellArguments),
}

/// Of both.
#[derive(Debug, Args)]
struct CommonArguments {
    /// What the builds' names begin with [default: the library's name and version]
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    name: String,
    /// Jobs at a time
    #[arg(long, short, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=512))]
    jobs: u16,
    /// Where builds and their logs are kept [default: the user's cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// `speedwell build openssl`
#[derive(Debug, Args)]
struct OpensslArguments {
    /// The source: a folder, or one that is packed
    #[arg(long, value_name = "DIR|TARBALL")]
    source: PathBuf,
    /// Compilers
    #[arg(long, value_delimiter = ',', value_name = "gcc-12,…", default_value = "cc")]
    cc: Vec<String>,
    /// Sets of flags behind the library's own; several flags of a set stand in quotes
    #[arg(long, value_delimiter = ',', value_name = "-O2,…", allow_hyphen_values = true)]
    cflags: Vec<String>,
    /// With its assembly or without
    #[arg(long, value_delimiter = ',', value_name = "yes,no", default_value = "yes")]
    asm: Vec<Asm>,
    #[command(flatten)]
    common: CommonArguments,
}

/// `speedwell build speedwell`
#[derive(Debug, Args)]
struct SpeedwellArguments {
    /// The checkout
    #[arg(long, value_name = "DIR", default_value = ".")]
    source: PathBuf,
    /// Profiles of Cargo
    #[arg(long, value_delimiter = ',', value_name = "NAME,…", default_value = "release")]
    profile: Vec<String>,
    /// Processors that code outside of kernels is compiled for: `native`, `x86-64-v3`
    #[arg(long, value_delimiter = ',', value_name = "CPU,…")]
    target_cpu: Vec<String>,
    /// In how many units a crate is compiled
    #[arg(long, value_delimiter = ',', value_name = "N,…")]
    codegen_units: Vec<u32>,
    /// Optimisation across crates: off, thin or fat
    #[arg(long, value_delimiter = ',', value_name = "KIND,…", value_parser = ["off", "thin", "fat"])]
    lto: Vec<String>,
    #[command(flatten)]
    common: CommonArguments,
}

/// Runs the command. It fails if nothing could be built.
pub fn run(arguments: BuildArguments) -> Result<()> {
    let (table, common) = table_of(arguments.library);
    let workshop = Workshop { cache: common.cache.unwrap_or_else(default_cache), jobs: common.jobs.into() };
    let bar = if std::io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    let style = ProgressStyle::with_template("{spinner} {prefix} {msg} ({elapsed})")?;
    bar.set_style(style);
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    let quiet = bar.is_hidden() && common.json;
    let built = workshop.realize(&table, &mut |event| match event {
        Event::Begin(name, number, all) => {
            bar.reset_elapsed();
            bar.set_prefix(format!("[{}/{all}] {name}", number + 1));
        }
        Event::Step(step) => bar.set_message(step.to_owned()),
        Event::End(built) if bar.is_hidden() && !quiet => anstream::eprintln!("{}: {}", built.name, outcome(built)),
        Event::End(_) => (),
    });
    bar.finish_and_clear();
    let built = built.map_err(|error| UsageError(error.to_string()))?;
    output::print(&if common.json { document(&built)? } else { text(&built) })?;
    if built.iter().all(|one| one.failed.is_some()) {
        bail!("nothing could be built");
    }
    Ok(())
}

fn table_of(library: BuildLibrary) -> (Table, CommonArguments) {
    match library {
        BuildLibrary::Openssl(OpensslArguments { source, cc, cflags, asm, common }) => {
            let name = common.name.clone();
            (Table { name, library: Library::Openssl, source, cc, cflags, asm, ..Table::default() }, common)
        }
        BuildLibrary::Speedwell(SpeedwellArguments { source, profile, target_cpu, codegen_units, lto, common }) => {
            let (name, library) = (common.name.clone(), Library::Speedwell);
            (Table { name, library, source, profile, target_cpu, codegen_units, lto, ..Table::default() }, common)
        }
    }
}

fn outcome(built: &Built) -> String {
    match (&built.failed, built.took) {
        (Some(why), _) => format!("failed: {why}"),
        (None, Some(took)) => format!("built in {:.0} s", took.as_secs_f64()),
        (None, None) => "was there".to_owned(),
    }
}

fn text(built: &[Built]) -> String {
    let mut table = new_table();
    table.set_header(["build", "outcome", "compiler"]);
    for one in built {
        let compiler = one.facts.compiler.clone().unwrap_or_default();
        table.add_row([one.name.clone(), outcome(one), compiler]);
    }
    let mut text = format!("{table}\n");
    let made: Vec<String> =
        built.iter().filter(|one| one.failed.is_none()).map(|one| format!("--vs {}", one.specification())).collect();
    if !made.is_empty() {
        // Nothing that is written to a string fails.
        let _ = writeln!(text, "\nCompare them: speedwell speed {}", made.join(" \\\n  "));
    }
    text
}

fn document(built: &[Built]) -> Result<String> {
    let rows: Vec<_> = built
        .iter()
        .map(|one| {
            json!({
                "name": one.name,
                "path": one.failed.is_none().then_some(&one.path),
                "subject": one.failed.is_none().then(|| one.specification()),
                "facts": one.facts,
                "failed": one.failed,
                "log": one.log,
                "seconds": one.took.map(|took| took.as_secs_f64()),
            })
        })
        .collect();
    Ok(serde_json::to_string_pretty(&rows)? + "\n")
}
