//! The lines on standard output, and those on standard error between them.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};

use indicatif::ProgressBar;
use speedwell::checklist::{Encoding, Style, escape};
use speedwell::names::Algorithm;

use super::arguments::SumArguments;

/// Standard output, line by line. Names are bytes and stay as they are.
pub struct Lines {
    style: Style,
    encoding: Encoding,
    zero: bool,
    stdout: Quiet,
    bar: ProgressBar,
    is_watched: bool,
    /// Objects in the JSON array so far.
    objects: usize,
}

impl Lines {
    /// Lines in a style.
    pub fn new(style: Style, arguments: &SumArguments, bar: ProgressBar) -> Lines {
        Lines {
            style,
            encoding: arguments.encoding(),
            zero: arguments.zero,
            stdout: Quiet(Some(BufWriter::with_capacity(64 << 10, io::stdout()))),
            bar,
            is_watched: io::stdout().is_terminal(),
            objects: 0,
        }
    }

    /// A file's digest.
    pub fn digest(&mut self, algorithm: &Algorithm, name: &[u8], digest: &[u8]) -> io::Result<()> {
        let line = self.style.line(algorithm, name, digest, self.encoding, !self.zero);
        self.write(line)
    }

    /// A line as it is.
    pub fn text(&mut self, line: Vec<u8>) -> io::Result<()> {
        self.write(line)
    }

    /// A file of which there is no digest.
    pub fn error(&mut self, name: &[u8], error: &io::Error) -> io::Result<()> {
        self.stdout.flush()?;
        self.bar.suspend(|| complain(name, error));
        if self.stdout.is_gone() { Err(ErrorKind::BrokenPipe.into()) } else { Ok(()) }
    }

    /// Ends the output.
    pub fn finish(&mut self) -> io::Result<()> {
        if self.style == Style::Json {
            let end: &[u8] = if self.objects == 0 { b"[]\n" } else { b"\n]\n" };
            self.stdout.write_all(end)?;
        }
        self.stdout.flush()
    }

    /// Whether whoever read the output has gone.
    pub fn is_gone(&self) -> bool {
        self.stdout.is_gone()
    }

    fn write(&mut self, mut line: Vec<u8>) -> io::Result<()> {
        if self.style == Style::Json {
            let before: &[u8] = if self.objects == 0 { b"[\n" } else { b",\n" };
            self.stdout.write_all(before)?;
            self.objects += 1;
        } else {
            line.push(if self.zero { 0 } else { b'\n' });
        }
        if self.is_watched {
            return self.bar.suspend(|| self.stdout.write_all(&line).and_then(|()| self.stdout.flush()));
        }
        self.stdout.write_all(&line)
    }
}

/// Says on standard error what is wrong with a file.
pub fn complain(name: &[u8], error: &io::Error) {
    complain_of(name, &reason(error));
}

/// The same in any words.
pub fn complain_of(name: &[u8], what: &str) {
    let name = escape(name).unwrap_or_else(|| name.to_vec());
    let line = [b"speedwell: ", &name[..], b": ", what.as_bytes(), b"\n"].concat();
    // Where standard error is closed too, there is nobody to tell.
    let _ = io::stderr().lock().write_all(&line);
}

/// An error in the system's words, without its number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// Standard output that is left alone once its reader has gone away.
struct Quiet(Option<BufWriter<io::Stdout>>);

impl Quiet {
    fn is_gone(&self) -> bool {
        self.0.is_none()
    }

    fn attempt(&mut self, action: impl FnOnce(&mut BufWriter<io::Stdout>) -> io::Result<()>) -> io::Result<()> {
        let Some(stdout) = &mut self.0 else { return Ok(()) };
        match action(stdout) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                // What is still buffered would be tried again on drop.
                if let Some(stdout) = self.0.take() {
                    let _ = stdout.into_parts();
                }
                Ok(())
            }
            result => result,
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.attempt(|stdout| stdout.write_all(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(Write::flush)
    }
}
