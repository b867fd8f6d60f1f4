//! An allocator that gives every run the same addresses.
//!
//! A run is a copy of the harness, whose heap is different each time because the traces of the runs before are in it. From
//! where a run begins, memory comes from an arena that is untouched in every copy; nothing of it is given back.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The system's allocator until it is entered, and the arena from then on.
pub struct Arena {
    room: Room,
    used: AtomicUsize,
    entered: AtomicBool,
}

/// What a run may allocate.
const SIZE: usize = 32 << 20;

/// In pages that the system hands out as they are touched.
#[repr(align(4096))]
struct Room(UnsafeCell<[u8; SIZE]>);

// SAFETY: every allocation gets bytes of its own, by an atomic counter.
unsafe impl Sync for Room {}

/// The arena of this process, for `#[global_allocator]` to refer to.
pub static ARENA: Arena =
    Arena { room: Room(UnsafeCell::new([0; SIZE])), used: AtomicUsize::new(0), entered: AtomicBool::new(false) };

impl Arena {
    /// Takes memory from the arena, from now to the end of the process.
    pub(crate) fn enter(&self) {
        self.entered.store(true, Ordering::SeqCst);
    }

    fn start(&self) -> *mut u8 {
        self.room.0.get().cast()
    }
}

// SAFETY: an allocation is either the system's, or bytes of the arena that no other has, aligned and inside of it.
unsafe impl GlobalAlloc for &'static Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !self.entered.load(Ordering::Relaxed) {
            // SAFETY: the caller's promise is passed on.
            return unsafe { System.alloc(layout) };
        }
        // Room to align to, whatever came before.
        let used = self.used.fetch_add(layout.size() + layout.align(), Ordering::Relaxed);
        let start = (self.start() as usize + used).next_multiple_of(layout.align()) - self.start() as usize;
        if start + layout.size() > SIZE {
            return ptr::null_mut();
        }
        // SAFETY: the offset is inside of the arena, as just checked.
        unsafe { self.start().add(start) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        let start = self.start() as usize;
        if !(start..start + SIZE).contains(&(memory as usize)) {
            // SAFETY: what is not of the arena is the system's.
            unsafe { System.dealloc(memory, layout) }
        }
    }
}
