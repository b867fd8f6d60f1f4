//! `speedwell encrypt` and `speedwell decrypt`. Also under the names `encrypt` and `decrypt`.

mod arguments;
mod destination;
mod legacy;
mod modes;
mod pipeline;
mod sealed;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

pub use arguments::CryptArguments;
use arguments::Format;
use destination::Destination;

use crate::sums::threads;

/// Which of the two commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `encrypt`
    Encrypt,
    /// `decrypt`
    Decrypt,
}

/// What a form needs for its work.
struct Task<'a> {
    direction: Direction,
    arguments: &'a CryptArguments,
    input: File,
    output: &'a mut Destination,
    threads: usize,
    bar: ProgressBar,
}

/// Runs either command.
pub fn run(direction: Direction, arguments: &CryptArguments) -> Result<()> {
    let name = arguments.input.as_deref().map_or_else(|| "standard input".into(), |path| path.display().to_string());
    let verb = if direction == Direction::Encrypt { "encrypt" } else { "decrypt" };
    arguments.check_form()?;
    let input = open(arguments.input.as_deref()).with_context(|| format!("cannot read {name}"))?;
    let of_input = input.metadata().with_context(|| format!("cannot read {name}"))?;
    if of_input.is_dir() {
        return Err(anyhow!("cannot {verb} {name}: it is a folder"));
    }
    let mut output = Destination::create(arguments.output.as_deref(), arguments.input.as_ref().map(|_| &of_input))?;
    let bar = bar(arguments.verbose, of_input.is_file().then_some(of_input.len()));
    let threads = threads(arguments.jobs);
    let task = Task { direction, arguments, input, output: &mut output, threads, bar: bar.clone() };
    let done = match arguments.format {
        Format::Speedwell => sealed::run(task),
        Format::Openssl | Format::Solaris => legacy::run(task),
    };
    let time = bar.elapsed();
    bar.finish_and_clear();
    done.with_context(|| format!("cannot {verb} {name}"))?;
    output.keep()?;
    if arguments.verbose {
        let bytes = bar.position();
        let rate = bytes as f64 / time.max(Duration::from_nanos(1)).as_secs_f64();
        anstream::eprintln!(
            "{name}: {} in {:.3} s, {}/s",
            HumanBytes(bytes),
            time.as_secs_f64(),
            HumanBytes(rate as u64)
        );
    }
    Ok(())
}

fn open(path: Option<&Path>) -> std::io::Result<File> {
    match path {
        Some(path) => File::open(path),
        #[cfg(unix)]
        None => std::os::fd::AsFd::as_fd(&std::io::stdin()).try_clone_to_owned().map(File::from),
        #[cfg(windows)]
        None => std::os::windows::io::AsHandle::as_handle(&std::io::stdin()).try_clone_to_owned().map(File::from),
    }
}

/// The beginning of the input, up to so many bytes.
fn beginning(input: &mut impl Read, most: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(most);
    input.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn bar(is_visible: bool, length: Option<u64>) -> ProgressBar {
    let bar = match length {
        _ if !is_visible => return ProgressBar::hidden(),
        Some(length) => ProgressBar::new(length),
        None => ProgressBar::no_length(),
    };
    let template = match length {
        Some(_) => "{bar:30} {percent:>3} %  {binary_bytes_per_sec}  {eta} left",
        None => "{spinner} {binary_bytes}  {binary_bytes_per_sec}",
    };
    bar.with_style(ProgressStyle::with_template(template).expect("the template is well formed"))
}
