//! Four messages at a time with SHA-NI: no longer bound by the latency of `sha256rnds2`, but by the units.
//!
//! Bound by the units that execute the instructions for SHA: 32 `sha256rnds2` a block at one a cycle, and between them
//! `sha256msg2`, two cycles each, of which half are hidden. That makes 51 cycles a block (Zen 4), where the latency of
//! one stream makes 129, and two streams 65.
//!
//! The instructions know only sixteen registers, and four streams need 24 besides the operand that is always the first
//! register. With AVX-512 the words of the schedule are in the sixteen others: additions and shifts read them there, and
//! moves between the two cost no unit. Compilers spill the states instead, and take 68 cycles: hence the assembly.

use std::arch::asm;

use super::K;
use super::streams::{compress_streams, load_states, store_states};
use crate::lanes::{group, in_common};

/// The step of every stream in turn. A step gets the registers of a stream: (f, e, b, a), (h, g, d, c), half of the
/// addends, and the sixteen words in play from those of these rounds on.
macro_rules! each_stream {
    ($step:ident, 0 $(, $argument:tt)?) => {
        concat! {
            $step!("1", "2", "9"; "16", "17", "18", "19" $(; $argument)?),
            $step!("3", "4", "10"; "20", "21", "22", "23" $(; $argument)?),
            $step!("5", "6", "11"; "24", "25", "26", "27" $(; $argument)?),
            $step!("7", "8", "12"; "28", "29", "30", "31" $(; $argument)?),
        }
    };
    ($step:ident, 1 $(, $argument:tt)?) => {
        concat! {
            $step!("1", "2", "9"; "17", "18", "19", "16" $(; $argument)?),
            $step!("3", "4", "10"; "21", "22", "23", "20" $(; $argument)?),
            $step!("5", "6", "11"; "25", "26", "27", "24" $(; $argument)?),
            $step!("7", "8", "12"; "29", "30", "31", "28" $(; $argument)?),
        }
    };
    ($step:ident, 2 $(, $argument:tt)?) => {
        concat! {
            $step!("1", "2", "9"; "18", "19", "16", "17" $(; $argument)?),
            $step!("3", "4", "10"; "22", "23", "20", "21" $(; $argument)?),
            $step!("5", "6", "11"; "26", "27", "24", "25" $(; $argument)?),
            $step!("7", "8", "12"; "30", "31", "28", "29" $(; $argument)?),
        }
    };
    ($step:ident, 3 $(, $argument:tt)?) => {
        concat! {
            $step!("1", "2", "9"; "19", "16", "17", "18" $(; $argument)?),
            $step!("3", "4", "10"; "23", "20", "21", "22" $(; $argument)?),
            $step!("5", "6", "11"; "27", "24", "25", "26" $(; $argument)?),
            $step!("7", "8", "12"; "31", "28", "29", "30" $(; $argument)?),
        }
    };
}

/// The first two of four rounds.
macro_rules! two_rounds {
    ($abef:literal, $cdgh:literal, $addends:literal; $this:literal, $after:literal, $far:literal, $before:literal;
     $constants:literal) => {
        concat! {
            "vpaddd xmm0, xmm", $this, ", xmmword ptr [{table} + ", $constants, "]\n",
            "vpshufd xmm", $addends, ", xmm0, 0x0e\n",
            "sha256rnds2 xmm", $cdgh, ", xmm", $abef, "\n",
        }
    };
}

/// The other two, without anything for the schedule.
macro_rules! two_more {
    ($abef:literal, $cdgh:literal, $addends:literal; $($words:literal),*) => {
        concat! { "vmovdqa xmm0, xmm", $addends, "\n", "sha256rnds2 xmm", $abef, ", xmm", $cdgh, "\n" }
    };
}

/// The end of the schedule's next four words.
macro_rules! finish_words {
    ($abef:literal, $cdgh:literal, $addends:literal; $this:literal, $after:literal, $far:literal, $before:literal) => {
        concat! {
            "vpalignr xmm13, xmm", $this, ", xmm", $before, ", 4\n",
            "vpaddd xmm13, xmm13, xmm", $after, "\n",
            "vmovdqa32 xmm14, xmm", $this, "\n",
            "sha256msg2 xmm13, xmm14\n",
            "vmovdqa32 xmm", $after, ", xmm13\n",
        }
    };
}

/// The beginning of the four words twelve ahead.
macro_rules! begin_words {
    ($abef:literal, $cdgh:literal, $addends:literal; $this:literal, $after:literal, $far:literal, $before:literal) => {
        concat! {
            "vmovdqa32 xmm13, xmm", $before, "\n",
            "vmovdqa32 xmm14, xmm", $this, "\n",
            "sha256msg1 xmm13, xmm14\n",
            "vmovdqa32 xmm", $before, ", xmm13\n",
        }
    };
}

/// The two other rounds with what the schedule needs of them, in the order that measures best.
macro_rules! finish_and_more {
    ($($registers:tt)*) => {
        concat! { finish_words!($($registers)*), two_more!($($registers)*) }
    };
}
macro_rules! more_and_begin {
    ($($registers:tt)*) => {
        concat! { two_more!($($registers)*), begin_words!($($registers)*) }
    };
}
macro_rules! finish_more_and_begin {
    ($($registers:tt)*) => {
        concat! { finish_words!($($registers)*), two_more!($($registers)*), begin_words!($($registers)*) }
    };
}

/// Four rounds of every stream: the place of their words, that of their constants, and what comes behind the first two.
macro_rules! four_rounds {
    ($place:tt, $constants:literal, $rest:ident) => {
        concat! { each_stream!(two_rounds, $place, $constants), each_stream!($rest, $place) }
    };
}

