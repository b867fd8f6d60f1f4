//! Experiments described in files: TOML, of which docs/experiments.md explains every key.

use std::fmt;
use std::ops::Range;
use std::time::Duration;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as WordError, StrDeserializer};
use speedwell::names;
use toml::Spanned;

use super::Settings;
use super::profiles::{PROFILES, Profile};
use crate::algorithm::{Algorithm, Kind};
use crate::builds::Table;
use crate::case::{Case, Operation};
use crate::composed::{COMPOSED, Composed};

/// An experiment as its file describes it.
#[derive(Clone, Debug)]
pub struct Description {
    /// What it is called.
    pub title: String,
    /// What it is about.
    pub about: Option<String>,
    /// What is measured, as after `--vs`.
    pub subjects: Vec<Placed>,
    /// Kernels of ours that are measured by themselves, as after `--kernel`.
    pub kernels: Vec<Placed>,
    /// Libraries that are built for it, all combinations of each table.
    pub builds: Vec<Table>,
    /// What all others are compared with: a subject, or a part of the name of one.
    pub baseline: Option<Placed>,
    /// How many threads work at the same time: a run for each number.
    pub threads: Vec<usize>,
    /// Everything that is measured.
    pub cases: Vec<Case>,
    /// The workloads among it.
    pub profiles: Vec<&'static Profile>,
    seconds: Option<f64>,
    rounds: Option<usize>,
    seed: Option<u64>,
}

/// A text of the file, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The text.
    pub text: String,
    /// The line.
    pub line: usize,
    /// The key that it is a value of.
    pub key: String,
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}{}: {what}", key.as_ref().map_or(String::new(), |key| format!(", key '{key}'")))]
pub struct FileError {
    /// The line, counted from 1.
    pub line: usize,
    /// The key, if it is a key's value that is wrong.
    pub key: Option<String>,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl Placed {
    /// An error at this place.
    pub fn error(&self, what: impl fmt::Display) -> FileError {
        FileError { line: self.line, key: Some(self.key.clone()), what: what.to_string() }
    }
}

impl Description {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`FileError`] with the first thing that is wrong.
    pub fn parse(text: &str) -> Result<Description, FileError> {
        let source = Source(text);
        let file: File = toml::from_str(text).map_err(|error| source.toml_error(&error))?;
        let mut description = Description {
            subjects: file.subjects.iter().map(|subject| source.placed(subject)).collect(),
            kernels: file.kernels.iter().map(|kernel| source.placed(kernel)).collect(),
            builds: file.build,
            baseline: file.baseline.as_ref().map(|baseline| source.placed(baseline)),
            threads: source.all_within(&file.threads, 1..1025, "threads")?.unwrap_or_else(|| vec![1]),
            cases: Vec::new(),
            profiles: Vec::new(),
            seconds: file.seconds.as_ref().map(|seconds| source.seconds(seconds)).transpose()?,
            rounds: file.rounds.as_ref().map(|rounds| source.within(rounds, 12..1_000_001, "rounds")).transpose()?,
            seed: file.seed,
            title: file.title.get_ref().trim().to_owned(),
            about: file.about,
        };
        if description.subjects.is_empty() && description.kernels.is_empty() && description.builds.is_empty() {
            let what = "nothing to measure: name subjects, kernels or a [[build]]";
            return Err(source.error(&file.title.span(), what));
        }
        let first = Group {
            algorithms: file.algorithms,
            operations: file.operations,
            sizes: file.sizes,
            messages: file.messages,
            whole: file.whole,
            profiles: file.profiles,
        };
        for group in [first].iter().chain(&file.cases) {
            group.add_to(&mut description, &source)?;
        }
        if description.cases.is_empty() {
            return Err(source.error(&file.title.span(), "no cases: name algorithms or profiles"));
        }
        Ok(description)
    }

