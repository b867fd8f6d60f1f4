//! Runs a subject with every secret of every case and compares what happens.

use std::collections::BTreeSet;
use std::fmt;
use std::io;

use iced_x86::{FlowControl, Formatter, Instruction, IntelFormatter};
use speedwell_kernels::cpu::Cpu;

use crate::arena::ARENA;
use crate::locate::Program;
use crate::report::{CaseReport, Fault, Jump, Report, Run, Verdict};
use crate::rules::{Permitted, depends_on_operands};
use crate::stepper::Recording;
use crate::subject::Subject;
use crate::trace::{Difference, DifferenceKind, Disassembly, Trace};

/// Why nothing was found out.
#[derive(Debug)]
pub enum ExamineError {
    /// The system delivers no single steps.
    NoSteps(String),
    /// The system refuses something else that is needed.
    System(io::Error),
    /// A run ended by a signal or a panic.
    Died {
        /// The case.
        case: String,
        /// The secret.
        secret: String,
    },
    /// A recording could not be read.
    Unreadable(String),
}

impl fmt::Display for ExamineError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExamineError::NoSteps(why) => write!(formatter, "the system does not deliver single steps: {why}"),
            ExamineError::System(error) => error.fmt(formatter),
            ExamineError::Died { case, secret } => {
                write!(formatter, "the run over {case} with the secret '{secret}' died")
            }
            ExamineError::Unreadable(why) => write!(formatter, "cannot read a recording: {why}"),
        }
    }
}

impl std::error::Error for ExamineError {}

impl From<io::Error> for ExamineError {
    fn from(error: io::Error) -> Self {
        ExamineError::System(error)
    }
}

/// Examines subjects, one after the other.
pub struct Examiner {
    recording: Recording,
    program: Program,
    /// Of each case's secrets, so many at most.
    most_secrets: usize,
}

impl Examiner {
    /// An examiner that runs each case with at most `most_secrets` secrets.
    ///
    /// # Errors
    /// [`ExamineError::NoSteps`] if this system cannot be used.
    pub fn new(most_secrets: usize) -> Result<Examiner, ExamineError> {
        // What the first call of each of these finds out stays in the process: every run is to find it there.
        Cpu::host();
        let mut recording = Recording::new()?;
        in_child(|| {
            recording.record(&mut || {
                let _ = std::hint::black_box(7u64).count_ones();
            })
        })
        .map_err(|why| ExamineError::NoSteps(why.to_string()))?;
        let steps = recording.steps().len();
        if steps < 5 {
            return Err(ExamineError::NoSteps(format!("a call had {steps} of them")));
        }
        Ok(Examiner { recording, program: Program::running(), most_secrets })
    }

    /// Runs every case with every secret; stops at the first difference.
    ///
    /// # Errors
    /// If a run dies or its recording makes no sense.
    pub fn examine(&mut self, subject: &dyn Subject) -> Result<Report, ExamineError> {
        let mut disassembly = Disassembly::default();
        let mut cases = Vec::new();
        let mut faults = Vec::new();
        for (index, case) in subject.cases().into_iter().enumerate() {
            let secrets = subject.secrets(index);
            // Fewer than there are: spread over the list, which begins with the special ones.
            let stride = secrets.len().div_ceil(self.most_secrets).max(1);
            let secrets: Vec<_> = secrets.into_iter().step_by(stride).collect();
            // Everything that is done once in the life of a process is done here, before the runs are forked.
            if let Some(first) = secrets.first() {
                subject.set_up(index, &first.bytes)();
            }
            let mut reference: Option<Trace> = None;
            for secret in &secrets {
                let died = || ExamineError::Died { case: case.clone(), secret: secret.name.clone() };
                self.recording.clear();
                let recording = &mut self.recording;
                in_child(|| {
                    ARENA.enter();
                    let mut work = subject.set_up(index, &secret.bytes);
                    recording.record(&mut *work)
                })
                .map_err(|_| died())?;
                let trace = disassembly.trace(&self.recording).map_err(ExamineError::Unreadable)?;
                let Some(reference) = &reference else {
                    reference = Some(trace);
                    continue;
                };
                if let Some(difference) = reference.difference(&trace) {
                    let names = [secrets[0].name.as_str(), secret.name.as_str()];
                    faults.push(self.difference_fault(&disassembly, difference, &case, names));
                    break;
                }
            }
            let instructions = reference.map_or(0, |trace| trace.instructions.len());
            cases.push(CaseReport { case, secrets: secrets.len(), instructions });
            if !faults.is_empty() {
                break;
            }
        }
        faults.extend(self.broken_rules(subject, &disassembly));
        let verdict = if faults.is_empty() { Verdict::Constant } else { Verdict::Refuted };
        let cpu = Cpu::host().identity().brand.trim().to_owned();
        Ok(Report { name: subject.name().to_owned(), cpu, verdict, cases, jumps: self.jumps(&disassembly), faults })
    }

