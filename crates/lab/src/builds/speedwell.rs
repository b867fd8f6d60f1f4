//! How our own command is built from a checkout, with other profiles and flags than usual.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::recipe::{Combination, Log, key, version_of};
use super::source::Source;
use super::{Asm, Table};

const PRODUCT: &str = "speedwell";

/// All combinations of a table.
pub(super) fn combinations(table: &Table, source: &Source) -> Vec<Combination> {
    fn or<T: ToString>(list: &[T], default: &str) -> Vec<String> {
        if list.is_empty() { vec![default.to_owned()] } else { list.iter().map(ToString::to_string).collect() }
    }
    let base = if table.name.is_empty() { format!("speedwell-{}", source.version) } else { table.name.clone() };
    let compiler = version_of("rustc", "--version");
    let said = compiler.clone().unwrap_or_default();
    let mut all = Vec::new();
    for profile in or(&table.profile, "release") {
        for cpu in or(&table.target_cpu, "") {
            for units in or(&table.codegen_units, "") {
                for lto in or(&table.lto, "") {
                    let mut name = format!("{base}-{profile}");
                    let mut flags = vec![format!("--profile={profile}")];
                    let mut environment = Vec::new();
                    let variable = profile.to_uppercase().replace('-', "_");
                    for (value, word, flag, setting) in
                        [(&units, "cgu", "codegen-units", "CODEGEN_UNITS"), (&lto, "lto-", "lto", "LTO")]
                    {
                        if !value.is_empty() {
                            name += &format!("-{word}{value}");
                            flags.push(format!("{flag}={value}"));
                            environment.push((format!("CARGO_PROFILE_{variable}_{setting}"), value.clone()));
                        }
                    }
                    if !cpu.is_empty() {
                        name += &format!("-{cpu}");
                        flags.push(format!("-Ctarget-cpu={cpu}"));
                        environment.push(("RUSTFLAGS".to_owned(), format!("-Ctarget-cpu={cpu}")));
                    }
                    all.push(Combination {
                        name,
                        key: key(&["speedwell", &source.digest, &said, &flags.join(" ")]),
                        product: PRODUCT,
                        compiler: "rustc".to_owned(),
                        compiler_version: said.clone(),
                        flags,
                        asm: Asm::Yes,
                        environment,
                        version: format!("speedwell {}", source.version),
                        profile: profile.clone(),
                        impossible: compiler.clone().err(),
                    });
                }
            }
        }
    }
    all
}

/// Builds one combination, and leaves the program in the folder's `product`. What the compiler makes on the way is kept in
/// the cache, so that the next one is quicker.
pub(super) fn build(
    source: &Source,
    combination: &Combination,
    folder: &Path,
    cache: &Path,
    jobs: usize,
    log: &mut Log<'_, '_>,
) -> Result<(), String> {
    let target = cache.join("target");
    let mut cargo = Command::new("cargo");
    cargo.current_dir(&source.folder).args(["build", "--locked", "--package", "speedwell-cli", "--bin", "speedwell"]);
    cargo.args(["--profile", &combination.profile, "--jobs", &jobs.to_string()]).arg("--target-dir").arg(&target);
    // What is set for the program that calls must not reach the one that is built.
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo.envs(combination.environment.iter().map(|(name, value)| (name, value)));
    log.run("compiling", &mut cargo)?;
    let place = if combination.profile == "dev" { "debug" } else { &combination.profile };
    let made = target.join(place).join(PRODUCT);
    fs::copy(&made, folder.join("product").join(PRODUCT))
        .map(|_| ())
        .map_err(|error| format!("cannot keep {}: {error}", made.display()))
}
