//! Installs what tests compare with. The tests find it at run time and skip without it, so that nothing here is needed to
//! build or to use Speedwell.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// What is wanted: a file that shows it is there, the Debian package that brings it, and what it is for.
const WANTED: &[(&str, &str, &str)] = &[
    ("/usr/bin/openssl", "openssl", "second opinions, and the library that `speed --vs openssl` times"),
    ("/usr/bin/chromium", "chromium", "a browser that opens the page of `speedwell report`"),
    ("/usr/bin/shasum", "perl", "lists that `digest --check` reads"),
];

/// Installs what is missing, with Debian's package manager.
pub fn install() -> Result<()> {
    let mut missing = Vec::new();
    for (file, package, purpose) in WANTED {
        let found = Path::new(file).exists();
        println!("{package}: {} ({purpose})", if found { "found" } else { "missing" });
        if !found {
            missing.push(*package);
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    for arguments in [vec!["update"], [vec!["install", "--yes", "--no-install-recommends"], missing.clone()].concat()] {
        let status = Command::new("apt-get")
            .args(&arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .status()
            .with_context(|| format!("cannot run apt-get; install by hand: {}", missing.join(" ")))?;
        if !status.success() {
            bail!("apt-get {} failed; install by hand: {}", arguments.join(" "), missing.join(" "));
        }
    }
    Ok(())
}
