//! The store: what is written is read, by whoever and whatever else happens.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use speedwell_lab::case::{Answer, Case, Operation};
use speedwell_lab::experiment::{Experiment, Settings};
use speedwell_lab::result::Report;
use speedwell_lab::store::{Merged, Store, StoreError};
use speedwell_lab::subjects::{Facts, InProcess, Setup, Skip, Subject};
use tempfile::TempDir;

fn subject(name: &str, answer: &'static [u8]) -> Box<dyn Subject> {
    let facts = Facts { version: Some("1.0".to_owned()), build: Some("cc -O2".to_owned()), ..Facts::named(name) };
    Box::new(InProcess::new(facts, move |case| {
        if case.bytes == 64 && answer == b"2" {
            return Err(Skip::NotOffered("64 bytes".to_owned()));
        }
        Ok(Setup {
            answer: Answer::new(b"1"),
            kernel: Some("planted/portable".to_owned()),
            run: Box::new(|calls| {
                (0..calls).for_each(|call| {
                    std::hint::black_box((0..100).fold(call as u32, |x, _| std::hint::black_box(x.wrapping_mul(5))));
                })
            }),
        })
    }))
}

fn report() -> Report {
    let settings = Settings { time_per_subject: Duration::from_millis(5), keep_samples: true, ..Settings::default() };
    let cases = [16, 64, 256].map(|bytes| Case::new("planted", Operation::Hash, bytes));
    let subjects = vec![subject("one", b"1"), subject("two", b"2")];
    let mut report = Experiment::new(subjects, settings).run(&cases, &mut |_| (), &AtomicBool::new(false));
    report.title = Some("A trial".to_owned());
    report
}

fn store(folder: &TempDir) -> Store {
    Store::create(&folder.path().join("new/folder/results.db")).unwrap()
}

#[test]
fn what_is_saved_is_loaded() {
    let folder = TempDir::new().unwrap();
    let mut store = store(&folder);
    let report = report();
    assert_eq!(report.samples.len(), 5);
    assert!(report.samples.iter().all(|row| row.ns_per_call.len() >= 12), "{:?}", report.samples);
    assert_eq!(report.skipped.len(), 1);
    let run = store.save(&report).unwrap();
    let path = store.path().to_owned();
    drop(store);

    let store = Store::open(&path).unwrap();
    assert_eq!(store.load(run).unwrap(), report);
    let [row] = &store.runs().unwrap()[..] else { panic!("one run") };
    assert_eq!((row.id, row.title.as_deref(), row.cells, row.complete), (run, Some("A trial"), 3, true));
    assert_eq!(
        (&row.cpu, row.started, &row.subjects[..]),
        (&report.host.cpu, report.host.started, &["one", "two"].map(String::from)[..])
    );
    assert_eq!(
        [run.to_string().as_str(), "latest", &row.identity[..8]].map(|name| store.find(name).unwrap()),
        [run; 3]
    );
    for name in ["99", "", "late", "1x", "-1"] {
        assert!(matches!(store.find(name), Err(StoreError::NoRun { .. })), "{name}");
    }
    assert!(matches!(store.load(99), Err(StoreError::NoRun { .. })));
}

#[test]
fn a_run_that_never_ended_has_its_cells() {
    let folder = TempDir::new().unwrap();
    let mut store = store(&folder);
    let report = report();
    let run = store.begin(&report, Some("text")).unwrap();
    let case = Case::new("planted", Operation::Hash, 16);
    let part = Report {
        results: report.results[..2].to_vec(),
        noise_floor: Some(0.25),
        ..Report::new(report.host.clone(), Vec::new())
    };
    // Interrupted, and then measured again: the second time counts.
    store.keep(run, &case, &Report { complete: false, ..part.clone() }).unwrap();
    assert_eq!(store.finished_cases(run).unwrap(), []);
    store.keep(run, &case, &part).unwrap();

    let loaded = Store::open(store.path()).unwrap().load(run).unwrap();
    assert_eq!((&loaded.results, loaded.noise_floor, loaded.complete), (&part.results, Some(0.25), false));
    assert_eq!(store.finished_cases(run).unwrap(), [case]);
    let unfinished = |text, threads| store.unfinished(text, &report.host.fingerprint, threads).unwrap();
    assert_eq!((unfinished("text", 1), unfinished("other", 1), unfinished("text", 2)), (Some(run), None, None));
    assert_eq!(store.experiment(run).unwrap().as_deref(), Some("text"));
}

