//! The manual pages and completions in `share/` are those that the command makes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn what_is_shipped_is_what_is_generated() {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../share");
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_speedwell")).arg("share").arg(folder.path()).status().unwrap();
    assert!(status.success());
    let mut generated = Vec::new();
    files(folder.path(), &mut generated);
    assert!(generated.len() > 8, "{generated:?}");
    for path in generated {
        let place = path.strip_prefix(folder.path()).unwrap();
        let same = fs::read(shipped.join(place)).is_ok_and(|bytes| bytes == fs::read(&path).unwrap());
        assert!(same, "share/{} is not up to date: `cargo run -- share share` writes it anew", place.display());
    }
}
