//! Subjects that run in this process: our library, as an application uses it, and forced kernels.

use std::sync::Arc;

use super::{Facts, Prepared, Skip, Subject};
use crate::case::{Answer, Case};
use crate::sampler::{self, Visit};

/// Something set up for one case, which has done it once.
pub struct Setup {
    /// What the first call made: the digest, or the message after the operation.
    pub answer: Answer,
    /// The kernel that does the work, if it is known.
    pub kernel: Option<String>,
    /// Makes as many calls as it is told.
    pub run: Box<dyn FnMut(u64) + Send>,
}

/// Sets something up for a case.
type Factory = dyn Fn(&Case) -> Result<Setup, Skip> + Send + Sync;

/// A subject made from a function that sets it up for a case.
///
/// ```
/// use speedwell_lab::case::{Answer, Case, Operation};
/// use speedwell_lab::subjects::{Facts, InProcess, Setup, Skip, Subject};
///
/// let facts = Facts { name: "sum".to_owned(), version: None, build: None };
/// let mut subject = InProcess::new(facts, |case| {
///     let input = case.input();
///     let mut call = move || std::hint::black_box(input.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)));
///     Ok(Setup {
///         answer: Answer::new(&[call()]),
///         kernel: None,
///         run: Box::new(move |calls| (0..calls).for_each(|_| { call(); })),
///     })
/// });
/// let prepared = subject.prepare(&Case::new("sum", Operation::Hash, 16))?;
/// assert_eq!(prepared.answer.length, 1);
/// # Ok::<(), Skip>(())
/// ```
pub struct InProcess {
    facts: Facts,
    factory: Arc<Factory>,
    setup: Option<Setup>,
}

impl InProcess {
    /// A subject that is set up by `factory`.
    pub fn new(facts: Facts, factory: impl Fn(&Case) -> Result<Setup, Skip> + Send + Sync + 'static) -> InProcess {
        InProcess { facts, factory: Arc::new(factory), setup: None }
    }
}

impl Subject for InProcess {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn prepare(&mut self, case: &Case) -> Result<Prepared, Skip> {
        self.setup = None;
        let setup = self.setup.insert((self.factory)(case)?);
        Ok(Prepared { answer: setup.answer.clone(), kernel: setup.kernel.clone() })
    }

    fn visit(&mut self, visit: Visit) -> Result<Vec<f64>, Skip> {
        let setup = self.setup.as_mut().ok_or_else(|| Skip::Failed("visited without being prepared".to_owned()))?;
        Ok(sampler::visit(&mut *setup.run, visit))
    }

    fn another(&self) -> Result<Box<dyn Subject>, Skip> {
        Ok(Box::new(InProcess { facts: self.facts.clone(), factory: Arc::clone(&self.factory), setup: None }))
    }
}
