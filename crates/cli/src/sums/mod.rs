//! What `digest` and `mac` share: many files on many threads, the lines they print, and lists that are checked.

mod arguments;
mod check;
mod function;
mod inputs;
mod kernels;
mod output;
mod stream;
mod work;

use std::io::IsTerminal;
use std::num::NonZero;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};

pub use arguments::SumArguments;
pub use check::run as check;
pub use function::Function;
pub use stream::fill;

use output::Lines;
use work::Job;

/// What has been said already, file by file, is not said again: only the exit code is left.
#[derive(Debug)]
pub struct Failed;

impl std::fmt::Display for Failed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("not every file is well")
    }
}

impl std::error::Error for Failed {}

/// Prints the digests or tags of the files that the arguments name.
pub fn print(arguments: &SumArguments, function: &Function) -> Result<()> {
    if arguments.debug {
        kernels::describe(function)?;
    }
    let inputs = inputs::collect(&arguments.files, arguments.recursive);
    let jobs: Vec<Job<'_>> = inputs.iter().map(|input| Job { source: &input.source, function }).collect();
    let bar = bar();
    let mut lines = Lines::new(arguments.style(inputs.len()), arguments, bar.clone());
    let mut is_well = true;
    work::run(&jobs, threads(arguments.jobs), &bar, |index, outcome| match outcome {
        Ok(digest) => lines.digest(function.algorithm, &inputs[index].name, &digest),
        Err(error) => {
            is_well = false;
            lines.error(&inputs[index].name, &error)
        }
    })
    .and_then(|()| lines.finish())
    .context("cannot write to standard output")?;
    bar.finish_and_clear();
    if is_well { Ok(()) } else { Err(Failed.into()) }
}

/// The threads asked for, or as many as the processor runs at once.
pub fn threads(asked: Option<NonZero<usize>>) -> usize {
    asked.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZero::get)
}

/// A bar with the bytes read and their rate, if somebody watches.
fn bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {binary_bytes} ({binary_bytes_per_sec}) in {elapsed}");
    let bar = ProgressBar::no_length().with_style(style.expect("the template is well formed"));
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}
