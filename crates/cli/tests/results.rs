//! `speedwell run` and `speedwell results`: what is measured is kept, whatever happens meanwhile, and comes out again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A folder with a store and an experiment.
struct Place(TempDir);

const EXPERIMENT: &str = "title = 'A trial'
subjects = ['speedwell', 'speedwell']
baseline = 'speedwell'
algorithms = ['sha256', 'md5', 'aes-128-ctr']
sizes = [16, 64, 1024]
seconds = 0.01
";

impl Place {
    fn new() -> Place {
        let place = Place(TempDir::new().unwrap());
        fs::write(place.path("trial.toml"), EXPERIMENT).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn speedwell(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_speedwell"));
        command.args(arguments).current_dir(self.0.path()).env("SPEEDWELL_STORE", "results.db");
        command.env_remove("SPEEDWELL_FORCE").env_remove("SPEEDWELL_CPU");
        command
    }

    fn output(&self, arguments: &[&str]) -> Output {
        self.speedwell(arguments).output().unwrap()
    }

    /// What a command that succeeds prints.
    fn text(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The exit code of a command that does not succeed, and what it says.
    fn error(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.output(arguments);
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.text(arguments)).unwrap()
    }

    fn runs(&self) -> Vec<Value> {
        self.json(&["results", "list", "--json"]).as_array().unwrap().clone()
    }
}

fn sorted(rows: &Value, key: &[&str]) -> Vec<String> {
    let mut keys: Vec<String> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| key.iter().map(|name| row[name].to_string()).collect::<Vec<_>>().join(" "))
        .collect();
    keys.sort();
    keys
}

#[test]
fn an_experiment_is_run_kept_and_shown() {
    let place = Place::new();
    let text = place.text(&["run", "trial.toml"]);
    assert!(text.starts_with("A trial\n") && text.contains("times as fast as speedwell"), "{text}");
    let [run] = &place.runs()[..] else { panic!("one run") };
    assert_eq!((&run["cells"], &run["complete"], &run["title"]), (&9.into(), &true.into(), &"A trial".into()));
    let report = place.json(&["results", "show", "latest", "--json"]);
    assert_eq!(report["results"].as_array().unwrap().len(), 18);
    assert_eq!(report["baseline"], "speedwell");
    let ratios = report["ratios"].as_array().unwrap();
    assert!(ratios.iter().all(|row| row["versus"] == "speedwell" && row["subject"] == "speedwell#2"), "{ratios:?}");
    for row in report["samples"].as_array().unwrap() {
        assert!(row["ns_per_call"].as_array().unwrap().len() >= 12);
    }
    assert!(place.text(&["results", "show", "1"]).contains("noise floor"));
    assert!(place.text(&["results", "list"]).contains("speedwell speedwell#2"));

    // What was kept is complete: the same file again is a new run.
    place.text(&["run", "trial.toml"]);
    assert_eq!(place.runs().len(), 2);
    place.text(&["results", "delete", "1"]);
    assert_eq!(place.runs()[0]["id"], 2);
}

/// A command that runs, and does not outlive the test.
struct Running(Child);

