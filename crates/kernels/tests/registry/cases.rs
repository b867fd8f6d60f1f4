//! Keys, chaining values and data for the tests, and one way to run a kernel on them.

use std::collections::BTreeMap;

use speedwell_kernels::cpu::Cpu;
use speedwell_kernels::exercise::{Data, InOutBuf, Shape};
use speedwell_kernels::{AnyKernel, all};

/// The kernels that this processor can run, by primitive; of each primitive, the reference comes first: the portable
/// kernel that stands last in its list.
pub fn usable() -> BTreeMap<&'static str, Vec<&'static dyn AnyKernel>> {
    let mut primitives: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for kernel in all() {
        let kernels = primitives.entry(kernel.descriptor().primitive()).or_default();
        if kernel.missing(Cpu::host()).is_empty() {
            kernels.push(kernel);
        } else {
            println!("skipped: {} needs {}", kernel.descriptor().name, kernel.descriptor().needs);
        }
    }
    for (primitive, kernels) in &mut primitives {
        let reference = kernels.iter().rposition(|kernel| kernel.descriptor().needs.is_empty());
        let reference = reference.unwrap_or_else(|| panic!("{primitive} has no portable kernel"));
        kernels.rotate_left(reference);
    }
    primitives
}

/// A run's inputs.
#[derive(Clone)]
pub struct Case {
    pub key: Vec<u8>,
    pub chain: Vec<u8>,
    pub data: Vec<u8>,
}

/// The place of input and output of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// Output over input.
    Same,
    /// Output elsewhere.
    Other,
}

/// The data and the result after one run over all the data, which starts `offset` bytes into its allocation.
pub fn run(kernel: &'static dyn AnyKernel, case: &Case, place: Place, offset: usize) -> (Vec<u8>, Vec<u8>) {
    let mut exercise = kernel.exercise(Cpu::host(), &case.key, &case.chain).expect("only usable kernels are run");
    let mut input = shifted(&case.data, offset);
    let data = match place {
        Place::Same => {
            exercise.run(InOutBuf::from(&mut input[offset..]));
            input[offset..].to_vec()
        }
        Place::Other => {
            // The output is off by another amount than the input is, and full of what must be overwritten.
            let shift = (offset * 7 + 3) % 64;
            let mut output = shifted(&vec![0xa5; case.data.len()], shift);
            let buffer = InOutBuf::new(&input[offset..], &mut output[shift..]).expect("both have the same length");
            exercise.run(buffer);
            assert_eq!(&input[offset..], case.data, "{} writes to its input", kernel.descriptor().name);
            output[shift..].to_vec()
        }
    };
    (if kernel.shape().data.is_written() { data } else { Vec::new() }, exercise.result())
}

/// Every key length with every kind of chaining value: random ones and the edges where counters carry.
pub fn keys_and_chains(shape: Shape, random: &mut fastrand::Rng) -> Vec<Case> {
    let mut chains = vec![bytes(shape.chain, random)];
    if shape.chain > 0 {
        chains.push(vec![0; shape.chain]);
        chains.push(vec![0xff; shape.chain]);
        for ones in [1, 2, 4, 8, 12] {
            // The last bytes are all ones but for the lowest, so that a counter carries past them within the data.
            let mut chain = bytes(shape.chain, random);
            for byte in chain.iter_mut().rev().take(ones) {
                *byte = 0xff;
            }
            if let Some(last) = chain.last_mut() {
                *last = 0xf6;
            }
            chains.push(chain);
        }
    }
    let mut cases = Vec::new();
    for length in shape.key {
        for chain in &chains {
            cases.push(Case { key: bytes(*length, random), chain: chain.clone(), data: Vec::new() });
        }
    }
    cases
}

/// The numbers of units that the tests run over: every tail of the widest kernels' loops and more.
pub fn lengths(shape: Shape) -> impl Iterator<Item = usize> {
    let most = match (shape.data, shape.unit) {
        (Data::Absent, _) => 0,
        // One step of the widest kernels with every tail, and the edges of the next steps.
        (Data::Whole, _) => 290,
        (_, 1) => 400,
        (_, 2..=16) => 75,
        _ => 12,
    };
    // Long enough for what only pays in long runs.
    let more: &[usize] = match (shape.data, shape.unit) {
        (Data::Absent, _) => &[],
        (Data::Whole, _) => &[511, 512, 513, 784, 1025, 2047, 2049, 2600, 4113],
        (_, 16) => &[129 * 16, 161 * 16, 258 * 16],
        _ => &[],
    };
    (0..=most).map(move |units| units * shape.unit).chain(more.iter().copied())
}

pub fn bytes(length: usize, random: &mut fastrand::Rng) -> Vec<u8> {
    std::iter::repeat_with(|| random.u8(..)).take(length).collect()
}

fn shifted(data: &[u8], offset: usize) -> Vec<u8> {
    let mut shifted = vec![0; offset];
    shifted.extend_from_slice(data);
    shifted
}
