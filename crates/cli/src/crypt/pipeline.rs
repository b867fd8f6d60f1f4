//! Parts of a file through threads, in order: each thread reads the next part, works on it, and writes it when all before
//! it are written. So reading, work and writing of different parts overlap, and memory does not grow with the file.

use std::io::{self, Read, Write};
use std::sync::{Condvar, Mutex};

use anyhow::{Context, Error, Result};
use indicatif::ProgressBar;

use crate::sums::fill;

/// Puts parts of `part` bytes through `work`, which gets their number, whether they are the last, and their bytes, and
/// appends what is to be written. Nothing is written of a part on which it fails, nor of any part after it.
pub fn run(
    threads: usize,
    part: usize,
    input: impl Read + Send,
    output: impl Write + Send,
    bar: &ProgressBar,
    work: impl Fn(u64, bool, &[u8], &mut Vec<u8>) -> Result<()> + Sync,
) -> Result<()> {
    let reader = Mutex::new(Reader { input, part, ahead: None, number: 0, is_done: false });
    let writer = Writer { state: Mutex::new(Written { output, number: 0, failed: None }), turn: Condvar::new() };
    let worker = || {
        let (mut bytes, mut result) = (Vec::new(), Vec::new());
        while let Some((number, is_last)) = next(&reader, &mut bytes, &writer) {
            result.clear();
            let outcome = work(number, is_last, &bytes, &mut result);
            if !writer.write(number, outcome.map(|()| &result[..])) {
                return;
            }
            bar.inc(bytes.len() as u64);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(worker);
        }
        worker();
    });
    let failed = writer.state.into_inner().expect("no thread panics while it writes").failed;
    failed.map_or(Ok(()), Err)
}

/// The input, one part ahead: to know whether a part is the last.
struct Reader<R> {
    input: R,
    part: usize,
    ahead: Option<Vec<u8>>,
    number: u64,
    is_done: bool,
}

impl<R: Read> Reader<R> {
    fn read(&mut self, mut bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        bytes.resize(self.part, 0);
        let length = fill(&mut bytes, &mut self.input)?;
        bytes.truncate(length);
        Ok(bytes)
    }

    fn next(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<(u64, bool)>> {
        if self.is_done {
            return Ok(None);
        }
        let part = match self.ahead.take() {
            Some(part) => part,
            None => self.read(Vec::new())?,
        };
        let following = if part.len() < self.part { Vec::new() } else { self.read(std::mem::take(bytes))? };
        *bytes = part;
        self.is_done = following.is_empty();
        self.ahead = Some(following);
        self.number += 1;
        Ok(Some((self.number - 1, self.is_done)))
    }
}

fn next<R: Read, W: Write>(reader: &Mutex<Reader<R>>, bytes: &mut Vec<u8>, writer: &Writer<W>) -> Option<(u64, bool)> {
    let mut reader = reader.lock().expect("no thread panics while it reads");
    match reader.next(bytes) {
        Ok(part) => part,
        Err(error) => {
            reader.is_done = true;
            let number = reader.number;
            drop(reader);
            writer.write(number, Err(Error::new(error).context("cannot read on")));
            None
        }
    }
}

/// The output, and whose turn it is.
struct Writer<W> {
    state: Mutex<Written<W>>,
    turn: Condvar,
}

struct Written<W> {
    output: W,
    number: u64,
    failed: Option<Error>,
}

impl<W: Write> Writer<W> {
    /// Waits for the turn of a part and writes it; whether to go on.
    fn write(&self, number: u64, bytes: Result<&[u8]>) -> bool {
        let state = self.state.lock().expect("no thread panics while it writes");
        let mut state = self
            .turn
            .wait_while(state, |state| state.failed.is_none() && state.number != number)
            .expect("no thread panics while it writes");
        if state.failed.is_some() {
            return false;
        }
        let written = bytes.and_then(|bytes| state.output.write_all(bytes).context("cannot write the output"));
        state.number += 1;
        state.failed = written.err();
        self.turn.notify_all();
        state.failed.is_none()
    }
}