impl Running {
    /// Starts a command and waits until the last run of so many has kept some of its cells.
    fn start(place: &Place, arguments: &[&str], runs: usize) -> Running {
        let mut command = place.speedwell(arguments);
        let running = Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let begin = Instant::now();
        loop {
            let list = place.output(&["results", "list", "--json"]);
            let list: Value = serde_json::from_slice(&list.stdout).unwrap_or_default();
            let kept = list[runs - 1]["cells"].as_u64();
            if kept.is_some_and(|cells| cells >= 2) {
                assert!(kept < Some(8), "it was too fast to be looked at: {list}");
                return running;
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "it never kept anything: {list}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn code(&mut self) -> Option<i32> {
        self.0.wait().unwrap().code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // SIGKILL; one that has ended does not mind.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The experiment with enough time for a look at it.
fn slowly(place: &Place) {
    fs::write(place.path("trial.toml"), EXPERIMENT.replace("0.01", "0.2")).unwrap();
}

#[test]
#[cfg(unix)]
fn a_killed_run_has_its_cells_and_is_gone_on_with() {
    let place = Place::new();
    slowly(&place);
    drop(Running::start(&place, &["run", "trial.toml"], 1));
    let before = place.json(&["results", "show", "1", "--json"]);
    let kept = before["results"].as_array().unwrap().clone();
    assert!(kept.len() >= 4, "{kept:?}");
    assert_eq!(before["complete"], false);
    assert!(place.text(&["results", "list"]).contains("incomplete"));

    let output = place.output(&["run", "trial.toml"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.contains("going on with run 1"), "{said}");
    assert_eq!(place.runs().len(), 1);
    let after = place.json(&["results", "show", "1", "--json"]);
    assert_eq!((&after["complete"], after["results"].as_array().unwrap().len()), (&true.into(), 18));
    assert_eq!(after["host"]["started"], before["host"]["started"]);
    for row in kept {
        assert!(after["results"].as_array().unwrap().contains(&row), "it was measured again: {row}");
    }
    let key = ["algorithm", "operation", "bytes", "subject"];
    let mut once = sorted(&after["results"], &key);
    once.dedup();
    assert_eq!(once.len(), 18);
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_is_gone_on_with_by_its_number_and_not_twice_at_once() {
    let place = Place::new();
    slowly(&place);
    let mut first = Running::start(&place, &["run", "trial.toml"], 1);
    // While it runs, another one of the same file is a run of its own.
    let other = place.output(&["run", "trial.toml"]);
    assert!(String::from_utf8_lossy(&other.stderr).contains("another process goes on with run 1: this is a new one"));
    assert_eq!(first.code(), Some(0));
    let runs = place.runs();
    assert!(runs.len() == 2 && runs.iter().all(|run| run["complete"] == true && run["cells"] == 9), "{runs:?}");

    let mut third = Running::start(&place, &["run", "trial.toml", "--fresh"], 3);
    Command::new("kill").args(["-INT", &third.0.id().to_string()]).status().unwrap();
    assert_eq!(third.code(), Some(1));
    assert_eq!(place.runs()[2]["complete"], false);
    place.text(&["run", "--resume", "3"]);
    assert_eq!((&place.runs()[2]["complete"], &place.runs()[2]["cells"]), (&true.into(), &9.into()));
}

#[test]
fn two_runs_write_at_once() {
    let place = Place::new();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| place.text(&["speed", "md5", "--bytes", "16,64,256", "--seconds", "0.05", "--save"]));
        }
    });
    let runs = place.runs();
    assert!(runs.len() == 2 && runs.iter().all(|run| run["complete"] == true && run["cells"] == 3), "{runs:?}");
}

#[test]
fn compare_says_what_became_slower_by_its_exit_code() {
    let place = Place::new();
    let report = place.text(&["speed", "md5", "sha256", "--bytes", "64,1024", "--seconds", "0.02", "--json"]);
    fs::write(place.path("before.json"), &report).unwrap();
    let mut slower: Value = serde_json::from_str(&report).unwrap();
    for row in slower["results"].as_array_mut().unwrap() {
        if row["algorithm"] == "md5" && row["bytes"] == 64 {
            for name in ["bytes_per_second", "ns_per_call"] {
                let factor = if name == "ns_per_call" { 1.2 } else { 1.0 / 1.2 };
                row[name] = (row[name].as_f64().unwrap() * factor).into();
            }
            for end in 0..2 {
                row["interval"][end] = (row["interval"][end].as_f64().unwrap() / 1.2).into();
            }
        }
    }
    fs::write(place.path("after.json"), slower.to_string()).unwrap();
    let code = |arguments: &[&str]| place.output(&[&["results", "compare"], arguments].concat()).status.code();
    assert_eq!(code(&["before.json", "before.json"]), Some(0));
    assert_eq!(code(&["before.json", "after.json"]), Some(1));
    assert_eq!(code(&["after.json", "before.json"]), Some(0));
    assert_eq!(code(&["before.json", "after.json", "--threshold", "60%"]), Some(0));
    assert_eq!(code(&["before.json", "after.json", "--threshold", "much"]), Some(2));
    let output = place.output(&["results", "compare", "before.json", "after.json", "--json"]);
    let changes: Value = serde_json::from_slice(&output.stdout).unwrap();
    let beyond: Vec<&Value> =
        changes["changes"].as_array().unwrap().iter().filter(|row| row["beyond"] == true).collect();
    assert_eq!(beyond.len(), 1, "{changes}");
    assert_eq!((&beyond[0]["algorithm"], &beyond[0]["bytes"]), (&"md5".into(), &64.into()));
    let (code, said) = place.error(&["results", "compare", "before.json", "1"]);
    assert!(code == 1 && said.contains("there is no store at results.db"), "{said}");
    fs::write(place.path("broken.json"), &report[..report.len() / 2]).unwrap();
    let (code, said) = place.error(&["results", "show", "broken.json"]);
    assert!(code == 1 && said.contains("broken.json, line ") && said.contains("cut off"), "{said}");
    let (code, said) = place.error(&["results", "show", "none.json"]);
    assert!(code == 1 && said.contains("none.json"), "{said}");
}

#[test]
fn exports_are_read_back() {
    let place = Place::new();
    place.text(&[
        "speed",
        "md5",
        "aes-128-ecb",
        "--bytes",
        "24,64",
        "--seconds",
        "0.01",
        "--vs",
        "speedwell",
        "--save",
    ]);
    let report = place.json(&["results", "show", "1", "--json"]);
    let results = report["results"].as_array().unwrap();
    let export = |arguments: &[&str]| place.text(&[&["results", "export", "1"], arguments].concat());

    let lines = export(&["--samples"]);
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| rows.iter().filter(|row| row["type"] == kind).count();
    assert_eq!((of("result"), of("samples"), of("skipped")), (results.len(), results.len(), 4));
    assert!(!export(&[]).contains("\"samples\",") && !export(&[]).contains("\"type\":\"samples\""));

    let values = export(&["--format", "csv"]);
    let mut values = values.lines();
    let columns = values.next().unwrap().split(',').count();
    let records: Vec<&str> = values.collect();
    assert_eq!((columns, records.len()), (26, results.len()));
    assert!(records.iter().all(|record| record.contains("\"speed md5 aes-128-ecb --bytes 24,64")), "{records:?}");

    let rounds = export(&["--format", "csv", "--samples"]);
    let taken: usize =
        report["samples"].as_array().unwrap().iter().map(|row| row["ns_per_call"].as_array().unwrap().len()).sum();
    assert_eq!(rounds.lines().count(), taken + 1);

    let xml = export(&["--format", "junit"]);
    assert!(xml.starts_with("<?xml") && xml.ends_with("</testsuites>\n"));
    assert_eq!(xml.matches("<testcase ").count(), results.len() + 4);
    assert!(
        xml.contains(&format!("tests=\"{}\" failures=\"0\" errors=\"0\" skipped=\"4\"", results.len() + 4)),
        "{xml}"
    );

    let bencher: Value = serde_json::from_str(&export(&["--format", "bencher"])).unwrap();
    let latency = &bencher["speedwell#2 md5 64 bytes"]["latency"];
    let [low, value, high] = ["lower_value", "value", "upper_value"].map(|name| latency[name].as_f64().unwrap());
    assert!(0.0 < low && low <= value && value <= high, "{bencher}");

    // The writer's own tests read what is in it.
    place.text(&["results", "export", "1", "--format", "parquet", "-o", "results.parquet"]);
    let file = fs::read(place.path("results.parquet")).unwrap();
    assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1") && file.len() > 2000);
    let (code, said) = place.error(&["results", "export", "1", "1", "--format", "bencher"]);
    assert!(code == 2 && said.contains("one run at a time"), "{said}");
    let (code, said) = place.error(&["results", "export", "1", "-o", "no/such/folder"]);
    assert!(code == 1 && said.contains("cannot write no/such/folder"), "{said}");
}

#[test]
fn stores_are_merged() {
    let place = Place::new();
    let speed = ["speed", "md5", "--bytes", "16", "--seconds", "0.01", "--save"];
    place.text(&speed);
    place.text(&[&speed[..], &["--store", "other.db"]].concat());
    assert_eq!(place.text(&["results", "merge", "other.db"]), "other.db: 1 runs added, 0 known\n");
    assert_eq!(place.text(&["results", "merge", "other.db"]), "other.db: 0 runs added, 1 known\n");
    assert_eq!(place.runs().len(), 2);
    let (code, said) = place.error(&["results", "merge", "trial.toml"]);
    assert!(code == 1 && said.contains("trial.toml is not a store of Speedwell"), "{said}");
    let (code, said) = place.error(&["results", "delete", "9"]);
    assert!(code == 1 && said.contains("has no run '9'; `speedwell results list`"), "{said}");
}

#[test]
fn a_store_that_fails_does_not_take_the_figures_along() {
    let place = Place::new();
    // It cannot even be made: nothing has been measured yet, and nothing is.
    let (code, said) = place.error(&["speed", "md5", "--save", "--store", "/proc/results.db"]);
    assert!(code == 1 && said.contains("/proc/results.db"), "{said}");
    if cfg!(unix) {
        // A file may grow to 100 blocks of 512 bytes, and the disk is full: what was measured is printed.
        let script = format!(
            "trap '' XFSZ; ulimit -f 300; exec {} speed md5 sha256 --seconds 0.3 --vs speedwell --save",
            env!("CARGO_BIN_EXE_speedwell")
        );
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(place.0.path()).env("SPEEDWELL_STORE", "small.db");
        let output = shell.output().unwrap();
        let (said, text) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("small.db") && said.contains("is printed and not kept"), "{said}");
        assert!(text.contains(" sha256 ") && text.contains("16384 B"), "{text}");
        assert!(!place.text(&["results", "list", "--store", "small.db"]).is_empty());
    }
}

#[test]
fn a_broken_experiment_says_where() {
    let place = Place::new();
    let error = |text: &str| {
        fs::write(place.path("broken.toml"), text).unwrap();
        place.error(&["run", "broken.toml"])
    };
    let (code, said) = error("title = 'A'\nsubjects = ['speedwell']\nalgorithms = ['md5', 'md6']\n");
    assert_eq!(code, 2);
    assert!(
        said.contains("broken.toml: line 3, key 'algorithms': unknown algorithm 'md6'; did you mean 'md5'?"),
        "{said}"
    );
    let (code, said) = error("title = 'A'\n\nsubjects = ['speedwel']\nalgorithms = ['md5']\n");
    assert_eq!(code, 2);
    assert!(said.contains("broken.toml: line 3, key 'subjects': unknown subject 'speedwel'"), "{said}");
    let (code, said) = error("title = 'A'\nkernels = ['x86_64_magic']\nalgorithms = ['md5']\n");
    assert!(code == 2 && said.contains("line 2, key 'kernels': unknown kernel 'x86_64_magic'"), "{said}");
    let (code, said) = error("title = 'A'\nsubjects = ['speedwell']\nbaseline = 'openssl'\nalgorithms = ['md5']\n");
    assert!(
        code == 2 && said.contains("line 3, key 'baseline': 'openssl' means none or several of the subjects"),
        "{said}"
    );
    let (code, said) = error("title = 'A'\nalgorithms = ['md5']\n[[build]]\nsource = 'nowhere'\n");
    assert!(code == 1 && said.contains("nowhere"), "{said}");
    let (code, said) = place.error(&["run", "none.toml"]);
    assert!(code == 1 && said.contains("cannot read none.toml"), "{said}");
    assert!(place.runs().is_empty());
}

#[test]
fn the_experiments_that_come_along_are_well_formed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut found = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = fs::read_to_string(&path).unwrap();
            let read = speedwell_lab::experiment::Description::parse(&text);
            assert!(read.is_ok_and(|description| !description.cases.is_empty()), "{}", path.display());
            found += 1;
        }
    }
    assert!(found >= 5);
}
