//! From registers to a trace: which instruction ran, and which addresses it touched.

use std::collections::HashMap;

use iced_x86::{Decoder, DecoderOptions, Instruction, InstructionInfoFactory, OpAccess, OpKind, Register, UsedMemory};

use crate::stepper::{Recording, Step};
use crate::vectors::VectorFile;

/// The instructions of one run and the addresses that they touched, in order.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The address of each instruction executed.
    pub instructions: Vec<u64>,
    /// The number of the instruction in the run, and an address that it touched.
    touched: Vec<(u32, u64)>,
}

/// The first place where two traces differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The number of the instruction in the run.
    pub step: usize,
    /// Its address.
    pub instruction: u64,
    /// What differs.
    pub kind: DifferenceKind,
    /// What the first run has, if it goes on: an address of memory, or of the next instruction.
    pub first: Option<u64>,
    /// The same of the other run.
    pub second: Option<u64>,
}

/// What of an instruction's effect differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// Another instruction comes next.
    Next,
    /// Another address of memory, or another mask that says which part of it, is touched.
    Memory,
}

/// Decodes instructions, each once.
#[derive(Default)]
pub struct Disassembly {
    decoded: HashMap<u64, Decoded>,
    vectors: VectorFile,
}

/// An instruction, and where its memory is.
struct Decoded {
    instruction: Instruction,
    memory: Vec<UsedMemory>,
    /// Its explicit memory operand, where the list of memory used leaves it out: that of a prefetch.
    prefetched: Option<u32>,
}

/// The longest an instruction can be.
const LONGEST: usize = 15;

impl Trace {
    /// Where this trace and another part for the first time.
    pub fn difference(&self, other: &Trace) -> Option<Difference> {
        let steps = self.instructions.iter().zip(&other.instructions).take_while(|(a, b)| a == b).count();
        let touched = self.touched.iter().zip(&other.touched).take_while(|(a, b)| a == b).count();
        let at = |trace: &Trace| trace.touched.get(touched).copied();
        // Of two addresses the one touched earlier is where the runs part.
        let memory = [at(self), at(other)].into_iter().flatten().map(|(step, _)| step as usize).min();
        if let Some(step) = memory.filter(|step| *step < steps) {
            let of = |trace: &Trace| at(trace).filter(|(other, _)| *other as usize == step).map(|(_, address)| address);
            let instruction = self.instructions[step];
            return Some(Difference {
                step,
                instruction,
                kind: DifferenceKind::Memory,
                first: of(self),
                second: of(other),
            });
        }
        if steps == self.instructions.len() && steps == other.instructions.len() {
            return None;
        }
        // The instruction before decided which one comes next.
        let step = steps.saturating_sub(1);
        Some(Difference {
            step,
            instruction: self.instructions.get(step).copied().unwrap_or_default(),
            kind: DifferenceKind::Next,
            first: self.instructions.get(steps).copied(),
            second: other.instructions.get(steps).copied(),
        })
    }
}

impl Disassembly {
    /// The trace of a recording.
    ///
    /// # Errors
    /// If an instruction cannot be decoded, or its addresses cannot be told from what was recorded.
    pub fn trace(&mut self, recording: &Recording) -> Result<Trace, String> {
        let mut trace = Trace::default();
        for (number, step) in recording.steps().iter().enumerate() {
            let decoded = self.decoded.entry(step.rip).or_insert_with(|| Decoded::at(step.rip));
            if decoded.instruction.is_invalid() {
                return Err(format!("the instruction at {:#x} cannot be decoded", step.rip));
            }
            trace.instructions.push(step.rip);
            let vectors = step.vectors.checked_sub(1).map(|index| &recording.vectors()[index as usize]);
            decoded
                .addresses(step, vectors.map(|saved| self.vectors.of(saved)), |address| {
                    trace.touched.push((number as u32, address));
                })
                .ok_or_else(|| format!("the addresses of '{}' at {:#x} are unknown", decoded.instruction, step.rip))?;
        }
        Ok(trace)
    }

    /// The instruction at an address that a trace has.
    pub fn instruction(&self, address: u64) -> Option<&Instruction> {
        self.decoded.get(&address).map(|decoded| &decoded.instruction)
    }

    /// Every instruction executed so far, by address.
    pub fn executed(&self) -> Vec<&Instruction> {
        let mut executed: Vec<&Instruction> = self.decoded.values().map(|decoded| &decoded.instruction).collect();
        executed.sort_unstable_by_key(|instruction| instruction.ip());
        executed
    }
}

