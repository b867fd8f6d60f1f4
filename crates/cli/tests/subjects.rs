//! `speedwell subjects`, `build`, and the workers that `--vs` starts.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn speedwell(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_speedwell")).args(arguments).output().expect("the command runs")
}

fn document(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("the output is one JSON document")
}

fn errors(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn subjects_are_listed_with_what_they_offer_or_how_to_get_them() {
    let rows = document(&speedwell(&["subjects", "--json", "speedwell", "openssl", "libgcrypt", "ring"]));
    assert_eq!(rows.as_array().unwrap().len(), 4);
    for row in rows.as_array().unwrap() {
        if row["present"].as_bool().unwrap() {
            assert!(row["facts"]["version"].is_string(), "{row}");
            assert!(row["offers"].as_array().unwrap().len() > 5, "{row}");
        } else {
            assert!(row["why"].is_string() && row["install"].is_string(), "{row}");
        }
    }
    assert!(rows[0]["offers"].as_array().unwrap().iter().any(|offer| offer["algorithm"] == "aes-128-gcm"));
    let missing = document(&speedwell(&["subjects", "--json", "openssl=/no/such/libcrypto.so"]));
    assert!(missing[0]["why"].as_str().unwrap().contains("/no/such/libcrypto.so"), "{missing}");
    assert!(errors(&speedwell(&["subjects", "libgrcypt"])).contains("did you mean 'libgcrypt'?"));
}

#[test]
fn another_build_of_the_command_is_a_subject() {
    let this = format!("speedwell={}", env!("CARGO_BIN_EXE_speedwell"));
    let report =
        document(&speedwell(&["speed", "sha256", "--bytes", "16", "--seconds", "0.01", "--json", "--vs", &this]));
    assert_eq!(report["results"].as_array().unwrap().len(), 2, "{report}");
    assert_eq!(report["subjects"][1]["name"], "speedwell#2");
    assert_eq!(report["subjects"][1]["sha256"].as_str().unwrap().len(), 64);
}

/// The example of the protocol's document, if Python is here.
#[test]
fn the_worker_in_python_does_what_ours_does() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: no python3");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/worker.py");
    let worker = format!("worker=python3 {}", script.display());
    let arguments =
        ["speed", "sha256", "md5", "hmac-sha512", "--bytes", "1,100", "--seconds", "0.01", "--json", "--vs"];
    for more in [&[][..], &["--whole"], &["--messages", "3"]] {
        let report = document(&speedwell(&[&arguments[..], &[&worker], more].concat()));
        let names: Vec<&str> =
            report["results"].as_array().unwrap().iter().map(|row| row["subject"].as_str().unwrap()).collect();
        let theirs = names.iter().filter(|name| name.starts_with("python-")).count();
        assert!(theirs >= 4, "{report}");
        for row in report["skipped"].as_array().unwrap() {
            assert!(!row["why"].as_str().unwrap().contains("wrong"), "{row}");
        }
    }
}

#[test]
fn what_cannot_be_built_is_said() {
    let cache = tempfile::tempdir().unwrap();
    let cache = cache.path().to_str().unwrap();
    let said = errors(&speedwell(&["build", "openssl", "--source", "/no/such/folder", "--cache", cache]));
    assert!(said.contains("cannot build from '/no/such/folder'"), "{said}");
    let said = errors(&speedwell(&["build", "openssl", "--source", env!("CARGO_MANIFEST_DIR"), "--cache", cache]));
    assert!(said.contains("no Configure in it: that is no OpenSSL"), "{said}");
    let said = errors(&speedwell(&["build", "speedwell", "--source", "/proc/self/fd", "--cache", cache]));
    assert!(said.contains("that is no Speedwell"), "{said}");
    let said = errors(&speedwell(&["build", "openssl", "--source", ".", "--asm", "maybe", "--cache", cache]));
    assert!(said.contains("'maybe' is neither yes nor no"), "{said}");
}

/// A source that is just enough to go through the steps, so that the test takes no time; and a compiler that is not there.
#[test]
fn combinations_are_built_once_and_a_failed_one_is_a_row() {
    for program in ["perl", "make", "cc"] {
        if Command::new(program).arg("--version").output().is_err() {
            println!("skipped: no {program}");
            return;
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("source");
    std::fs::create_dir(&source).unwrap();
    let write = |name: &str, text: &str| std::fs::write(source.join(name), text).unwrap();
    write("VERSION.dat", "MAJOR=3\nMINOR=9\nPATCH=1\n");
    write(
        "Configure",
        "open(my $file, '>', 'Makefile') or die; my $flags = join(' ', grep { /^-/ } @ARGV);\n\
         print $file \"build_generated:\\nlibcrypto.so libcrypto.dylib:\\n\\techo 'int x;' > x.c; \\$(CC) $flags -shared -o \\$@ x.c\\n\";",
    );
    let cache = folder.path().join("cache");
    let arguments = [
        "build",
        "openssl",
        "--json",
        "--source",
        source.to_str().unwrap(),
        "--cache",
        cache.to_str().unwrap(),
        "--cc",
        "cc,no-such-compiler",
        "--cflags=-O1,-Wno-such-thing=3",
        "--asm",
        "yes,no",
    ];
    let first = document(&speedwell(&arguments));
    let rows = first.as_array().unwrap();
    assert_eq!(rows.len(), 8);
    assert_eq!(rows[0]["name"], "openssl-3.9.1-cc-O1-asm");
    assert_eq!(rows[0]["facts"]["flags"], "-O1");
    assert!(rows[0]["failed"].is_null() && rows[0]["seconds"].is_number(), "{}", rows[0]);
    assert!(Path::new(rows[0]["path"].as_str().unwrap()).is_file());
    assert!(rows[7]["failed"].as_str().unwrap().contains("'no-such-compiler' cannot be run"), "{}", rows[7]);
    let log = std::fs::read_to_string(rows[0]["log"].as_str().unwrap()).unwrap();
    assert!(log.contains("Configure") && log.contains("libcrypto"), "{log}");
    // Once more: what is there is not built again, and a change of the source is another build.
    let second = document(&speedwell(&arguments));
    assert!(second[0]["seconds"].is_null(), "{}", second[0]);
    assert_eq!(second[0]["path"], rows[0]["path"]);
    write("VERSION.dat", "MAJOR=3\nMINOR=9\nPATCH=2\n");
    let third = document(&speedwell(&arguments));
    assert_ne!(third[0]["path"], rows[0]["path"]);
    // What was built is loaded, and is no OpenSSL.
    let vs = rows[0]["subject"].as_str().unwrap();
    let said = errors(&speedwell(&["speed", "sha256", "--vs", vs]));
    assert!(said.contains("has no ") && said.contains("OpenSSL 1.0.0 or newer is needed"), "{said}");
}
