//! One forced kernel of the registry, without the library around it: the primitive on ready blocks.
//!
//! A hash kernel gets the message with its padding, so that it does the work of the whole hash but for setting up and
//! reading out; its answer is the digest, comparable with everybody's. The same goes for MACs.

use speedwell_kernels::exercise::{Exercise, InOutBuf};
use speedwell_kernels::{AnyKernel, cpu::Cpu};

use super::{Facts, InProcess, Setup, Skip, many};
use crate::algorithm::{Algorithm, Kind};
use crate::case::{Answer, Buffer, Case, Operation};
use crate::ring::Ring;

/// The subject that runs this kernel for every algorithm that its primitive carries, on a processor like `cpu`.
pub fn kernel_subject(kernel: &'static dyn AnyKernel, cpu: &Cpu) -> InProcess {
    let cpu = cpu.clone();
    let name = kernel.descriptor().name.to_owned();
    let facts = Facts { version: Some(env!("CARGO_PKG_VERSION").to_owned()), ..Facts::named(&name) };
    InProcess::new(facts, move |case| set_up(kernel, &cpu, case))
}

/// The subject of that name that runs whichever of these kernels carries a case: an implementation of several primitives.
pub fn implementation_subject(name: &str, kernels: Vec<&'static dyn AnyKernel>, cpu: &Cpu) -> InProcess {
    let cpu = cpu.clone();
    let facts = Facts { version: Some(env!("CARGO_PKG_VERSION").to_owned()), ..Facts::named(name) };
    InProcess::new(facts, move |case| {
        let carrier = Algorithm::of(case)?.carrier(case);
        let kernel = kernels.iter().find(|kernel| Some(kernel.descriptor().primitive()) == carrier);
        set_up(*kernel.ok_or(Skip::NotApplicable)?, &cpu, case)
    })
}

/// What the reference kernel makes of a case: a referee that is not timed.
///
/// # Errors
/// If the case is not possible, or the kernels of its primitive are not in the registry.
pub(crate) fn reference(case: &Case) -> Result<Answer, Skip> {
    let algorithm = Algorithm::of(case)?;
    let primitive = algorithm.primitive(case.operation).ok_or(Skip::NotApplicable)?;
    let kernel = speedwell_kernels::all()
        .filter(|kernel| kernel.descriptor().primitive() == primitive && kernel.descriptor().needs.is_empty())
        .last()
        .ok_or(Skip::NotApplicable)?;
    // The whole operation has the same answer as its first call on the data, and many messages those of each.
    let mut outputs = Vec::new();
    for number in 0..case.messages {
        outputs.extend(run_once(kernel, Cpu::host(), algorithm, case, number)?.output);
    }
    Ok(Answer::new(&outputs))
}

