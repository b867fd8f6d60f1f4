//! Writing a run while it is measured.

use super::{Claim, Store, StoreError};
use crate::case::Case;
use crate::experiment::Observer;
use crate::result::Report;

/// Keeps an experiment in a store, cell by cell. A store that fails on the way is not asked again: the measuring goes on, and
/// [`Recorder::finish`] says what happened.
pub struct Recorder {
    store: Store,
    title: Option<String>,
    experiment: Option<String>,
    run: Option<i64>,
    /// While it is written, nobody else goes on with it.
    claim: Option<Claim>,
    fault: Option<StoreError>,
}

impl Recorder {
    /// A recorder of a new run. `experiment` is the text by which an interrupted run is found again.
    pub fn new(store: Store, title: Option<String>, experiment: Option<String>) -> Recorder {
        Recorder { store, title, experiment, run: None, claim: None, fault: None }
    }

    /// A recorder that goes on with a run.
    ///
    /// # Errors
    /// The store, if another process goes on with that run.
    pub fn resume(store: Store, run: i64) -> Result<Recorder, Store> {
        match store.claim(run) {
            Some(claim) => {
                let (run, claim) = (Some(run), Some(claim));
                Ok(Recorder { store, title: None, experiment: None, run, claim, fault: None })
            }
            None => Err(store),
        }
    }

    /// What went wrong, as soon as it did.
    pub fn fault(&self) -> Option<&StoreError> {
        self.fault.as_ref()
    }

    /// Ends the run and gives the store back, with the run's number.
    ///
    /// # Errors
    /// The first that occurred: the cells before it are in the store.
    pub fn finish(mut self, report: &Report) -> Result<(Store, i64), StoreError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let run = match self.run {
            Some(run) => run,
            None => self.store.begin(report, None)?,
        };
        self.store.finish(run, report)?;
        Ok((self.store, run))
    }
}

impl Observer for Recorder {
    fn begin(&mut self, head: &Report) {
        if self.run.is_none() {
            let head = Report { title: self.title.clone(), ..head.clone() };
            match self.store.begin(&head, self.experiment.as_deref()) {
                Ok(run) => {
                    self.claim = self.store.claim(run);
                    self.run = Some(run);
                }
                Err(fault) => self.fault = Some(fault),
            }
        }
    }

    fn measured(&mut self, case: &Case, part: &Report) {
        if let (Some(run), None) = (self.run, &self.fault) {
            self.fault = self.store.keep(run, case, part).err();
        }
    }
}
