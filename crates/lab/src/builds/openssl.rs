//! How OpenSSL is built, from 1.0.0 on: its libcrypto, shared, with the old algorithms in it.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::recipe::{Combination, Log, key, version_of};
use super::source::Source;
use super::{Asm, Table};

/// The name that every build's library gets, whatever number its version would give it.
const PRODUCT: &str = if cfg!(target_os = "macos") { "libcrypto.dylib" } else { "libcrypto.so" };

/// All combinations of a table.
pub(super) fn combinations(table: &Table, source: &Source) -> Vec<Combination> {
    let or = |list: &[String], default: &str| if list.is_empty() { vec![default.to_owned()] } else { list.to_vec() };
    let base = if table.name.is_empty() { format!("openssl-{}", source.version) } else { table.name.clone() };
    let asm = if table.asm.is_empty() { &[Asm::Yes][..] } else { &table.asm };
    let mut all = Vec::new();
    for compiler in or(&table.cc, "cc") {
        let version = version_of(&compiler, "--version");
        for cflags in or(&table.cflags, "") {
            for asm in asm {
                let flags: Vec<String> = cflags.split_whitespace().map(str::to_owned).collect();
                let short = Path::new(&compiler)
                    .file_name()
                    .map_or(compiler.clone(), |name| name.to_string_lossy().into_owned());
                let word = if *asm == Asm::Yes { "asm" } else { "c" };
                let said = version.clone().unwrap_or_default();
                all.push(Combination {
                    name: format!("{base}-{short}{}-{word}", flags.concat()),
                    key: key(&["openssl", &source.digest, &compiler, &said, &flags.join(" "), word]),
                    product: PRODUCT,
                    compiler: compiler.clone(),
                    compiler_version: said,
                    flags,
                    asm: *asm,
                    environment: Vec::new(),
                    version: format!("OpenSSL {}", source.version),
                    profile: String::new(),
                    impossible: version.clone().err(),
                });
            }
        }
    }
    all
}

/// Builds one combination below a folder, and leaves what is to be kept in its `product`.
pub(super) fn build(
    source: &Source,
    combination: &Combination,
    folder: &Path,
    jobs: usize,
    log: &mut Log<'_, '_>,
) -> Result<(), String> {
    let work = folder.join("work");
    if source.numbers() < [1, 1, 0] {
        before_1_1(source, combination, &work, log)?;
    } else {
        since_1_1(source, combination, &work, jobs, log)?;
    }
    let product = folder.join("product");
    let made = work.join(PRODUCT);
    fs::copy(&made, product.join(PRODUCT))
        .map(|_| ())
        .map_err(|error| format!("cannot keep {}: {error}", made.display()))
}

/// The name by which OpenSSL knows this machine.
fn target() -> Result<&'static str, String> {
    Ok(match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "linux-x86_64",
        ("linux", "aarch64") => "linux-aarch64",
        ("macos", "x86_64") => "darwin64-x86_64-cc",
        ("macos", "aarch64") => "darwin64-arm64-cc",
        (system, processor) => {
            return Err(format!("the name of {processor} on {system} for OpenSSL is not known here"));
        }
    })
}

/// Out of the source's tree. Flags at the end of the command line stand behind those of the library, and win.
fn since_1_1(
    source: &Source,
    combination: &Combination,
    work: &Path,
    jobs: usize,
    log: &mut Log<'_, '_>,
) -> Result<(), String> {
    fs::create_dir_all(work).map_err(|error| error.to_string())?;
    let mut configure = Command::new("perl");
    configure.current_dir(work).arg(source.folder.join("Configure")).arg(target()?).arg("shared");
    // Packed sources may come without tests, documents, and what makes modules; the words are known since these versions.
    // The provider of old algorithms is then a part of libcrypto.
    let words = [([1, 1, 1], "no-tests"), ([3, 0, 0], "no-module"), ([3, 2, 0], "no-docs")];
    configure.args(words.into_iter().filter(|(since, _)| source.numbers() >= *since).map(|(_, word)| word));
    configure.args((combination.asm == Asm::No).then_some("no-asm")).args(&combination.flags);
    configure.env("CC", &combination.compiler);
    log.run("configuring", &mut configure)?;
    let make = || {
        let mut command = Command::new("make");
        command.current_dir(work).args([format!("-j{jobs}"), format!("CC={}", combination.compiler)]);
        command
    };
    // Everything else of OpenSSL is left unbuilt.
    log.run("generating", make().arg("build_generated"))?;
    log.run("compiling libcrypto", make().arg(PRODUCT))
}

/// In a copy of the source: 1.0 knows no other way. Its makefiles are not made for several jobs.
fn before_1_1(source: &Source, combination: &Combination, work: &Path, log: &mut Log<'_, '_>) -> Result<(), String> {
    let mut copy = Command::new("cp");
    log.run("copying the source", copy.arg("-R").arg(&source.folder).arg(work))?;
    // What somebody has built there before must not be taken for ours.
    let _ = log.run("cleaning", Command::new("make").current_dir(work).arg("clean"));
    let mut configure = Command::new("perl");
    configure.current_dir(work).args(["Configure", target()?, "shared"]);
    configure.args((combination.asm == Asm::No).then_some("no-asm"));
    log.run("configuring", &mut configure)?;
    let makefile = work.join("Makefile");
    let read = |error: std::io::Error| format!("cannot change {}: {error}", makefile.display());
    let text = fs::read_to_string(&makefile).map_err(read)?;
    fs::write(&makefile, with_flags(&text, &combination.flags)).map_err(read)?;
    let mut make = Command::new("make");
    make.current_dir(work).args(["-j1", "build_crypto"]).arg(format!("CC={}", combination.compiler));
    log.run("compiling libcrypto", &mut make)
}

/// Sets flags behind those of a makefile of 1.0, which would otherwise win; its level of optimisation goes if another is
/// wanted.
fn with_flags(makefile: &str, flags: &[String]) -> String {
    let other_level = flags.iter().any(|flag| flag.starts_with("-O"));
    let line = |line: &str| match line.strip_prefix("CFLAG=") {
        Some(words) => {
            let kept = words.split_whitespace().filter(|word| !(other_level && word.starts_with("-O")));
            let all: Vec<&str> = kept.chain(flags.iter().map(String::as_str)).collect();
            format!("CFLAG= {}\n", all.join(" "))
        }
        None => format!("{line}\n"),
    };
    makefile.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_old_makefiles_are_replaced() {
        let text = "CC= gcc\nCFLAG= -fPIC -O3 -Wall\n";
        let flags = |flags: &[&str]| with_flags(text, &flags.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(flags(&["-O2", "-march=native"]), "CC= gcc\nCFLAG= -fPIC -Wall -O2 -march=native\n");
        assert_eq!(flags(&[]), text);
    }
}
