//! `digest` and `mac` against the commands that they stand in for, in both directions, and against hostile files.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn speedwell(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_speedwell"));
    command.current_dir(folder).args(arguments).env_remove("SPEEDWELL_FORCE").env_remove("SPEEDWELL_CPU");
    command.stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    speedwell(folder, arguments).output().expect("the command runs")
}

fn stdout(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is text")
}

/// What another command prints; `None`, with a line that says so, if it is not there or does not know an option.
fn peer(folder: &Path, command: &str, arguments: &[&str]) -> Option<Vec<u8>> {
    match Command::new(command).current_dir(folder).env("LC_ALL", "C").args(arguments).output() {
        Ok(output) if output.status.success() => Some(output.stdout),
        Ok(output) => {
            println!("skipped: {command} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr).trim());
            None
        }
        Err(error) => {
            println!("skipped: {command}: {error}");
            None
        }
    }
}

/// Files of lengths around the ends of blocks and buffers, and with names that need an escape.
fn files() -> (TempDir, Vec<std::ffi::OsString>) {
    let folder = tempfile::tempdir().unwrap();
    let mut random = fastrand::Rng::with_seed(6);
    let lengths = [0, 1, 55, 56, 64, 111, 112, 128, 4096, 65_536, 65_537, 262_145, 1 << 20, (1 << 20) + 1, 3_000_000];
    let mut names: Vec<std::ffi::OsString> = Vec::new();
    for length in lengths {
        names.push(format!("file {length}").into());
        let content: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(length).collect();
        fs::write(folder.path().join(names.last().unwrap()), content).unwrap();
    }
    for name in [&b"new\nline"[..], b"return\r", b"back\\slash", b"not UTF-8 \xff", b" space ", b"(a) = b", b"*star"] {
        names.push(std::ffi::OsStr::from_bytes(name).to_owned());
        fs::write(folder.path().join(names.last().unwrap()), name).unwrap();
    }
    (folder, names)
}

fn over_files(folder: &Path, names: &[std::ffi::OsString], program: &str, options: &[&str]) -> Output {
    let program = if program == "speedwell" { env!("CARGO_BIN_EXE_speedwell") } else { program };
    Command::new(program).current_dir(folder).env("LC_ALL", "C").args(options).args(names).output().expect("it runs")
}

#[test]
fn lists_are_those_of_other_commands_and_each_checks_the_others() {
    let (folder, names) = files();
    let folder = folder.path();
    for (algorithm, command) in [
        ("md5", "md5sum"),
        ("sha1", "sha1sum"),
        ("sha224", "sha224sum"),
        ("sha256", "sha256sum"),
        ("sha384", "sha384sum"),
        ("sha512", "sha512sum"),
    ] {
        if peer(folder, command, &["--version"]).is_none() {
            continue;
        }
        for (theirs, ours) in [(&[][..], &[][..]), (&["--tag"], &["--tag"]), (&["-z"], &["-z"])] {
            let their_list = over_files(folder, &names, command, theirs).stdout;
            let our_list =
                over_files(folder, &names, "speedwell", &[&["digest", "-a", algorithm], ours].concat()).stdout;
            assert_eq!(
                our_list.escape_ascii().to_string(),
                their_list.escape_ascii().to_string(),
                "{command} {theirs:?}"
            );
            fs::write(folder.join("LIST"), &our_list).unwrap();
            let checked = stdout(folder, &["digest", "--check", "--strict", "--quiet", "LIST"]);
            assert_eq!(checked, "");
            if theirs != ["-z"] {
                assert!(
                    peer(folder, command, &["--check", "--strict", "LIST"]).is_some(),
                    "{command} refuses our list"
                );
            }
        }
    }
}

#[test]
fn every_style_is_checked() {
    let (folder, names) = files();
    let folder = folder.path();
    for algorithm in ["md5", "sha256", "sha512-224", "sha512-256"] {
        for style in [&["-v"][..], &["--tag"], &["--json"], &["--untagged"], &["-z"], &["--tag", "-z"]] {
            for base64 in [&[][..], &["--base64"]] {
                let options = [&["digest", "-a", algorithm], style, base64].concat();
                fs::write(folder.join("LIST"), over_files(folder, &names, "speedwell", &options).stdout).unwrap();
                let report = run(folder, &["digest", "-a", algorithm, "--strict", "--check", "LIST"]);
                assert!(report.status.success(), "{options:?}: {}", String::from_utf8_lossy(&report.stderr));
                assert_eq!(
                    report.stdout.split(|byte| *byte == b'\n').filter(|line| line.ends_with(b": OK")).count(),
                    names.len()
                );
            }
        }
    }
}

#[test]
fn lists_of_cksum_shasum_and_openssl_are_read() {
    let (folder, names) = files();
    let folder = folder.path();
    let plain: Vec<_> =
        names.iter().filter(|name| name.to_str().is_some_and(|name| name.starts_with("file"))).cloned().collect();
    let lists: [(&str, &[&str], &[&str]); 9] = [
        ("cksum", &["-a", "md5"], &[]),
        ("cksum", &["-a", "sha512"], &[]),
        ("cksum", &["-a", "sha384", "--untagged"], &[]),
        ("shasum", &[], &[]),
        ("shasum", &["-a", "256", "-b"], &[]),
        ("shasum", &["-a", "512256"], &["-a", "sha512-256"]),
        ("openssl", &["dgst", "-sha256"], &[]),
        ("openssl", &["dgst", "-sha512-224"], &["-a", "sha512-224"]),
        ("openssl", &["dgst", "-r", "-sha1"], &[]),
    ];
    for (command, options, ours) in lists {
        if peer(folder, command, &[if command == "openssl" { "version" } else { "--version" }]).is_none() {
            continue;
        }
        let list = over_files(folder, &plain, command, options);
        if !list.status.success() {
            println!("skipped: {command} {options:?}: {}", String::from_utf8_lossy(&list.stderr).trim());
            continue;
        }
        fs::write(folder.join("LIST"), &list.stdout).unwrap();
        let report = stdout(folder, &[&["digest"], ours, &["--strict", "--check", "LIST"]].concat());
        assert_eq!(report.lines().count(), plain.len(), "{command} {options:?}");
    }
}

#[test]
fn a_check_tells_what_is_wrong_and_its_exit_code_too() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for name in ["right", "wrong", "gone"] {
        fs::write(folder.join(name), name).unwrap();
    }
    let list = stdout(folder, &["digest", "right", "wrong", "gone"]);
    fs::write(folder.join("LIST"), format!("# a comment\n{list}nonsense\n")).unwrap();
    fs::write(folder.join("RIGHT"), list.lines().next().unwrap().to_owned() + "\n").unwrap();
    fs::write(folder.join("wrong"), "changed").unwrap();
    fs::remove_file(folder.join("gone")).unwrap();

    let report = run(folder, &["digest", "-w", "--check", "LIST"]);
    assert_eq!(report.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&report.stdout), "right: OK\nwrong: FAILED\ngone: FAILED open or read\n");
    let said = String::from_utf8_lossy(&report.stderr);
    for part in [
        "LIST: 4: improperly",
        "gone: No such file",
        "1 line is",
        "1 listed file could",
        "1 computed checksum did NOT match",
    ] {
        assert!(said.contains(part), "no '{part}' in {said}");
    }

    let code = |options: &[&str]| {
        let output = run(folder, &[&["digest", "--check"], options].concat());
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(code(&["--status", "LIST"]), (1, String::new()));
    assert_eq!(code(&["--quiet", "RIGHT"]), (0, String::new()));
    assert_eq!(code(&["--strict", "RIGHT"]), (0, "right: OK\n".to_owned()));
    assert_eq!(code(&["nowhere"]).0, 1);
    assert_eq!(code(&["right"]).0, 1, "no line of it is a digest's");
    fs::write(folder.join("wrong"), "wrong").unwrap();
    assert_eq!(code(&["--ignore-missing", "LIST"]).0, 0);
    assert_eq!(code(&["--ignore-missing", "--strict", "LIST"]).0, 1);
    fs::remove_file(folder.join("right")).unwrap();
    assert_eq!(code(&["--ignore-missing", "RIGHT"]).0, 1, "nothing was verified");
    assert_eq!(run(folder, &["digest", "--status", "x"]).status.code(), Some(2));
}

