//! Builds the workers of `peers/` and puts them where the command looks for them: `target/peers`.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Builds the peers of these names, or all, one after the other: one that fails does not keep the others from being there.
pub fn build(root: &Path, names: &[String]) -> Result<()> {
    let known = known(root)?;
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!("there is no peer '{unknown}'; the peers are {}", known.join(", "));
    }
    let place = root.join("target/peers");
    fs::create_dir_all(&place).with_context(|| format!("cannot make {}", place.display()))?;
    let mut failed = Vec::new();
    for name in known.iter().filter(|name| names.is_empty() || names.contains(name)) {
        let package = format!("speedwell-peer-{name}");
        let status = Command::new("cargo")
            .current_dir(root.join("peers"))
            .args(["build", "--release", "--locked", "--package", &package, "--target-dir", "../target/peers-build"])
            .status()
            .context("cannot run cargo")?;
        if !status.success() {
            failed.push(name.as_str());
            continue;
        }
        let made = root.join("target/peers-build/release").join(&package);
        // A worker that is running keeps the file that it was started from.
        let partial = place.join(format!("{package}.partial"));
        fs::copy(&made, &partial).with_context(|| format!("cannot copy {}", made.display()))?;
        fs::rename(&partial, place.join(&package)).with_context(|| format!("cannot keep {package}"))?;
        println!("{name}: {}", place.join(&package).display());
    }
    if failed.is_empty() { Ok(()) } else { bail!("these peers could not be built: {}", failed.join(", ")) }
}

/// The folders of `peers/`.
fn known(root: &Path) -> Result<Vec<String>> {
    let folder = root.join("peers");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.join("Cargo.toml").is_file() {
            names.extend(path.file_name().and_then(|name| name.to_str()).map(str::to_owned));
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    /// The catalogue of the laboratory, which xtask does not use, names the same peers.
    #[test]
    fn the_catalogue_has_every_peer() {
        let root = crate::workspace();
        let catalogue = std::fs::read_to_string(root.join("crates/lab/src/subjects/catalogue.rs")).unwrap();
        for name in super::known(&root).unwrap() {
            assert!(catalogue.contains(&format!("peer(\"{name}\"")), "{name} is not in the catalogue");
        }
    }
}
