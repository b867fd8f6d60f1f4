//! The worker's end of the protocol.

use std::fs::File;
use std::io::{self, BufRead, Write};

use super::protocol::{Reply, Request, VERSION};
use crate::subjects::Subject;

/// Greets and then serves requests until the standard input ends. If there is no subject, says why and ends.
///
/// Whatever a library prints on the standard output meanwhile goes to the standard error.
///
/// # Errors
/// If the standard streams fail: then the lab is gone.
pub fn serve(subject: Result<&mut dyn Subject, String>) -> io::Result<()> {
    let mut output = take_output()?;
    let mut say = |reply: &Reply| {
        let mut line = serde_json::to_vec(reply)?;
        line.push(b'\n');
        output.write_all(&line)?;
        output.flush()
    };
    let subject = match subject {
        Ok(subject) => subject,
        Err(why) => return say(&Reply::Unavailable(why)),
    };
    say(&Reply::Hello { protocol: VERSION, facts: subject.facts().clone() })?;
    for line in io::stdin().lock().lines() {
        say(&answer(subject, &line?))?;
    }
    Ok(())
}

fn answer(subject: &mut dyn Subject, line: &str) -> Reply {
    let outcome = match serde_json::from_str(line) {
        Ok(Request::Prepare(case)) => subject.prepare(&case).map(Reply::Prepared),
        Ok(Request::Visit(visit)) => subject.visit(visit).map(Reply::Samples),
        Err(error) => return Reply::Skip(format!("not a request: {error}")),
    };
    outcome.unwrap_or_else(|why| Reply::Skip(why.to_string()))
}

/// Keeps the standard output for replies, and lets what others print there go to the standard error.
fn take_output() -> io::Result<File> {
    use std::os::fd::FromRawFd;

    // SAFETY: duplicating a descriptor has no preconditions.
    let kept = unsafe { libc::dup(libc::STDOUT_FILENO) };
    // SAFETY: as above.
    if kept < 0 || unsafe { libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) } < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor was made above and belongs to nobody else.
    Ok(unsafe { File::from_raw_fd(kept) })
}
