//! The instrument behind `timing: Constant`: it runs a kernel one instruction at a time with many secrets, and compares
//! the instructions executed and the addresses of memory touched, on the machine code as the compiler made it.
//!
//! What equal traces mean, and what they do not, is in `SIDE-CHANNELS.md`. `cargo xtask timing` runs the harness of this
//! crate, keeps the records, and generates the table of evidence that the selection reads.

pub mod report;

/// Everything that needs a processor and a system that can be stepped.
macro_rules! on_linux_x86_64 {
    ($($item:item)*) => {
        $(#[cfg(all(target_os = "linux", target_arch = "x86_64"))] $item)*
    };
}

on_linux_x86_64! {
    mod arena;
    mod controls;
    mod examination;
    mod locate;
    mod operations;
    mod rules;
    mod secrets;
    mod stepper;
    mod subject;
    mod trace;
    mod vectors;

    pub use arena::{ARENA, Arena};
    pub use examination::{ExamineError, Examiner};
    pub use subject::{KernelSubject, Subject};

    /// Everything that can be examined: the kernels of the registry, whole operations, and the controls.
    pub fn subjects() -> Vec<Box<dyn Subject>> {
        let kernels = speedwell_kernels::all().map(|kernel| Box::new(KernelSubject::new(kernel)) as Box<dyn Subject>);
        let operations = operations::OPERATIONS.iter().map(|operation| Box::new(operation) as Box<dyn Subject>);
        let controls = controls::CONTROLS.iter().map(|control| Box::new(control) as Box<dyn Subject>);
        kernels.chain(operations).chain(controls).collect()
    }
}