#[test]
fn a_link_prints_as_solaris_does() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("abc"), "abc").unwrap();
    let link = folder.join("digest");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_speedwell"), &link).unwrap();
    let print = |arguments: &[&str]| {
        let output = Command::new(&link).current_dir(folder).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let sha1 = "a9993e364706816aba3e25717850c26c9cd0d89d";
    assert_eq!(print(&["-a", "sha1", "abc"]), format!("{sha1}\n"));
    assert_eq!(print(&["-v", "-a", "sha1", "abc"]), format!("sha1 (abc) = {sha1}\n"));
    assert_eq!(print(&["-a", "sha1", "abc", "abc"]), format!("sha1 (abc) = {sha1}\nsha1 (abc) = {sha1}\n"));
    assert!(print(&["-l"]).lines().any(|name| name == "sha512"));
}

#[test]
fn tags_are_those_of_openssl() {
    let (folder, names) = files();
    let folder = folder.path();
    fs::write(folder.join("key"), [7; 32]).unwrap();
    for (ours, theirs) in [
        ("hmac-md5", &["-digest", "MD5", "HMAC"][..]),
        ("hmac-sha1", &["-digest", "SHA1", "HMAC"]),
        ("hmac-sha256", &["-digest", "SHA256", "HMAC"]),
        ("hmac-sha512", &["-digest", "SHA512", "HMAC"]),
        ("aes-256-cmac", &["-cipher", "AES-256-CBC", "CMAC"]),
    ] {
        let list = over_files(folder, &names[..15], "speedwell", &["mac", "-a", ours, "-k", "key"]);
        assert!(list.status.success(), "{}", String::from_utf8_lossy(&list.stderr));
        for (line, name) in String::from_utf8(list.stdout.clone()).unwrap().lines().zip(&names) {
            let key = format!("hexkey:{}", "07".repeat(32));
            let name = name.to_str().unwrap();
            let Some(tag) = peer(folder, "openssl", &[&["mac", "-macopt", &key, "-in", name], theirs].concat()) else {
                break;
            };
            let tag = String::from_utf8(tag).unwrap().trim().to_lowercase();
            assert_eq!(line, format!("{tag}  {name}"), "{ours}");
        }
        fs::write(folder.join("TAGS"), list.stdout).unwrap();
        let hex = "07".repeat(32);
        let check = |key: &str| {
            let mut command =
                speedwell(folder, &["mac", "-a", ours, "--key-env", "KEY", "--check", "--status", "TAGS"]);
            command.env("KEY", key).status().unwrap().code()
        };
        assert_eq!(check(&hex), Some(0));
        assert_eq!(check(&hex.replace("07", "08")), Some(1));
    }
    let wrong = run(folder, &["mac", "-a", "aes-128-cmac", "-k", "key", "file 1"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("a key of 32 bytes does not fit; it must have 16"));
}

#[test]
fn hostile_files_are_named_and_the_others_are_done() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("good"), "").unwrap();
    fs::create_dir(folder.join("folder")).unwrap();
    let output = run(folder, &["digest", "nowhere", "good", "folder", "good"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 2);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("nowhere: No such file") && said.contains("folder: Is a directory"), "{said}");

    fs::set_permissions(folder.join("good"), fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser reads everything: then somebody else has to try.
    let mut command = speedwell(folder, &["digest", "good"]);
    if fs::read(folder.join("good")).is_ok() {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        command.uid(65_534);
    }
    match command.output() {
        Ok(output) => assert!(String::from_utf8_lossy(&output.stderr).contains("Permission denied")),
        Err(error) => println!("skipped: the command cannot be run by another user: {error}"),
    }

    // A pipe with a name is read to its end where it is named, and passed over in a folder.
    let pipe = folder.join("folder/pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(stdout(folder, &["digest", "-r", "folder"]), "");
    let reader = speedwell(folder, &["digest", "-a", "md5", "folder/pipe"]).stdout(Stdio::piped()).spawn().unwrap();
    fs::OpenOptions::new().write(true).open(&pipe).unwrap().write_all(b"abc").unwrap();
    let output = reader.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "900150983cd24fb0d6963f7d28e17f72  folder/pipe\n");
}

