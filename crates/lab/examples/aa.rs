//! A subject against itself, run after run: how often the lab finds a difference that is none, and how wide its
//! intervals are. `cargo run --release -p speedwell-lab --example aa -- [ALGORITHM [RUNS [MILLISECONDS]]]`

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use speedwell_kernels::cpu::Cpu;
use speedwell_lab::algorithm::Algorithm;
use speedwell_lab::case::Case;
use speedwell_lab::experiment::{Experiment, Settings};
use speedwell_lab::statistics::Verdict;
use speedwell_lab::subjects::{Subject, kernel_subject};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "sha256".to_owned());
    let runs: u64 = arguments.next().map_or(20, |text| text.parse().expect("a number of runs"));
    let milliseconds: u64 = arguments.next().map_or(400, |text| text.parse().expect("milliseconds per cell"));

    let algorithm = Algorithm::named(&name).expect("an algorithm that the lab knows");
    let operation = algorithm.operations()[0];
    let primitive = algorithm.primitive(operation);
    let kernel = speedwell_kernels::all()
        .find(|kernel| Some(kernel.descriptor().primitive()) == primitive && kernel.missing(Cpu::host()).is_empty())
        .expect("a kernel that this processor can run");
    let cases = [16, 64, 256, 1024, 8192, 16384].map(|bytes| Case::new(&name, operation, bytes));

    let mut same_runs = 0;
    for seed in 1..=runs {
        let subjects: Vec<Box<dyn Subject>> =
            (0..2).map(|_| Box::new(kernel_subject(kernel, Cpu::host())) as Box<dyn Subject>).collect();
        let time_per_subject = Duration::from_millis(milliseconds);
        let settings = Settings { seed, time_per_subject, ..Settings::default() };
        let begin = Instant::now();
        let report = Experiment::new(subjects, settings).run(&cases, &mut |_| (), &AtomicBool::new(false));
        let same = report.ratios.iter().all(|row| row.verdict == Verdict::Same);
        same_runs += u32::from(same);
        print!(
            "{} {:4.1} s, floor {:.3} %:",
            if same { "same" } else { "DIFF" },
            begin.elapsed().as_secs_f64(),
            report.noise_floor.unwrap_or(f64::NAN) * 100.0
        );
        for row in &report.ratios {
            let half = (row.interval[1] - row.interval[0]) / 2.0;
            print!(
                "  {:+.3}±{:.3}{}",
                (row.ratio - 1.0) * 100.0,
                half * 100.0,
                if row.verdict == Verdict::Same { "" } else { "!" }
            );
        }
        println!();
        if seed == 1 {
            for row in &report.results[..] {
                println!(
                    "    {} {} B: {:.1} ns, {:.2} c/B, limit {:.3}, {} samples, {:?}",
                    row.subject,
                    row.bytes,
                    row.ns_per_call,
                    row.cycles_per_byte.unwrap_or(f64::NAN),
                    row.limit_fraction.unwrap_or(f64::NAN),
                    row.samples,
                    row.outliers
                );
            }
            println!("    {:?} GHz before, {:?} after", report.host.frequency_before, report.host.frequency_after);
        }
    }
    println!("{name}: same in {same_runs} of {runs} runs");
}
