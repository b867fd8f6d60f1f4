//! One forced kernel of the registry, without the library around it: the primitive on ready blocks.
//!
//! A hash kernel gets the message with its padding, so that it does the work of the whole hash but for setting up and
//! reading out; its answer is the digest, comparable with everybody's.

use speedwell_kernels::exercise::{Exercise, InOutBuf};
use speedwell_kernels::{AnyKernel, cpu::Cpu};

use super::{Facts, InProcess, Setup, Skip};
use crate::algorithm::{Algorithm, Kind};
use crate::case::{Answer, Buffer, Case, Operation};

/// The subject that runs this kernel for every algorithm that its primitive carries, on a processor like `cpu`.
pub fn kernel_subject(kernel: &'static dyn AnyKernel, cpu: &Cpu) -> InProcess {
    let cpu = cpu.clone();
    let name = kernel.descriptor().name.to_owned();
    let facts = Facts { name, version: Some(env!("CARGO_PKG_VERSION").to_owned()), build: None };
    InProcess::new(facts, move |case| set_up(kernel, &cpu, case))
}

/// The subject of that name that runs whichever of these kernels carries a case: an implementation of several primitives.
pub fn implementation_subject(name: &str, kernels: Vec<&'static dyn AnyKernel>, cpu: &Cpu) -> InProcess {
    let cpu = cpu.clone();
    let facts = Facts { name: name.to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()), build: None };
    InProcess::new(facts, move |case| {
        let carrier = Algorithm::of(case)?.primitive(case.operation);
        let kernel = kernels.iter().find(|kernel| Some(kernel.descriptor().primitive()) == carrier);
        set_up(*kernel.ok_or(Skip::NotApplicable)?, &cpu, case)
    })
}

/// A setup of the reference kernel for a case: a referee that is not timed.
///
/// # Errors
/// If the case is not possible, or the kernels of its primitive are not in the registry.
pub(crate) fn reference(case: &Case) -> Result<Setup, Skip> {
    let algorithm = Algorithm::of(case)?;
    let primitive = algorithm.primitive(case.operation).ok_or(Skip::NotApplicable)?;
    let kernel = speedwell_kernels::all()
        .filter(|kernel| kernel.descriptor().primitive() == primitive && kernel.descriptor().needs.is_empty())
        .last()
        .ok_or(Skip::NotApplicable)?;
    // The whole operation has the same answer as its first call on the data.
    set_up(kernel, Cpu::host(), &Case { whole: false, ..case.clone() })
}

fn set_up(kernel: &'static dyn AnyKernel, cpu: &Cpu, case: &Case) -> Result<Setup, Skip> {
    let algorithm = Algorithm::of(case)?;
    if algorithm.primitive(case.operation) != Some(kernel.descriptor().primitive()) {
        return Err(Skip::NotApplicable);
    }
    if case.whole && case.operation != Operation::Hash {
        return Err(Skip::NotOffered("a whole operation: a kernel works on a key that is ready".to_owned()));
    }
    let missing = kernel.missing(cpu);
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|isa| isa.name()).collect();
        return Err(Skip::Processor(names.join(", ")));
    }
    let (mut data, key, chain) = match algorithm.kind {
        // Its kernels work on numbers, not on messages; a key is measured with them as a whole.
        Kind::PublicKey { .. } => return Err(Skip::NotApplicable),
        Kind::Hash { block, .. } => (padded(case, algorithm, block), Buffer::zeroed(0), initial(algorithm)?),
        Kind::Cipher { key, iv, .. } => {
            // A kernel of a key stream works on whole blocks: it makes a little more of it than the message needs.
            let mut data = Buffer::zeroed(case.bytes.next_multiple_of(kernel.shape().unit));
            data[..case.bytes].copy_from_slice(&case.input());
            (data, case.key(key), case.iv(iv).to_vec())
        }
    };
    let mut exercise = kernel
        .exercise(cpu, &key, &chain)
        .ok_or_else(|| Skip::Failed("the kernel does not bind, though the processor has all it needs".to_owned()))?;
    call(&mut *exercise, &mut data);
    let answer = match algorithm.kind {
        Kind::Hash { digest, .. } => Answer::new(&exercise.result()[..digest]),
        Kind::Cipher { .. } => Answer::new(&data[..case.bytes]),
        Kind::PublicKey { .. } => return Err(Skip::NotApplicable),
    };
    Ok(Setup {
        answer,
        kernel: Some(kernel.descriptor().name.to_owned()),
        run: Box::new(move |calls| (0..calls).for_each(|_| call(&mut *exercise, &mut data))),
    })
}

