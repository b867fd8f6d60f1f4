//! The store as commands use it: which one, and a recorder beside the progress bar.

use std::path::PathBuf;

use clap::Args;
use speedwell_lab::case::Case;
use speedwell_lab::experiment::{Observer, Progress};
use speedwell_lab::result::Report;
use speedwell_lab::store::{Recorder, Store, StoreError, place};

use crate::speed::Bar;

/// Which store.
#[derive(Debug, Args)]
pub struct StoreArguments {
    /// The file with the results [default: SPEEDWELL_STORE, or speedwell/results.db in XDG_DATA_HOME or ~/.local/share]
    #[arg(long, value_name = "FILE", global = true)]
    pub store: Option<PathBuf>,
}

impl StoreArguments {
    /// The store, for reading.
    pub fn open(&self) -> Result<Store, StoreError> {
        Store::open(&place(self.store.as_deref())?)
    }

    /// The store, for writing.
    pub fn create(&self) -> Result<Store, StoreError> {
        Store::create(&place(self.store.as_deref())?)
    }
}

/// Looks at an experiment: the bar, and the recorder if it is to be kept.
pub struct Watch<'a> {
    /// The bar.
    pub bar: &'a Bar,
    /// Who keeps it.
    pub recorder: Option<&'a mut Recorder>,
}

impl Observer for Watch<'_> {
    fn progress(&mut self, progress: Progress<'_>) {
        self.bar.show(&progress);
    }

    fn begin(&mut self, head: &Report) {
        self.record(|recorder| recorder.begin(head));
    }

    fn measured(&mut self, case: &Case, part: &Report) {
        self.record(|recorder| recorder.measured(case, part));
    }
}

impl Watch<'_> {
    /// Says at once what goes wrong: whoever measures for hours wants to know.
    fn record(&mut self, act: impl FnOnce(&mut Recorder)) {
        let Some(recorder) = &mut self.recorder else { return };
        let well = recorder.fault().is_none();
        act(recorder);
        if let Some(fault) = recorder.fault().filter(|_| well) {
            self.bar.say(&format!("warning: {fault}; what is measured from here on is printed and not kept"));
        }
    }
}
