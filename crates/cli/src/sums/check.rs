//! `--check`: files against lists of what their digests were. Messages and exit codes are those of coreutils' commands.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use speedwell::checklist::{Entry, Style, escape, read_json, read_line};
use speedwell::names::Algorithm;

use super::arguments::SumArguments;
use super::function::Function;
use super::inputs::{Source, native_name, path_of};
use super::output::{Lines, complain, complain_of};
use super::work::{self, Job, Outcome};
use super::{Failed, threads};

/// Checks every list.
pub fn run(
    arguments: &SumArguments,
    expected: Option<&'static Algorithm>,
    function: impl Fn(&'static Algorithm) -> Result<Function>,
) -> Result<()> {
    let standard = [Path::new("-").to_owned()];
    let lists = if arguments.files.is_empty() { &standard[..] } else { &arguments.files };
    let bar = if arguments.status { ProgressBar::hidden() } else { super::bar() };
    let mut lines = Lines::new(Style::Coreutils, arguments, bar.clone());
    let mut is_well = true;
    for path in lists {
        let name = native_name(path.as_os_str());
        match read(path).map(|text| List::new(&text, expected)) {
            Ok(list) => is_well &= list.check(name, arguments, &function, &mut lines, &bar)?,
            Err(error) => {
                complain(name, &error);
                is_well = false;
            }
        }
    }
    bar.finish_and_clear();
    if is_well { Ok(()) } else { Err(Failed.into()) }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().read_to_end(&mut text)?;
    } else {
        File::open(path)?.read_to_end(&mut text)?;
    }
    Ok(text)
}

/// Lists from other systems have a carriage return before each line end; in a name it would be escaped.
fn strip_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A list that has been read: its entries, and the numbers of the lines that are none.
struct List {
    entries: Vec<Entry>,
    improper: Vec<usize>,
}

impl List {
    fn new(text: &[u8], expected: Option<&'static Algorithm>) -> List {
        let lines: Vec<Option<Entry>> = match read_json(text, expected) {
            Some(objects) => objects,
            None => {
                // A list with zero bytes for line ends has names that are not escaped, and may have line ends in them.
                let end = if text.contains(&0) { 0 } else { b'\n' };
                let text = text.strip_suffix(&[end]).unwrap_or(text);
                let lines = text.split(|byte| *byte == end).filter(|line| !line.starts_with(b"#"));
                let without_return = |line| if end == b'\n' { strip_return(line) } else { line };
                lines.map(|line| read_line(without_return(line), expected)).collect()
            }
        };
        let improper = lines.iter().enumerate().filter(|(_, line)| line.is_none()).map(|(i, _)| i + 1).collect();
        List { entries: lines.into_iter().flatten().collect(), improper }
    }

    /// Checks the files, and says whether the list is well.
    fn check(
        &self,
        name: &[u8],
        arguments: &SumArguments,
        function: impl Fn(&'static Algorithm) -> Result<Function>,
        lines: &mut Lines,
        bar: &ProgressBar,
    ) -> Result<bool> {
        if arguments.warn && !arguments.status {
            for line in &self.improper {
                complain_of(name, &format!("{line}: improperly formatted checksum line"));
            }
        }
        if self.entries.is_empty() {
            complain_of(name, "no properly formatted checksum lines found");
            return Ok(false);
        }
        let mut functions = BTreeMap::new();
        for Entry { algorithm, .. } in &self.entries {
            if !functions.contains_key(algorithm.name) {
                functions.insert(algorithm.name, function(algorithm)?);
            }
        }
        let sources: Vec<Source> = self.entries.iter().map(|entry| source(&entry.name)).collect();
        let jobs: Vec<Job<'_>> = self
            .entries
            .iter()
            .zip(&sources)
            .map(|(entry, source)| Job { source, function: &functions[entry.algorithm.name] })
            .collect();
        let mut tally = Tally::default();
        work::run(&jobs, threads(arguments.jobs), bar, |index, outcome| {
            tally.count(&self.entries[index], outcome, arguments, lines)
        })
        .and_then(|()| lines.finish())
        .context("cannot write to standard output")?;
        tally.improper = self.improper.len();
        bar.suspend(|| tally.summarise(name, arguments));
        Ok(tally.is_well(arguments))
    }
}

fn source(name: &[u8]) -> Source {
    match path_of(name) {
        Some(path) => Source::named(path),
        None => Source::Unreadable(io::Error::new(io::ErrorKind::NotFound, "there are no such names on this system")),
    }
}

/// How many files are how.
#[derive(Default)]
struct Tally {
    right: usize,
    wrong: usize,
    unreadable: usize,
    improper: usize,
}

impl Tally {
    fn count(
        &mut self,
        entry: &Entry,
        outcome: Outcome,
        arguments: &SumArguments,
        lines: &mut Lines,
    ) -> io::Result<()> {
        let verdict: &[u8] = match outcome {
            Err(error) if arguments.ignore_missing && error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => {
                self.unreadable += 1;
                lines.error(&entry.name, &error).or_else(passed_over)?;
                b"FAILED open or read"
            }
            Ok(digest) if is_equal(&digest, &entry.digest) => {
                self.right += 1;
                if arguments.quiet {
                    return Ok(());
                }
                b"OK"
            }
            Ok(_) => {
                self.wrong += 1;
                b"FAILED"
            }
        };
        // The verdict counts even where nobody reads the lines.
        if arguments.status || lines.is_gone() {
            return Ok(());
        }
        lines.text(match escape(&entry.name) {
            Some(name) => [b"\\", &name[..], b": ", verdict].concat(),
            None => [&entry.name[..], b": ", verdict].concat(),
        })
    }

    fn summarise(&self, name: &[u8], arguments: &SumArguments) {
        if arguments.status {
            return;
        }
        let plural =
            |count: usize, one: &str, many: &str| format!("WARNING: {count} {}", if count == 1 { one } else { many });
        let say = |count, one, many| {
            if count > 0 {
                complain_of(name, &plural(count, one, many));
            }
        };
        say(self.improper, "line is improperly formatted", "lines are improperly formatted");
        say(self.unreadable, "listed file could not be read", "listed files could not be read");
        say(self.wrong, "computed checksum did NOT match", "computed checksums did NOT match");
        if arguments.ignore_missing && self.right + self.wrong + self.unreadable == 0 {
            complain_of(name, "no file was verified");
        }
    }

    fn is_well(&self, arguments: &SumArguments) -> bool {
        let verified = !arguments.ignore_missing || self.right + self.wrong > 0;
        self.wrong == 0 && self.unreadable == 0 && verified && (self.improper == 0 || !arguments.strict)
    }
}

/// Tags of MACs must not be found byte by byte by who measures how long a comparison takes.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    subtle::ConstantTimeEq::ct_eq(one, other).into()
}

fn passed_over(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }
}
