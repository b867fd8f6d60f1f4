//! Import, report and recommend as their users meet them; the page in a real browser, where there is one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn fixture(name: &str) -> String {
    format!("{}/../lab/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn speedwell(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_speedwell"));
    let variables = ["SPEEDWELL_FORCE", "SPEEDWELL_CPU", "SPEEDWELL_PROFILE", "SPEEDWELL_STORE"];
    for variable in variables {
        command.env_remove(variable);
    }
    command.args(arguments).stdin(Stdio::null()).output().expect("the command runs")
}

fn text(arguments: &[&str]) -> String {
    let output = speedwell(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn error(arguments: &[&str]) -> String {
    let output = speedwell(arguments);
    assert!(!output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

/// A page with runs of each kind.
fn page(folder: &Path) -> PathBuf {
    let run = folder.join("run.json");
    let measured =
        text(&["speed", "sha256", "rsa-512", "--bytes", "16,1024", "--seconds", "0.01", "--kernel", "all", "--json"]);
    fs::write(&run, measured).unwrap();
    let page = folder.join("report.html");
    let (westmere, compilers) = (fixture("openssl-1.0.0d-westmere.txt"), fixture("openssl-0.9.7b-compilers.txt"));
    text(&["report", run.to_str().unwrap(), &westmere, &compilers, "-o", page.to_str().unwrap()]);
    page
}

#[test]
fn an_import_is_shown_or_written() {
    let westmere = fixture("openssl-1.0.0d-westmere.txt");
    let shown = text(&["import", &westmere]);
    assert!(shown.contains("How many times as fast as openssl-1.0.0d with asm"), "{shown}");
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("runs.jsonl");
    let (place, cells) = (place.to_str().unwrap(), fixture("aes-cells-2007.txt"));
    text(&[
        "import",
        &westmere,
        &cells,
        "--algorithm",
        "aes-128-ctr",
        "--bytes",
        "512",
        "--calls",
        "1000000",
        "-o",
        place,
    ]);
    assert_eq!(fs::read_to_string(place).unwrap().lines().count(), 4, "a document for each host");
    let advice = text(&["recommend", place]);
    assert!(advice.contains("use_openssl_aes + -O3: 1.045 × use_openssl_aes"), "{advice}");
    assert!(advice.contains("another host of these runs chooses otherwise"), "{advice}");
    assert!(text(&["recommend", place, "--format", "cpp"]).contains("#elif defined(HOST_"));
    assert!(text(&["recommend", place, "--format", "openssl-cnf"]).contains("default_properties = ?provider="));
    assert!(error(&["recommend", place, "--format", "profile"]).contains("name one run"));
}

#[test]
fn bad_input_says_what_is_wrong_and_where() {
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.txt");
    let whole = fs::read_to_string(fixture("openssl-1.0.0d-westmere.txt")).unwrap();
    fs::write(&cut, &whole[..whole.find("17276.04k").unwrap() + 20]).unwrap();
    let cut = cut.to_str().unwrap();
    for arguments in [&["import", cut][..], &["report", cut], &["recommend", cut]] {
        let error = error(arguments);
        assert!(error.contains("cut.txt, line 9: cut off: the row of 'des ede3'"), "{error}");
    }
    let nothing = fixture("../../Cargo.toml");
    assert!(error(&["import", &nothing]).contains("no results found; known are tables of `openssl speed`"));
    assert!(error(&["import", "no/such/file"]).contains("cannot read no/such/file"));
    let empty = folder.path().join("empty.db");
    assert!(error(&["report", "17", "--store", empty.to_str().unwrap()]).contains("empty.db"));
    let westmere = fixture("openssl-1.0.0d-westmere.txt");
    let baseline = error(&["report", &westmere, "--baseline", "libressl"]);
    assert!(baseline.contains("no run has a subject 'libressl'") && baseline.contains("with asm"), "{baseline}");
    let place = folder.path().join("no/such/folder/page.html");
    assert!(error(&["report", &westmere, "-o", place.to_str().unwrap()]).contains("cannot write"));
    assert!(error(&["import", &westmere, "--algorithm", "aes-128-crt"]).contains("did you mean"));
}

#[test]
fn a_foreign_profile_is_ignored_and_said_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("profile");
    fs::write(&path, "fingerprint\tAuthenticAMD-17-31-0/x\nbuild\t0.0.1\n").unwrap();
    let run = |path: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_speedwell"));
        let output = command.args(["list", "sha256"]).env("SPEEDWELL_PROFILE", path).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let warning = run(&path);
    assert!(warning.contains("SPEEDWELL_PROFILE is ignored: measured on AuthenticAMD-17-31-0/x"), "{warning}");
    assert!(run(&folder.path().join("none")).contains("is ignored"), "a missing file");
}

#[test]
fn tune_writes_a_profile_that_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("below/profile");
    let shown = text(&["tune", "--seconds", "1", "-o", path.to_str().unwrap()]);
    assert!(shown.contains("export SPEEDWELL_PROFILE="), "{shown}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_speedwell"));
    let output = command.args(["list", "--json", "sha256"]).env("SPEEDWELL_PROFILE", &path).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let primitive = &document["algorithms"][0]["primitives"][0];
    assert_eq!(primitive["reason"], "fastest in this host's profile");
    assert_eq!(primitive["measured"], "this host's profile");
    assert!(!primitive["kernels"][0]["measured"].as_array().unwrap().is_empty());
}

#[test]
fn figures_are_files_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("figures");
    text(&["report", &fixture("openssl-1.0.0d-westmere.txt"), "--svg", place.to_str().unwrap()]);
    for name in
        ["digests-overview", "md5-speedup", "md5-throughput", "aes-128-cbc-encrypt-heat", "rsa-1024-sign-speedup"]
    {
        let svg = fs::read_to_string(place.join(format!("{name}.svg"))).unwrap();
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{name}");
    }
}