#[test]
fn two_writers_and_a_reader_at_once() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("results.db");
    let report = report();
    // Both make it, and both write.
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut store = Store::create(&path).unwrap();
                for _ in 0..20 {
                    store.save(&report).unwrap();
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..20 {
                if let Ok(store) = Store::open(&path) {
                    let runs = store.runs().unwrap();
                    assert!(runs.iter().all(|run| store.load(run.id).unwrap().results == report.results));
                }
            }
        });
    });
    let store = Store::open(&path).unwrap();
    assert_eq!(store.runs().unwrap().len(), 40);
}

#[test]
fn runs_are_deleted_with_what_belongs_to_them() {
    let folder = TempDir::new().unwrap();
    let mut store = store(&folder);
    let report = report();
    let [first, second] = [&report, &report].map(|report| store.save(report).unwrap());
    store.delete(first).unwrap();
    assert!(matches!(store.delete(first), Err(StoreError::NoRun { .. })));
    assert_eq!(store.load(second).unwrap(), report);
    store.delete(second).unwrap();
    let path = store.path().to_owned();
    drop(store);
    let connection = rusqlite::Connection::open(path).unwrap();
    for table in ["hosts", "subjects", "runs", "entrants", "cells", "results", "ratios", "limits", "skips", "samples"] {
        let rows: i64 = connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 0, "{table}");
    }
}

#[test]
fn a_store_takes_over_another_one_once() {
    let [here, there] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let [mut mine, mut theirs] = [store(&here), store(&there)];
    let report = report();
    let other = Report { title: Some("Another".to_owned()), threads: 2, ..report.clone() };
    mine.save(&report).unwrap();
    theirs.save(&other).unwrap();
    theirs.save(&report).unwrap();
    assert_eq!(mine.merge(theirs.path()).unwrap(), Merged { added: 2, known: 0 });
    assert_eq!(mine.merge(theirs.path()).unwrap(), Merged { added: 0, known: 2 });
    assert_eq!([1, 2, 3].map(|run| mine.load(run).unwrap()), [report.clone(), other, report]);
    assert!(matches!(mine.merge(&here.path().join("none.db")), Err(StoreError::Missing { .. })));
}

#[test]
fn what_is_no_store_of_this_version_is_left_alone() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let both = |path: &Path| [Store::open(path), Store::create(path)].map(|opened| opened.err().unwrap().to_string());

    assert!(matches!(Store::open(&path("none.db")), Err(StoreError::Missing { .. })));
    std::fs::write(path("text"), "just a text that is long enough to be taken for a header").unwrap();
    assert!(both(&path("text")).iter().all(|error| error.contains("is not a store of Speedwell")));
    let connection = rusqlite::Connection::open(path("other.db")).unwrap();
    connection.execute_batch("CREATE TABLE contacts (name)").unwrap();
    assert!(both(&path("other.db")).iter().all(|error| error.contains("is not a store of Speedwell")));

    drop(Store::create(&path("newer.db")).unwrap());
    let connection = rusqlite::Connection::open(path("newer.db")).unwrap();
    connection.pragma_update(None, "user_version", 7).unwrap();
    for error in both(&path("newer.db")) {
        assert!(error.contains("has version 7, and this Speedwell knows up to 1: use a newer Speedwell"), "{error}");
    }
}

#[test]
fn a_full_disk_keeps_what_is_there() {
    let folder = TempDir::new().unwrap();
    let mut store = store(&folder);
    let mut report = report();
    let run = store.save(&report).unwrap();
    store.limit_pages(100).unwrap();
    report.samples[0].ns_per_call = vec![1.0; 100_000];
    let error = store.save(&report).unwrap_err();
    assert!(matches!(error, StoreError::Full { .. }), "{error}");
    assert_eq!(store.runs().unwrap().len(), 1);
    assert!(store.load(run).is_ok());
}

#[test]
#[cfg(unix)]
fn a_store_that_may_only_be_read_is_read() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let folder = TempDir::new().unwrap();
    let mut store = store(&folder);
    let report = report();
    let run = store.save(&report).unwrap();
    let path = store.path().to_owned();
    drop(store);
    let set = |path: &Path, mode| set_permissions(path, Permissions::from_mode(mode)).unwrap();
    set(&path, 0o444);
    set(path.parent().unwrap(), 0o555);
    // Root writes what it likes.
    if std::fs::File::create(path.with_extension("try")).is_err() {
        let error = Store::create(&path).err().unwrap();
        assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
    }
    let loaded = Store::open(&path).unwrap().load(run);
    set(path.parent().unwrap(), 0o755);
    assert_eq!(loaded.unwrap(), report);
}