    fn difference_fault(
        &self,
        disassembly: &Disassembly,
        difference: Difference,
        case: &str,
        secrets: [&str; 2],
    ) -> Fault {
        let what = match difference.kind {
            DifferenceKind::Next => "which instruction comes next depends on the secret",
            DifferenceKind::Memory => "which memory is touched depends on the secret",
        };
        let runs = secrets.into_iter().zip([difference.first, difference.second]).map(|(secret, address)| Run {
            secret: secret.to_owned(),
            address: address.map_or_else(
                || "none".to_owned(),
                |address| match difference.kind {
                    DifferenceKind::Next => format!("{:#x}", self.program.relative(address)),
                    DifferenceKind::Memory => format!("{address:#x}"),
                },
            ),
        });
        let instruction = disassembly.instruction(difference.instruction).copied().unwrap_or_default();
        Fault { case: Some(case.to_owned()), runs: runs.collect(), ..self.fault(&instruction, what.to_owned()) }
    }

    /// The instructions that break a rule: each place once.
    fn broken_rules(&self, subject: &dyn Subject, disassembly: &Disassembly) -> Vec<Fault> {
        let permitted = subject.instruction_sets().map(Permitted::new);
        let mut seen = BTreeSet::new();
        let mut faults = Vec::new();
        for instruction in disassembly.executed() {
            // A library of the system chooses its instructions for this processor itself.
            let lacks = match &permitted {
                Some(permitted) if self.program.contains(instruction.ip()) => permitted.lacks(instruction),
                _ => Vec::new(),
            };
            let mut what = Vec::new();
            if !lacks.is_empty() {
                what.push(format!("an instruction of {}, which the kernel does not declare", lacks.join(" ")));
            }
            if subject.claims_constant() {
                what.extend(depends_on_operands(instruction).map(str::to_owned));
            }
            for what in what {
                let fault = self.fault(instruction, what);
                if seen.insert((fault.what.clone(), fault.place.clone())) {
                    faults.push(fault);
                }
            }
        }
        faults
    }

    fn jumps(&self, disassembly: &Disassembly) -> Vec<Jump> {
        let conditional = disassembly.executed().into_iter().filter(|instruction| {
            instruction.flow_control() == FlowControl::ConditionalBranch && self.program.contains(instruction.ip())
        });
        let lines = self.program.lines(conditional.map(|instruction| instruction.ip()));
        lines.into_iter().map(|(place, jumps)| Jump { place, jumps }).collect()
    }

    fn fault(&self, instruction: &Instruction, what: String) -> Fault {
        let place = self.program.place(instruction.ip());
        let mut text = String::new();
        // Addresses of code are told as the program's file has them.
        let mut relative = *instruction;
        let near = relative.near_branch_target();
        if near != 0 {
            relative.set_near_branch64(self.program.relative(near));
        }
        IntelFormatter::new().format(&relative, &mut text);
        Fault { what, instruction: text, function: place.functions, place: place.line, case: None, runs: Vec::new() }
    }
}

/// Runs `work` in a copy of this process and waits for its end.
fn in_child(work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    // SAFETY: the harness has one thread, so that the copy is whole; it leaves by `_exit`, which runs nothing of the
    // parent's.
    unsafe {
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
                libc::_exit(if matches!(result, Ok(Ok(()))) { 0 } else { 1 })
            }
            child => {
                let mut status = 0;
                if libc::waitpid(child, &mut status, 0) != child {
                    return Err(io::Error::last_os_error());
                }
                if status == 0 {
                    Ok(())
                } else {
                    Err(io::Error::other(format!("the run ended with status {status:#x}")))
                }
            }
        }
    }
}
