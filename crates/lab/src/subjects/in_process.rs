//! Subjects that run in this process: our library, as an application uses it, and forced kernels.

use std::sync::Arc;

use fastrand::Rng;

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
/// let facts = Facts::named("sum");
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
    case: Option<Case>,
    setups: Vec<Setup>,
    places: Places,
}

impl InProcess {
    /// A subject that is set up by `factory`.
    pub fn new(facts: Facts, factory: impl Fn(&Case) -> Result<Setup, Skip> + Send + Sync + 'static) -> InProcess {
        InProcess { facts, factory: Arc::new(factory), case: None, setups: Vec::new(), places: Places::default() }
    }

    /// Changes what it says it is.
    #[cfg(unix)]
    pub(crate) fn describe(&mut self, change: impl FnOnce(Facts) -> Facts) {
        self.facts = change(std::mem::take(&mut self.facts));
    }
}

impl Subject for InProcess {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn prepare(&mut self, case: &Case) -> Result<Prepared, Skip> {
        if self.case.as_ref() != Some(case) {
            self.setups.clear();
            self.case = Some(case.clone());
        }
        let setup = self.places.elsewhere(&mut self.setups, || (self.factory)(case), case.bytes)?;
        Ok(Prepared { answer: setup.answer.clone(), kernel: setup.kernel.clone() })
    }

    fn visit(&mut self, visit: Visit) -> Result<Vec<f64>, Skip> {
        let setup = self.setups.last_mut().ok_or_else(|| Skip::Failed("visited without being prepared".to_owned()))?;
        Ok(sampler::visit(&mut *setup.run, visit))
    }

    fn another(&self) -> Result<Box<dyn Subject>, Skip> {
        Ok(Box::new(InProcess {
            facts: self.facts.clone(),
            factory: Arc::clone(&self.factory),
            case: None,
            setups: Vec::new(),
            places: Places::default(),
        }))
    }
}

/// Sees to it that what is set up again for the same case lies somewhere else in memory.
///
/// Where an allocator happens to put a context (in one cache line or across two, near or far from the message modulo a
/// page) moves figures by tenths of a per cent. That is luck, and not the subject: measured at many places, it averages
/// out and shows in the interval.
pub(crate) struct Places {
    random: Rng,
    /// Small allocations that keep their places, so that the next ones move.
    ballast: Vec<Vec<u8>>,
}

/// So many setups of a case are kept, because a place that is free is the first to be used again.
const KEPT: usize = 6;

/// And not of larger messages than this.
const KEPT_BYTES: usize = 1 << 16;

impl Places {
    /// Makes a setup and puts it last; some of those before it go.
    pub(crate) fn elsewhere<'a>(
        &mut self,
        setups: &'a mut Vec<Setup>,
        make: impl FnOnce() -> Result<Setup, Skip>,
        bytes: usize,
    ) -> Result<&'a mut Setup, Skip> {
        let kept = if bytes <= KEPT_BYTES { KEPT } else { 1 };
        while setups.len() > kept {
            setups.swap_remove(self.random.usize(..setups.len()));
        }
        if self.ballast.len() > 4 * KEPT {
            self.ballast.swap_remove(self.random.usize(..self.ballast.len()));
        }
        self.ballast.push(Vec::with_capacity(16 * self.random.usize(1..64)));
        setups.push(make()?);
        Ok(setups.last_mut().expect("one was pushed"))
    }
}

impl Default for Places {
    fn default() -> Self {
        Places { random: Rng::with_seed(0), ballast: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::case::Operation;

    #[test]
    fn setting_up_again_moves_a_context() {
        // The answer is where the context lies.
        let facts = Facts::named("place");
        let mut subject = InProcess::new(facts, |_| {
            let context = Box::new([0u8; 48]);
            let place = (context.as_ptr() as usize).to_le_bytes();
            Ok(Setup {
                answer: Answer::new(&place),
                kernel: None,
                run: Box::new(move |_| {
                    std::hint::black_box(&context);
                }),
            })
        });
        let case = Case::new("place", Operation::Hash, 16);
        let places: HashSet<String> = (0..40).map(|_| subject.prepare(&case).unwrap().answer.start).collect();
        assert!(places.len() >= 5, "{places:?}");
        assert!(subject.setups.len() <= KEPT + 1);
    }
}
