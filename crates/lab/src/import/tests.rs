use super::*;
use crate::result::Measurement;
use crate::statistics::Verdict;

const WESTMERE: &str = include_str!("../../tests/fixtures/openssl-1.0.0d-westmere.txt");
const COMPILERS: &str = include_str!("../../tests/fixtures/openssl-0.9.7b-compilers.txt");
const CELLS: &str = include_str!("../../tests/fixtures/aes-cells-2007.txt");
const THREE: &str = include_str!("../../tests/fixtures/openssl-3.0.19.txt");
const THREE_MR: &str = include_str!("../../tests/fixtures/openssl-3.0.19-mr.txt");
const THREE_FIVE: &str = include_str!("../../tests/fixtures/openssl-3.5.txt");
const PHORONIX: &str = include_str!("../../tests/fixtures/phoronix.xml");

fn read(text: &str) -> Vec<Imported> {
    import("posted.txt", text, &Hints::default()).unwrap()
}

fn error(text: &str) -> String {
    import("posted.txt", text, &Hints::default()).unwrap_err().to_string()
}

fn row<'a>(report: &'a Report, subject: &str, algorithm: &str, operation: Operation, bytes: usize) -> &'a Measurement {
    let wanted = |row: &&Measurement| {
        row.subject == subject && row.algorithm == algorithm && row.operation == operation && row.bytes == bytes
    };
    report.results.iter().find(wanted).unwrap_or_else(|| panic!("no {subject} {algorithm} {bytes}: {report:#?}"))
}

#[test]
fn asm_against_c_of_2011() {
    let [Imported { report, notes }] = &read(WESTMERE)[..] else { panic!("one host") };
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(report.host.cpu, "Westmere");
    let names: Vec<&str> = report.subjects.iter().map(|subject| subject.name.as_str()).collect();
    let [asm, c] = ["openssl-1.0.0d with asm", "openssl-1.0.0d without asm"];
    assert_eq!(names, [asm, c]);
    assert_eq!(report.results.len(), 2 * (19 * 5 + 4 * 2));
    let rate = |subject, algorithm, operation, bytes| {
        let row = row(report, subject, algorithm, operation, bytes);
        assert_eq!((row.samples, row.interval[0]), (0, row.interval[1]), "no interval is claimed");
        row.bytes_per_second.or(row.operations_per_second).unwrap()
    };
    let ratio =
        |algorithm, operation, bytes| rate(c, algorithm, operation, bytes) / rate(asm, algorithm, operation, bytes);
    for (algorithm, operation, bytes, expected) in [
        ("aes-128-cbc", Operation::Encrypt, 8192, 1.9662),
        ("rc4", Operation::Encrypt, 8192, 1.3945),
        ("rsa-1024", Operation::Sign, 0, 0.4059),
    ] {
        let ratio = ratio(algorithm, operation, bytes);
        assert!((ratio - expected).abs() < 1e-4, "{algorithm}: {ratio}");
    }
    assert_eq!(rate(asm, "hmac-md5", Operation::Mac, 16), 40_607_960.0);
    assert_eq!(rate(c, "whirlpool", Operation::Hash, 8192), 56_243_540.0);
}

#[test]
fn compilers_of_2003() {
    let [Imported { report, .. }] = &read(COMPILERS)[..] else { panic!("one document") };
    let find = |algorithm: &str, operation, subject: &str| {
        let wanted = |row: &&crate::result::Comparison| {
            row.algorithm == algorithm && row.operation == operation && row.subject == subject
        };
        report.ratios.iter().find(wanted).map(|row| (row.ratio, row.versus.as_str(), row.bytes, row.verdict))
    };
    let rc4 = Some((2.34, "gcc", 8192, Verdict::Unknown));
    assert_eq!(find("rc4", Operation::Encrypt, "oicc (cspec)"), rc4);
    assert_eq!(find("rc4", Operation::Encrypt, "oicc (nospec)"), rc4);
    assert_eq!(
        find("rsa-1024", Operation::Sign, "RedHat 7.2 stock (0.9.6b)"),
        Some((0.70, "gcc", 0, Verdict::Unknown))
    );
    assert_eq!(find("md2", Operation::Hash, "ecc"), Some((1.28, "gcc", 8192, Verdict::Unknown)));
    // "N/A" is no row.
    assert_eq!(find("aes-128-cbc", Operation::Encrypt, "RedHat 7.2 stock (0.9.6b)"), None);
    assert_eq!(report.ratios.len(), 15 * 4 - 3 + 14 * 4);
}

