//! The hash of the sources that a kernel's machine code is made from.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use speedwell::digest::{Digest, Sha256};

/// The hash of what a record is of. For a kernel: its own file, what its family's kernels share, and what all kernels
/// share; for an operation, the library's code around the kernels.
///
/// Comments and blank lines do not count: they make no code.
///
/// # Errors
/// If a file cannot be read.
pub fn hash(root: &Path, name: &str) -> Result<String> {
    let kernels = root.join("crates/kernels/src");
    let mut files = Vec::new();
    if name.starts_with("operation/") {
        for module in ["bignum", "cipher", "digest", "dsa", "rsa"] {
            collect(&root.join("crates/speedwell/src").join(module), &mut files)?;
        }
    } else {
        let (primitive, implementation) = name.split_once('/').context("a kernel is named primitive/implementation")?;
        let family = primitive.split('.').next().unwrap_or(primitive);
        collect(&kernels.join(family), &mut files)?;
        files.retain(|file| is_shared(file, family) || file.ends_with(format!("{family}/{implementation}.rs")));
        collect(&kernels.join("simd"), &mut files)?;
        files.push(kernels.join("compression.rs"));
    }
    files.sort();
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
}
