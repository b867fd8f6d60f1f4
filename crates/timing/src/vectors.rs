//! Lanes and masks out of what the system saved of the vector registers (XSAVE's standard layout: Intel SDM, volume 1,
//! chapter 13).

use std::arch::x86_64::__cpuid_count;

use iced_x86::{Instruction, Register, UsedMemory};

use crate::stepper::Vectors;

/// Where the parts of the layout stand on this processor.
pub struct VectorFile {
    /// The offsets of the components that CPUID gives, by number.
    offsets: [usize; COMPONENTS],
}

/// The vector registers before one instruction.
#[derive(Clone, Copy)]
pub struct Saved<'a> {
    file: &'a VectorFile,
    bytes: &'a Vectors,
}

/// The upper halves of the first sixteen YMM registers.
const YMM_HIGH: usize = 2;
/// The mask registers.
const MASKS: usize = 5;
/// The upper halves of the first sixteen ZMM registers.
const ZMM_HIGH: usize = 6;
/// The other sixteen ZMM registers.
const ZMM_16_TO_31: usize = 7;
const COMPONENTS: usize = 8;

/// Where the low 128 bits of the first sixteen registers stand, and the header.
const XMM: usize = 160;
const HEADER: usize = 512;

impl Default for VectorFile {
    fn default() -> Self {
        let offsets = std::array::from_fn(|component| match component {
            YMM_HIGH | MASKS | ZMM_HIGH | ZMM_16_TO_31 => __cpuid_count(0xd, component as u32).ebx as usize,
            _ => 0,
        });
        VectorFile { offsets }
    }
}

impl VectorFile {
    /// The registers in a saved copy.
    pub fn of<'a>(&'a self, bytes: &'a Vectors) -> Saved<'a> {
        Saved { file: self, bytes }
    }
}

impl Saved<'_> {
    /// An element of `size` bytes of a vector register.
    pub fn lane(&self, register: Register, lane: usize, size: usize) -> Option<u64> {
        if !register.is_vector_register() || size > 8 {
            return None;
        }
        let number = register.full_register().number();
        let byte = lane * size;
        let bytes = if number >= 16 {
            self.component(ZMM_16_TO_31, (number - 16) * 64 + byte, size)?
        } else if byte < 16 {
            let start = XMM + number * 16 + byte;
            self.bytes.get(start..start + size)?.to_vec()
        } else if byte < 32 {
            self.component(YMM_HIGH, number * 16 + byte - 16, size)?
        } else {
            self.component(ZMM_HIGH, number * 32 + byte - 32, size)?
        };
        Some(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }

    /// A mask register.
    pub fn mask(&self, register: Register) -> Option<u64> {
        let bytes = self.component(MASKS, (register as usize).checked_sub(Register::K0 as usize)? * 8, 8)?;
        bytes.try_into().ok().map(u64::from_le_bytes)
    }

    /// The lanes of a gather or scatter that access memory, a bit each.
    pub fn active_lanes(&self, instruction: &Instruction, memory: &UsedMemory) -> Option<usize> {
        let element = memory.memory_size().element_size();
        let values = (0..instruction.op_count())
            .map(|operand| instruction.op_register(operand))
            .find(|register| register.is_vector_register());
        let index_lanes = memory.index().size() / memory.vsib_size() as usize;
        let lanes = values.map_or(index_lanes, |values| index_lanes.min(values.size() / element));
        if instruction.has_op_mask() {
            return Some(self.mask(instruction.op_mask())? as usize & ((1 << lanes) - 1));
        }
        // With VEX the mask is the sign of each element of the last operand.
        let signs = instruction.op_register(instruction.op_count() - 1);
        (0..lanes).try_fold(0, |active, lane| {
            let sign = self.lane(signs, lane, element)? >> (element * 8 - 1) & 1;
            Some(active | (sign as usize) << lane)
        })
    }

    /// Bytes of a component; zeros if the system did not save it because it was in its first state.
    fn component(&self, component: usize, from: usize, size: usize) -> Option<Vec<u8>> {
        let present = u64::from_le_bytes(self.bytes[HEADER..HEADER + 8].try_into().ok()?);
        if present >> component & 1 == 0 {
            return Some(vec![0; size]);
        }
        let start = self.file.offsets[component].checked_add(from)?;
        self.bytes.get(start..start + size).map(<[u8]>::to_vec)
    }
}