#[test]
fn cells_of_2007() {
    let hints = Hints { algorithm: "aes-128-ctr".to_owned(), bytes: 512, calls: 1_000_000, ..Hints::default() };
    let hosts = import("posted.txt", CELLS, &hints).unwrap();
    let cpus: Vec<&str> = hosts.iter().map(|host| host.report.host.cpu.as_str()).collect();
    assert_eq!(cpus, ["Intel Core 2 Duo E6700 (Catbus)", "Athlon XP 1700+ (Totoro)", "1.33 GHz G4 (Kushana)"]);
    let seconds = |host: usize, subject: &str| {
        let row = row(&hosts[host].report, subject, "aes-128-ctr", Operation::Encrypt, 512);
        assert!(row.bytes_per_second.is_some());
        row.ns_per_call / 1e3
    };
    assert!((seconds(0, "builtin") - 7.4).abs() < 1e-9);
    assert!((seconds(0, "use_openssl_aes + -O3") - 4.4).abs() < 1e-9);
    assert!((seconds(0, "use_rijndael_counter_optimization + full unroll") - 6.8).abs() < 1e-9);
    assert!((seconds(1, "builtin") - 17.5).abs() < 1e-9, "a row without a unit has its block's");
    assert!((seconds(2, "use_openssl_aes, with 0.9.8e") - 12.0).abs() < 1e-9);
    assert_eq!([0, 1, 2].map(|host: usize| hosts[host].report.results.len()), [7, 10, 9]);
}

#[test]
fn openssl_of_today() {
    let [Imported { report, notes }] = &read(THREE)[..] else { panic!("one host") };
    assert_eq!(notes.len(), 1, "key agreement is no operation here: {notes:?}");
    assert_eq!(report.subjects.len(), 1, "two runs of one version are one subject");
    assert_eq!(report.subjects[0].name, "openssl-3.0.19");
    assert_eq!(report.subjects[0].version.as_deref(), Some("3.0.19"));
    assert!(report.subjects[0].build.as_ref().unwrap().contains("compiler: gcc -fPIC"));
    row(report, "openssl-3.0.19", "sha256", Operation::Hash, 64);
    row(report, "openssl-3.0.19", "rsa-512", Operation::Verify, 0);
    row(report, "openssl-3.0.19", "ed25519", Operation::Sign, 0);

    let [Imported { report, notes }] = &read(THREE_FIVE)[..] else { panic!("one host") };
    assert_eq!(row(report, "openssl-3.5.0", "rsa-2048", Operation::Decrypt, 0).operations_per_second, Some(1834.9));
    assert_eq!(row(report, "openssl-3.5.0", "ml-dsa-65", Operation::Sign, 0).operations_per_second, Some(3205.1));
    row(report, "openssl-3.5.0", "ml-kem-768", Operation::Generate, 0);
    assert_eq!(notes.len(), 2, "{notes:?}");
}

#[test]
fn machine_format_of_both_kinds() {
    let [Imported { report, notes }] = &read(THREE_MR)[..] else { panic!("one host") };
    assert_eq!(notes.len(), 1, "{notes:?}");
    row(report, "posted", "aes-128-gcm", Operation::Encrypt, 64);
    let rate = |algorithm, operation| row(report, "posted", algorithm, operation, 0).operations_per_second.unwrap();
    assert!(rate("rsa-512", Operation::Verify) > 10.0 * rate("rsa-512", Operation::Sign));
    assert!(rate("dsa-1024", Operation::Sign) > 1000.0);
    // Until 1.1.0 there were seconds.
    let old = read(
        "+F2:0:1024:0.000572:0.000029\n+F2:3:16384:2.351000:0.005400\n+H:16:8192\n+F:3:md5:25733550.00:522136230.00\n",
    );
    let rate =
        |algorithm, operation| row(&old[0].report, "posted", algorithm, operation, 0).operations_per_second.unwrap();
    assert_eq!(rate("rsa-1024", Operation::Sign).round(), 1748.0);
    assert_eq!(rate("rsa-16384", Operation::Verify).round(), 185.0);
}