fn set_up(kernel: &'static dyn AnyKernel, cpu: &Cpu, case: &Case) -> Result<Setup, Skip> {
    let algorithm = Algorithm::of(case)?;
    if algorithm.carrier(case) != Some(kernel.descriptor().primitive()) {
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
    if case.messages > 1 {
        return many::set_up(case, Some(kernel));
    }
    let Once { mut exercise, mut messages, output } = run_once(kernel, cpu, algorithm, case, 0)?;
    Ok(Setup {
        answer: Answer::new(&output),
        kernel: Some(kernel.descriptor().name.to_owned()),
        run: Box::new(move |calls| (0..calls).for_each(|_| call(&mut *exercise, messages.take()))),
    })
}

/// A kernel that is set up and has run once.
struct Once {
    exercise: Box<dyn Exercise>,
    messages: Ring,
    output: Vec<u8>,
}

/// Sets a kernel up for one message of a case and runs it once.
fn run_once(
    kernel: &'static dyn AnyKernel,
    cpu: &Cpu,
    algorithm: Algorithm,
    case: &Case,
    number: usize,
) -> Result<Once, Skip> {
    let Work { key, chain, mut messages, output } = work(kernel, cpu, algorithm, case, number)?;
    let mut exercise = exercise(kernel, cpu, &key, &chain)?;
    let output = match output {
        Some(output) => output,
        None => {
            call(&mut *exercise, messages.take());
            match algorithm.kind {
                Kind::Hash { digest, .. } => exercise.result()[..digest].to_vec(),
                Kind::Hmac { .. } | Kind::Cmac { .. } => exercise.result(),
                Kind::Aead { .. } if case.operation == Operation::Encrypt => {
                    [messages.first(), &exercise.result()].concat()
                }
                Kind::Aead { .. } | Kind::Cipher { .. } | Kind::PublicKey { .. } => {
                    messages.first()[..case.bytes].to_vec()
                }
            }
        }
    };
    Ok(Once { exercise, messages, output })
}

/// What a kernel is run on for a case.
struct Work {
    key: Buffer,
    chain: Vec<u8>,
    messages: Ring,
    /// What comes out, if more than one run is needed for it.
    output: Option<Vec<u8>>,
}

fn work(
    kernel: &'static dyn AnyKernel,
    cpu: &Cpu,
    algorithm: Algorithm,
    case: &Case,
    number: usize,
) -> Result<Work, Skip> {
    let input = case.input_of(number);
    match algorithm.kind {
        // Its kernels work on numbers, not on messages; a key is measured with them as a whole.
        Kind::PublicKey { .. } => Err(Skip::NotApplicable),
        Kind::Hash { block, .. } => Ok(Work {
            key: Buffer::zeroed(0),
            chain: initial(algorithm)?,
            messages: Ring::alone(padded(&[], &input, algorithm, block)),
            output: None,
        }),
        Kind::Hmac { hash, key, .. } => {
            let hash = Algorithm::named(hash).ok_or(Skip::NotApplicable)?;
            hmac(kernel, cpu, hash, &case.key_of(number, key), &input)
        }
        Kind::Cmac { key, .. } => cmac(kernel, cpu, case.key_of(number, key), &input),
        Kind::Aead { seal, key, nonce, .. } => {
            let (key, mut chain) = (case.key_of(number, key), case.iv_of(number, nonce).to_vec());
            chain.extend([0, 0, 0, 1]);
            let mut data = input;
            if case.operation == Operation::Decrypt {
                let reference =
                    speedwell_kernels::all().filter(|kernel| kernel.descriptor().primitive() == seal).last();
                call(&mut *exercise(reference.ok_or(Skip::NotApplicable)?, cpu, &key, &chain)?, &mut data);
            }
            Ok(Work { key, chain, messages: Ring::alone(data), output: None })
        }
        Kind::Cipher { key, iv, .. } => {
            // A kernel of a key stream works on whole blocks: it makes a little more of it than the message needs.
            let messages = Ring::new(&input, kernel.shape().unit);
            Ok(Work { key: case.key_of(number, key), chain: case.iv_of(number, iv).to_vec(), messages, output: None })
        }
    }
}

/// HMAC (RFC 2104, section 2). It is timed on as many blocks as there are behind the key.
fn hmac(kernel: &'static dyn AnyKernel, cpu: &Cpu, hash: Algorithm, key: &[u8], input: &[u8]) -> Result<Work, Skip> {
    let Kind::Hash { block, digest, .. } = hash.kind else { return Err(Skip::NotApplicable) };
    let initial = initial(hash)?;
    let mut text = input.to_vec();
    for pad in [0x36, 0x5c] {
        let mut first = vec![pad; block];
        first.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
        let mut exercise = exercise(kernel, cpu, &[], &initial)?;
        call(&mut *exercise, &mut padded(&first, &text, hash, block));
        text = exercise.result();
        text.truncate(digest);
    }
    // The inner key's block is not there, and the outer digest's block takes its place.
    let data = padded(&vec![0; block], input, hash, block);
    Ok(Work { key: Buffer::zeroed(0), chain: initial, messages: Ring::alone(data), output: Some(text) })
}

/// CMAC (SP 800-38B, section 6): the chain over the blocks, the last of them with its subkey.
fn cmac(kernel: &'static dyn AnyKernel, cpu: &Cpu, key: Buffer, input: &[u8]) -> Result<Work, Skip> {
    let chain = vec![0; 16];
    let mut exercise = exercise(kernel, cpu, &key, &chain)?;
    let mut subkey = [0; 16];
    call(&mut *exercise, &mut subkey);
    let length = input.len();
    let whole = length > 0 && length.is_multiple_of(16);
    for _ in 0..if whole { 1 } else { 2 } {
        let bits = u128::from_be_bytes(subkey);
        subkey = ((bits << 1) ^ ((bits >> 127) * 0x87)).to_be_bytes();
    }
    let mut data = Buffer::zeroed(length.next_multiple_of(16).max(16));
    data[..length].copy_from_slice(input);
    if !whole {
        data[length] = 0x80;
    }
    let last = data.len() - 16;
    data[last..].iter_mut().zip(subkey).for_each(|(byte, key)| *byte ^= key);
    Ok(Work { key, chain, messages: Ring::alone(data), output: None })
}

fn exercise(kernel: &'static dyn AnyKernel, cpu: &Cpu, key: &[u8], chain: &[u8]) -> Result<Box<dyn Exercise>, Skip> {
    let unbound = || Skip::Failed("the kernel does not bind, though the processor has all it needs".to_owned());
    kernel.exercise(cpu, key, chain).ok_or_else(unbound)
}

fn call(exercise: &mut dyn Exercise, data: &mut [u8]) {
    exercise.run(InOutBuf::from(data));
}

/// Whole blocks and a message with a one bit, zeros, and the length of all in bits (RFC 1321, section 3; FIPS 180-4,
/// section 5.1).
fn padded(first: &[u8], message: &[u8], algorithm: Algorithm, block: usize) -> Buffer {
    let length = first.len() + message.len();
    let mut padded = Buffer::zeroed(algorithm.units(length) * block);
    padded[..first.len()].copy_from_slice(first);
    padded[first.len()..length].copy_from_slice(message);
    padded[length] = 0x80;
    let bits = length as u64 * 8;
    let end = padded.len();
    if algorithm.name == "md5" {
        padded[end - 8..].copy_from_slice(&bits.to_le_bytes());
    } else {
        padded[end - 8..].copy_from_slice(&bits.to_be_bytes());
    }
    padded
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
                        assert_eq!(prepared.answer, reference(&case).unwrap(), "{case}");
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
        assert_eq!(empty.start, "e3b0c44298fc1c149afbf4c8996fb924");
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
