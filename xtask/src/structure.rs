//! The floors of the house, and the check that nothing runs up them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Each crate, with the workspace's crates that it may use. What is not listed here must not be there.
const CRATES: &[(&str, &[&str])] = &[
    ("crates/kernels", &[]),
    ("crates/speedwell", &["speedwell-kernels"]),
    ("crates/lab", &["speedwell-kernels", "speedwell"]),
    ("crates/timing", &["speedwell-kernels", "speedwell"]),
    ("crates/cli", &["speedwell-kernels", "speedwell", "speedwell-lab"]),
    ("peers/aws-lc-rs", &["speedwell-lab"]),
    ("peers/graviola", &["speedwell-lab"]),
    ("peers/ring", &["speedwell-lab"]),
    ("peers/rscrypto", &["speedwell-lab"]),
    ("peers/rustcrypto", &["speedwell-lab"]),
    ("tests", &["speedwell-kernels", "speedwell", "speedwell-lab", "speedwell-cli"]),
    ("xtask", &["speedwell-kernels", "speedwell", "speedwell-timing"]),
];

/// The floors inside a crate, lowest first: a module may use those below it, never one beside or above it. `*` is every
/// module that is not named.
const FLOORS: &[(&str, &[&[&str]])] = &[
    ("crates/kernels", &[&["cpu", "simd"], &["exercise"], &["registry"], &["compression", "lanes"], &["aes"], &["*"]]),
    (
        "crates/speedwell",
        &[
            &["select"],
            &["digest", "bignum", "names"],
            &["mac"],
            &["hashes", "random", "encoding"],
            &["*"],
            &["batch", "checklist", "file"],
        ],
    ),
];

/// The crates that must do without `unsafe`, and say so.
const SAFE: &[&str] = &["crates/speedwell", "crates/cli"];

/// The crates that must build without a script, so that they need neither C compiler nor assembler.
const NO_BUILD_SCRIPT: &[&str] = &["crates/kernels", "crates/speedwell"];

/// Lines that a Rust file may have: past that there are two ideas in it.
const LONGEST_FILE: usize = 500;

/// Checks the whole workspace and prints every fault.
pub fn check(root: &Path) -> Result<()> {
    let mut faults = Vec::new();
    for (folder, allowed) in CRATES {
        let manifest = root.join(folder).join("Cargo.toml");
        for used in dependencies(&manifest)? {
            if !allowed.contains(&used.as_str()) {
                faults.push(format!("{folder} uses {used}, which stands above it or beside it"));
            }
        }
    }
    for (folder, floors) in FLOORS {
        faults.extend(rising_imports(root, folder, floors)?);
    }
    for folder in SAFE {
        if !roots(&root.join(folder)).any(|text| text.contains("#![forbid(unsafe_code)]")) {
            faults.push(format!("{folder} does not forbid unsafe code"));
        }
    }
    for folder in NO_BUILD_SCRIPT {
        if root.join(folder).join("build.rs").exists() {
            faults.push(format!("{folder} has a build script"));
        }
    }
    for file in rust_files(root)? {
        let lines = fs::read_to_string(&file)?.lines().count();
        if lines > LONGEST_FILE {
            faults.push(format!("{} has {lines} lines; {LONGEST_FILE} fit in one reading", file.display()));
        }
    }
    if faults.is_empty() {
        println!("structure: {} crates, every arrow runs down", CRATES.len());
        return Ok(());
    }
    bail!("the structure has {} faults:\n  {}", faults.len(), faults.join("\n  "))
}

/// The workspace's crates that a manifest names, in any of its tables.
fn dependencies(manifest: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(manifest).with_context(|| format!("cannot read {}", manifest.display()))?;
    let table: toml::Table = text.parse().with_context(|| format!("cannot parse {}", manifest.display()))?;
    let mut found = Vec::new();
    collect_dependencies(&table, &mut found);
    Ok(found)
}

fn collect_dependencies(table: &toml::Table, found: &mut Vec<String>) {
    for (key, value) in table {
        let Some(inner) = value.as_table() else { continue };
        if key.ends_with("dependencies") {
            found.extend(inner.keys().filter(|name| name.starts_with("speedwell")).cloned());
        } else {
            collect_dependencies(inner, found);
        }
    }
}

/// The imports of one crate's modules that run up or sideways.
fn rising_imports(root: &Path, folder: &str, floors: &[&[&str]]) -> Result<Vec<String>> {
    let source = root.join(folder).join("src");
    let floor_of = |module: &str| {
        floors
            .iter()
            .position(|floor| floor.contains(&module))
            .unwrap_or_else(|| floors.iter().position(|floor| floor.contains(&"*")).unwrap_or(floors.len()))
    };
    let mut modules = BTreeMap::new();
    for file in rust_files(&source)? {
        let inside = file.strip_prefix(&source)?.with_extension("");
        let module = inside.iter().next().and_then(|part| part.to_str()).unwrap_or_default().to_owned();
        modules.entry(module).or_insert_with(Vec::new).push(file);
    }
    let mut faults = Vec::new();
    for (module, files) in &modules {
        if matches!(module.as_str(), "lib" | "main") {
            continue;
        }
        for file in files {
            for used in crate_paths(&fs::read_to_string(file)?) {
                let known = modules.contains_key(&used) && used != *module;
                if known && floor_of(&used) >= floor_of(module) {
                    faults.push(format!("{} uses {used}, which does not stand below it", file.display()));
                }
            }
        }
    }
    Ok(faults)
}

/// The first segments of the paths that start at `crate::`, outside of comments.
fn crate_paths(text: &str) -> Vec<String> {
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let first = |text: &str| -> String { text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let mut found = Vec::new();
    for (position, path) in code.match_indices("crate::") {
        let rest = &code[position + path.len()..];
        match rest.strip_prefix('{').and_then(|group| group.split_once('}')) {
            Some((group, _)) => found.extend(group.split(',').map(|part| first(part.trim()))),
            None => found.push(first(rest)),
        }
    }
    found
}

/// The texts of a crate's `lib.rs` and `main.rs`.
fn roots(folder: &Path) -> impl Iterator<Item = String> {
    ["src/lib.rs", "src/main.rs"].into_iter().filter_map(move |file| fs::read_to_string(folder.join(file)).ok())
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_keeps_its_structure() {
        check(&crate::workspace()).unwrap();
    }

    #[test]
    fn imports_are_read() {
        let text = "use crate::{cpu::Cpu, simd};\n// crate::no\nfn f() -> crate::registry::Kernel";
        assert_eq!(crate_paths(text), ["cpu", "simd", "registry"]);
    }

    #[test]
    fn an_import_that_runs_up_is_a_fault() {
        let floors: &[&[&str]] = &[&["exercise", "registry"], &["cpu", "simd"], &["*"]];
        let faults = rising_imports(&crate::workspace(), "crates/kernels", floors).unwrap();
        assert!(faults.iter().any(|fault| fault.contains("registry.rs uses cpu")), "{faults:?}");
    }
}