    /// How it is measured, but for threads and baseline.
    pub fn settings(&self) -> Settings {
        let usual = Settings::default();
        Settings {
            time_per_subject: self.seconds.map_or(usual.time_per_subject, Duration::from_secs_f64),
            rounds: self.rounds,
            seed: self.seed.unwrap_or(usual.seed),
            keep_samples: true,
            ..usual
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: Spanned<String>,
    about: Option<String>,
    #[serde(default)]
    subjects: Vec<Spanned<String>>,
    #[serde(default)]
    kernels: Vec<Spanned<String>>,
    #[serde(default)]
    build: Vec<Table>,
    baseline: Option<Spanned<String>>,
    threads: Option<Vec<Spanned<usize>>>,
    seconds: Option<Spanned<f64>>,
    rounds: Option<Spanned<usize>>,
    seed: Option<u64>,
    #[serde(default)]
    algorithms: Vec<Spanned<String>>,
    #[serde(default)]
    operations: Vec<Spanned<String>>,
    sizes: Option<Vec<Spanned<usize>>>,
    messages: Option<Vec<Spanned<usize>>>,
    #[serde(default)]
    whole: bool,
    #[serde(default)]
    profiles: Vec<Spanned<String>>,
    #[serde(default)]
    cases: Vec<Group>,
}

/// Cases that belong together: the product of algorithms, operations, sizes and numbers of messages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    #[serde(default)]
    algorithms: Vec<Spanned<String>>,
    #[serde(default)]
    operations: Vec<Spanned<String>>,
    sizes: Option<Vec<Spanned<usize>>>,
    messages: Option<Vec<Spanned<usize>>>,
    #[serde(default)]
    whole: bool,
    #[serde(default)]
    profiles: Vec<Spanned<String>>,
}

/// The sizes of `openssl speed`.
const USUAL_SIZES: [usize; 6] = [16, 64, 256, 1024, 8192, 16384];

/// The largest message, as `speedwell speed` has it.
const LARGEST: usize = 1 << 30;

impl Group {
    fn add_to(&self, description: &mut Description, source: &Source<'_>) -> Result<(), FileError> {
        let sizes = source.all_within(&self.sizes, 1..LARGEST + 1, "bytes")?.unwrap_or_else(|| USUAL_SIZES.to_vec());
        let messages = source.all_within(&self.messages, 1..65_537, "messages")?.unwrap_or_else(|| vec![1]);
        let mut cases = Vec::new();
        for Offer { algorithm, operations, public } in self.offers(source)? {
            // A key has one size: a case is an operation, not a message.
            let sizes = if public { &[0][..] } else { &sizes };
            for operation in operations {
                for (bytes, messages) in sizes.iter().flat_map(|bytes| messages.iter().map(move |n| (*bytes, *n))) {
                    // Only signatures are made several at once.
                    let messages = if public && operation != Operation::Sign { 1 } else { messages };
                    let whole = self.whole && !public;
                    cases.push(Case { messages, whole, ..Case::new(algorithm, operation, bytes) });
                }
            }
        }
        for name in &self.profiles {
            let known = PROFILES.iter().map(|profile| profile.name);
            let profile = Profile::named(name.get_ref()).ok_or_else(|| {
                source.error(&name.span(), format!("unknown profile '{}'; known are {}", name.get_ref(), list(known)))
            })?;
            cases.extend(profile.cases());
            description.profiles.push(profile);
        }
        cases.retain(|case| !description.cases.contains(case));
        description.cases.extend(cases);
        Ok(())
    }

