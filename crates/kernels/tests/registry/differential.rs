//! Every kernel against the published answers and against its portable reference.

use speedwell_kernels::cpu::Cpu;
use speedwell_kernels::exercise::{Data, InOutBuf};

use crate::cases::{Place, bytes, keys_and_chains, lengths, run, usable};

#[test]
fn published_answers() {
    for kernel in usable().into_values().flatten() {
        let name = kernel.descriptor().name;
        assert!(!kernel.known_answers().is_empty(), "{name} has no known answer");
        for answer in kernel.known_answers() {
            let exercise = kernel.exercise(Cpu::host(), answer.key, answer.chain).expect("usable");
            assert!(answer.holds(exercise), "{name} fails {}", answer.source);
        }
    }
}

#[test]
fn a_wrong_answer_is_noticed() {
    for kernel in usable().into_values().flatten() {
        for answer in kernel.known_answers() {
            let mut wrong = *answer;
            let mut flipped = if answer.result.is_empty() { answer.output } else { answer.result }.to_vec();
            flipped[0] ^= 1;
            if answer.result.is_empty() {
                wrong.output = flipped.leak()
            } else {
                wrong.result = flipped.leak()
            }
            let exercise = kernel.exercise(Cpu::host(), answer.key, answer.chain).expect("usable");
            assert!(!wrong.holds(exercise), "{} accepts a wrong answer", kernel.descriptor().name);
        }
    }
}

#[test]
fn same_as_portable_at_every_length() {
    let mut random = fastrand::Rng::with_seed(1);
    for (primitive, kernels) in usable() {
        let (reference, others) = kernels.split_first().expect("every primitive has a kernel");
        let shape = reference.shape();
        for case in keys_and_chains(shape, &mut random) {
            for length in lengths(shape) {
                let mut case = case.clone();
                case.data = bytes(length, &mut random);
                let expected = run(*reference, &case, Place::Same, 0);
                for kernel in others {
                    for place in [Place::Same, Place::Other] {
                        assert_eq!(
                            run(*kernel, &case, place, 0),
                            expected,
                            "{} over {length} bytes, {place:?} place, {} byte key, chain {:x?}",
                            kernel.descriptor().name,
                            case.key.len(),
                            case.chain,
                        );
                    }
                }
                assert_eq!(run(*reference, &case, Place::Other, 0), expected, "{primitive}, reference, {length} bytes");
            }
        }
    }
}

#[test]
fn same_as_portable_at_every_alignment() {
    let mut random = fastrand::Rng::with_seed(2);
    for kernels in usable().into_values() {
        let (reference, others) = kernels.split_first().expect("every primitive has a kernel");
        let shape = reference.shape();
        let mut case = keys_and_chains(shape, &mut random).swap_remove(0);
        case.data = bytes(lengths(shape).last().unwrap_or(0), &mut random);
        let expected = run(*reference, &case, Place::Same, 0);
        for kernel in others {
            for offset in 0..64 {
                for place in [Place::Same, Place::Other] {
                    let name = kernel.descriptor().name;
                    assert_eq!(run(*kernel, &case, place, offset), expected, "{name} at offset {offset}, {place:?}");
                }
            }
        }
    }
}

#[test]
fn any_split_gives_the_same() {
    let mut random = fastrand::Rng::with_seed(3);
    for kernel in usable().into_values().flatten() {
        let shape = kernel.shape();
        if matches!(shape.data, Data::Absent | Data::Whole) {
            continue;
        }
        for mut case in keys_and_chains(shape, &mut random) {
            case.data = bytes(lengths(shape).last().unwrap_or(0), &mut random);
            let expected = run(kernel, &case, Place::Same, 0);
            let mut exercise = kernel.exercise(Cpu::host(), &case.key, &case.chain).expect("usable");
            let mut data = case.data.clone();
            let mut rest = &mut data[..];
            while !rest.is_empty() {
                let units = random.usize(0..=rest.len() / shape.unit);
                let (head, tail) = rest.split_at_mut(units * shape.unit);
                exercise.run(InOutBuf::from(head));
                rest = tail;
            }
            let name = kernel.descriptor().name;
            assert_eq!(exercise.result(), expected.1, "{name}: chaining value");
            assert!(shape.data == Data::Read || data == expected.0, "{name}: data");
        }
    }
}
