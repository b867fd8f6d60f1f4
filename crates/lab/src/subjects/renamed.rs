//! A subject under another name.

use super::{Facts, Prepared, Skip, Subject};
use crate::case::Case;
use crate::sampler::Visit;

/// A subject that somebody else knows more of than it knows itself: one of several builds of the same version.
pub struct Renamed {
    facts: Facts,
    subject: Box<dyn Subject>,
}

impl Renamed {
    /// The subject with these facts, and with its own where these have none.
    pub fn new(facts: Facts, subject: Box<dyn Subject>) -> Renamed {
        let own = subject.facts().clone();
        let facts = Facts {
            name: facts.name,
            version: facts.version.or(own.version),
            build: facts.build.or(own.build),
            compiler: facts.compiler.or(own.compiler),
            flags: facts.flags.or(own.flags),
            file: facts.file.or(own.file),
            sha256: facts.sha256.or(own.sha256),
        };
        Renamed { facts, subject }
    }
}

impl Subject for Renamed {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn prepare(&mut self, case: &Case) -> Result<Prepared, Skip> {
        self.subject.prepare(case)
    }

    fn visit(&mut self, visit: Visit) -> Result<Vec<f64>, Skip> {
        self.subject.visit(visit)
    }

    fn another(&self) -> Result<Box<dyn Subject>, Skip> {
        Ok(Box::new(Renamed { facts: self.facts.clone(), subject: self.subject.another()? }))
    }

    fn pin(&mut self, core: usize) {
        self.subject.pin(core);
    }
}
