//! A subject against itself, run after run: how often the lab finds a difference that is none, and how wide its
//! intervals are. Or other subjects against each other: `speedwell`, `kernel` (the first that this processor can run),
//! `openssl` (the system's).
//! `cargo run --release -p speedwell-lab --example aa -- [ALGORITHM [RUNS [MILLISECONDS [SUBJECT…]]]]`

use std::ffi::OsString;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use speedwell_kernels::cpu::Cpu;
use speedwell_lab::algorithm::Algorithm;
use speedwell_lab::case::Case;
use speedwell_lab::experiment::{Experiment, Settings};
use speedwell_lab::result::{Comparison, Measurement, Report};
use speedwell_lab::statistics::Verdict;
use speedwell_lab::subjects::openssl::openssl_worker_main;
use speedwell_lab::subjects::worker::{Command, Worker};
use speedwell_lab::subjects::{Subject, kernel_subject, library_subject};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "sha256".to_owned());
    if name == "worker" {
        return openssl_worker_main(None).expect("the lab is there");
    }
    let runs: u64 = arguments.next().map_or(20, |text| text.parse().expect("a number of runs"));
    let milliseconds: u64 = arguments.next().map_or(400, |text| text.parse().expect("milliseconds per cell"));
    let mut subjects: Vec<String> = arguments.collect();
    if subjects.is_empty() {
        subjects = vec!["speedwell".to_owned(); 2];
    }

    let algorithm = Algorithm::named(&name).expect("an algorithm that the lab knows");
    let operation = algorithm.operations()[0];
    let cases = [16, 64, 256, 1024, 8192, 16384].map(|bytes| Case::new(&name, operation, bytes));
    let mut same_runs = 0;
    for seed in 1..=runs {
        let time_per_subject = Duration::from_millis(milliseconds);
        let settings = Settings { seed, time_per_subject, ..Settings::default() };
        let begin = Instant::now();
        let subjects = subjects.iter().map(|subject| make(subject, algorithm.primitive(operation))).collect();
        let report = Experiment::new(subjects, settings).run(&cases, &mut |_| (), &AtomicBool::new(false));
        same_runs += u32::from(report.ratios.iter().all(|row| row.verdict == Verdict::Same));
        if seed == 1 {
            introduce(&report);
        }
        let floor = report.noise_floor.unwrap_or(f64::NAN) * 100.0;
        print!("{:4.1} s, floor {floor:.3} %:", begin.elapsed().as_secs_f64());
        report.ratios.iter().for_each(print_ratio);
        println!();
    }
    println!("{name}: same in {same_runs} of {runs} runs");
}

fn make(subject: &str, primitive: Option<&str>) -> Box<dyn Subject> {
    if subject == "openssl" {
        let program = std::env::current_exe().expect("this program's path");
        return Box::new(Worker::start(Command::new(program, [OsString::from("worker")])).expect("a libcrypto"));
    }
    if subject == "speedwell" {
        return Box::new(library_subject());
    }
    let kernel = speedwell_kernels::all()
        .filter(|kernel| Some(kernel.descriptor().primitive()) == primitive)
        .find(|kernel| kernel.missing(Cpu::host()).is_empty())
        .expect("a kernel that this processor can run");
    Box::new(kernel_subject(kernel, Cpu::host()))
}

fn introduce(report: &Report) {
    let Report { host, results, skipped, .. } = report;
    println!("{}, {:?} GHz, then {:?}", host.microarchitecture, host.frequency_before, host.frequency_after);
    for Measurement { subject, bytes, ns_per_call, cycles_per_byte, limit_fraction, samples, outliers, .. } in results {
        let (cycles, fraction) = (cycles_per_byte.unwrap_or(f64::NAN), limit_fraction.unwrap_or(f64::NAN));
        print!("{subject:32} {bytes:6} B {ns_per_call:10.1} ns {cycles:7.3} c/B {fraction:6.3} of the limit ");
        println!("{samples:6} samples, {} low and {} high outliers", outliers.low, outliers.high);
    }
    skipped.iter().for_each(|row| println!("{} skipped: {}", row.subject, row.why));
}

fn print_ratio(row: &Comparison) {
    let [difference, half] = [row.ratio - 1.0, (row.interval[1] - row.interval[0]) / 2.0].map(|part| part * 100.0);
    let mark = if row.verdict == Verdict::Same { ' ' } else { '!' };
    print!(" {difference:+7.3}±{half:.3}{mark}");
}
