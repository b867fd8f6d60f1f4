//! The machine that measured, as far as it matters for a figure.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use speedwell_kernels::cpu::Cpu;

use crate::clock::{Clock, Cycles};

/// The machine and its state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// The processor's brand string.
    pub cpu: String,
    /// The name of its design.
    pub microarchitecture: String,
    /// By which measurements of the same kind of machine are known.
    pub fingerprint: String,
    /// Its instruction sets, as far as Speedwell knows them.
    pub features: Vec<String>,
    /// The revision of its microcode in hexadecimal, where the system tells it.
    #[serde(default)]
    pub microcode: Option<String>,
    /// The hypervisor, if there is one.
    pub hypervisor: Option<String>,
    /// Cores that this process might use, had it not been bound to one.
    pub cores: usize,
    /// The core that single-threaded work was bound to.
    pub pinned_to: Option<usize>,
    /// Gigahertz before the run; absent where nothing tells cycles.
    pub frequency_before: Option<f64>,
    /// Gigahertz after the run.
    pub frequency_after: Option<f64>,
    /// What sets the frequency: `governor performance, driver acpi-cpufreq, boost on`. Absent if the system hides it.
    pub frequency_policy: Option<String>,
    /// Where cycles come from.
    pub cycles: Cycles,
    /// The wall clock's resolution in nanoseconds.
    pub clock_resolution: u64,
    /// Name and version of the operating system's kernel.
    pub kernel: Option<String>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// When the run began, in seconds since 1970.
    pub started: u64,
}

impl Host {
    /// Looks around before a run: the frequency afterwards is for [`Host::leave`]. `cores` are those that the process
    /// might use before it was bound to one.
    pub fn look(clock: &mut Clock, cores: usize, pinned_to: Option<usize>) -> Host {
        let cpu = Cpu::host();
        Host {
            cpu: cpu.identity().brand.clone(),
            microarchitecture: cpu.microarchitecture().name().to_owned(),
            fingerprint: cpu.fingerprint(),
            features: cpu.features().iter().map(|isa| isa.name().to_owned()).collect(),
            microcode: cpu.identity().microcode.map(|revision| format!("{revision:#x}")),
            hypervisor: cpu.identity().hypervisor.clone(),
            cores,
            pinned_to,
            frequency_before: clock.frequency(),
            frequency_after: None,
            frequency_policy: frequency_policy(pinned_to.unwrap_or(0)),
            cycles: clock.cycles(),
            clock_resolution: clock.resolution().as_nanos() as u64,
            kernel: kernel(),
            memory: memory(),
            started: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        }
    }

    /// Measures the frequency once more.
    pub fn leave(&mut self, clock: &mut Clock) {
        self.frequency_after = clock.frequency();
    }
}

/// A moment as people write it, in UTC: `2026-11-21 16:30`.
pub fn moment(seconds: u64) -> String {
    let (days, minutes) = (seconds / 86_400, seconds % 86_400 / 60);
    // Years are taken to begin in March, so that the day that some of them have more is their last; four hundred of them have
    // 146,097 days, and months from March on repeat 31, 30, 31, 30, 31 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * era + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", minutes / 60, minutes % 60)
}

/// What Linux tells of frequency scaling; virtual machines mostly have none of these files.
fn frequency_policy(core: usize) -> Option<String> {
    let read = |path: String| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
    let folder = "/sys/devices/system/cpu";
    let governor = read(format!("{folder}/cpu{core}/cpufreq/scaling_governor")).map(|name| format!("governor {name}"));
    let driver = read(format!("{folder}/cpu{core}/cpufreq/scaling_driver")).map(|name| format!("driver {name}"));
    let boost = read(format!("{folder}/cpufreq/boost")).map(|flag| flag == "1");
    let no_turbo = read(format!("{folder}/intel_pstate/no_turbo")).map(|flag| flag == "0");
    let boost = boost.or(no_turbo).map(|on| format!("boost {}", if on { "on" } else { "off" }));
    let parts: Vec<String> = [governor, driver, boost].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn kernel() -> Option<String> {
    let part = |name: &str| fs::read_to_string(format!("/proc/sys/kernel/{name}")).ok();
    Some(format!("{} {}", part("ostype")?.trim(), part("osrelease")?.trim()))
}

fn memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let kibibytes = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.trim().strip_suffix(" kB")?;
    kibibytes.trim().parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_days_of_the_calendar() {
        let moments = [0, 951_782_399, 951_782_400, 1_709_164_800, 4_107_542_400, 1_795_278_600];
        let written = ["1970-01-01 00:00", "2000-02-28 23:59", "2000-02-29 00:00", "2024-02-29 00:00"];
        assert_eq!(moments[..4].iter().map(|seconds| moment(*seconds)).collect::<Vec<_>>(), written);
        assert_eq!([moment(moments[4]), moment(moments[5])], ["2100-03-01 00:00", "2026-11-21 16:30"]);
    }

    #[test]
    fn the_host_has_a_head() {
        let mut clock = Clock::new();
        let mut host = Host::look(&mut clock, 1, None);
        host.leave(&mut clock);
        assert_eq!(host.frequency_before.is_some(), host.frequency_after.is_some());
        assert!(host.cores >= 1 && host.clock_resolution > 0);
        if cfg!(target_os = "linux") {
            assert!(host.kernel.unwrap().starts_with("Linux "));
            assert!(host.memory.unwrap() > 1 << 20);
        }
    }
}
