//! The command as its users meet it. What does not depend on the machine is compared with the transcripts in `cmd/`.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn speedwell(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_speedwell"));
    command.args(arguments).env_remove("SPEEDWELL_FORCE").env_remove("SPEEDWELL_CPU");
    command
}

fn output(arguments: &[&str]) -> Output {
    speedwell(arguments).output().expect("the command runs")
}

fn json(arguments: &[&str]) -> Value {
    let output = output(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("the output is one JSON document")
}

/// A run that is as short as a run can be: figures are not looked at, only that they are there.
const SHORT: [&str; 6] = ["speed", "sha256", "--bytes", "16,1024", "--seconds", "0.01"];

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}

#[test]
fn one_json_document() {
    let document = json(&[&SHORT[..], &["--json", "--vs", "speedwell"]].concat());
    for key in ["cpu", "microarchitecture", "fingerprint", "clock_resolution"] {
        assert!(!document["host"][key].is_null(), "host.{key}");
    }
    let results = document["results"].as_array().unwrap();
    assert_eq!(results.len(), 4, "two sizes, twice");
    for result in results {
        assert_eq!(result["algorithm"], "sha256");
        assert_eq!(result["operation"], "hash");
        assert!(result["kernel"].as_str().unwrap().starts_with("sha256.compress/"));
        assert!(result["bytes_per_second"].as_f64().unwrap() > 0.0);
        let [low, high] = [0, 1].map(|end| result["interval"][end].as_f64().unwrap());
        assert!(low <= high);
        assert!(result["samples"].as_u64().unwrap() > 0);
    }
    let ratios = document["ratios"].as_array().unwrap();
    assert_eq!(ratios.len(), 2);
    assert!(["faster", "slower", "same"].contains(&ratios[0]["verdict"].as_str().unwrap()));
    assert!(document["skipped"].as_array().unwrap().is_empty());
}

#[test]
fn json_lines_and_values_have_a_row_a_result() {
    let lines = output(&[&SHORT[..], &["--jsonl"]].concat());
    let types: Vec<String> = String::from_utf8(lines.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(types.iter().filter(|kind| *kind == "result").count(), 2, "{types:?}");
    assert_eq!(types.first().unwrap(), "host");
    assert_eq!(types.last().unwrap(), "end");

    let values = String::from_utf8(output(&[&SHORT[..], &["--csv"]].concat()).stdout).unwrap();
    let columns: Vec<usize> = values.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(columns, [19, 19, 19], "{values}");
}

#[test]
fn openssl_spellings_give_openssl_output() {
    let run =
        output(&["speed", "-evp", "AES-128-CBC", "-bytes", "8192", "-seconds", "0.01", "-decrypt", "-elapsed", "-mr"]);
    let text = String::from_utf8(run.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "+H:8192");
    let fields: Vec<&str> = lines[1].split(':').collect();
    assert_eq!(fields[..3], ["+F", "0", "aes-128-cbc"], "{text}");
    assert!(fields[3].parse::<f64>().unwrap() > 0.0);
}

#[test]
fn the_table_names_machine_kernel_and_ratio() {
    let run = output(&[&SHORT[..], &["--vs", "speedwell"]].concat());
    let text = String::from_utf8(run.stdout).unwrap();
    for part in ["noise floor", "GHz", "c/B", "ns/call", "of limit", "times as fast", "sha256"] {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "styles reach a pipe");
}

#[test]
fn a_masked_feature_and_a_force_make_another_kernel_run() {
    let kernel = |force: &str, mask: &str| {
        let run =
            speedwell(&["list", "--json", "sha256"]).env("SPEEDWELL_FORCE", force).env("SPEEDWELL_CPU", mask).output();
        let document: Value = serde_json::from_slice(&run.unwrap().stdout).unwrap();
        document["algorithms"][0]["primitives"][0]["chosen"][0]["kernel"].as_str().unwrap().to_owned()
    };
    assert_eq!(kernel("sha256.compress=portable", ""), "sha256.compress/portable");
    assert_eq!(kernel("", "-sha,-avx2"), "sha256.compress/portable");
}

#[test]
fn leaks_are_looked_for_in_whatever_is_timed() {
    let short = ["speed", "--leak", "aes-128-ctr", "--seconds", "0.05", "--json"];
    let output = output(&[&short[..], &["--kernel", "portable_bitslice64", "--vs", "speedwell"]].concat());
    let document: Value = serde_json::from_slice(&output.stdout).expect("the output is one JSON document");
    let rows = document["leaks"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{document}");
    assert_eq!(rows[0]["kernel"], "aes.ctr/portable_bitslice64");
    for row in rows {
        assert!(row["t"].is_f64() && row["weight_t"].is_f64() && row["samples"].as_u64() > Some(0), "{row}");
    }
}

#[test]
fn a_library_that_cannot_be_loaded_is_named() {
    for path in ["/no/such/libcrypto.so", env!("CARGO_MANIFEST_DIR")] {
        let run = output(&[&SHORT[..], &["--vs", &format!("openssl={path}")]].concat());
        let message = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{message}");
        assert!(message.contains(path) && message.contains("cannot compare with"), "{message}");
    }
}

/// A worker that answers wrongly is listed as wrong, is not timed, and makes the run fail; one that dies is a row.
#[cfg(unix)]
#[test]
fn a_wrong_worker_is_not_timed_and_a_dying_one_is_skipped() {
    let script = std::env::temp_dir().join(format!("speedwell-worker-{}", std::process::id()));
    let hello = r#"echo '{"hello":{"protocol":1,"facts":{"name":"planted","version":null,"build":null}}}'"#;
    let wrong =
        r#"echo '{"prepared":{"answer":{"length":32,"start":"00","checksum":"0000000000000000"},"kernel":null}}'"#;
    let run_with = |body: &str| {
        std::fs::write(&script, format!("{hello}\nwhile read request; do {body}; done\n")).unwrap();
        let worker = format!("worker=sh {}", script.display());
        output(&[&SHORT[..], &["--json", "--vs", &worker]].concat())
    };

    let run = run_with(wrong);
    assert_eq!(run.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&run.stderr).contains("wrong answers from planted"));
    let document: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert!(document["skipped"][0]["why"].as_str().unwrap().starts_with("wrong"), "{document:#}");
    assert!(document["results"].as_array().unwrap().iter().all(|result| result["subject"] == "speedwell"));

    let run = run_with("exit 3");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let document: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert!(document["skipped"][0]["why"].as_str().unwrap().contains("crashed"), "{document:#}");
    assert_eq!(document["results"].as_array().unwrap().len(), 2, "our own results are there");
    std::fs::remove_file(script).unwrap();
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = speedwell(&["list"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = speedwell(&["list"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
}

/// Ctrl-C prints what there is. On a busy machine there may be nothing yet: then it is pressed later.
#[cfg(unix)]
#[test]
fn an_interrupted_run_prints_what_it_has() {
    let interrupted_after = |seconds| -> Option<Value> {
        let child = speedwell(&["speed", "sha256", "md5", "--bytes", "16", "--seconds", "60", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(status.success());
        let document: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).ok()?;
        assert_eq!(document["complete"], false);
        (document["results"].as_array()?.len() == 1).then_some(document)
    };
    assert!([2, 5, 15].into_iter().find_map(interrupted_after).is_some(), "the cell under way is never printed");
}
