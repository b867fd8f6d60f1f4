//! Which processor core a thread or a worker runs on: a subject that moves between cores is measured on two machines.

/// The cores this process may run on, in ascending order; empty where the operating system does not tell.
pub fn allowed_cores() -> Vec<usize> {
    imp::allowed_cores()
}

/// The core for single-threaded measuring: the last one allowed, because systems bind most interrupts to the first.
pub fn quietest_core() -> Option<usize> {
    allowed_cores().last().copied()
}

/// Keeps the calling thread, and processes that it starts from now on, on that core. `false` if it cannot be done.
pub fn pin_thread(core: usize) -> bool {
    imp::pin(0, core)
}

/// Keeps a process (its first thread) on that core. `false` if it cannot be done.
pub fn pin_process(process: u32, core: usize) -> bool {
    imp::pin(process as i32, core)
}

#[cfg(target_os = "linux")]
mod imp {
    use std::mem;

    use libc::{CPU_ISSET, CPU_SET, CPU_SETSIZE, cpu_set_t, sched_getaffinity, sched_setaffinity};

    pub fn allowed_cores() -> Vec<usize> {
        // SAFETY: a `cpu_set_t` is an array of integers, for which zero is valid.
        let mut set: cpu_set_t = unsafe { mem::zeroed() };
        // SAFETY: the pointer is to a set of the size given; process 0 is the caller.
        if unsafe { sched_getaffinity(0, size_of::<cpu_set_t>(), &mut set) } != 0 {
            return Vec::new();
        }
        // SAFETY: the index is below the size of the set.
        (0..CPU_SETSIZE as usize).filter(|core| unsafe { CPU_ISSET(*core, &set) }).collect()
    }

    pub fn pin(process: i32, core: usize) -> bool {
        if core >= CPU_SETSIZE as usize {
            return false;
        }
        // SAFETY: a `cpu_set_t` is an array of integers, for which zero is valid.
        let mut set: cpu_set_t = unsafe { mem::zeroed() };
        // SAFETY: the index is below the size of the set, checked above.
        unsafe { CPU_SET(core, &mut set) };
        // SAFETY: the pointer is to a set of the size given; a process that is gone is an error, not a danger.
        unsafe { sched_setaffinity(process, size_of::<cpu_set_t>(), &set) == 0 }
    }
}

#[cfg(not(target_os = "linux"))]
mod imp {
    pub fn allowed_cores() -> Vec<usize> {
        Vec::new()
    }

    pub fn pin(_process: i32, _core: usize) -> bool {
        false
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_thread_has_one_core() {
        let core = quietest_core().unwrap();
        let cores = std::thread::spawn(move || {
            assert!(pin_thread(core));
            allowed_cores()
        });
        assert_eq!(cores.join().unwrap(), [core]);
        assert!(!pin_thread(usize::MAX));
    }
}
