//! One way to run any kernel of any primitive on bytes: what tests, the laboratory and the timing tracer share.
//!
//! A family says once, in `primitive!`, how its kernels are set up and run; whoever iterates over the registry needs
//! to know no more than the [`Shape`].

pub use inout::InOutBuf;

/// What a run of a primitive takes and gives.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The lengths that a key may have, in bytes; `[0]` where there is none. Keys are secret.
    pub key: &'static [usize],
    /// The length of the chaining value in bytes: the hash state, IV or counter that a run starts from and updates.
    pub chain: usize,
    /// The data is a whole number of units of this many bytes. Data is secret too.
    pub unit: usize,
    /// What happens to the data.
    pub data: Data,
}

/// What a primitive does with the data that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// There is none: the primitive works on the key alone.
    Absent,
    /// It is read.
    Read,
    /// It is read, and as many bytes are written, in place or elsewhere.
    Transform,
    /// The same, and each run is a whole message: it does not go on from the run before.
    Whole,
}

impl Data {
    /// Whether as many bytes are written as are read.
    pub fn is_written(self) -> bool {
        matches!(self, Data::Transform | Data::Whole)
    }
}

/// A kernel set up with a key and a chaining value.
pub trait Exercise: Send {
    /// Runs the kernel over the data once; the chaining value goes on from the run before.
    ///
    /// # Panics
    /// If the data is not a whole number of the shape's units.
    fn run(&mut self, data: InOutBuf<'_, '_, u8>);

    /// What the runs so far have made besides the data: the chaining value, or the schedule of a key expansion.
    fn result(&self) -> Vec<u8>;
}

/// A published answer, in bytes. Empty where the primitive has no such part.
#[derive(Clone, Copy, Debug)]
pub struct KnownAnswer {
    /// Where it is published.
    pub source: &'static str,
    /// The key.
    pub key: &'static [u8],
    /// The chaining value before the run.
    pub chain: &'static [u8],
    /// The data before the run.
    pub input: &'static [u8],
    /// The data after the run; not looked at where the primitive only reads it.
    pub output: &'static [u8],
    /// [`Exercise::result`] after the run; if empty, it is not looked at.
    pub result: &'static [u8],
}

impl KnownAnswer {
    /// Whether an exercise, freshly set up with this answer's key and chaining value, gives the answer.
    pub fn holds(&self, mut exercise: Box<dyn Exercise>) -> bool {
        let mut data = self.input.to_vec();
        exercise.run(InOutBuf::from(&mut data[..]));
        (self.output.is_empty() || data == self.output) && (self.result.is_empty() || exercise.result() == self.result)
    }
}
