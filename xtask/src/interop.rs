//! Installs what tests compare with. The tests find it at run time and skip without it, so that nothing here is needed to
//! build or to use Speedwell.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// What is wanted: what shows that it is there (the beginning of a path), the Debian packages that bring it, of which
/// releases have one or another, and what it is for.
const WANTED: &[(&[&str], &[&str], &str)] = &[
    (&["/usr/bin/openssl"], &["openssl"], "second opinions, and the library that `speed --vs openssl` times"),
    (&["/usr/bin/chromium"], &["chromium"], "a browser that opens the page of `speedwell report`"),
    (&["/usr/bin/shasum"], &["perl"], "lists that `digest --check` reads"),
    (&["libgcrypt.so.20"], &["libgcrypt20"], "the subject libgcrypt"),
    (&["libhogweed.so.6"], &["libhogweed6", "libhogweed6t64"], "the subject nettle"),
    (&["libbotan-2.so.19", "libbotan-3.so."], &["libbotan-2-19", "libbotan-3-7"], "the subject botan"),
    (&["libwolfssl.so."], &["libwolfssl35", "libwolfssl42t64"], "the subject wolfssl"),
    (&["libIPSec_MB.so."], &["libipsec-mb1", "libipsec-mb2"], "the subject ipsec-mb"),
    (&["softhsm/libsofthsm2.so"], &["softhsm2"], "the subject pkcs11"),
];

/// Where libraries of Debian are.
fn folders() -> [PathBuf; 3] {
    let triplet = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    [PathBuf::from(&triplet), Path::new(&triplet).join("softhsm"), PathBuf::from("/usr/lib")]
}

/// Whether there is a file that begins like this.
fn is_there(beginning: &str) -> bool {
    let path = Path::new(beginning);
    let (parent, name) = (path.parent().unwrap_or(Path::new("")), path.file_name().unwrap_or_default());
    let in_folder = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder.join(parent)).into_iter().flatten().flatten();
        let mut names = entries.map(|entry| entry.file_name());
        names.any(|entry| entry.as_encoded_bytes().starts_with(name.as_encoded_bytes()))
    };
    folders().into_iter().any(in_folder)
}

/// Installs what is missing, with Debian's package manager. A subject that this release or processor has no package for is
/// told and passed over.
pub fn install() -> Result<()> {
    let mut missing: Vec<&[&str]> = Vec::new();
    for (files, packages, purpose) in WANTED {
        let found = files.iter().any(|file| is_there(file));
        println!("{}: {} ({purpose})", packages[0], if found { "found" } else { "missing" });
        if !found {
            missing.push(packages);
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    apt_get(&["update"])?;
    let mut wanted = Vec::new();
    for packages in missing {
        match packages.iter().find(|package| has_candidate(package)) {
            Some(package) => wanted.push(*package),
            None => println!("{}: no such package here", packages.join(" or ")),
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    apt_get(&[&["install", "--yes", "--no-install-recommends"], &wanted[..]].concat())
}

/// Whether the lists of packages have it.
fn has_candidate(package: &str) -> bool {
    let output = Command::new("apt-cache").args(["show", "--quiet=2", package]).output();
    output.is_ok_and(|output| output.status.success() && !output.stdout.is_empty())
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    let status = Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status()
        .with_context(|| format!("cannot run apt-get {}", arguments.join(" ")))?;
    if !status.success() {
        bail!("apt-get {} failed; do it by hand", arguments.join(" "));
    }
    Ok(())
}