/// The words of a stream's next block, and its pointer behind them.
macro_rules! load_block {
    ($message:literal; $w0:literal, $w1:literal, $w2:literal, $w3:literal) => {
        concat! {
            "prefetcht0 byte ptr [{", $message, "} + 256]\n",
            load_block!(@ $message, "0", $w0), load_block!(@ $message, "16", $w1),
            load_block!(@ $message, "32", $w2), load_block!(@ $message, "48", $w3),
            "add {", $message, "}, 64\n",
        }
    };
    (@ $message:literal, $offset:literal, $words:literal) => {
        concat! {
            "vmovdqu xmm9, xmmword ptr [{", $message, "} + ", $offset, "]\n",
            "vpshufb xmm", $words, ", xmm9, xmm15\n",
        }
    };
}

/// Adds a chaining value to a register of the state; the sum is the next one.
macro_rules! add_chain {
    ($($register:literal at $offset:literal),*) => {
        concat! { $(
            "vpaddd xmm", $register, ", xmm", $register, ", xmmword ptr [{chains} + ", $offset, "]\n",
            "vmovdqa xmmword ptr [{chains} + ", $offset, "], xmm", $register, "\n",
        )*}
    };
}

/// The round constants, and the order of bytes of big-endian words.
#[repr(C, align(64))]
struct Table([u32; 64], [u32; 4]);

static TABLE: Table = Table(K, [0x00010203, 0x04050607, 0x08090a0b, 0x0c0d0e0f]);

kernel! {
    isa: ["sha", "ssse3", "avx512f", "avx512vl", "avx512bw"], timing: Constant,

    name: "sha256.compress_lanes/x86_64_shani_x4", primitive: super::CompressLanes,
    fn compress_lanes(states: &mut [[u32; 8]], messages: &[&[[u8; 64]]]) {
        let blocks = in_common(messages);
        if blocks == 0 {
            return;
        }
        for (states, messages) in states.chunks_mut(4).zip(messages.chunks(4)) {
            match states.len() {
                1 => compress_streams::<1>(states, messages, blocks),
                2 => compress_streams::<2>(states, messages, blocks),
                _ => compress_four(states, messages, blocks),
            }
        }
    }

    /// So many blocks, at least one, of up to four messages.
    helper fn compress_four(states: &mut [[u32; 8]], messages: &[&[[u8; 64]]], blocks: usize) {
        let [first, second, third, fourth] = group(messages, blocks);
        let mut chains = load_states::<4>(states);
        // SAFETY: each message is read up to `blocks` blocks of 64 bytes; the table is read, and the chains, 16-byte vectors
        // at their alignment, are read and written. Prefetches go anywhere. All vector registers are lost.
        unsafe {
            asm!(
                // Instructions for SHA leave the upper parts of registers as they are, which costs time if there is
                // anything in them.
                "vzeroupper",
                "vmovdqa xmm1, xmmword ptr [{chains}]", "vmovdqa xmm2, xmmword ptr [{chains} + 16]",
                "vmovdqa xmm3, xmmword ptr [{chains} + 32]", "vmovdqa xmm4, xmmword ptr [{chains} + 48]",
                "vmovdqa xmm5, xmmword ptr [{chains} + 64]", "vmovdqa xmm6, xmmword ptr [{chains} + 80]",
                "vmovdqa xmm7, xmmword ptr [{chains} + 96]", "vmovdqa xmm8, xmmword ptr [{chains} + 112]",
                "vmovdqa xmm15, xmmword ptr [{table} + 256]",
                "2:",
                load_block!("first"; "16", "17", "18", "19"),
                load_block!("second"; "20", "21", "22", "23"),
                load_block!("third"; "24", "25", "26", "27"),
                load_block!("fourth"; "28", "29", "30", "31"),
                four_rounds!(0, "0", two_more),
                four_rounds!(1, "16", more_and_begin),
                four_rounds!(2, "32", more_and_begin),
                four_rounds!(3, "48", finish_more_and_begin),
                four_rounds!(0, "64", finish_more_and_begin),
                four_rounds!(1, "80", finish_more_and_begin),
                four_rounds!(2, "96", finish_more_and_begin),
                four_rounds!(3, "112", finish_more_and_begin),
                four_rounds!(0, "128", finish_more_and_begin),
                four_rounds!(1, "144", finish_more_and_begin),
                four_rounds!(2, "160", finish_more_and_begin),
                four_rounds!(3, "176", finish_more_and_begin),
                four_rounds!(0, "192", finish_more_and_begin),
                four_rounds!(1, "208", finish_and_more),
                four_rounds!(2, "224", finish_and_more),
                four_rounds!(3, "240", two_more),
                add_chain!(
                    "1" at "0", "2" at "16", "3" at "32", "4" at "48", "5" at "64", "6" at "80", "7" at "96", "8" at "112"
                ),
                "dec {blocks}",
                "jnz 2b",
                first = inout(reg) first.as_ptr() => _, second = inout(reg) second.as_ptr() => _,
                third = inout(reg) third.as_ptr() => _, fourth = inout(reg) fourth.as_ptr() => _,
                blocks = inout(reg) blocks => _, table = in(reg) &raw const TABLE, chains = in(reg) &raw mut chains,
                out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _, out("xmm5") _, out("xmm6") _,
                out("xmm7") _, out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _, out("xmm12") _,
                out("xmm13") _, out("xmm14") _, out("xmm15") _, out("xmm16") _, out("xmm17") _, out("xmm18") _,
                out("xmm19") _, out("xmm20") _, out("xmm21") _, out("xmm22") _, out("xmm23") _, out("xmm24") _,
                out("xmm25") _, out("xmm26") _, out("xmm27") _, out("xmm28") _, out("xmm29") _, out("xmm30") _,
                out("xmm31") _, options(nostack),
            );
        }
        store_states(states, chains);
    }
}
