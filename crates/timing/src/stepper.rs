//! Runs a closure one instruction at a time and keeps the registers before each.
//!
//! The processor's trap flag makes it raise a debug exception after every instruction, which the system delivers as
//! SIGTRAP; the handler, on a stack of its own, copies the general registers into a buffer that was made before. No second
//! process takes part, so that a step costs one signal instead of two switches of process, and no permission to trace is
//! needed.

use std::arch::asm;
use std::io;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use libc::{c_int, c_void, siginfo_t, ucontext_t};

/// The general registers before an instruction.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Step {
    /// Where the instruction is.
    pub rip: u64,
    /// rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15, as instructions number them.
    pub registers: [u64; 16],
    /// One more than the index of the copy of the vector registers, where the instruction's addresses or mask need them.
    pub vectors: u64,
}

/// What the system saves of the floating-point and vector registers, in the layout of XSAVE.
pub type Vectors = [u8; VECTORS_SIZE];

/// The most that the layout takes with AVX-512 (Intel SDM, volume 1, section 13.4).
const VECTORS_SIZE: usize = 2816;

/// Instructions that a recording holds at most: past that, a run has gone astray.
const MOST_STEPS: usize = 8 << 20;
/// Copies of vector registers at most.
const MOST_VECTORS: usize = 1 << 16;

/// A place for the steps of one run, which a forked child fills and its parent reads.
pub struct Recording {
    pages: *mut Pages,
}

#[repr(C)]
struct Pages {
    steps: usize,
    vectors: usize,
    step: [Step; MOST_STEPS],
    vector: [Vectors; MOST_VECTORS],
}

/// The recording that the handler writes to.
static CURRENT: AtomicPtr<Pages> = AtomicPtr::new(ptr::null_mut());

impl Recording {
    /// Reserves the address space; pages cost memory once they are written.
    ///
    /// # Errors
    /// If the system does not give it.
    pub fn new() -> io::Result<Recording> {
        // SAFETY: an anonymous mapping at a place of the system's choice touches no existing memory.
        let pages = unsafe {
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            libc::mmap(ptr::null_mut(), size_of::<Pages>(), protection, flags, -1, 0)
        };
        if pages == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Recording { pages: pages.cast() })
    }

    /// The instructions of the last run, in order.
    pub fn steps(&self) -> &[Step] {
        // SAFETY: the mapping lives as long as `self`; zeroed pages are valid steps, and nobody writes while a caller
        // can hold this: `record` takes `&mut self`, and a child that writes is waited for before.
        unsafe { &(&(*self.pages).step)[..(*self.pages).steps] }
    }

    /// The copies of vector registers of the last run.
    pub fn vectors(&self) -> &[Vectors] {
        // SAFETY: as in `steps`.
        unsafe { &(&(*self.pages).vector)[..(*self.pages).vectors] }
    }

    /// Empties it.
    pub fn clear(&mut self) {
        // SAFETY: `&mut self` is the only access.
        unsafe { ((*self.pages).steps, (*self.pages).vectors) = (0, 0) }
    }

    /// Runs `work` step by step.
    ///
    /// # Errors
    /// If the handler cannot be set up, or the run has more instructions than the recording holds.
    pub fn record(&mut self, mut work: &mut dyn FnMut()) -> io::Result<()> {
        self.clear();
        CURRENT.store(self.pages, Ordering::SeqCst);
        install_handler()?;
        let work: *mut &mut dyn FnMut() = &mut work;
        // SAFETY: the code sets the trap flag, calls `run` with its argument, and clears the flag; the stack is aligned
        // for a call where assembly begins, and everything a call may change is declared.
        unsafe {
            asm!(
                "pushfq",
                "or qword ptr [rsp], {trap}",
                "popfq",
                // The first trap comes after the instruction that follows the one that sets the flag.
                "nop",
                "call {run}",
                "pushfq",
                "and qword ptr [rsp], {no_trap}",
                "popfq",
                trap = const 0x100,
                no_trap = const !0x100,
                run = sym run,
                in("rdi") work,
                clobber_abi("C"),
            );
        }
        if self.steps().len() == MOST_STEPS || self.vectors().len() == MOST_VECTORS {
            return Err(io::Error::other("the run has more instructions than a recording holds"));
        }
        Ok(())
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no reference to it outlives `self`.
        unsafe { libc::munmap(self.pages.cast(), size_of::<Pages>()) };
    }
}