fn call(exercise: &mut dyn Exercise, data: &mut [u8]) {
    exercise.run(InOutBuf::from(data));
}

/// The message with a one bit, zeros, and its length in bits (RFC 1321, section 3; FIPS 180-4, section 5.1).
fn padded(case: &Case, algorithm: Algorithm, block: usize) -> Buffer {
    let mut message = Buffer::zeroed(algorithm.units(case.bytes) * block);
    message[..case.bytes].copy_from_slice(&case.input());
    message[case.bytes] = 0x80;
    let bits = case.bytes as u64 * 8;
    let end = message.len();
    if algorithm.name == "md5" {
        message[end - 8..].copy_from_slice(&bits.to_le_bytes());
    } else {
        message[end - 8..].copy_from_slice(&bits.to_be_bytes());
    }
    message
}

/// The state before the first block, as the primitive's exercise takes it.
fn initial(algorithm: Algorithm) -> Result<Vec<u8>, Skip> {
    use speedwell_kernels::{md5, sha1, sha256, sha512};

    let be_32 = |words: &[u32]| words.iter().flat_map(|word| word.to_be_bytes()).collect();
    let be_64 = |words: &[u64]| words.iter().flat_map(|word| word.to_be_bytes()).collect();
    Ok(match algorithm.name {
        "md5" => md5::INITIAL.iter().flat_map(|word| word.to_le_bytes()).collect(),
        "sha1" => be_32(&sha1::INITIAL),
        "sha224" => be_32(&sha256::INITIAL_224),
        "sha256" => be_32(&sha256::INITIAL),
        "sha384" => be_64(&sha512::INITIAL_384),
        "sha512" => be_64(&sha512::INITIAL),
        "sha512-224" => be_64(&sha512::INITIAL_512_224),
        "sha512-256" => be_64(&sha512::INITIAL_512_256),
        _ => return Err(Skip::NotApplicable),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::Subject;

    #[test]
    fn every_kernel_gives_the_reference_answer() {
        for kernel in speedwell_kernels::all() {
            let mut subject = kernel_subject(kernel, Cpu::host());
            let mut done = 0;
            for algorithm in Algorithm::all() {
                for operation in algorithm.operations() {
                    for bytes in [0, 16, 64, 112, 1024] {
                        let case = Case::new(algorithm.name, *operation, bytes);
                        let Ok(prepared) = subject.prepare(&case) else { continue };
                        assert_eq!(prepared.answer, reference(&case).unwrap().answer, "{case}");
                        done += 1;
                    }
                }
            }
            if done == 0 {
                println!("{}: nothing in the lab uses it, or this processor cannot run it", kernel.descriptor().name);
            }
        }
    }

    #[test]
    fn the_reference_of_a_hash_is_the_hash() {
        // SHA-256 of nothing, as FIPS 180-4's examples and everybody gives it.
        let empty = reference(&Case::new("sha256", Operation::Hash, 0)).unwrap();
        assert_eq!(empty.answer.start, "e3b0c44298fc1c149afbf4c8996fb924");
    }

    #[test]
    fn a_kernel_says_what_it_cannot_do() {
        let kernel = speedwell_kernels::all().next().unwrap();
        let mut subject = kernel_subject(kernel, Cpu::host());
        assert_eq!(subject.prepare(&Case::new("rc4", Operation::Encrypt, 16)), Err(Skip::NotApplicable));
        assert!(matches!(
            subject.prepare(&Case::new("no-such", Operation::Hash, 16)),
            Err(Skip::UnknownAlgorithm { .. })
        ));
    }
}
