//! The two clocks: wall time, which is the truth, and cycles, by which processors of different frequency compare.
//!
//! Cycles come from the processor's own counter where the operating system lets us read it. Otherwise a chain of
//! dependent additions is timed: an addition of two registers takes one cycle on every processor we know, so that
//! additions per nanosecond is the frequency. [`Clock::cycles`] says which of the two it was.

use std::fmt;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Where cycles come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cycles {
    /// The processor's cycle counter, read through the operating system.
    Counter,
    /// The frequency that a chain of dependent additions shows.
    AdditionChain,
    /// Neither is available: there are no figures in cycles.
    Unknown,
}

impl fmt::Display for Cycles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Cycles::Counter => "hardware counter",
            Cycles::AdditionChain => "dependent-add chain",
            Cycles::Unknown => "unknown",
        })
    }
}

/// Wall clock and cycles of the thread that made it.
pub struct Clock {
    resolution: Duration,
    counter: Option<counter::Counter>,
}

impl Clock {
    /// Opens the counter if there is one, and measures the wall clock's resolution.
    pub fn new() -> Clock {
        Clock { resolution: resolution(), counter: counter::Counter::open() }
    }

    /// The smallest time that the wall clock can tell from none, its own reading included.
    pub fn resolution(&self) -> Duration {
        self.resolution
    }

    /// Where cycles come from.
    pub fn cycles(&self) -> Cycles {
        match self.counter {
            Some(_) => Cycles::Counter,
            None if chain::IS_KNOWN => Cycles::AdditionChain,
            None => Cycles::Unknown,
        }
    }

    /// Cycles per nanosecond (GHz) at this moment, from some ten microseconds of work; a single value is as noisy as
    /// any sample. `None` if [cycles are unknown](Cycles::Unknown).
    pub fn frequency_now(&mut self) -> Option<f64> {
        if !chain::IS_KNOWN {
            return None;
        }
        let before = self.counter.as_mut().map(counter::Counter::read);
        let start = Instant::now();
        chain::add(CHAIN);
        let nanoseconds = start.elapsed().as_nanos() as f64;
        let cycles = match (before, self.counter.as_mut().map(counter::Counter::read)) {
            (Some(before), Some(after)) if after > before => (after - before) as f64,
            _ => CHAIN as f64,
        };
        (nanoseconds > 0.0).then(|| cycles / nanoseconds)
    }

    /// Cycles per nanosecond (GHz), settled: the median of many short looks, for the head of a report. Takes a few
    /// milliseconds, and waits long enough before them for a sleeping core to speed up.
    pub fn frequency(&mut self) -> Option<f64> {
        let awake = Instant::now();
        while awake.elapsed() < Duration::from_millis(5) {
            chain::add(CHAIN);
        }
        let mut looks: Vec<f64> = (0..201).map_while(|_| self.frequency_now()).collect();
        (!looks.is_empty()).then(|| crate::statistics::median(&mut looks))
    }
}

impl Default for Clock {
    fn default() -> Self {
        Clock::new()
    }
}

/// Additions of one look at the frequency.
const CHAIN: u64 = 25_600;

/// The median of the smallest steps that consecutive readings show.
fn resolution() -> Duration {
    let mut steps: Vec<f64> = (0..501)
        .map(|_| {
            let start = Instant::now();
            let mut step = start.elapsed();
            while step.is_zero() {
                step = start.elapsed();
            }
            step.as_nanos() as f64
        })
        .collect();
    Duration::from_nanos(crate::statistics::median(&mut steps) as u64)
}

#[cfg(target_os = "linux")]
mod counter {
    //! The cycle counter through Linux's perf events, user mode only, so that the kernel's default setting allows it.

    use perf_event::Builder;
    use perf_event::events::Hardware;

    pub struct Counter(perf_event::Counter);

    impl Counter {
        /// `None` where there is no such counter, as in most virtual machines, or it is forbidden.
        pub fn open() -> Option<Counter> {
            let mut counter = Builder::new(Hardware::CPU_CYCLES).build().ok()?;
            counter.enable().ok()?;
            let mut counter = Counter(counter);
            // Some hypervisors offer a counter that stands still.
            let before = counter.read();
            super::chain::add(super::CHAIN);
            (counter.read() > before).then_some(counter)
        }

        /// Cycles so far; zero if the reading fails, which the caller sees as no progress.
        pub fn read(&mut self) -> u64 {
            self.0.read().unwrap_or(0)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod counter {
    pub enum Counter {}

    impl Counter {
        pub fn open() -> Option<Counter> {
            None
        }

        pub fn read(&mut self) -> u64 {
            match *self {}
        }
    }
}

mod chain {
    //! Dependent additions. Both operands are registers: recent processors add small constants for free while renaming.

    /// Whether this processor's family has a chain below.
    pub const IS_KNOWN: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

    /// Does `additions` additions (a multiple of 64), each of which needs the one before.
    pub fn add(additions: u64) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: changes only the registers it names, and ends because the count, at least one, goes down to zero.
        unsafe {
            std::arch::asm!(
                "2:",
                ".rept 64",
                "add {sum}, {step}",
                ".endr",
                "dec {count}",
                "jnz 2b",
                sum = inout(reg) 0u64 => _,
                step = in(reg) 1u64,
                count = inout(reg) (additions / 64).max(1) => _,
                options(nomem, nostack),
            );
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: as above.
        unsafe {
            std::arch::asm!(
                "2:",
                ".rept 64",
                "add {sum}, {sum}, {step}",
                ".endr",
                "subs {count}, {count}, #1",
                "b.ne 2b",
                sum = inout(reg) 0u64 => _,
                step = in(reg) 1u64,
                count = inout(reg) (additions / 64).max(1) => _,
                options(nomem, nostack),
            );
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = additions;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_says_what_it_is() {
        let mut clock = Clock::new();
        assert!(clock.resolution() > Duration::ZERO);
        assert_eq!(clock.cycles() == Cycles::Unknown, clock.frequency().is_none());
        if let Some(frequency) = clock.frequency() {
            assert!((0.05..20.0).contains(&frequency), "{frequency} GHz");
        }
    }
}