impl Decoded {
    fn at(address: u64) -> Decoded {
        // SAFETY: the processor has executed the instruction at this address in this process, so that its bytes are
        // mapped; what follows them is code or the rest of the page, as the instruction that returns comes later.
        let code = unsafe { std::slice::from_raw_parts(address as *const u8, LONGEST) };
        let instruction = Decoder::with_ip(64, code, address, DecoderOptions::NONE).decode();
        let mut factory = InstructionInfoFactory::new();
        let memory = factory.info(&instruction).used_memory();
        let memory = memory.iter().filter(|memory| memory.access() != OpAccess::NoMemAccess).copied().collect();
        let is_prefetch = format!("{:?}", instruction.mnemonic()).starts_with("Prefetch");
        let operand = (0..instruction.op_count()).find(|operand| instruction.op_kind(*operand) == OpKind::Memory);
        Decoded { instruction, memory, prefetched: operand.filter(|_| is_prefetch) }
    }

    /// Gives every address that the instruction touches; `None` if one of them cannot be computed.
    fn addresses(
        &self,
        step: &Step,
        vectors: Option<crate::vectors::Saved<'_>>,
        mut touch: impl FnMut(u64),
    ) -> Option<()> {
        let instruction = &self.instruction;
        let value = |register: Register, lane: usize, size: usize| {
            general(register, step, instruction)
                .or_else(|| vectors.as_ref().and_then(|vectors| vectors.lane(register, lane, size)))
        };
        if let Some(operand) = self.prefetched {
            touch(instruction.virtual_address(operand, 0, value)?);
        }
        for memory in &self.memory {
            if memory.vsib_size() == 0 {
                touch(memory.virtual_address(0, value)?);
                continue;
            }
            let active = vectors.as_ref()?.active_lanes(instruction, memory)?;
            for lane in 0..usize::BITS as usize {
                if active >> lane & 1 == 1 {
                    touch(memory.virtual_address(lane, value)?);
                }
            }
        }
        // Which bytes of an operand under a mask are touched is a matter of the mask.
        if instruction.has_op_mask() && self.memory.iter().any(|memory| memory.vsib_size() == 0) {
            touch(vectors.as_ref()?.mask(instruction.op_mask())?);
        }
        Some(())
    }
}

/// The value of a general register before the instruction, or the base of a segment.
fn general(register: Register, step: &Step, instruction: &Instruction) -> Option<u64> {
    if register.is_segment_register() {
        // A thread's own data stands at a base that does not change during a run: where in it is what matters.
        return Some(0);
    }
    if register == Register::RIP {
        return Some(instruction.next_ip());
    }
    if !register.is_gpr() {
        return None;
    }
    let whole = step.registers[register.full_register().number()];
    Some(match register.size() {
        8 => whole,
        4 => whole & 0xffff_ffff,
        2 => whole & 0xffff,
        // The count of a string instruction and `xlatb`'s al are the only bytes that addresses are made of.
        _ => whole & 0xff,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(instructions: &[u64], touched: &[(u32, u64)]) -> Trace {
        Trace { instructions: instructions.to_vec(), touched: touched.to_vec() }
    }

    #[test]
    fn equal_traces_have_no_difference() {
        let one = trace(&[1, 2, 3], &[(0, 100), (2, 200)]);
        assert_eq!(one.difference(&one.clone()), None);
    }

    #[test]
    fn the_first_of_two_differences_is_told() {
        let one = trace(&[1, 2, 3], &[(0, 100), (2, 200)]);
        let memory = one.difference(&trace(&[1, 2, 4], &[(0, 101), (2, 200)])).unwrap();
        assert_eq!(
            (memory.step, memory.kind, memory.first, memory.second),
            (0, DifferenceKind::Memory, Some(100), Some(101))
        );
        let next = one.difference(&trace(&[1, 2, 4], &[(0, 100), (2, 300)])).unwrap();
        assert_eq!((next.step, next.instruction, next.kind), (1, 2, DifferenceKind::Next));
        assert_eq!((next.first, next.second), (Some(3), Some(4)));
    }

    #[test]
    fn a_trace_that_ends_early_and_a_lane_that_is_missing_are_differences() {
        let one = trace(&[1, 2, 3], &[(1, 100), (1, 200)]);
        let end = one.difference(&trace(&[1, 2], &[(1, 100), (1, 200)])).unwrap();
        assert_eq!((end.step, end.second), (1, None));
        let lane = one.difference(&trace(&[1, 2, 3], &[(1, 100)])).unwrap();
        assert_eq!((lane.step, lane.kind, lane.first, lane.second), (1, DifferenceKind::Memory, Some(200), None));
    }
}
