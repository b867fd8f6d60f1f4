//! Every buffer of every kernel between two pages that nobody may touch: an access one byte out of bounds kills the test.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cases::{Place, bytes, keys_and_chains, lengths, run, usable};

/// Which end of an allocation lies against a guard page.
#[derive(Clone, Copy, PartialEq)]
enum Flush {
    Start,
    End,
}

thread_local! {
    /// Set while this thread's allocations are to be guarded.
    static GUARDED: Cell<Option<Flush>> = const { Cell::new(None) };
}

/// The system's allocator, but for the threads that ask for guard pages.
pub struct GuardedAllocator;

const PAGE: usize = 4096;
/// Address space for guarded allocations. Addresses are not used again: an access after a free is caught too.
const ARENA: usize = 1 << 40;
static ARENA_START: AtomicUsize = AtomicUsize::new(0);
static ARENA_USED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: memory comes from the system's allocator or from pages that are handed out once and are large enough.
unsafe impl GlobalAlloc for GuardedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match GUARDED.get() {
            Some(flush) if layout.align() <= PAGE => guarded_pages(layout, flush),
            // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`.
            _ => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let start = ARENA_START.load(Ordering::Acquire);
        if start != 0 && (start..start + ARENA).contains(&(pointer as usize)) {
            let first = pointer as usize & !(PAGE - 1);
            let length = (pointer as usize + layout.size()).next_multiple_of(PAGE) - first;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED;
            // SAFETY: `guarded_pages` made these pages for this allocation alone; they become a part of the arena that
            // nobody may touch again.
            unsafe { libc::mmap(first as *mut _, length.max(PAGE), libc::PROT_NONE, flags, -1, 0) };
        } else {
            // SAFETY: it came from the system's allocator with this layout.
            unsafe { System.dealloc(pointer, layout) };
        }
    }
}

fn guarded_pages(layout: Layout, flush: Flush) -> *mut u8 {
    let mut start = ARENA_START.load(Ordering::Acquire);
    if start == 0 {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping at an address of the system's choice.
        let arena = unsafe { libc::mmap(std::ptr::null_mut(), ARENA, libc::PROT_NONE, flags, -1, 0) };
        assert!(arena != libc::MAP_FAILED, "no address space for guard pages");
        start = match ARENA_START.compare_exchange(0, arena as usize, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => arena as usize,
            Err(other) => other,
        };
    }
    let length = layout.size().next_multiple_of(PAGE).max(PAGE);
    let first = start + ARENA_USED.fetch_add(length + PAGE, Ordering::AcqRel) + PAGE;
    assert!(first + length < start + ARENA, "the arena for guard pages is used up");
    // SAFETY: the pages lie in the arena and were not handed out before.
    let done = unsafe { libc::mprotect(first as *mut _, length, libc::PROT_READ | libc::PROT_WRITE) };
    assert_eq!(done, 0, "cannot make guarded pages accessible");
    let offset = match flush {
        Flush::Start => 0,
        Flush::End => (length - layout.size()) & !(layout.align() - 1),
    };
    (first + offset) as *mut u8
}

fn guarded<T>(flush: Flush, body: impl FnOnce() -> T) -> T {
    GUARDED.set(Some(flush));
    let result = body();
    GUARDED.set(None);
    result
}

#[test]
fn no_kernel_leaves_its_buffers() {
    let mut random = fastrand::Rng::with_seed(4);
    for kernel in usable().into_values().flatten() {
        let shape = kernel.shape();
        for case in keys_and_chains(shape, &mut random) {
            for length in lengths(shape) {
                let mut case = case.clone();
                case.data = bytes(length, &mut random);
                for flush in [Flush::Start, Flush::End] {
                    let case = guarded(flush, || case.clone());
                    guarded(flush, || run(kernel, &case, Place::Same, 0));
                    guarded(flush, || run(kernel, &case, Place::Other, 0));
                }
            }
        }
    }
}

/// Runs itself again as a process that reads one byte too far, which must die of it.
#[test]
fn guard_pages_catch_one_byte() {
    const SWITCH: &str = "SPEEDWELL_TEST_OUT_OF_BOUNDS";
    let touch = |flush: Flush, offset: isize| {
        let buffer = guarded(flush, || vec![1u8; 100]);
        // SAFETY: it is not safe: the byte lies outside of the buffer, and the process must end here.
        std::hint::black_box(unsafe { buffer.as_ptr().offset(offset).read_volatile() });
    };
    match std::env::var(SWITCH).as_deref() {
        Ok("before") => touch(Flush::Start, -1),
        Ok("after") => touch(Flush::End, 100),
        _ => {
            for side in ["before", "after"] {
                let status = std::process::Command::new(std::env::current_exe().unwrap())
                    .args(["--exact", "guard_pages::guard_pages_catch_one_byte"])
                    .env(SWITCH, side)
                    .stdout(std::process::Stdio::null())
                    .status()
                    .unwrap();
                let signal = std::os::unix::process::ExitStatusExt::signal(&status);
                assert_eq!(signal, Some(libc::SIGSEGV), "reading one byte {side} a buffer went unnoticed");
            }
        }
    }
}
