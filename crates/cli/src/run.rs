//! `speedwell run`: an experiment from its file, built, measured, kept and shown; gone on with where it was interrupted.

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::Args;
use speedwell_kernels::cpu::Cpu;
use speedwell_lab::builds::{Built, Event, Table, Workshop};
use speedwell_lab::case::Case;
use speedwell_lab::experiment::{Description, Experiment, Profile, Settings};
use speedwell_lab::host::Host;
use speedwell_lab::result::Report;
use speedwell_lab::store::{Recorder, Store};
use speedwell_lab::subjects::Subject;

use crate::output;
use crate::speed::{Bar, UsageError, cancelled_by_keyboard, request, table, verdict};
use crate::stored::{StoreArguments, Watch};

/// `speedwell run`
#[derive(Debug, Args)]
pub struct RunArguments {
    /// The experiment's file
    #[arg(value_name = "FILE", required_unless_present = "resume")]
    pub file: Option<PathBuf>,
    /// Go on with this run of the store. Without it, an unfinished run of the same file on this machine is gone on with
    #[arg(long, value_name = "RUN", conflicts_with = "file")]
    pub resume: Option<String>,
    /// Begin anew, even if there is an unfinished run
    #[arg(long, conflicts_with = "resume")]
    pub fresh: bool,
    /// Where results are kept
    #[command(flatten)]
    pub store: StoreArguments,
    /// Print one JSON document for each number of threads
    #[arg(long)]
    pub json: bool,
    /// No colours and no progress bar
    #[arg(long)]
    pub no_color: bool,
}

/// Runs the command.
pub fn run(arguments: &RunArguments) -> Result<()> {
    if arguments.no_color {
        anstream::ColorChoice::Never.write_global();
    }
    let mut store = arguments.store.create()?;
    let work = Work::read(arguments, &store)?;
    let cancel = cancelled_by_keyboard()?;
    let bar = Bar::new(std::io::stderr().is_terminal() && !arguments.no_color);
    let mut outcome = Ok(());
    for threads in work.description.threads.clone() {
        // One run of several was asked for: the others are not gone on with.
        if work.run.is_some_and(|(_, only)| only != threads) {
            continue;
        }
        let report;
        // A thread of its own: an experiment binds the one that it runs in to a core.
        let measure = || work.measure(arguments, store, threads, &bar, &cancel);
        let measured = std::thread::scope(|scope| scope.spawn(measure).join());
        (store, report) = measured.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        if arguments.json {
            output::print(&(serde_json::to_string_pretty(&report)? + "\n"))?;
        } else {
            output::print(&work.text(&report))?;
        }
        if cancel.load(Ordering::Relaxed) {
            bail!("interrupted; the same command goes on with what is missing");
        }
        outcome = outcome.and(verdict(&report));
    }
    outcome
}

/// What is to be done.
struct Work {
    description: Description,
    text: String,
    /// Where the file is, by which errors name it.
    place: String,
    /// The folder from which its paths count.
    folder: PathBuf,
    /// The run to go on with and its number of threads, if one was named.
    run: Option<(i64, usize)>,
}

impl Work {
    fn read(arguments: &RunArguments, store: &Store) -> Result<Work> {
        let (text, place, folder, run) = match (&arguments.file, &arguments.resume) {
            (Some(path), _) => {
                let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
                let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                (text, path.display().to_string(), folder, None)
            }
            (None, name) => {
                let run = store.find(name.as_deref().unwrap_or("latest"))?;
                let Some(text) = store.experiment(run)? else {
                    let what =
                        format!("run {run} is not one of an experiment's file; `speedwell speed` measures it again");
                    return Err(UsageError(what).into());
                };
                let threads = store.load(run)?.threads;
                (text, format!("the experiment of run {run}"), PathBuf::new(), Some((run, threads)))
            }
        };
        let description = Description::parse(&text).map_err(|error| UsageError(format!("{place}: {error}")))?;
        Ok(Work { description, text, place, folder, run })
    }

