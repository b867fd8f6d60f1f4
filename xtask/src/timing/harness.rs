//! Builds the harness and runs it, a process for each subject, as many at a time as there are processors.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use speedwell_timing::report::{Fault, Report, Verdict};

/// How the harness is compiled.
#[derive(Clone, Debug, Default)]
pub struct Build {
    /// What stands in for settings of the release profile, as cargo takes it after `--config`.
    pub profile: Vec<String>,
    /// Further flags of the compiler.
    pub flags: String,
    /// The folder in `target` that the build goes to.
    pub folder: String,
}

impl Build {
    /// The release profile as it is.
    pub fn delivered() -> Build {
        Build { folder: "timing".to_owned(), ..Build::default() }
    }
}

/// A harness that is built.
pub struct Harness {
    program: PathBuf,
    runner: Vec<String>,
}

/// A subject as the harness lists it.
#[derive(Debug, Deserialize)]
pub struct Listed {
    /// A kernel's name, or that of an operation or control.
    pub name: String,
    /// Whether it claims to be constant in time.
    pub claims_constant: bool,
    /// The instruction sets that this processor lacks for it.
    pub missing: Vec<String>,
}

impl Listed {
    /// Whether records are kept of it: of all but the controls.
    pub fn is_recorded(&self) -> bool {
        !self.name.starts_with("control/")
    }
}

impl Harness {
    /// Builds it.
    ///
    /// # Errors
    /// If the compiler fails.
    pub fn build(root: &Path, build: &Build, runner: &str) -> Result<Harness> {
        let target = root.join("target").join(&build.folder);
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(root).args(["build", "--release", "--quiet", "--locked"]);
        command.args(["--package", "speedwell-timing", "--bin", "harness", "--target-dir"]).arg(&target);
        for setting in &build.profile {
            command.args(["--config", setting]);
        }
        if !build.flags.is_empty() {
            command.env("RUSTFLAGS", &build.flags);
        }
        eprintln!("building the harness in {}", target.display());
        let status = command.status().context("cannot run cargo")?;
        if !status.success() {
            bail!("the harness does not build");
        }
        let runner = runner.split_whitespace().map(str::to_owned).collect();
        Ok(Harness { program: target.join("release/harness"), runner })
    }

    /// Every subject.
    ///
    /// # Errors
    /// If the harness fails.
    pub fn list(&self) -> Result<Vec<Listed>> {
        let output = self.run(&["list".to_owned()])?;
        output.lines().map(|line| serde_json::from_str(line).context("the harness lists something else")).collect()
    }

    /// Examines the subjects, prints what is found as it comes, and hands it on at once, so that nothing is lost when the
    /// run is stopped.
    ///
    /// # Errors
    /// If a run fails or what it found cannot be kept; the other runs go on before.
    pub fn examine(
        &self,
        subjects: &[&Listed],
        most_secrets: usize,
        keep: impl FnMut(&Report) -> Result<()> + Send,
    ) -> Result<Vec<Report>> {
        let keep = Mutex::new(keep);
        let queue: Mutex<VecDeque<(usize, &Listed)>> = Mutex::new(subjects.iter().copied().enumerate().collect());
        let done = Mutex::new(Vec::new());
        let begin = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from).min(subjects.len()) {
                scope.spawn(|| {
                    while let Some((index, subject)) = queue.lock().ok().and_then(|mut queue| queue.pop_front()) {
                        let began = Instant::now();
                        let report = self.report(subject, most_secrets).and_then(|report| {
                            let mut keep = keep.lock().map_err(|_| anyhow!("a run panicked"))?;
                            keep(&report).map(|()| report)
                        });
                        if let Ok(mut done) = done.lock() {
                            let seconds = began.elapsed().as_secs_f64();
                            let count = done.len() + 1;
                            match &report {
                                Ok(report) => {
                                    print(report, subject, &format!("[{count}/{}] {seconds:5.1} s", subjects.len()))
                                }
                                Err(error) => println!("{}: {error:#}", subject.name),
                            }
                            done.push((index, report));
                        }
                    }
                });
            }
        });
        let mut reports = done.into_inner().map_err(|_| anyhow!("a run panicked"))?;
        reports.sort_by_key(|(index, _)| *index);
        let reports: Vec<Report> = reports.into_iter().map(|(_, report)| report).collect::<Result<_>>()?;
        let steps: usize =
            reports.iter().flat_map(|report| &report.cases).map(|case| case.instructions * case.secrets).sum();
        if steps > 0 {
            let seconds = begin.elapsed().as_secs_f64();
            println!("{steps} instructions in {seconds:.0} s: {:.0} a second", steps as f64 / seconds);
        }
        Ok(reports)
    }

    fn report(&self, subject: &Listed, most_secrets: usize) -> Result<Report> {
        let mut arguments = vec![subject.name.clone()];
        if most_secrets != usize::MAX {
            arguments.splice(0..0, ["--secrets".to_owned(), most_secrets.to_string()]);
        }
        serde_json::from_str(&self.run(&arguments)?).context("the harness reports something else")
    }

    fn run(&self, arguments: &[String]) -> Result<String> {
        let program = self.program.to_string_lossy().into_owned();
        let mut words = self.runner.iter().cloned().chain([program]).chain(arguments.iter().cloned());
        let first = words.next().unwrap_or_default();
        let output = Command::new(&first).args(words).output().with_context(|| format!("cannot run {first}"))?;
        if !output.status.success() {
            bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(String::from_utf8(output.stdout)?)
    }
}

fn print(report: &Report, subject: &Listed, progress: &str) {
    let steps: usize = report.cases.iter().map(|case| case.instructions).sum();
    let secrets = report.cases.iter().map(|case| case.secrets).min().unwrap_or(0);
    let verdict = match (report.verdict, subject.claims_constant) {
        (Verdict::Constant, _) => "constant",
        (Verdict::Refuted, true) => "REFUTED",
        (Verdict::Refuted, false) => "depends on secrets, as it says",
    };
    let (name, cases) = (&report.name, report.cases.len());
    println!("{progress}  {name}: {verdict} ({cases} cases, {secrets} secrets, {steps} instructions)");
    if subject.claims_constant {
        for fault in &report.faults {
            print!("{}", words(fault));
        }
    }
}

/// A fault in lines of text.
pub fn words(fault: &Fault) -> String {
    let mut text = format!("    {}\n      {}\n      at {}\n", fault.what, fault.instruction, fault.place);
    for (i, function) in fault.function.iter().enumerate() {
        text += &format!("      {} {function}\n", if i == 0 { "in" } else { "inlined into" });
    }
    if let Some(case) = &fault.case {
        text += &format!("      case: {case}\n");
    }
    for run in &fault.runs {
        text += &format!("      with the secret '{}': {}\n", run.secret, run.address);
    }
    text
}
