//! An implementation on primitives as such: a case names a primitive instead of an algorithm, and its bytes are those of a
//! call. Primitives that take many messages come as cases of an algorithm, in the batches of the library.

use speedwell_kernels::exercise::{Data, InOutBuf};
use speedwell_kernels::{AnyKernel, cpu::Cpu};

use super::{Facts, InProcess, Setup, Skip, many};
use crate::algorithm::Algorithm;
use crate::case::{Answer, Case};
use crate::ring::Ring;

/// The subject of that name that runs whichever of these kernels is of a case's primitive.
pub fn primitive_subject(facts: Facts, kernels: Vec<&'static dyn AnyKernel>, cpu: &Cpu) -> InProcess {
    let cpu = cpu.clone();
    InProcess::new(facts, move |case| {
        let primitive = match Algorithm::named(&case.algorithm) {
            Some(algorithm) => algorithm.carrier(case).ok_or(Skip::NotApplicable)?,
            None => &case.algorithm,
        };
        let of_case = |kernel: &&&'static dyn AnyKernel| kernel.descriptor().primitive() == primitive;
        let kernel = *kernels.iter().find(of_case).ok_or(Skip::NotApplicable)?;
        // What this processor cannot run is nothing to report: it is not about a subject, and there are many.
        if !kernel.missing(&cpu).is_empty() {
            return Err(Skip::NotApplicable);
        }
        if case.messages > 1 { many::set_up(case, Some(kernel)) } else { set_up(kernel, &cpu, case) }
    })
}

/// A case of `bn` has the modulus' bytes; the operands of its exercise are as long as the shape says for this size.
fn key_length(kernel: &'static dyn AnyKernel, case: &Case) -> usize {
    let lengths = kernel.shape().key;
    let is_absent = kernel.shape().data == Data::Absent;
    if !is_absent {
        return if lengths.contains(&16) { 16 } else { lengths[0] };
    }
    let sizes = crate::tune::key_sizes(kernel);
    let place = sizes.iter().position(|size| *size == case.bytes);
    place.map_or(lengths[0], |place| lengths[place])
}

fn set_up(kernel: &'static dyn AnyKernel, cpu: &Cpu, case: &Case) -> Result<Setup, Skip> {
    let shape = kernel.shape();
    let key = case.key(key_length(kernel, case));
    let unbound = || Skip::Failed("the kernel does not bind, though the processor has all it needs".to_owned());
    let mut exercise = kernel.exercise(cpu, &key, &case.iv(shape.chain)).ok_or_else(unbound)?;
    let input = case.input();
    let mut messages = match shape.data {
        Data::Absent => Ring::alone(crate::case::Buffer::zeroed(0)),
        Data::Read => Ring::alone(input),
        Data::Transform | Data::Whole => Ring::new(&input, shape.unit),
    };
    exercise.run(InOutBuf::from(&mut *messages.take()));
    let answer = Answer::new(&[messages.first(), &exercise.result()].concat());
    Ok(Setup {
        answer,
        kernel: Some(kernel.descriptor().name.to_owned()),
        run: Box::new(move |calls| (0..calls).for_each(|_| exercise.run(InOutBuf::from(&mut *messages.take())))),
    })
}