    /// The algorithms, with those of their operations that are wanted.
    fn offers(&self, source: &Source<'_>) -> Result<Vec<Offer>, FileError> {
        let mut wanted = Vec::new();
        for name in &self.operations {
            let word: StrDeserializer<'_, WordError> = name.get_ref().as_str().into_deserializer();
            let operation = Operation::deserialize(word).map_err(|_| {
                let all = "hash, mac, encrypt, decrypt, sign, verify and generate";
                source.error(&name.span(), format!("unknown operation '{}'; known are {all}", name.get_ref()))
            })?;
            wanted.push(operation);
        }
        let mut found = Vec::new();
        for name in &self.algorithms {
            let mut offers = Offer::named(name.get_ref()).map_err(|why| source.error(&name.span(), why))?;
            for offer in offers.iter_mut().filter(|_| !wanted.is_empty()) {
                // Making a key takes long and never the same time twice: only on request.
                offer.operations.extend(offer.public.then_some(Operation::Generate));
                offer.operations.retain(|operation| wanted.contains(operation));
            }
            if offers.iter().all(|offer| offer.operations.is_empty()) {
                let what = format!("{} has none of the operations that 'operations' names", name.get_ref());
                return Err(source.error(&name.span(), what));
            }
            found.extend(offers);
        }
        Ok(found)
    }
}

/// What can be measured of an algorithm.
struct Offer {
    algorithm: &'static str,
    operations: Vec<Operation>,
    /// Whether it is of the public-key kind.
    public: bool,
}

impl Offer {
    /// What a name stands for: an algorithm, a composition, or all sizes of a public-key algorithm.
    fn named(name: &str) -> Result<Vec<Offer>, String> {
        if let Some(composed) = Composed::named(name) {
            let operations = vec![Operation::Encrypt];
            return Ok(vec![Offer { algorithm: composed.name, operations, public: false }]);
        }
        if name.contains('+') {
            let known = list(COMPOSED.iter().map(|composed| composed.name));
            return Err(format!("unknown composition '{name}'; known are {known}"));
        }
        let found = names::find_all(name).map_err(|unknown| unknown.to_string())?;
        let offer = |algorithm: Algorithm| Offer {
            algorithm: algorithm.name,
            operations: algorithm.operations().to_vec(),
            public: matches!(algorithm.kind, Kind::PublicKey { .. }),
        };
        Ok(found.iter().filter_map(|algorithm| Algorithm::named(algorithm.name)).map(offer).collect())
    }
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// The text, for saying where something is.
struct Source<'a>(&'a str);

impl Source<'_> {
    fn error(&self, span: &Range<usize>, what: impl Into<String>) -> FileError {
        let (line, key) = self.place(span.start);
        FileError { line, key, what: what.into() }
    }

    fn toml_error(&self, error: &toml::de::Error) -> FileError {
        let what = error.message().to_owned();
        match error.span() {
            // A key that is missing is missing from the whole file or table: its first line says nothing.
            Some(span) if what.starts_with("missing field") => FileError { key: None, ..self.error(&span, what) },
            Some(span) => self.error(&span, what),
            None => FileError { line: 1, key: None, what },
        }
    }

    fn placed(&self, text: &Spanned<String>) -> Placed {
        let (line, key) = self.place(text.span().start);
        Placed { text: text.get_ref().clone(), line, key: key.unwrap_or_default() }
    }

