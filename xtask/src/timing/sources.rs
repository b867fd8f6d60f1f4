//! The hash of the sources that a kernel's machine code is made from.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use speedwell::digest::{Digest, Sha256};

/// The hash of what a record is of. For a kernel: its own file, what its family's kernels share, what all kernels share,
/// and what of other modules they name; for an operation, the library's code around the kernels.
///
/// Comments and blank lines do not count: they make no code.
///
/// # Errors
/// If a file cannot be read.
pub fn hash(root: &Path, name: &str) -> Result<String> {
    let kernels = root.join("crates/kernels/src");
    let mut files = Vec::new();
    if name.starts_with("operation/") {
        for module in OPERATED {
            collect(&root.join("crates/speedwell/src").join(module), &mut files)?;
        }
    } else {
        let (primitive, implementation) = name.split_once('/').context("a kernel is named primitive/implementation")?;
        let family = primitive.split('.').next().unwrap_or(primitive);
        collect(&kernels.join(family), &mut files)?;
        files.retain(|file| is_shared(file, family) || file.ends_with(format!("{family}/{implementation}.rs")));
        for module in named_modules(&files)? {
            let (folder, file) = (kernels.join(&module), kernels.join(format!("{module}.rs")));
            if folder.is_dir() {
                collect(&folder, &mut files)?;
            } else {
                files.push(file);
            }
        }
    }
    files.sort();
    files.dedup();
    let mut hasher = Sha256::new();
    for file in files {
        hasher.update(file.strip_prefix(root)?.to_string_lossy().as_bytes());
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
            hasher.update([b'\n']);
            hasher.update(line.as_bytes());
        }
        hasher.update([0]);
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The modules of the library that whole operations run through.
const OPERATED: [&str; 4] = ["aead", "cipher", "digest", "mac"];

/// The modules of the kernels' crate that these files name, but for those that only set kernels up and choose them; and
/// what all kernels have.
fn named_modules(files: &[PathBuf]) -> Result<BTreeSet<String>> {
    let mut modules = BTreeSet::from(["compression".to_owned(), "simd".to_owned()]);
    for file in files {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        for (_, rest) in text.match_indices("crate::").map(|(at, path)| text.split_at(at + path.len())) {
            let end = rest.find(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit() && c != '_');
            let name = &rest[..end.unwrap_or(rest.len())];
            // A macro or a type of the crate's root is no module; `pub(crate)` has no path.
            if !["", "cpu", "exercise"].contains(&name) {
                modules.insert(name.to_owned());
            }
        }
    }
    Ok(modules)
}

/// Whether a file of a family is no kernel's own, nor published answers, which only tests read.
fn is_shared(file: &Path, family: &str) -> bool {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let mut kernels = speedwell_kernels::all().map(|kernel| kernel.descriptor());
    let is_kernel = |kernel: &speedwell_kernels::Descriptor| {
        kernel.implementation() == stem && kernel.primitive().split('.').next() == Some(family)
    };
    stem != "known_answers" && !kernels.any(is_kernel)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_of_one_file_have_one_hash_and_others_have_others() {
        let hash = |name| hash(&crate::workspace(), name).unwrap();
        assert_eq!(hash("aes.ctr/x86_64_aesni"), hash("aes.cbc_encrypt/x86_64_aesni"));
        assert_ne!(hash("aes.ctr/x86_64_aesni"), hash("aes.ctr/portable_tables"));
        assert_ne!(hash("sha256.compress/portable"), hash("sha512.compress/portable"));
        assert_eq!(hash("operation/tag_comparison").len(), 64);
    }

    #[test]
    fn other_families_that_a_kernel_stands_on_count() {
        let family = |name: &str| {
            let mut files = Vec::new();
            collect(&crate::workspace().join("crates/kernels/src").join(name), &mut files).unwrap();
            named_modules(&files).unwrap().into_iter().collect::<Vec<_>>()
        };
        assert_eq!(family("gcm"), ["aes", "compression", "simd"]);
        assert_eq!(family("sha256"), ["compression", "lanes", "simd"]);
    }

    #[test]
    fn every_module_that_an_operation_uses_counts() {
        let operations = fs::read_to_string(crate::workspace().join("crates/timing/src/operations.rs")).unwrap();
        for (at, path) in operations.match_indices("use speedwell::") {
            let module = operations[at + path.len()..].split([':', ';']).next().unwrap();
            assert!(OPERATED.contains(&module), "{module}");
        }
    }
}
