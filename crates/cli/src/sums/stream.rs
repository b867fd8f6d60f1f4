//! A large file: read in parts, the next one while the last is worked on.

use std::io::{self, Read};
use std::sync::mpsc;

use indicatif::ProgressBar;

use super::function::Function;
use super::work::Outcome;

/// Bytes of a part that is read by the thread that works on it: what a core's second cache holds.
const PART: usize = 256 << 10;

/// Bytes of a part that another thread reads: waking each other costs more than the nearer cache saves.
const PART_AHEAD: usize = 1 << 20;

/// Parts that may be read ahead.
const AHEAD: usize = 3;

/// The digest of what has been read already and of the rest. With `reads_ahead`, the rest is read by a thread of its own.
pub fn digest(
    function: &Function,
    start: &[u8],
    mut file: impl Read + Send,
    reads_ahead: bool,
    bar: &ProgressBar,
) -> Outcome {
    let mut message = function.start();
    if !reads_ahead {
        message.update(start);
        bar.inc(start.len() as u64);
        let mut part = vec![0; PART];
        loop {
            let read = fill(&mut part, &mut file)?;
            message.update(&part[..read]);
            bar.inc(read as u64);
            if read < PART {
                return Ok(message.finish());
            }
        }
    }
    std::thread::scope(|scope| {
        let (full, parts) = mpsc::sync_channel::<io::Result<(Vec<u8>, usize)>>(AHEAD);
        let (empty, empties) = mpsc::channel();
        for _ in 0..AHEAD {
            let _ = empty.send(vec![0; PART_AHEAD]);
        }
        scope.spawn(move || {
            for mut part in empties {
                let read = fill(&mut part, &mut file);
                let is_last = !matches!(read, Ok(PART_AHEAD));
                if full.send(read.map(|read| (part, read))).is_err() || is_last {
                    return;
                }
            }
        });
        message.update(start);
        bar.inc(start.len() as u64);
        for part in parts {
            let (part, read) = part?;
            message.update(&part[..read]);
            bar.inc(read as u64);
            let _ = empty.send(part);
        }
        Ok(message.finish())
    })
}

/// Reads until a part is full or the file ends.
pub fn fill(part: &mut [u8], file: &mut impl Read) -> io::Result<usize> {
    let mut filled = 0;
    while filled < part.len() {
        match file.read(&mut part[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
