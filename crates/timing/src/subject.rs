//! What can be examined, and how a kernel of the registry is.

use speedwell_kernels::cpu::{Cpu, Isa, IsaSet};
use speedwell_kernels::exercise::{Data, InOutBuf, Shape};
use speedwell_kernels::{AnyKernel, Timing};

use crate::secrets::{Secret, secrets};

/// Something that is said to keep secrets.
pub trait Subject {
    /// Its name: a kernel's, or `operation/…`, or `control/…`.
    fn name(&self) -> &str;
    /// The instruction sets that it may use beyond the target's baseline; `None` if it is to be the processor's whole,
    /// because it chooses kernels itself.
    fn instruction_sets(&self) -> Option<IsaSet>;
    /// Whether it is said to be constant in time.
    fn claims_constant(&self) -> bool;
    /// What of the instruction sets this processor lacks.
    fn missing(&self, cpu: &Cpu) -> Vec<Isa> {
        let needed = self.instruction_sets().unwrap_or_default();
        needed.iter().filter(|isa| !cpu.features().has(*isa)).collect()
    }
    /// Lengths and public inputs, in words.
    fn cases(&self) -> Vec<String>;
    /// The secrets of a case.
    fn secrets(&self, case: usize) -> Vec<Secret>;
    /// Sets a case up with a secret. Only what the result does when it is called is examined.
    fn set_up(&self, case: usize, secret: &[u8]) -> Box<dyn FnMut()>;
}

/// A kernel of the registry, examined over its primitive's [`Shape`]: keys and data are secret, and so is the state that a
/// hash starts from (of HMAC it is made from the key); initialisation vectors, counters and all lengths are public.
pub struct KernelSubject {
    kernel: &'static dyn AnyKernel,
    cases: Vec<Case>,
}

#[derive(Clone)]
struct Case {
    key: usize,
    chain: Vec<u8>,
    data: usize,
    in_place: bool,
}

impl KernelSubject {
    /// The subject for a kernel.
    pub fn new(kernel: &'static dyn AnyKernel) -> Self {
        KernelSubject { kernel, cases: cases(kernel.shape(), kernel.descriptor().needs) }
    }

    fn is_chain_secret(&self) -> bool {
        self.kernel.shape().key == [0]
    }

    fn secret_length(&self, case: &Case) -> usize {
        case.key + case.data + if self.is_chain_secret() { case.chain.len() } else { 0 }
    }
}

impl Subject for KernelSubject {
    fn name(&self) -> &str {
        self.kernel.descriptor().name
    }

    fn instruction_sets(&self) -> Option<IsaSet> {
        Some(self.kernel.descriptor().needs)
    }

    fn claims_constant(&self) -> bool {
        self.kernel.descriptor().timing == Timing::Constant
    }

    fn cases(&self) -> Vec<String> {
        let words = |case: &Case| {
            let mut words = Vec::new();
            if case.key > 0 {
                words.push(format!("key of {} bytes", case.key));
            }
            if self.kernel.shape().data != Data::Absent {
                words.push(format!("{} bytes", case.data));
            }
            if !self.is_chain_secret() && case.chain.iter().skip(1).any(|byte| *byte == 0xff) {
                words.push("a counter that carries".to_owned());
            }
            if !case.in_place {
                words.push("to another place".to_owned());
            }
            words.join(", ")
        };
        self.cases.iter().map(words).collect()
    }

    fn secrets(&self, case: usize) -> Vec<Secret> {
        secrets(self.secret_length(&self.cases[case]))
    }

    fn set_up(&self, case: usize, secret: &[u8]) -> Box<dyn FnMut()> {
        let case = &self.cases[case];
        let (key, rest) = secret.split_at(case.key);
        let (data, state) = rest.split_at(case.data);
        let chain = if self.is_chain_secret() { state } else { &case.chain };
        let mut exercise = self.kernel.exercise(Cpu::host(), key, chain).expect("the processor was asked before");
        let input = data.to_vec();
        let mut output = data.to_vec();
        if case.in_place {
            Box::new(move || exercise.run(InOutBuf::from(&mut output[..])))
        } else {
            Box::new(move || exercise.run(InOutBuf::new(&input, &mut output).expect("both have the same length")))
        }
    }
}

