//! The process behind a worker: lines with time-outs, and what there is to say after its end.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::Command;
use super::protocol::{Reply, Request};
use crate::subjects::Skip;

/// A running worker. It is killed when it is dropped.
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// What was read of the output and not yet taken.
    pending: Vec<u8>,
    /// Lines of the output that are no replies.
    noise: usize,
    last_words: Arc<Mutex<String>>,
    listener: JoinHandle<()>,
}

/// A worker may print this many lines that are no replies; then it is taken to speak something else altogether.
const MOST_NOISE: usize = 1000;

/// A line longer than this is no reply.
const LONGEST_LINE: usize = 1 << 20;

impl Process {
    /// Starts it.
    pub fn start(command: &Command) -> Result<Process, Skip> {
        let mut child = std::process::Command::new(&command.program)
            .args(&command.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Skip::NotStarted(format!("{}: {error}", command.program.display())))?;
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three streams were asked for");
        };
        let last_words = Arc::new(Mutex::new(String::new()));
        let heard = Arc::clone(&last_words);
        let listener = thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok).filter(|line| !line.trim().is_empty()) {
                *heard.lock().unwrap_or_else(PoisonError::into_inner) = line.chars().take(200).collect();
            }
        });
        Ok(Process { child, input, output, pending: Vec::new(), noise: 0, last_words, listener })
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request and waits for its reply.
    pub fn ask(&mut self, request: &Request, patience: Duration) -> Result<Reply, Skip> {
        let doing = match request {
            Request::Prepare(case) => format!("setting up {case}"),
            Request::Visit(_) => "it was measured".to_owned(),
        };
        let mut line = serde_json::to_vec(request).map_err(|error| Skip::Protocol(error.to_string()))?;
        line.push(b'\n');
        if self.input.write_all(&line).is_err() {
            return Err(self.crashed(&doing));
        }
        self.reply(&doing, patience)
    }

    /// Waits for the next reply; lines that are none are passed over.
    pub fn reply(&mut self, doing: &str, patience: Duration) -> Result<Reply, Skip> {
        let deadline = Instant::now() + patience;
        loop {
            let line = match self.line(deadline) {
                Ok(Some(line)) => line,
                Ok(None) => return Err(self.crashed(doing)),
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    return Err(Skip::Hung { after: patience, doing: doing.to_owned() });
                }
                Err(error) => return Err(Skip::Protocol(error.to_string())),
            };
            if let Ok(reply) = serde_json::from_slice(&line) {
                return Ok(reply);
            }
            self.noise += 1;
            if self.noise > MOST_NOISE {
                let start: String = String::from_utf8_lossy(&line).trim().chars().take(60).collect();
                return Err(Skip::Protocol(format!(
                    "{} lines that are no replies, the last one '{start}'",
                    self.noise
                )));
            }
        }
    }

    /// The next line of the output; `None` at its end.
    fn line(&mut self, deadline: Instant) -> io::Result<Option<Vec<u8>>> {
        let mut searched = 0;
        loop {
            if let Some(end) = self.pending[searched..].iter().position(|byte| *byte == b'\n') {
                let rest = self.pending.split_off(searched + end + 1);
                return Ok(Some(std::mem::replace(&mut self.pending, rest)));
            }
            searched = self.pending.len();
            if searched > LONGEST_LINE {
                return Err(io::Error::other(format!("a line of more than {LONGEST_LINE} bytes")));
            }
            wait_for(&self.output, deadline)?;
            let mut part = [0; 4096];
            match self.output.read(&mut part)? {
                0 => return Ok(None),
                read => self.pending.extend_from_slice(&part[..read]),
            }
        }
    }

    /// What there is to say of a worker whose streams have ended.
    fn crashed(&mut self, doing: &str) -> Skip {
        // It has closed its streams: if it does not end of itself soon, it is ended.
        let soon = Instant::now() + Duration::from_secs(1);
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break describe(status),
                Ok(None) if Instant::now() < soon => thread::sleep(Duration::from_millis(2)),
                Ok(None) => break "it closed its output".to_owned(),
                Err(error) => break error.to_string(),
            }
        };
        self.end();
        let last_words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Skip::Crashed { status, doing: doing.to_owned(), last_words }
    }

    /// Ends it, and hears out what it still had to say.
    fn end(&mut self) {
        // A process that is gone already is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
        // Its words come to an end now, unless a child of its own holds the stream open.
        let soon = Instant::now() + Duration::from_millis(200);
        while !self.listener.is_finished() && Instant::now() < soon {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn describe(status: ExitStatus) -> String {
    let name = |signal| match signal {
        libc::SIGSEGV => " (segmentation fault)",
        libc::SIGILL => " (illegal instruction)",
        libc::SIGABRT => " (abort)",
        libc::SIGBUS => " (bus error)",
        libc::SIGFPE => " (arithmetic error)",
        libc::SIGKILL => " (killed)",
        _ => "",
    };
    match (status.code(), status.signal()) {
        (_, Some(signal)) => format!("signal {signal}{}", name(signal)),
        (Some(code), None) => format!("exit code {code}"),
        (None, None) => status.to_string(),
    }
}

/// Waits until there is something to read.
fn wait_for(output: &ChildStdout, deadline: Instant) -> io::Result<()> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut descriptor = libc::pollfd { fd: output.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let milliseconds = left.as_millis().min(i32::MAX as u128) as i32;
        // SAFETY: the pointer is to one structure, as the count says, and lives through the call.
        match unsafe { libc::poll(&mut descriptor, 1, milliseconds) } {
            1 => return Ok(()),
            0 => return Err(io::ErrorKind::TimedOut.into()),
            _ => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
}
