//! Functions that leak, each in one way: an instrument that passes one of them is broken. And one that does not leak, in
//! the same form.
//!
//! The last functions before the leak are never inlined, so that a report can be checked for the right name.

use std::hint::{black_box, select_unpredictable};

use speedwell_kernels::cpu::{Cpu, IsaSet};
use subtle::ConstantTimeEq;

use crate::secrets::{Secret, secrets};
use crate::subject::Subject;

/// A control: a function of sixteen secret bytes.
pub struct Control {
    name: &'static str,
    /// What it declares.
    isa: IsaSet,
    work: fn(&[u8; 16]) -> u64,
}

/// Every control. All but the last are to be refuted.
pub static CONTROLS: &[Control] = &[
    Control { name: "control/early_exit", isa: IsaSet::EMPTY, work: early_exit },
    Control { name: "control/branch_on_bit", isa: IsaSet::EMPTY, work: branch_on_bit },
    Control { name: "control/division", isa: IsaSet::EMPTY, work: division },
    Control { name: "control/selected_load", isa: IsaSet::EMPTY, work: selected_load },
    Control { name: "control/table_lookup", isa: IsaSet::EMPTY, work: table_lookup },
    Control { name: "control/gather", isa: IsaSet::named(&["avx2"]), work: gather },
    Control { name: "control/masked_gather", isa: IsaSet::named(&["avx512f"]), work: masked_gather },
    Control { name: "control/masked_store", isa: IsaSet::named(&["avx512f"]), work: masked_store },
    Control { name: "control/undeclared", isa: IsaSet::EMPTY, work: undeclared },
    Control { name: "control/constant_compare", isa: IsaSet::EMPTY, work: constant_compare },
];

impl Subject for &'static Control {
    fn name(&self) -> &str {
        self.name
    }

    fn instruction_sets(&self) -> Option<IsaSet> {
        Some(self.isa)
    }

    fn claims_constant(&self) -> bool {
        true
    }

    fn missing(&self, cpu: &Cpu) -> Vec<speedwell_kernels::cpu::Isa> {
        let used = if self.name == "control/undeclared" { IsaSet::named(&["ssse3"]) } else { self.isa };
        used.iter().filter(|isa| !cpu.features().has(*isa)).collect()
    }

    fn cases(&self) -> Vec<String> {
        vec!["16 bytes".to_owned()]
    }

    fn secrets(&self, _case: usize) -> Vec<Secret> {
        secrets(16)
    }

    fn set_up(&self, _case: usize, secret: &[u8]) -> Box<dyn FnMut()> {
        let secret: [u8; 16] = secret.try_into().expect("controls take sixteen bytes");
        let work = self.work;
        Box::new(move || {
            black_box(work(black_box(&secret)));
        })
    }
}

/// What the comparisons compare with.
const TAG: [u8; 16] = [0x55; 16];

static TABLE: [u32; 256] = [7; 256];

#[inline(never)]
fn early_exit(secret: &[u8; 16]) -> u64 {
    for (a, b) in secret.iter().zip(black_box(&TAG)) {
        if a != b {
            return 0;
        }
    }
    1
}

#[inline(never)]
fn branch_on_bit(secret: &[u8; 16]) -> u64 {
    // The two sides are calls, which no compiler turns into a selection.
    if secret[7] & 1 == 1 { one_side(3) } else { other_side(5) }
}

#[inline(never)]
fn one_side(value: u64) -> u64 {
    black_box(value) * 3
}

#[inline(never)]
fn other_side(value: u64) -> u64 {
    black_box(value) + 3
}

/// The traces are equal: only the rules see it. In 32 bits, since some compilers look before a division of 64 whether a
/// shorter one would do.
#[inline(never)]
fn division(secret: &[u8; 16]) -> u64 {
    let (words, _) = secret.as_chunks::<4>();
    let divisor = u32::from_le_bytes(words[0]) | 1;
    u64::from(black_box(1_000_000_007u32) / divisor)
}

