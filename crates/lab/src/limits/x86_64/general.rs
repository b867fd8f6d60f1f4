//! Hashes and RC4 with general-purpose instructions, on processors that have none made for them.

use speedwell_kernels::cpu::IsaSet;

use super::Model;
use super::vector::{MD5_TERNARY, SHA1_NI, SHA256_NI, SHA512_NI};

// SHA-2: the rounds alone. Message words and constants come as immediate operands, the schedule is for nothing. A round
// is some 24 instructions on four arithmetic units, or four cycles of latency from e to e (rotate, xor, two additions),
// whichever is longer.

pub(super) const SHA256: &[Model] = &[
    SHA256_NI,
    Model {
        what: "the rounds alone in rorx and andn, schedule for nothing",
        needs: IsaSet::named(&["bmi1", "bmi2"]),
        steps_per_turn: 8,
        units_together: 1,
        run: sha256_rounds,
    },
];

pub(super) const SHA512: &[Model] = &[
    SHA512_NI,
    Model {
        what: "the rounds alone in rorx and andn, schedule for nothing",
        needs: IsaSet::named(&["bmi1", "bmi2"]),
        steps_per_turn: 8,
        units_together: 1,
        run: sha512_rounds,
    },
];

/// One round of SHA-2 (FIPS 180-4, sections 6.2.2 and 6.4.2). The temporaries are `$t`, `$u`; `$now` gets a xor b, which
/// is the next round's b xor c in `$last`: Maj(a, b, c) = b xor ((a xor b) and (b xor c)).
macro_rules! round {
    ([$r1:literal $r2:literal $r3:literal] [$s1:literal $s2:literal $s3:literal] $t:literal $u:literal
     $last:literal $now:literal: $a:literal $b:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => {
        concat!(
            "add ",
            $h,
            ", 0x428a2f98\n",
            "rorx ",
            $t,
            ", ",
            $e,
            ", ",
            $r3,
            "\n",
            "rorx ",
            $u,
            ", ",
            $e,
            ", ",
            $r2,
            "\n",
            "xor ",
            $t,
            ", ",
            $u,
            "\n",
            "andn ",
            $u,
            ", ",
            $e,
            ", ",
            $g,
            "\n",
            "add ",
            $h,
            ", ",
            $u,
            "\n",
            "rorx ",
            $u,
            ", ",
            $e,
            ", ",
            $r1,
            "\n",
            "xor ",
            $t,
            ", ",
            $u,
            "\n",
            "mov ",
            $u,
            ", ",
            $e,
            "\n",
            "and ",
            $u,
            ", ",
            $f,
            "\n",
            "add ",
            $h,
            ", ",
            $u,
            "\n",
            "add ",
            $h,
            ", ",
            $t,
            "\n",
            "add ",
            $d,
            ", ",
            $h,
            "\n",
            "rorx ",
            $t,
            ", ",
            $a,
            ", ",
            $s3,
            "\n",
            "rorx ",
            $u,
            ", ",
            $a,
            ", ",
            $s2,
            "\n",
            "xor ",
            $t,
            ", ",
            $u,
            "\n",
            "rorx ",
            $u,
            ", ",
            $a,
            ", ",
            $s1,
            "\n",
            "xor ",
            $t,
            ", ",
            $u,
            "\n",
            "mov ",
            $now,
            ", ",
            $a,
            "\n",
            "xor ",
            $now,
            ", ",
            $b,
            "\n",
            "and ",
            $last,
            ", ",
            $now,
            "\n",
            "xor ",
            $last,
            ", ",
            $b,
            "\n",
            "add ",
            $h,
            ", ",
            $last,
            "\n",
            "add ",
            $h,
            ", ",
            $t,
            "\n",
        )
    };
}

/// Eight rounds, after which every word is in its register again.
macro_rules! eight_rounds {
    ($name:ident $upper:tt $lower:tt $t:literal $u:literal $y:literal $z:literal
     $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => {
        turns! {
            fn $name, 1 times [
                round!($upper $lower $t $u $y $z: $a $b $d $e $f $g $h),
                round!($upper $lower $t $u $z $y: $h $a $c $d $e $f $g),
                round!($upper $lower $t $u $y $z: $g $h $b $c $d $e $f),
                round!($upper $lower $t $u $z $y: $f $g $a $b $c $d $e),
                round!($upper $lower $t $u $y $z: $e $f $h $a $b $c $d),
                round!($upper $lower $t $u $z $y: $d $e $g $h $a $b $c),
                round!($upper $lower $t $u $y $z: $c $d $f $g $h $a $b),
                round!($upper $lower $t $u $z $y: $b $c $e $f $g $h $a),
            ],
            loses ["rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"]
        }
    };
}

eight_rounds! {
    sha256_rounds [6 11 25] [2 13 22] "eax" "ecx" "edx" "esi" "r8d" "r9d" "r10d" "r11d" "r12d" "r13d" "r14d" "r15d"
}
eight_rounds! {
    sha512_rounds [14 18 41] [28 34 39] "rax" "rcx" "rdx" "rsi" "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15"
}

// SHA-1: the rounds alone, with the exclusive-or function of rounds 20 to 39 and 60 to 79, the cheapest. Two cycles of
// latency from one a to the next (rotate, add), or nine instructions, whichever is longer.

pub(super) const SHA1: &[Model] = &[
    SHA1_NI,
    Model {
        what: "the rounds alone in rorx, schedule for nothing",
        needs: IsaSet::named(&["bmi2"]),
        steps_per_turn: 5,
        units_together: 1,
        run: sha1_rounds,
    },
];

/// One round of SHA-1 (FIPS 180-4, section 6.1.2).
macro_rules! sha1_round {
    ($a:literal $b:literal $c:literal $d:literal $e:literal) => {
        concat!(
            "add ",
            $e,
            ", 0x6ed9eba1\n",
            "mov ecx, ",
            $b,
            "\n",
            "xor ecx, ",
            $c,
            "\n",
            "xor ecx, ",
            $d,
            "\n",
            "add ",
            $e,
            ", ecx\n",
            "rorx eax, ",
            $a,
            ", 27\n",
            "add ",
            $e,
            ", eax\n",
            "rorx ",
            $b,
            ", ",
            $b,
            ", 2\n",
        )
    };
}

turns! {
    fn sha1_rounds, 1 times [
        sha1_round!("r8d" "r9d" "r10d" "r11d" "r12d"),
        sha1_round!("r12d" "r8d" "r9d" "r10d" "r11d"),
        sha1_round!("r11d" "r12d" "r8d" "r9d" "r10d"),
        sha1_round!("r10d" "r11d" "r12d" "r8d" "r9d"),
        sha1_round!("r9d" "r10d" "r11d" "r12d" "r8d"),
    ],
    loses ["rax", "rcx", "r8", "r9", "r10", "r11", "r12"]
}

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