/// The operands of one number of the shortest length, 256 bits, are no longer.
const ONE_NUMBER: usize = 3 * 32;

/// Blocks for which every kernel of counter mode has a table.
const LONG_RUN: usize = 1400;

/// Cases that reach every tail and tier. The lengths are in units: up to nine for the loops of vectors, then one group of
/// the widest kernels (32 blocks) with a tail, and two of them. Portable kernels have no group that wide.
fn cases(shape: Shape, needs: IsaSet) -> Vec<Case> {
    let is_portable = needs.is_empty();
    let units: &[usize] = match (shape.data, shape.unit) {
        (Data::Absent, _) => &[0],
        // Whole messages: no block, parts of one, groups of the widest kernels with a tail, and their longest loops.
        (Data::Whole, _) if is_portable => &[0, 1, 16, 33, 75],
        (Data::Whole, _) => &[0, 1, 15, 16, 17, 63, 64, 65, 255, 256, 300, 1100, 2100],
        (_, 1) => &[0, 1, 2, 3, 7, 8, 15, 16, 31, 33, 63, 64, 65, 131, 259],
        (_, 2..=16) if is_portable => &[1, 2, 3, 4, 5, 9],
        (_, 2..=16) => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 37, 70],
        // Blocks of many messages: all lanes and those left over are in every unit, and the loop goes on from the second,
        // which portable kernels take a lane at a time; encryption has rows of four.
        (Data::Read, 1024..) if is_portable => &[1],
        (Data::Read, 1024..) => &[1, 2],
        (Data::Transform, 257..) if is_portable => &[1],
        (Data::Transform, 257..) => &[1, 4],
        _ => &[1, 2, 3, 4],
    };
    // What differs from case to case by more than its length needs a group and a tail, but no more: portable kernels
    // have up to thousands of instructions a block.
    let longest = if is_portable { units.iter().rev().nth(1).or(units.last()) } else { units.last() };
    let longest = longest.copied().unwrap_or(0) * shape.unit;
    let plain: Vec<u8> = (0..shape.chain).map(|i| 0x30_u8.wrapping_add(i as u8)).collect();
    let (first, others) = shape.key.split_first().expect("a shape has a key length, if only 0");
    let case = |key, data| Case { key, chain: plain.clone(), data, in_place: true };
    let mut cases: Vec<Case> = units.iter().map(|units| case(*first, units * shape.unit)).collect();
    // Numbers of some thousand bits take minutes to trace. Limbs of 64 bits run the same loops at every size, which of
    // several numbers the shortest shows; blocks of eight limbs need two of them. Vectors of limbs have code of their own for
    // small sizes.
    let most_key = match shape.data {
        Data::Absent if needs.has(Isa::Avx512ifma) => 3 * first,
        Data::Absent if *first <= ONE_NUMBER && is_portable => 2 * first,
        Data::Absent if *first <= ONE_NUMBER => 4 * first,
        Data::Absent => *first,
        _ => usize::MAX,
    };
    let keys = others.iter().filter(|key| **key <= most_key);
    cases.extend(keys.map(|key| case(*key, longest.min(37 * shape.unit))));
    if shape.data.is_written() {
        cases.push(Case { in_place: false, ..case(*first, longest) });
        if shape.chain > 0 {
            // A counter that carries out of its lowest bytes within the data.
            let mut chain = vec![0xff; shape.chain];
            chain[0] = 0x30;
            chain[shape.chain - 1] = 0xfd;
            cases.push(Case { chain, ..case(*first, longest) });
            // A run so long that counter mode reads the first rounds from a table.
            if (2..=16).contains(&shape.unit) && !is_portable {
                cases.push(case(*first, LONG_RUN * shape.unit));
            }
        }
    }
    cases
}