#[test]
fn the_page_stands_alone() {
    let folder = tempfile::tempdir().unwrap();
    let html = fs::read_to_string(page(folder.path())).unwrap();
    for forbidden in ["http://", "https://", "src=", "@import", "url("] {
        let found = html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "").replace("img-src=", "");
        assert!(!found.contains(forbidden), "{forbidden}");
    }
    assert!(html.contains("default-src 'none'"));
    for id in ["advice", "speedups", "algorithms", "keys", "hosts", "reading"] {
        assert!(html.contains(&format!("<section id=\"{id}\"")), "{id}");
    }
    let opened = |tag: &str| html.matches(&format!("<{tag}")).count();
    for tag in ["table", "svg", "section", "figure", "article"] {
        assert_eq!(
            html.matches(&format!("</{tag}>")).count(),
            opened(&format!("{tag} ")) + html.matches(&format!("<{tag}>")).count(),
            "{tag}"
        );
    }
    assert_eq!(html.matches("role=\"img\" aria-label=").count(), opened("svg "), "every figure says what it shows");
}

/// Clicks as people do, and then tells what is left on the page.
const CLICKS: &str = r##"<script>addEventListener("load", () => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.offsetParent !== null).length;
  const before = shown(".card[data-topic]");
  const search = document.getElementById("search");
  search.value = "aes 128";
  search.dispatchEvent(new Event("input"));
  const searched = shown(".card[data-topic]");
  const box = document.querySelector("input[name=subject][value$='without asm']");
  box.click();
  const rows = shown("#algorithms tr[data-subject$='without asm']");
  const bars = [...document.querySelectorAll(`svg [fill="${box.dataset.colour}"]`)].filter((one) => getComputedStyle(one).display !== "none").length;
  document.querySelector("#advice th button").click();
  const sorted = document.querySelector("#advice th").getAttribute("aria-sort");
  document.getElementById("theme").click();
  const theme = document.documentElement.dataset.theme;
  document.getElementById("reset").click();
  const after = shown(".card[data-topic]");
  search.value = "sha256";
  search.dispatchEvent(new Event("input"));
  const wide = document.documentElement.scrollWidth > innerWidth;
  document.body.dataset.outcome = [before, searched, rows, bars, sorted, theme, after, wide].join(" ");
});</script></body>"##;

#[test]
fn a_browser_filters_the_page() {
    let Some(browser) = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| runs(name)) else {
        return println!("skipped: there is no Chromium; `cargo xtask interop` installs it");
    };
    let folder = tempfile::tempdir().unwrap();
    let html = fs::read_to_string(page(folder.path())).unwrap().replace("</body>", CLICKS);
    let page = folder.path().join("clicked.html");
    fs::write(&page, html).unwrap();
    let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report.png");
    for (width, height) in [(390, 1600), (1280, 1600)] {
        let dom = open(browser, folder.path(), &page, &picture, &format!("{width},{height}"));
        let outcome = dom.split_once("data-outcome=\"").unwrap_or_else(|| panic!("no outcome: {dom}")).1;
        let outcome: Vec<&str> = outcome.split('"').next().unwrap().split(' ').collect();
        let [before, searched, rows, bars, sorted, theme, after, wide] = outcome[..] else { panic!("{outcome:?}") };
        let number = |text: &str| text.parse::<usize>().unwrap();
        assert!(number(searched) > 0 && number(searched) < number(before), "{outcome:?}");
        assert_eq!((rows, bars), ("0", "0"), "a subject that is hidden: {outcome:?}");
        assert_eq!((sorted, after), ("ascending", before), "{outcome:?}");
        assert!(["dark", "light"].contains(&theme), "{outcome:?}");
        assert_eq!(wide, "false", "the page is wider than its window of {width}: {outcome:?}");
    }
    assert!(fs::metadata(&picture).unwrap().len() > 10_000);
    println!("the screenshot is {}", picture.display());
}

fn runs(browser: &str) -> bool {
    Command::new(browser).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Opens a page, keeps a screenshot, and gives the document as it is after its scripts.
fn open(browser: &str, folder: &Path, page: &Path, picture: &Path, window: &str) -> String {
    let run = |action: &str| {
        let output = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"])
            .args(["--disable-background-networking", "--disable-component-update", "--hide-scrollbars"])
            .arg(format!("--user-data-dir={}", folder.join("browser").display()))
            .args([&format!("--window-size={window}"), action])
            .arg(format!("file://{}", page.display()))
            .output()
            .expect("the browser runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    run(&format!("--screenshot={}", picture.display()));
    run("--dump-dom")
}
