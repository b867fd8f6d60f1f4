//! Hashes and RC4 with general-purpose instructions, on processors that have none made for them.

use speedwell_kernels::cpu::IsaSet;

use super::Model;
use super::vector::{MD5_TERNARY, SHA1_NI, SHA2_TERNARY, SHA256_NI, SHA512_NI};

// SHA-2: the rounds alone, as instructions that do not wait for each other. Each sum of rotations takes three rotations and
// two xors, Ch three instructions, Maj three (it has its a xor b from the round before), and the sums eight additions with
// one operand from memory: 24 with the two copies that two-operand instructions need.

pub(super) const SHA256: &[Model] = &[SHA256_NI, SHA2_TERNARY, SHA2_GENERAL];

pub(super) const SHA512: &[Model] = &[SHA512_NI, SHA2_TERNARY, SHA2_GENERAL];

const SHA2_GENERAL: Model = Model {
    what: "the rounds alone, 24 instructions each, schedule for nothing",
    needs: IsaSet::named(&["bmi1", "bmi2"]),
    steps_per_turn: 8,
    units_together: 1,
    limb: 0,
    run: sha2_general,
};

turns! {
    fn sha2_general, 8 times [
        "rorx rax, r14, 41", "add r8, 0x428a2f98", "xor r9, r14", "mov r10, r14",
        "rorx rcx, r14, 18", "andn r11, r14, r15", "add r12, r14", "and r10, r15",
        "rorx rdx, r14, 14", "add r8, r15", "xor r9, r15", "add r12, r15",
        "rorx rsi, r14, 39", "add r13, r14", "xor r11, r14", "mov rdi, r14",
        "rorx rax, r14, 34", "add r8, r14", "xor r9, r14", "and rdi, r15",
        "rorx rcx, r14, 28", "add r12, r14", "xor r11, r15", "add r13, r15",
    ],
    loses ["rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13"]
}

// SHA-1: every round waits for a rotation of the one before and an addition.

pub(super) const SHA1: &[Model] = &[
    SHA1_NI,
    Model {
        what: "dependent chain of a rotation and an addition, one per round",
        needs: IsaSet::EMPTY,
        steps_per_turn: 32,
        units_together: 1,
        limb: 0,
        run: sha1_chain,
    },
];

turns! { fn sha1_chain, 32 times ["rol eax, 5", "add eax, ecx"], loses ["rax"] }

// MD5: every step waits for the one before, through its function, an addition, a rotation and an addition. The functions
// F and I (RFC 1321, section 3.4) cost two cycles, H costs one, and G one too: its two halves have no bit in common, so
// that the half without the newest word can be added ahead.

pub(super) const MD5: &[Model] = &[
    MD5_TERNARY,
    Model {
        what: "dependent chain of the four step functions, additions and rotations",
        needs: IsaSet::EMPTY,
        steps_per_turn: 16,
        units_together: 1,
        limb: 0,
        run: md5_chain,
    },
];

turns! {
    fn md5_chain, 4 times [
        "and eax, r8d", "xor eax, r9d", "add eax, r10d", "rol eax, 7", "add eax, r11d",
        "and eax, r8d", "add eax, r10d", "rol eax, 9", "add eax, r11d",
        "xor eax, r8d", "add eax, r10d", "rol eax, 11", "add eax, r11d",
        "or eax, r8d", "xor eax, r9d", "add eax, r10d", "rol eax, 6", "add eax, r11d",
    ],
    loses ["rax"]
}

// RC4: three loads and two stores a byte, because the two swapped entries of the state are read and written and a third
// is read. Nothing else must wait but one addition (to j). That loads must also wait for earlier stores to the same entry
// is left out, so that no kernel comes close on processors that guess wrongly there.

pub(super) const RC4: &[Model] = &[Model {
    what: "three loads and two stores a byte",
    needs: IsaSet::EMPTY,
    steps_per_turn: 8,
    units_together: 1,
    limb: 0,
    run: loads_and_stores,
}];

/// One byte's worth, at its own five places of the array.
macro_rules! swap {
    ($offset:literal) => {
        concat!(
            "mov eax, [{state} + ",
            $offset,
            "]\n",
            "mov ecx, [{state} + ",
            $offset,
            " + 32]\n",
            "mov edx, [{state} + ",
            $offset,
            " + 64]\n",
            "mov [{state} + ",
            $offset,
            " + 96], r8d\n",
            "mov [{state} + ",
            $offset,
            " + 128], r8d\n",
        )
    };
}

unsafe fn loads_and_stores(turns: u64) {
    let mut state = [0u32; 48];
    // SAFETY: reads and writes the array's first 160 bytes of 192; the count, at least one, goes down to zero.
    unsafe {
        std::arch::asm!(
            "2:",
            swap!(0), swap!(4), swap!(8), swap!(12), swap!(16), swap!(20), swap!(24), swap!(28),
            "dec {turns}",
            "jnz 2b",
            state = in(reg) &mut state,
            turns = inout(reg) turns => _,
            out("rax") _,
            out("rcx") _,
            out("rdx") _,
            options(nostack),
        );
    }
}
