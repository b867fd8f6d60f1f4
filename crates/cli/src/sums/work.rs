//! Many files on many threads.
//!
//! A thread takes the next file that none has taken. Small files gather until there are enough to go through the lanes of
//! vectors together; a large one goes through by itself, with the next part read while one is worked on.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use indicatif::ProgressBar;

use super::function::Function;
use super::inputs::Source;
use super::stream;

/// A file, and what it is put through.
pub struct Job<'a> {
    /// The file.
    pub source: &'a Source,
    /// A digest or MAC.
    pub function: &'a Function,
}

/// A digest or tag, or why there is none.
pub type Outcome = io::Result<Box<[u8]>>;

/// Files up to so many bytes are gathered.
const SMALL: usize = 1 << 20;

/// So many of them, or so many bytes, go through the lanes together: what the second cache and a part of the third hold.
const GATHERED: usize = 64;
const GATHERED_BYTES: usize = 8 << 20;

/// What a buffer has at first: most files are small.
const FIRST_READ: usize = (64 << 10) + 1;

/// Hands the outcome of every job, in their order, to `each`, until that fails.
pub fn run(
    jobs: &[Job<'_>],
    threads: usize,
    bar: &ProgressBar,
    each: impl FnMut(usize, Outcome) -> io::Result<()> + Send,
) -> io::Result<()> {
    let workers = threads.min(jobs.len()).max(1);
    let shared = Shared {
        jobs,
        next: AtomicUsize::new(0),
        stopped: AtomicBool::new(false),
        workers,
        reads_ahead: threads > workers || (threads > 1 && jobs.len() <= 2 * threads),
        bar,
    };
    let outcomes =
        Mutex::new(Outcomes { waiting: (0..jobs.len()).map(|_| None).collect(), handed: 0, each, failed: None });
    std::thread::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(|| Worker::new(&shared, &outcomes).run());
        }
        Worker::new(&shared, &outcomes).run();
    });
    let outcomes = outcomes.into_inner().expect("no thread panics with the outcomes in its hands");
    outcomes.failed.map_or(Ok(()), Err)
}

/// What all threads look at.
struct Shared<'a> {
    jobs: &'a [Job<'a>],
    next: AtomicUsize,
    stopped: AtomicBool,
    workers: usize,
    /// Whether there is a thread to spare for reading ahead.
    reads_ahead: bool,
    bar: &'a ProgressBar,
}

/// Outcomes that wait for those before them.
struct Outcomes<F> {
    waiting: Vec<Option<Outcome>>,
    handed: usize,
    each: F,
    failed: Option<io::Error>,
}

impl<F: FnMut(usize, Outcome) -> io::Result<()>> Outcomes<F> {
    fn hand_over(&mut self, stopped: &AtomicBool) {
        while self.failed.is_none() {
            let Some(outcome) = self.waiting.get_mut(self.handed).and_then(Option::take) else { return };
            if let Err(error) = (self.each)(self.handed, outcome) {
                self.failed = Some(error);
                stopped.store(true, Ordering::Relaxed);
            }
            self.handed += 1;
        }
    }
}

struct Worker<'a, F> {
    shared: &'a Shared<'a>,
    outcomes: &'a Mutex<Outcomes<F>>,
    /// Buffers are kept from one gathering to the next.
    buffers: Vec<Vec<u8>>,
    gathered: Vec<Gathered>,
    bytes: usize,
}

/// A small file that has been read into the buffer of the same number.
struct Gathered {
    job: usize,
    length: usize,
}

impl<'a, F: FnMut(usize, Outcome) -> io::Result<()>> Worker<'a, F> {
    fn new(shared: &'a Shared<'a>, outcomes: &'a Mutex<Outcomes<F>>) -> Self {
        Worker { shared, outcomes, buffers: Vec::new(), gathered: Vec::with_capacity(GATHERED), bytes: 0 }
    }

    fn run(mut self) {
        while !self.shared.stopped.load(Ordering::Relaxed) {
            let job = self.shared.next.fetch_add(1, Ordering::Relaxed);
            let Some(Job { source, function }) = self.shared.jobs.get(job) else { break };
            let is_other = |gathered: &Gathered| !std::ptr::eq(self.shared.jobs[gathered.job].function, *function);
            if self.gathered.first().is_some_and(is_other) {
                self.work();
            }
            match source {
                Source::Unreadable(error) => self.done([(job, Err(again(error)))]),
                Source::Standard => self.take(job, io::stdin()),
                Source::File(path) => match File::open(path) {
                    Ok(file) => self.take(job, file),
                    Err(error) => self.done([(job, Err(error))]),
                },
            }
            // Towards the end fewer are gathered, so that no thread has all that is left.
            let left = self.shared.jobs.len().saturating_sub(job) / (2 * self.shared.workers);
            if self.gathered.len() >= GATHERED.min(left.max(GATHERED / 4)) || self.bytes >= GATHERED_BYTES {
                self.work();
            }
        }
        self.work();
    }

    /// Reads a file, and goes on to its end if it is large.
    fn take(&mut self, job: usize, mut file: impl Read + Send) {
        let slot = self.gathered.len();
        if self.buffers.len() == slot {
            self.buffers.push(vec![0; FIRST_READ]);
        }
        let buffer = &mut self.buffers[slot];
        match fill(buffer, &mut file) {
            Ok(Filled::Whole(length)) => {
                self.shared.bar.inc(length as u64);
                self.gathered.push(Gathered { job, length });
                self.bytes += length;
            }
            Ok(Filled::Begun) => {
                let function = self.shared.jobs[job].function;
                let start = std::mem::take(buffer);
                // Whoever waits for a large file should not wait for the small ones before it too.
                self.work();
                let outcome = stream::digest(function, &start, file, self.shared.reads_ahead, self.shared.bar);
                self.done([(job, outcome)]);
                self.buffers[slot] = start;
            }
            Err(error) => self.done([(job, Err(error))]),
        }
    }

    /// Puts what has been gathered through the lanes.
    fn work(&mut self) {
        let Some(first) = self.gathered.first() else { return };
        let function = self.shared.jobs[first.job].function;
        let messages: Vec<&[u8]> =
            self.gathered.iter().zip(&self.buffers).map(|(file, buffer)| &buffer[..file.length]).collect();
        let digests = function.many(&messages);
        let jobs: Vec<usize> = self.gathered.drain(..).map(|gathered| gathered.job).collect();
        self.bytes = 0;
        self.done(jobs.into_iter().zip(digests.into_iter().map(Ok)));
    }

    fn done(&self, outcomes: impl IntoIterator<Item = (usize, Outcome)>) {
        let mut shared = self.outcomes.lock().expect("no thread panics with the outcomes in its hands");
        for (job, outcome) in outcomes {
            shared.waiting[job] = Some(outcome);
        }
        shared.hand_over(&self.shared.stopped);
    }
}

/// How far a buffer got.
enum Filled {
    /// The whole file is in it.
    Whole(usize),
    /// It is full, and there may be more.
    Begun,
}

/// Reads until the file's end, or until the buffer is as large as a small file may be and full.
fn fill(buffer: &mut Vec<u8>, file: &mut impl Read) -> io::Result<Filled> {
    let mut length = 0;
    loop {
        if length == buffer.len() {
            if length >= SMALL {
                return Ok(Filled::Begun);
            }
            // One byte more than a power of two: the end of a file of that size is seen without growing again.
            buffer.resize((4 * length).max(FIRST_READ) + 1, 0);
        }
        match file.read(&mut buffer[length..]) {
            Ok(0) => return Ok(Filled::Whole(length)),
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// An error once more: they cannot be cloned.
fn again(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}