extern "C" fn run(work: *mut &mut dyn FnMut()) {
    // SAFETY: `record` passes a pointer to its own variable, which lives through the call.
    unsafe { (*work)() }
}

/// Makes SIGTRAP call `on_trap` on a stack of its own, so that the traced stack stays as it would be.
fn install_handler() -> io::Result<()> {
    const STACK: usize = 128 << 10;
    // SAFETY: the stack is leaked, so that it lives as long as the handler; the handler has the signature that
    // SA_SIGINFO asks for and calls nothing.
    let set_up = unsafe {
        let stack = libc::mmap(
            ptr::null_mut(),
            STACK,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        );
        let alternate = libc::stack_t { ss_sp: stack, ss_flags: 0, ss_size: STACK };
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_trap as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        stack != libc::MAP_FAILED
            && libc::sigaltstack(&alternate, ptr::null_mut()) == 0
            && libc::sigaction(libc::SIGTRAP, &action, ptr::null_mut()) == 0
    };
    if set_up { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Where glibc's and musl's `gregs` keep the registers that instructions number 0 to 15.
const NUMBERED: [c_int; 16] = [
    libc::REG_RAX,
    libc::REG_RCX,
    libc::REG_RDX,
    libc::REG_RBX,
    libc::REG_RSP,
    libc::REG_RBP,
    libc::REG_RSI,
    libc::REG_RDI,
    libc::REG_R8,
    libc::REG_R9,
    libc::REG_R10,
    libc::REG_R11,
    libc::REG_R12,
    libc::REG_R13,
    libc::REG_R14,
    libc::REG_R15,
];

extern "C" fn on_trap(_signal: c_int, _info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes a `ucontext_t`; the recording was stored before the trap flag was set and has room,
    // which is checked. The bytes at `rip` are code that the processor is about to execute.
    unsafe {
        let context = &*context.cast::<ucontext_t>();
        let registers = &context.uc_mcontext.gregs;
        let pages = CURRENT.load(Ordering::Relaxed);
        let index = (*pages).steps;
        if index == MOST_STEPS {
            return;
        }
        let rip = registers[libc::REG_RIP as usize] as u64;
        let mut step = Step { rip, registers: [0; 16], vectors: 0 };
        for (to, from) in step.registers.iter_mut().zip(NUMBERED) {
            *to = registers[from as usize] as u64;
        }
        let copies = (*pages).vectors;
        let saved = context.uc_mcontext.fpregs.cast::<u8>();
        if copies < MOST_VECTORS && !saved.is_null() && needs_vectors(rip as *const u8) {
            let copy = &mut (&mut (*pages).vector)[copies];
            let size = saved_size(saved).min(VECTORS_SIZE);
            ptr::copy_nonoverlapping(saved, copy.as_mut_ptr(), size);
            (*pages).vectors = copies + 1;
            step.vectors = copies as u64 + 1;
        }
        (&mut (*pages).step)[index] = step;
        (*pages).steps = index + 1;
    }
}

/// The bytes that the system saved: the frame says so where it is longer than the old layout of 512 bytes
/// (`struct _fpx_sw_bytes` in Linux' `asm/sigcontext.h`).
unsafe fn saved_size(saved: *const u8) -> usize {
    const MAGIC: u32 = 0x4650_5853;
    // SAFETY: the caller passes the start of a saved area, which has at least 512 bytes.
    unsafe {
        let word = |offset: usize| saved.add(offset).cast::<u32>().read_unaligned();
        if word(464) == MAGIC { word(464 + 16) as usize } else { 512 }
    }
}

/// Whether vector or mask registers decide which addresses the instruction touches: gathers, scatters, and memory operands
/// under a mask of AVX-512.
unsafe fn needs_vectors(code: *const u8) -> bool {
    // SAFETY: an instruction with one of these prefixes is longer than the bytes that are read of it.
    unsafe {
        let mut at = code;
        while matches!(*at, 0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65 | 0x67) {
            at = at.add(1);
        }
        match *at {
            // VEX of three bytes, map 0F38: VPGATHER, VGATHER.
            0xc4 => *at.add(1) & 0x1f == 2 && matches!(*at.add(3), 0x90..=0x93),
            // EVEX: a memory operand with a mask. That is every gather and scatter, and what they prefetch.
            0x62 => *at.add(3) & 7 != 0 && *at.add(5) >> 6 != 3,
            _ => false,
        }
    }
}
