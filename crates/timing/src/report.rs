//! What an examination finds, in the form of the records.

use serde::{Deserialize, Serialize};

/// The findings on one subject.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Report {
    /// The kernel's name, or that of an operation or control.
    pub name: String,
    /// The processor that ran it, or the emulator, by the name that it gives itself.
    pub cpu: String,
    /// What was found.
    pub verdict: Verdict,
    /// How it was run.
    pub cases: Vec<CaseReport>,
    /// The conditional jumps that were executed, by place, with how many of them are there.
    pub jumps: Vec<Jump>,
    /// What refutes the claim: where two traces part, or an instruction that breaks a rule.
    pub faults: Vec<Fault>,
}

/// What the traces say.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No two secrets made a difference, and every instruction keeps to the rules.
    Constant,
    /// Something did.
    Refuted,
}

/// One case: lengths and public inputs.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct CaseReport {
    /// The case in words.
    pub case: String,
    /// The secrets that it was run with.
    pub secrets: usize,
    /// The instructions of the first run.
    pub instructions: usize,
}

/// Conditional jumps of one source line.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Jump {
    /// File and line.
    pub place: String,
    /// How many different jumps the compiler made of it.
    pub jumps: usize,
}

/// Something that refutes a claim.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Fault {
    /// What is wrong.
    pub what: String,
    /// The instruction, as an assembler would have it.
    pub instruction: String,
    /// The functions that it belongs to, the innermost first.
    pub function: Vec<String>,
    /// File and line.
    pub place: String,
    /// In which case, where it takes a case to see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// The two secrets, and what each led to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<Run>,
}

/// One of two runs that differ.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Run {
    /// The secret.
    pub secret: String,
    /// The address, in hexadecimal; of code, from the start of the program.
    pub address: String,
}