#[inline(never)]
fn selected_load(secret: &[u8; 16]) -> u64 {
    let (here, there) = (black_box(&TABLE[3]), black_box(&TABLE[200]));
    let place = select_unpredictable(secret[15] & 0x80 != 0, here, there);
    u64::from(*black_box(place))
}

#[inline(never)]
fn table_lookup(secret: &[u8; 16]) -> u64 {
    u64::from(black_box(&TABLE)[usize::from(secret[0])])
}

#[inline(never)]
fn constant_compare(secret: &[u8; 16]) -> u64 {
    u64::from(secret.ct_eq(black_box(&TAG)).unwrap_u8())
}

use vectors::{gather, masked_gather, masked_store, undeclared};

/// The same leaks by vector instructions. They are reached through functions without instruction sets, as kernels are.
mod vectors {
    use std::arch::x86_64::*;
    use std::hint::black_box;

    use super::TABLE;

    pub(super) fn gather(secret: &[u8; 16]) -> u64 {
        // SAFETY: the control is only run on a processor that has what it states.
        unsafe { gathered(secret) }
    }

    pub(super) fn masked_gather(secret: &[u8; 16]) -> u64 {
        // SAFETY: as above.
        unsafe { gathered_under_mask(secret) }
    }

    pub(super) fn masked_store(secret: &[u8; 16]) -> u64 {
        // SAFETY: as above.
        unsafe { stored_under_mask(secret) }
    }

    pub(super) fn undeclared(secret: &[u8; 16]) -> u64 {
        // SAFETY: it is only run on a processor that has SSSE3, which it does not state.
        unsafe { shuffled(secret) }
    }

    /// Only the seventh lane's index is secret.
    #[inline(never)]
    #[target_feature(enable = "avx2")]
    fn gathered(secret: &[u8; 16]) -> u64 {
        let index = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, i32::from(secret[9]), 8);
        // SAFETY: every index is below 256.
        let values = unsafe { _mm256_i32gather_epi32::<4>(black_box(&TABLE).as_ptr().cast(), index) };
        _mm256_extract_epi64::<3>(values) as u64
    }

    /// The indices are public, and which of them are used is secret.
    #[inline(never)]
    #[target_feature(enable = "avx512f")]
    fn gathered_under_mask(secret: &[u8; 16]) -> u64 {
        let index = _mm512_setr_epi32(0, 20, 40, 60, 80, 100, 120, 140, 1, 2, 3, 4, 5, 6, 7, 8);
        let mask = u16::from_le_bytes([secret[3], secret[4]]);
        let zero = _mm512_setzero_si512();
        // SAFETY: every index is below 256.
        let values = unsafe { _mm512_mask_i32gather_epi32::<4>(zero, mask, index, black_box(&TABLE).as_ptr().cast()) };
        _mm512_reduce_add_epi32(values) as u64
    }

    #[inline(never)]
    #[target_feature(enable = "avx512f")]
    fn stored_under_mask(secret: &[u8; 16]) -> u64 {
        let mut room = [0i32; 16];
        let mask = u16::from_le_bytes([secret[3], secret[4]]);
        // SAFETY: the room has all sixteen elements.
        unsafe { _mm512_mask_storeu_epi32(black_box(room.as_mut_ptr()), mask, _mm512_set1_epi32(1)) };
        black_box(&room)[0] as u64
    }

    #[inline(never)]
    #[target_feature(enable = "ssse3")]
    fn shuffled(secret: &[u8; 16]) -> u64 {
        // SAFETY: sixteen bytes are read of sixteen.
        let bytes = unsafe { _mm_loadu_si128(secret.as_ptr().cast()) };
        _mm_cvtsi128_si64(_mm_shuffle_epi8(bytes, black_box(_mm_set1_epi8(3)))) as u64
    }
}
