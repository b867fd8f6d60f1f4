//! The table of docs/measuring.md that shows whether the laboratory's verdicts hold.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

const BEGIN: &str = "<!-- written by `cargo xtask statistics` -->\n";
const END: &str = "<!-- end of what is written -->\n";

/// Runs `speedwell selftest` and writes what it prints between the marks.
pub fn write(root: &Path) -> Result<()> {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--release", "--quiet", "-p", "speedwell-cli", "--", "selftest"])
        .current_dir(root)
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    let table = String::from_utf8(output.stdout).context("the table is not text")?;
    print!("{table}");
    if !output.status.success() {
        bail!("the verdicts do not hold on this machine now; docs/measuring.md stays as it is");
    }
    let path = root.join("docs/measuring.md");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let marks = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = marks.context("docs/measuring.md has lost its marks")?;
    fs::write(&path, format!("{before}{BEGIN}\n{table}\n{END}{after}"))?;
    Ok(())
}