    /// Measures what is missing, and gives the whole report back, with the store.
    fn measure(
        &self,
        arguments: &RunArguments,
        store: Store,
        threads: usize,
        bar: &Bar,
        cancel: &AtomicBool,
    ) -> Result<(Store, Report)> {
        let entrants = self.entrants(bar)?;
        let baseline = self.baseline(&entrants)?;
        let settings = Settings { threads, baseline, ..self.description.settings() };
        let subjects = entrants.into_iter().map(|entrant| entrant.subject).collect();
        let mut experiment = Experiment::new(subjects, settings);

        let begun = if arguments.fresh { None } else { self.begun(&store, threads, &experiment)? };
        let (mut recorder, done, before) = self.recorder(store, begun, bar)?;
        let missing: Vec<Case> = self.cases().iter().filter(|case| !done.contains(case)).cloned().collect();
        let mut report = experiment.observe(&missing, &mut Watch { bar, recorder: Some(&mut recorder) }, cancel);
        bar.finish();
        report.title = Some(self.description.title.clone());
        let mut last = Report { samples: Vec::new(), ..report.clone() };
        if let Some(before) = before {
            // The run began when it began first; the noise floor is that of all its cells.
            last.host = Host { frequency_after: report.host.frequency_after, ..before.host };
            last.noise_floor = None;
        }
        match recorder.finish(&last) {
            Ok((store, run)) => {
                bar.say(&format!("kept as run {run} in {}", store.path().display()));
                let whole = Report { samples: Vec::new(), ..store.load(run)? };
                Ok((store, whole))
            }
            Err(error) => {
                // What could not be kept is at least to be seen.
                report.samples.clear();
                output::print(&self.text(&report))?;
                Err(error.into())
            }
        }
    }

    /// Who keeps the run: going on with one that was begun, or with a new one. Also the cases that are done, and the report of
    /// the run so far.
    fn recorder(
        &self,
        store: Store,
        begun: Option<(i64, Report)>,
        bar: &Bar,
    ) -> Result<(Recorder, Vec<Case>, Option<Report>)> {
        let new = |store| {
            let title = self.description.title.clone();
            (Recorder::new(store, Some(title), Some(self.text.clone())), Vec::new(), None)
        };
        let Some((run, report)) = begun else { return Ok(new(store)) };
        let done = store.finished_cases(run)?;
        match Recorder::resume(store, run) {
            Ok(recorder) => {
                bar.say(&format!("going on with run {run}, which has {} of {} cases", done.len(), self.cases().len()));
                Ok((recorder, done, Some(report)))
            }
            Err(store) => {
                bar.say(&format!("another process goes on with run {run}: this is a new one"));
                Ok(new(store))
            }
        }
    }

    fn cases(&self) -> &[Case] {
        &self.description.cases
    }

    /// The run to go on with: the one that was named, or an unfinished one of the same experiment, subjects and machine.
    fn begun(&self, store: &Store, threads: usize, experiment: &Experiment) -> Result<Option<(i64, Report)>> {
        let found = match self.run {
            Some((run, _)) => Some(run),
            None => store.unfinished(&self.text, &Cpu::host().fingerprint(), threads)?,
        };
        let Some(run) = found else { return Ok(None) };
        let report = store.load(run)?;
        if report.subjects == experiment.facts() && report.host.fingerprint == Cpu::host().fingerprint() {
            return Ok(Some((run, report)));
        }
        match self.run {
            Some(_) => Err(UsageError(format!(
                "run {run} was measured with other subjects or on another machine: its file measures them anew"
            ))
            .into()),
            None => Ok(None),
        }
    }

    /// Opens what is to be measured.
    fn entrants(&self, bar: &Bar) -> Result<Vec<Entrant>> {
        let Description { subjects, kernels, builds, .. } = &self.description;
        let mut entrants = Vec::new();
        for subject in subjects {
            let in_place = |error: anyhow::Error| self.error(&subject.error(format!("{error:#}")));
            let opened = request::versus(&subject.text).map_err(in_place)?;
            entrants.push(Entrant { word: subject.text.clone(), subject: opened });
        }
        for kernel in kernels {
            let named = request::kernels(&kernel.text).map_err(|error| self.error(&kernel.error(error)))?;
            entrants.extend(named.into_iter().map(|subject| Entrant { word: kernel.text.clone(), subject }));
        }
        for table in builds {
            let built = self.built(table, bar)?.into_iter();
            entrants.extend(built.map(|subject| Entrant { word: subject.facts().name.clone(), subject }));
        }
        Ok(entrants)
    }