#[test]
fn phoronix() {
    let hosts = read(PHORONIX);
    assert_eq!(hosts.len(), 2);
    assert_eq!(hosts[0].report.host.cpu, "AMD EPYC 9R14 (2 Cores)");
    assert_eq!(hosts[0].report.host.kernel.as_deref(), Some("6.1.0 (x86_64)"));
    let verify = row(&hosts[0].report, "openssl-3.1", "rsa-4096", Operation::Verify, 0);
    assert_eq!(verify.operations_per_second, Some(52345.6));
    assert_eq!(hosts[1].report.results.len(), 1, "what failed has no row");
    assert!(hosts[0].notes[0].contains("compress-7zip"), "{:?}", hosts[0].notes);
    let cut = PHORONIX.split_once("<RawString>5100000000").unwrap().0;
    let line = cut.lines().count();
    assert!(error(cut).contains(&format!("line {line}: cut off: the XML ends too early")), "{}", error(cut));
}

#[test]
fn our_own_json_goes_round() {
    let report = read(WESTMERE).remove(0).report;
    let line = serde_json::to_string(&report).unwrap();
    let pretty = serde_json::to_string_pretty(&report).unwrap();
    for text in [line.clone(), pretty.clone(), format!("{line}\n{line}\n"), format!("[{line},{line}]")] {
        assert!(read(&text).iter().all(|found| found.report == report));
    }
    assert_eq!(read(&format!("{line}\n{line}\n")).len(), 2);
    let lines = pretty.lines().count();
    let cut = pretty.rsplit_once('}').unwrap().0;
    assert!(error(cut).contains(&format!("line {lines}: cut off: the JSON ends too early")), "{}", error(cut));
    assert!(error("{\"type\":\"host\"}\n").contains("line of type 'end' is missing"));
    assert!(error("{\"results\": 3}").contains("line 1: not our JSON"), "{}", error("{\"results\": 3}"));
}

#[test]
fn text_around_tables_is_ignored() {
    let quoted: String = WESTMERE.lines().map(|line| format!("> {line}\n")).collect();
    let mail = format!(
        "Subject: speed\n\nI ran this. On my machine, it is slow: see for yourself.\n\n{quoted}\nWhat do you think?\n-- \nJoe"
    );
    assert_eq!(read(&mail)[0].report.results, read(WESTMERE)[0].report.results);
    assert!(error("Nothing to see here.\nasm: 1.5% faster\n").contains("no results found"));
    assert!(error("").contains("no results found"));
}

#[test]
fn what_is_cut_off_says_where() {
    for (line, kept, complaint) in [
        (9, "des ede3         17276.04k    17488.11k", "line 9: cut off: the row of 'des ede3' has 2 of 5 figures"),
        (9, "des ede3         17276.04k    17488.11k 1 1 17484.4", "the figure '1' of 'des ede3' is not complete"),
        (
            9,
            "des ede3         17276.04k    17488.11k    17485.82k    17500.50k    17484.46",
            "'17484.46' of 'des ede3'",
        ),
        (22, "", "line 2: cut off"),
        (
            23,
            "rsa 1024 bits 0.000572s 0.000029s   1749.3",
            "line 23: cut off: the row of 'rsa 1024 bits' has 3 of 4 figures",
        ),
        (23, "rsa 1024 bits 0.000572s 0.000029s   1749.3  342", "the figure '342'"),
        (9, "des ede", "line 9: cut off: the row of 'des ede' has no figures"),
    ] {
        if kept.is_empty() {
            continue;
        }
        let head: Vec<&str> = WESTMERE.lines().take(line - 1).chain([kept]).collect();
        let found = error(&head.join("\n"));
        assert!(found.contains(complaint), "{found}");
    }
    assert!(error("type             16 bytes     64 bytes\n").contains("line 1: cut off: the head of a table"));
    assert!(error("+H:16:64\n+F:0:md5:25733550.00\n").contains("line 2: cut off: the row of 'md5' has 1 of 2"));
    let head: Vec<&str> = COMPILERS.lines().take(4).chain(["md5 1.00x 1.13x"]).collect();
    assert!(
        error(&head.join("\n")).contains("line 5: cut off: the row of 'md5' has 2 of 5"),
        "{}",
        error(&head.join("\n"))
    );
    let head: Vec<&str> = CELLS.lines().take(4).chain(["  use_openssl_evp: 5."]).collect();
    assert!(error(&head.join("\n")).contains("line 5: cut off: the time '5.'"), "{}", error(&head.join("\n")));
}

#[test]
fn no_cut_of_a_text_panics() {
    for text in [WESTMERE, COMPILERS, CELLS, THREE_FIVE, THREE_MR, PHORONIX] {
        for end in (0..text.len()).step_by(13).filter(|end| text.is_char_boundary(*end)) {
            let _ = import("posted.txt", &text[..end], &Hints::default());
        }
    }
}
