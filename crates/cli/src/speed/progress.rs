//! The progress bar, on a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use speedwell_lab::experiment::Progress;

/// Shows how far an experiment is, and the time it will still take.
pub struct Bar(ProgressBar);

/// Steps of the bar.
const STEPS: u64 = 1000;

impl Bar {
    /// A bar on standard error, or one that shows nothing.
    pub fn new(visible: bool) -> Bar {
        let bar = if visible { ProgressBar::new(STEPS) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {prefix:>9}  {msg}");
        Bar(bar.with_style(style.expect("the template is well formed")))
    }

    /// Shows where the experiment is.
    pub fn show(&self, progress: &Progress<'_>) {
        self.0.set_position((progress.done * STEPS as f64) as u64);
        let left = progress.time_left.map_or("".to_owned(), |time| format!("{} s left", time.as_secs() + 1));
        self.0.set_prefix(left);
        self.0.set_message(progress.case.to_string());
    }

    /// Shows which part of all is done, and what is being done.
    pub fn part(&self, done: f64, message: String) {
        self.0.set_position((done * STEPS as f64) as u64);
        self.0.set_message(message);
    }

    /// Prints a line on standard error, above the bar if there is one.
    pub fn say(&self, line: &str) {
        self.0.suspend(|| anstream::eprintln!("{line}"));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