    /// All combinations of a table. One that cannot be built is a subject without figures, and the reason is in the report.
    fn built(&self, table: &Table, bar: &Bar) -> Result<Vec<Box<dyn Subject>>> {
        let table = Table { source: self.folder.join(&table.source), ..table.clone() };
        let mut tell = |event: Event<'_>| match event {
            Event::Begin(name, number, all) => bar.part(number as f64 / all as f64, format!("building {name}")),
            Event::End(Built { name, failed: Some(why), log, .. }) => {
                bar.say(&format!("warning: {name} cannot be built: {why}; the log is {}", log.display()));
            }
            Event::End(_) | Event::Step(_) => {}
        };
        let builds = Workshop::default().realize(&table, &mut tell);
        let builds = builds.with_context(|| format!("{}: a [[build]] cannot be done", self.place))?;
        let program = std::env::current_exe().context("cannot find this program to start it as a worker")?;
        builds.iter().map(|built| Ok(built.subject(&program)?)).collect()
    }

    /// The subject that the file's baseline means: by its word, its name, or an end or part of its name that no other has.
    fn baseline(&self, entrants: &[Entrant]) -> Result<Option<usize>> {
        let Some(baseline) = &self.description.baseline else { return Ok(None) };
        let names: Vec<&str> = entrants.iter().map(|entrant| entrant.subject.facts().name.as_str()).collect();
        let exact =
            (0..names.len()).find(|number| [names[*number], &entrants[*number].word].contains(&baseline.text.as_str()));
        let only = |like: &dyn Fn(&str) -> bool| {
            let mut found = (0..names.len()).filter(|number| like(names[*number]));
            found.next().filter(|_| found.next().is_none())
        };
        let found = exact.or_else(|| only(&|name| name.ends_with(&baseline.text)));
        match found.or_else(|| only(&|name| name.contains(&baseline.text))) {
            Some(number) => Ok(Some(number)),
            None => {
                let what = format!(
                    "'{}' means none or several of the subjects, which are {}",
                    baseline.text,
                    names.join(", ")
                );
                Err(self.error(&baseline.error(what)))
            }
        }
    }

    fn error(&self, error: &dyn std::fmt::Display) -> anyhow::Error {
        UsageError(format!("{}: {error}", self.place)).into()
    }

    fn text(&self, report: &Report) -> String {
        let about = self.description.about.as_ref().map_or(String::new(), |about| format!("{}\n", about.trim()));
        let threads = if report.threads > 1 { format!(", {} threads", report.threads) } else { String::new() };
        let mut text = format!("{}{threads}\n{about}\n{}", self.description.title, table::text(report));
        for profile in self.description.profiles.iter().filter(|profile| profile.calls > 1) {
            text += &whole(profile, report);
        }
        text
    }
}

/// A subject, and the word of the file that it came by.
struct Entrant {
    word: String,
    subject: Box<dyn Subject>,
}

/// What a workload takes as a whole, subject by subject.
fn whole(profile: &Profile, report: &Report) -> String {
    let mut text = format!("\n{}: {}\n", profile.name, profile.what);
    for case in profile.cases() {
        let rows = report.results.iter().filter(|row| {
            (row.algorithm.as_str(), row.operation, row.bytes, row.messages, row.whole)
                == (&case.algorithm, case.operation, case.bytes, case.messages, case.whole)
        });
        let times: Vec<String> = rows
            .map(|row| {
                format!("{} {} s", row.subject, table::significant(row.ns_per_call * profile.calls as f64 / 1e9))
            })
            .collect();
        if !times.is_empty() {
            text += &format!("  {}: {}\n", table::name(&case.algorithm, case.operation), times.join(", "));
        }
    }
    text
}
