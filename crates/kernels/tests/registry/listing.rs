//! The registry itself: names tell the truth, and a kernel is one file and one line.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use speedwell_kernels::{all, cpu::IsaSet};

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every Rust file of the workspace's crates.
fn workspace_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            workspace_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn names_are_unique_and_say_where_the_kernel_stands() {
    let mut seen = BTreeSet::new();
    for kernel in all() {
        let descriptor = kernel.descriptor();
        assert!(seen.insert(descriptor.name), "{} is listed twice", descriptor.name);
        let (family, _) = descriptor.primitive().split_once('.').expect("family.function");
        let file = sources().join(family).join(descriptor.implementation()).with_extension("rs");
        assert!(file.is_file(), "{} has no file {}", descriptor.name, file.display());
        assert!(
            descriptor.source.ends_with(&format!("{family}/{}.rs", descriptor.implementation())),
            "{} stands in {}",
            descriptor.name,
            descriptor.source
        );
    }
    assert!(!seen.is_empty());
}

#[test]
fn portable_names_need_nothing() {
    for kernel in all() {
        let descriptor = kernel.descriptor();
        let portable = descriptor.implementation().starts_with("portable");
        assert!(!portable || descriptor.needs == IsaSet::EMPTY, "{} needs {}", descriptor.name, descriptor.needs);
    }
}

/// Counts the places where a kernel's name stands outside of its own file: one, in its family's list.
#[test]
fn a_kernel_is_one_file_and_one_line() {
    let mut files = Vec::new();
    workspace_files(&sources().join("../.."), &mut files);
    let texts: Vec<(PathBuf, String)> = files
        .into_iter()
        .map(|path| path.canonicalize().unwrap())
        .filter(|path| path.components().any(|part| part.as_os_str() == "src"))
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect();
    for kernel in all() {
        let descriptor = kernel.descriptor();
        let (family, _) = descriptor.primitive().split_once('.').expect("family.function");
        let folder = sources().join(family).canonicalize().unwrap();
        let own = folder.join(descriptor.implementation()).with_extension("rs");
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let list = fs::read_to_string(folder.join("mod.rs")).unwrap();
        let line = format!("{},", descriptor.implementation());
        assert_eq!(
            list.lines().filter(|text| text.trim() == line).count(),
            1,
            "{} in {family}/mod.rs",
            descriptor.implementation()
        );
        for (path, text) in texts.iter().filter(|(path, _)| *path != own) {
            // Up to the end of the name, which another may go on from.
            let names = |line: &&str| {
                let mut ends = line.match_indices(descriptor.name).map(|(start, name)| &line[start + name.len()..]);
                ends.any(|rest| !rest.starts_with(|next: char| next == '_' || next.is_alphanumeric()))
            };
            let mention = text.lines().filter(is_code).find(names);
            assert_eq!(mention, None, "{} is named in {}", descriptor.name, path.display());
        }
    }
}
