//! Sixteen bytes at a time, with the next entries of the table read ahead of the swaps that may change them.
//!
//! The index j is a sum of the entries in their order, and an entry is known long before its turn unless one of the
//! last swaps has put another in its place. Read in turn, each waits for the address of the swap before it: six cycles
//! a byte or, where the processor guesses that they differ, less, and a flush of the pipeline when they do not. Here
//! an entry is read two swaps ahead. Of 256 swaps two hit one that has been read; the place of each swap is compared
//! with them, and a branch that is rarely taken reads them again.
//!
//! Bound by the front end: twelve micro-operations a byte, so three cycles where four are issued in one and two where
//! six are, and a mispredicted branch for every 128 bytes. The chain through j is below that: the address of a swap, a
//! load and an addition, seven cycles for every three bytes.
//!
//! A group starts after a multiple of sixteen, as a stream does, so that its entries have constant offsets. Their
//! stores need no index register, which leaves the two load ports of Intel's cores before Ice Lake to the loads.

use std::arch::asm;
use std::arch::x86_64::__m128i;

use inout::InOutBuf;

use super::State;
use crate::simd::as_chunks;
use crate::simd::x86_64::{load_128, store_128};

kernel! {
    isa: [], timing: TableLookups,

    name: "rc4.xor/x86_64", primitive: super::Xor,
    fn xor(state: &mut State, data: InOutBuf<'_, '_, u8>) {
        let to_group = usize::from(state.i.wrapping_neg() % 16).min(data.len());
        let (ragged, data) = data.split_at(to_group);
        state.xor_bytewise(ragged);

        let (groups, rest) = as_chunks::<u8, 16>(data);
        let mut start = usize::from(state.i & 0xf0);
        let mut j = u32::from(state.j);
        let mut ahead = [state.table[start + 1], state.table[start + 2], state.table[start + 3]];
        for mut group in groups {
            let output = xor_group(&mut state.table, start, &mut j, &mut ahead, load_128(group.get_in()));
            store_128(group.get_out(), output);
            start = (start + 16) & 0xf0;
            state.i = state.i.wrapping_add(16);
        }
        state.j = j as u8;
        state.xor_bytewise(rest);
    }
}

/// Lists the sixteen steps: number; the registers of its own entry and of the next three; where these four stand in
/// the table; half and lane of the key stream.
#[rustfmt::skip]
macro_rules! steps {
    ($one:ident) => {
        concat!(
            $one!(1: a b c d; group 1, group 2, group 3, group 4; even 0),
            $one!(2: b c d a; group 2, group 3, group 4, group 5; odd 0),
            $one!(3: c d a b; group 3, group 4, group 5, group 6; even 1),
            $one!(4: d a b c; group 4, group 5, group 6, group 7; odd 1),
            $one!(5: a b c d; group 5, group 6, group 7, group 8; even 2),
            $one!(6: b c d a; group 6, group 7, group 8, group 9; odd 2),
            $one!(7: c d a b; group 7, group 8, group 9, group 10; even 3),
            $one!(8: d a b c; group 8, group 9, group 10, group 11; odd 3),
            $one!(9: a b c d; group 9, group 10, group 11, group 12; even 4),
            $one!(10: b c d a; group 10, group 11, group 12, group 13; odd 4),
            $one!(11: c d a b; group 11, group 12, group 13, group 14; even 5),
            $one!(12: d a b c; group 12, group 13, group 14, group 15; odd 5),
            $one!(13: a b c d; group 13, group 14, group 15, following 0; even 6),
            $one!(14: b c d a; group 14, group 15, following 0, following 1; odd 6),
            $one!(15: c d a b; group 15, following 0, following 1, following 2; even 7),
            $one!(16: d a b c; following 0, following 1, following 2, following 3; odd 7),
        )
    };
}

/// A step: swaps, reads the third entry from here, and goes to [`again`] if the swap was with one of the two before
/// it.
#[rustfmt::skip]
macro_rules! step {
    ($number:literal: $own:ident $first:ident $second:ident $third:ident;
     $at0:ident $place0:literal, $at1:ident $place1:literal, $at2:ident $place2:literal, $at3:ident $place3:literal;
     $half:ident $lane:literal) => {
        concat!(
            "add {j:e}, {", stringify!($own), ":e}\n",
            "movzx {place:e}, {j:l}\n",
            "mov {other:e}, dword ptr [{table} + 4*{place}]\n",
            "mov dword ptr [{table} + 4*{place}], {", stringify!($own), ":e}\n",
            "mov {", stringify!($third), ":e}, dword ptr [{", stringify!($at3), "} + 4*", $place3, "]\n",
            "lea {place}, [{place} + {back} - 1 - ", $number, "]\n",
            "cmp {place:l}, 2\n",
            "jb 2", $number, "f\n",
            "3", $number, ":\n",
            "mov dword ptr [{", stringify!($at0), "} + 4*", $place0, "], {other:e}\n",
            "add {other:e}, {", stringify!($own), ":e}\n",
            "movzx {other:e}, {other:l}\n",
            "pinsrw {", stringify!($half), "}, word ptr [{table} + 4*{other}], ", $lane, "\n",
        )
    };
}

/// The rare way of a step: one of the entries read ahead has been replaced.
#[rustfmt::skip]
macro_rules! again {
    ($number:literal: $own:ident $first:ident $second:ident $third:ident;
     $at0:ident $place0:literal, $at1:ident $place1:literal, $at2:ident $place2:literal, $at3:ident $place3:literal;
     $half:ident $lane:literal) => {
        concat!(
            "2", $number, ":\n",
            "mov {", stringify!($first), ":e}, dword ptr [{", stringify!($at1), "} + 4*", $place1, "]\n",
            "mov {", stringify!($second), ":e}, dword ptr [{", stringify!($at2), "} + 4*", $place2, "]\n",
            "jmp 3", $number, "b\n",
        )
    };
}

/// Adds the next sixteen bytes of the key stream to `data`, where i is `start`, a multiple of 16 below 256, and
/// `ahead` are the three entries after it; leaves there the three after the next multiple.
#[inline(always)]
fn xor_group(table: &mut [u32; 256], start: usize, j: &mut u32, ahead: &mut [u32; 3], mut data: __m128i) -> __m128i {
    assert!(start <= 240);
    let following = (start + 16) & 0xf0;
    let [a, b, c] = ahead;
    // SAFETY: of memory it reads and writes the table alone. `group` and `following` point to entries at multiples of
    // 16 below 256, and what is added to them is less than 16 entries; the other indices were just cut to a byte.
    unsafe {
        let table = table.as_mut_ptr();
        asm!(
            "pxor {even}, {even}",
            "pxor {odd}, {odd}",
            steps!(step),
            "psllw {odd}, 8",
            "pxor {data}, {even}",
            "pxor {data}, {odd}",
            "jmp 4f",
            steps!(again),
            "4:",
            table = in(reg) table,
            group = in(reg) table.add(start),
            following = in(reg) table.add(following),
            back = in(reg) start.wrapping_neg(),
            j = inout(reg) *j,
            a = inout(reg) *a,
            b = inout(reg) *b,
            c = inout(reg) *c,
            d = out(reg) _,
            place = out(reg) _,
            other = out(reg) _,
            data = inout(xmm_reg) data,
            even = out(xmm_reg) _,
            odd = out(xmm_reg) _,
            options(nostack),
        );
    }
    data
}