#[test]
fn files_that_vanish_meanwhile_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..3000).map(|i| format!("{i}")).collect();
    for name in &names {
        fs::write(folder.path().join(name), name).unwrap();
    }
    let mut command = speedwell(folder.path(), &["digest", "-j", "2"]);
    let child = command.args(&names).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for name in names.iter().rev() {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(lines(&output.stdout) + lines(&output.stderr), names.len());
    assert_eq!(output.status.success(), output.stderr.is_empty());
}

/// Many empty files, and many of random length: as many as are quick in a debug build; `SPEEDWELL_MANY` asks for more.
#[test]
fn many_files() {
    let many: usize = std::env::var("SPEEDWELL_MANY").ok().and_then(|many| many.parse().ok()).unwrap_or(2_000);
    let folder = tempfile::tempdir().unwrap();
    let mut random = fastrand::Rng::with_seed(4);
    for i in 0..many {
        fs::write(folder.path().join(format!("{i:07}")), []).unwrap();
    }
    for i in 0..many / 10 {
        let length = random.usize(..200_000) >> random.u8(..16);
        let content: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(length).collect();
        fs::write(folder.path().join(format!("r{i}")), content).unwrap();
    }
    let list = stdout(folder.path(), &["digest", "-r", "."]);
    assert_eq!(list.lines().count(), many + many / 10);
    assert_eq!(list, stdout(folder.path(), &["digest", "-r", "-j", "1", "."]), "the order is that of names");
    fs::write(folder.path().join("LIST"), &list).unwrap();
    assert_eq!(stdout(folder.path(), &["digest", "-j", "7", "--check", "--quiet", "LIST"]), "");
    let _ = peer(folder.path(), "sha256sum", &["--check", "--status", "LIST"]);
}

#[test]
fn a_closed_pipe_ends_quietly_and_a_full_disk_does_not() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("f"), "").unwrap();
    let mut child =
        speedwell(folder.path(), &["digest", "f", "f"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));

    if Path::new("/dev/full").exists() {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = speedwell(folder.path(), &["digest", "f"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output: No space left"));
    }
    // A list's verdict counts even where nobody reads the lines.
    fs::write(folder.path().join("LIST"), format!("{}  f\n", "0".repeat(64))).unwrap();
    let mut child = speedwell(folder.path(), &["digest", "--check", "LIST"]);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn the_kernel_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let output = speedwell(folder.path(), &["digest", "-a", "sha1", "--debug"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("sha1: sha1.compress/"));
    assert_eq!(output.stdout, b"da39a3ee5e6b4b0d3255bfef95601890afd80709  -\n");
}
