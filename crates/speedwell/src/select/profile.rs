//! The local profile: what `speedwell tune` measured on this host. It is used where a path to it is given, and only as
//! long as it is of this processor, under this hypervisor, with this microcode, and of this build of the library.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use speedwell_kernels::cpu::Cpu;

use super::{Selector, Speeds};

/// The environment variable with the path of a local profile. A privileged process does not read it.
pub const PROFILE_VARIABLE: &str = "SPEEDWELL_PROFILE";

/// What kernels take on this host.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    pub(super) speeds: Speeds,
}

/// Why a profile does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileError {
    /// The file cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// The text is not of the form.
    Form {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// It was measured on another processor, with other microcode, or under another hypervisor.
    OtherHost {
        /// Where it was measured.
        theirs: String,
        /// What this is.
        ours: String,
    },
    /// It was measured with another build of the library, or with other kernels.
    OtherBuild {
        /// What it was measured with.
        theirs: String,
        /// What this is.
        ours: String,
    },
    /// Plans have been made already.
    TooLate,
}

impl Profile {
    /// Reads the profile at a path, for this host and build.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is not of this host and build.
    pub fn read(path: &Path) -> Result<Profile, ProfileError> {
        let why = |error: std::io::Error| ProfileError::Unreadable { path: path.to_owned(), why: error.to_string() };
        Profile::parse(&fs::read_to_string(path).map_err(why)?)
    }

    /// Reads the text of a profile, for this host and build.
    ///
    /// # Errors
    /// As [`Profile::read`].
    pub fn parse(text: &str) -> Result<Profile, ProfileError> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
        let mut field = |name: &str, what| match lines.next() {
            Some((_, line)) if line.split_once('\t').is_some_and(|(key, _)| key == name) => {
                Ok(line.split_once('\t').map_or("", |(_, value)| value))
            }
            Some((index, _)) => Err(ProfileError::Form { line: index + 1, what }),
            None => Err(ProfileError::Form { line: text.lines().count(), what }),
        };
        let fingerprint = field("fingerprint", "the line 'fingerprint' should stand here")?;
        let build = field("build", "the line 'build' should stand here")?;
        let ours = Cpu::host().fingerprint();
        if fingerprint != ours {
            return Err(ProfileError::OtherHost { theirs: fingerprint.to_owned(), ours });
        }
        let ours = build_id();
        if build != ours {
            return Err(ProfileError::OtherBuild { theirs: build.to_owned(), ours });
        }
        let mut speeds = Speeds::default();
        for (index, line) in lines {
            if !speeds.take(line) {
                let what = "a kernel, a tab, and pairs of bytes and nanoseconds should stand here";
                return Err(ProfileError::Form { line: index + 1, what });
            }
        }
        Ok(Profile { speeds })
    }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProfileError::Unreadable { path, why } => write!(formatter, "{}: {why}", path.display()),
            ProfileError::Form { line, what } => {
                write!(formatter, "line {line}: {what}; `speedwell tune` writes it anew")
            }
            ProfileError::OtherHost { theirs, ours } => {
                write!(formatter, "measured on {theirs}, and this is {ours}; `speedwell tune` measures here")
            }
            ProfileError::OtherBuild { theirs, ours } => {
                write!(
                    formatter,
                    "measured with the build {theirs}, and this is {ours}; `speedwell tune` measures this one"
                )
            }
            ProfileError::TooLate => {
                formatter.write_str("plans have been made already: name the profile before anything else is asked for")
            }
        }
    }
}

impl std::error::Error for ProfileError {}

/// Uses the profile at a path in this process. To be called before the first key, context or plan is made.
///
/// # Errors
/// If the profile does not count, or it is too late.
pub fn use_profile(path: &Path) -> Result<(), ProfileError> {
    let profile = Arc::new(Profile::read(path)?);
    let _ = CHOSEN.set(Arc::clone(&profile));
    let used = Selector::host().profile();
    if used.is_some_and(|used| std::ptr::eq(used, &*profile)) { Ok(()) } else { Err(ProfileError::TooLate) }
}

/// The profile that the process asked for.
pub(super) static CHOSEN: OnceLock<Arc<Profile>> = OnceLock::new();

/// The text of a profile.
pub fn profile_text(fingerprint: &str, build: &str, speeds: &Speeds) -> String {
    format!(
        "# What Speedwell's kernels take on one host, in nanoseconds a call by its bytes; written by `speedwell tune`.\n\
         # {PROFILE_VARIABLE}=PATH uses it, on this host and with this build.\n\
         fingerprint\t{fingerprint}\nbuild\t{build}\n{}",
        speeds.text()
    )
}

/// By which a build of the library is known: version, whether it is optimised, and a hash (FNV-1a, 64 bits) of its kernels'
/// names and needs.
pub fn build_id() -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for kernel in speedwell_kernels::all() {
        let descriptor = kernel.descriptor();
        let needs = descriptor.needs.bits().to_le_bytes();
        for byte in descriptor.name.bytes().chain(needs) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    let optimised = if cfg!(debug_assertions) { "unoptimised" } else { "optimised" };
    format!("{} {optimised} kernels={hash:016x}", env!("CARGO_PKG_VERSION"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any kernel.
    fn kernel() -> &'static str {
        speedwell_kernels::all().next().unwrap().descriptor().name
    }

    fn speeds() -> Speeds {
        let mut speeds = Speeds::default();
        assert!(speeds.take(&format!("{}\t64:100.0 8192:9000", kernel())));
        speeds
    }

    #[test]
    fn a_profile_is_of_this_host_and_build() {
        let (host, build) = (Cpu::host().fingerprint(), build_id());
        let text = profile_text(&host, &build, &speeds());
        assert_eq!(Profile::parse(&text).unwrap().speeds, speeds());
        let elsewhere = profile_text("AuthenticAMD-17-31-0/microcode=0x1", &build, &speeds());
        let error = Profile::parse(&elsewhere).unwrap_err();
        assert!(matches!(error, ProfileError::OtherHost { .. }), "{error}");
        assert!(error.to_string().contains("speedwell tune"));
        let older = profile_text(&host, "0.0.1 optimised kernels=0", &speeds());
        assert!(matches!(Profile::parse(&older).unwrap_err(), ProfileError::OtherBuild { .. }));
    }

    #[test]
    fn damage_names_the_line() {
        let text = profile_text(&Cpu::host().fingerprint(), &build_id(), &speeds());
        let line = |text: &str| match Profile::parse(text).unwrap_err() {
            ProfileError::Form { line, .. } => line,
            other => panic!("{other}"),
        };
        assert_eq!(line(""), 0);
        assert_eq!(line("nothing of the kind\n"), 1);
        assert_eq!(line(&text.lines().take(3).collect::<Vec<_>>().join("\n")), 3);
        assert_eq!(line(&format!("{text}{} 64\n", kernel())), 6);
        assert_eq!(line(&text.replace(":9000", ":-1")), 5);
        let missing = Profile::read(Path::new("/nonexistent/profile")).unwrap_err();
        assert!(missing.to_string().starts_with("/nonexistent/profile: "), "{missing}");
    }
}
