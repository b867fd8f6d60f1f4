//! The `speedwell` command.

#![forbid(unsafe_code)]

mod arguments;
mod build;
mod crypt;
mod digest;
mod import;
mod links;
mod list;
mod mac;
mod openssl_spelling;
mod output;
mod recommend;
mod report;
mod results;
mod run;
mod runs;
mod secrets;
mod selftest;
mod share;
mod speed;
mod stored;
mod subjects;
mod sums;
mod tune;

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{CommandFactory, Parser};
use speedwell::names::UnknownAlgorithm;
use speedwell::select::{PROFILE_VARIABLE, Selector};

use speedwell_lab::subjects::worker_main;

use arguments::{Arguments, Command};
use crypt::Direction;
use speed::UsageError;
use speed::formats::json_lines;
use sums::Failed;

/// The exit code of a command line that is not understood, as clap has it.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let arguments =
        Arguments::parse_from(openssl_spelling::translate(links::translate(std::env::args_os()).into_iter()));
    if let Err(error) = Selector::host().check() {
        anstream::eprintln!("error: the environment is not usable: {error}");
        return ExitCode::from(USAGE);
    }
    if let Some(problem) = Selector::host().profile_problem() {
        anstream::eprintln!("warning: {PROFILE_VARIABLE} is ignored: {problem}");
    }
    match run(arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        // Every file that is not well has been named.
        Err(error) if error.is::<Failed>() => ExitCode::FAILURE,
        Err(error) => {
            anstream::eprintln!("error: {error:#}");
            let usage = error.is::<UnknownAlgorithm>() || error.is::<UsageError>();
            if usage { ExitCode::from(USAGE) } else { ExitCode::FAILURE }
        }
    }
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Speed(arguments) => speed::run(&arguments),
        Command::List(arguments) => list::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Selftest(arguments) => selftest::run(&arguments),
        Command::Results(arguments) => results::run(&arguments),
        Command::Subjects(arguments) => subjects::run(&arguments),
        Command::Build(arguments) => build::run(arguments),
        Command::Tune(arguments) => tune::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Recommend(arguments) => recommend::run(&arguments),
        Command::Digest(arguments) => digest::run(&arguments),
        Command::Mac(arguments) => mac::run(&arguments),
        Command::Encrypt(arguments) => crypt::run(Direction::Encrypt, &arguments),
        Command::Decrypt(arguments) => crypt::run(Direction::Decrypt, &arguments),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "speedwell", &mut script);
            output::print(&String::from_utf8_lossy(&script))
        }
        Command::Share(arguments) => share::run(&arguments),
        Command::Worker(arguments) => {
            worker_main(&arguments.subject, arguments.path.as_deref()).context("the worker's standard streams failed")
        }
    }
}