    /// The line of a place, and the key whose value it is in, with its table: `build.cc`.
    fn place(&self, offset: usize) -> (usize, Option<String>) {
        let before = &self.0[..offset.min(self.0.len())];
        let number = before.matches('\n').count();
        let (mut table, mut key) = (None, None);
        for line in self.0.lines().take(number + 1) {
            let line = line.trim();
            let is_name = |text: &str| {
                !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
            };
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
                let name = name.trim_start_matches('[').trim();
                // An array's values may begin a line with a bracket as well.
                if is_name(name) {
                    (table, key) = (Some(name.to_owned()), None);
                }
            } else if let Some((name, _)) = line.split_once('=').filter(|(name, _)| is_name(name.trim())) {
                key = Some(name.trim().to_owned());
            }
        }
        let key = match (table, key) {
            (Some(table), Some(key)) => Some(format!("{table}.{key}")),
            (table, key) => key.or(table),
        };
        (number + 1, key)
    }

    fn within(&self, value: &Spanned<usize>, range: Range<usize>, what: &str) -> Result<usize, FileError> {
        if range.contains(value.get_ref()) {
            return Ok(*value.get_ref());
        }
        let (first, last) = (range.start, range.end - 1);
        Err(self.error(&value.span(), format!("{} is not a number of {what} from {first} to {last}", value.get_ref())))
    }

    fn all_within(
        &self,
        values: &Option<Vec<Spanned<usize>>>,
        range: Range<usize>,
        what: &str,
    ) -> Result<Option<Vec<usize>>, FileError> {
        let Some(values) = values else { return Ok(None) };
        values.iter().map(|value| self.within(value, range.clone(), what)).collect::<Result<_, _>>().map(Some)
    }

    fn seconds(&self, value: &Spanned<f64>) -> Result<f64, FileError> {
        if (0.001..=3600.0).contains(value.get_ref()) {
            return Ok(*value.get_ref());
        }
        Err(self.error(&value.span(), format!("{} is not a number of seconds from 0.001 to 3600", value.get_ref())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Description {
        Description::parse(text).unwrap_or_else(|error| panic!("{error}"))
    }

    fn error(text: &str) -> String {
        Description::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn cases_are_the_product_of_the_lists() {
        let description = parse(
            "title = 'A trial'
             subjects = ['speedwell', 'openssl']
             algorithms = ['AES-128-CBC', 'sha256', 'rsa-2048']
             sizes = [16, 1024]
             seconds = 0.05
             rounds = 100
             [[cases]]
             profiles = ['tor-cell']
             [[cases]]
             algorithms = ['md5']
             operations = ['hash']
             sizes = [64]
             messages = [1, 8]",
        );
        let names: Vec<String> = description.cases.iter().map(|case| case.to_string()).collect();
        assert_eq!(
            names,
            [
                "aes-128-cbc encrypt 16 bytes",
                "aes-128-cbc encrypt 1024 bytes",
                "aes-128-cbc decrypt 16 bytes",
                "aes-128-cbc decrypt 1024 bytes",
                "sha256 16 bytes",
                "sha256 1024 bytes",
                "rsa-2048 sign 0 bytes",
                "rsa-2048 verify 0 bytes",
                "rsa-2048 encrypt 0 bytes",
                "rsa-2048 decrypt 0 bytes",
                "aes-128-ctr encrypt 509 bytes",
                "md5 64 bytes",
                "md5 8 messages of 64 bytes",
            ]
        );
        let settings = description.settings();
        assert_eq!((settings.time_per_subject, settings.rounds), (Duration::from_millis(50), Some(100)));
        assert_eq!((description.threads, description.profiles.len()), (vec![1], 1));
        assert_eq!((description.subjects[1].text.as_str(), description.subjects[1].line), ("openssl", 2));
    }

    #[test]
    fn what_is_wrong_is_named_with_line_and_key() {
        let head = "title = 'A'\nsubjects = ['speedwell']\n";
        let with = |rest: &str| error(&format!("{head}{rest}"));
        assert!(
            with("algorithms = [\n  'sha256',\n  'sha257',\n]")
                .starts_with("line 5, key 'algorithms': unknown algorithm 'sha257'")
        );
        assert!(
            with("algorithms = ['md5']\n[[cases]]\nalgorithms = ['md5']\nsizes = [0]")
                .starts_with("line 6, key 'cases.sizes': 0 is not a number of bytes from 1")
        );
        assert!(
            with("algorithm = ['md5']").starts_with("line 3, key 'algorithm': unknown field `algorithm`, expected")
        );
        assert!(with("algorithms = 'md5'").starts_with("line 3, key 'algorithms': invalid type"));
        assert!(with("algorithms = ['md5'").starts_with("line 3, key 'algorithms': "));
        assert!(with("profiles = ['tor']").contains("unknown profile 'tor'; known are tor-cell, tls-record"));
        assert!(
            with("algorithms = ['md5']\noperations = ['sing']")
                .starts_with("line 4, key 'operations': unknown operation 'sing'")
        );
        assert!(
            with("algorithms = ['md5']\noperations = ['sign']").starts_with("line 3, key 'algorithms': md5 has none")
        );
        assert!(
            with("algorithms = ['aes+md5']").contains("unknown composition 'aes+md5'; known are aes-128-cbc+hmac-sha1")
        );
        assert!(with("algorithms = ['md5']\nseconds = 0").contains("line 4, key 'seconds': "));
        assert!(with("algorithms = ['md5']\nrounds = 3").contains("3 is not a number of rounds from 12"));
        assert!(
            with("algorithms = ['md5']\n[[build]]\nsource = 'x'\nasm = ['maybe']")
                .starts_with("line 6, key 'build.asm': 'maybe' is neither yes nor no")
        );
        assert_eq!(with(""), "line 1, key 'title': no cases: name algorithms or profiles");
        assert!(error("title = 'A'\nalgorithms = ['md5']").contains("nothing to measure"));
        assert_eq!(error("subjects = ['speedwell']"), "line 1: missing field `title`");
    }
}
