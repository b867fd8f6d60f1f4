//! The records: a file for each primitive, in it a line of JSON for each kernel.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use speedwell_timing::report::Report;

/// What was found of a kernel or operation, and of which source by which compiler.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Record {
    /// The hash of its sources.
    pub source: String,
    /// What made the machine code.
    #[serde(flatten)]
    pub toolchain: Toolchain,
    /// Whether it claimed to be constant in time.
    pub claims_constant: bool,
    /// The findings.
    #[serde(flatten)]
    pub report: Report,
}

/// What made the machine code.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Toolchain {
    /// `rustc --version`.
    pub rustc: String,
    /// The settings of the release profile that matter to the code.
    pub profile: String,
    /// What `RUSTFLAGS` held.
    pub flags: String,
}

impl Toolchain {
    /// The compiler at hand with the workspace's release profile.
    ///
    /// # Errors
    /// If there is no compiler, or the manifest cannot be read.
    pub fn of(root: &Path) -> Result<Toolchain> {
        let output = Command::new("rustc").current_dir(root).arg("--version").output().context("cannot run rustc")?;
        if !output.status.success() {
            bail!("rustc --version fails");
        }
        let manifest: toml::Table = fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
        let release = manifest.get("profile").and_then(|profiles| profiles.get("release"));
        let setting = |name: &str, default: &str| {
            let value = release.and_then(|release| release.get(name)).map(|value| value.to_string().replace('"', ""));
            format!("{name}={}", value.unwrap_or_else(|| default.to_owned()))
        };
        let settings = [("opt-level", "3"), ("lto", "false"), ("codegen-units", "16")];
        Ok(Toolchain {
            rustc: String::from_utf8_lossy(&output.stdout).trim().to_owned(),
            profile: settings.map(|(name, default)| setting(name, default)).join(" "),
            flags: std::env::var("RUSTFLAGS").unwrap_or_default(),
        })
    }
}

/// All records, by name.
#[derive(Debug, Default)]
pub struct Records(BTreeMap<String, Record>);

impl Records {
    /// Reads the files; there may be none.
    ///
    /// # Errors
    /// If one of them is not what this module writes.
    pub fn read(root: &Path) -> Result<Records> {
        let mut records = Records::default();
        let Ok(folder) = fs::read_dir(root.join(FOLDER)) else { return Ok(records) };
        for entry in folder {
            let path = entry?.path();
            for line in fs::read_to_string(&path)?.lines() {
                records.insert(serde_json::from_str(line).with_context(|| format!("{} is no record", path.display()))?);
            }
        }
        Ok(records)
    }

    /// Writes the files, and removes those that are empty now.
    ///
    /// # Errors
    /// If the file system does not let us.
    pub fn write(&self, root: &Path) -> Result<()> {
        let folder = root.join(FOLDER);
        fs::create_dir_all(&folder)?;
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        for (name, record) in &self.0 {
            let primitive = name.split('/').next().unwrap_or_default();
            let file = files.entry(format!("{primitive}.jsonl")).or_default();
            *file += &serde_json::to_string(record)?;
            file.push('\n');
        }
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.file_name().and_then(|name| name.to_str()).is_none_or(|name| !files.contains_key(name)) {
                fs::remove_file(path)?;
            }
        }
        for (name, text) in files {
            fs::write(folder.join(name), text)?;
        }
        Ok(())
    }

    /// The record of that name.
    pub fn get(&self, name: &str) -> Option<&Record> {
        self.0.get(name)
    }

    /// Keeps a record in the place of an older one.
    pub fn insert(&mut self, record: Record) {
        self.0.insert(record.report.name.clone(), record);
    }

    /// Forgets the others.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&str, &Record) -> bool) {
        self.0.retain(|name, record| is_kept(name, record));
    }

    /// Why there is no record that stands for this source and compiler.
    pub fn why_stale(&self, name: &str, source: &str, toolchain: &Toolchain) -> Option<String> {
        let Some(record) = self.get(name) else { return Some("it has no record".to_owned()) };
        if record.source != source {
            return Some("its source changed since its record".to_owned());
        }
        let Toolchain { rustc, profile, flags } = &record.toolchain;
        (record.toolchain != *toolchain).then(|| format!("its record is of {rustc} with {profile} {flags}"))
    }

    /// All records.
    pub fn iter(&self) -> impl Iterator<Item = &Record> {
        self.0.values()
    }
}

/// Where the files are.
const FOLDER: &str = "measurements/timing";
