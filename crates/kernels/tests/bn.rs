//! Every kernel of `bn` against a plain library of big numbers, at the edges: 0, 1, n − 1, all-ones limbs, moduli with high
//! zero limbs, and lengths that are no kernel's own.

use num_bigint::BigUint;
use proptest::prelude::*;
use speedwell_kernels::Primitive;
use speedwell_kernels::bn::{Exponentiation, Modulus, MontExp, MontExp2, MontExpMany, MontMul, PublicExp};
use speedwell_kernels::cpu::Cpu;

fn big(limbs: &[u64]) -> BigUint {
    BigUint::from_bytes_le(&limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect::<Vec<u8>>())
}

fn limbs(number: &BigUint, length: usize) -> Vec<u64> {
    let mut limbs = number.to_u64_digits();
    limbs.resize(length, 0);
    limbs
}

/// Holds every kernel against the plain library for one modulus and what goes with it.
fn check(modulus: &[u64], base: &[u64], exponent: &[u64]) {
    let length = modulus.len();
    let Ok(prepared) = Modulus::new(modulus) else { return };
    let (n, e) = (big(modulus), big(exponent));
    let base = limbs(&(big(base) % &n), length);
    let b = big(&base);
    let mut output = vec![0; length];

    let expected = limbs(&b.modpow(&e, &n), length);
    for kernel in MontExp::kernels().filter_map(|kernel| kernel.bind(Cpu::host())) {
        let mut job = Exponentiation { output: &mut output, base: &base, exponent, modulus: &prepared };
        kernel.call(&mut job);
        assert_eq!(output, expected, "{kernel:?}, modulus {modulus:x?}, base {base:x?}, exponent {exponent:x?}");
    }
    // The second modulus is another one of the same length.
    let mut other = modulus.to_vec();
    other[0] ^= 2;
    let Ok(second) = Modulus::new(&other) else { return };
    let second_base = limbs(&(&b % big(&other)), length);
    let second_expected = limbs(&big(&second_base).modpow(&e, &big(&other)), length);
    for kernel in MontExp2::kernels().filter_map(|kernel| kernel.bind(Cpu::host())) {
        let (mut first_output, mut second_output) = (vec![0; length], vec![0; length]);
        let mut jobs = [
            Exponentiation { output: &mut first_output, base: &base, exponent, modulus: &prepared },
            Exponentiation { output: &mut second_output, base: &second_base, exponent, modulus: &second },
        ];
        kernel.call(&mut jobs);
        assert_eq!((first_output, second_output), (expected.clone(), second_expected.clone()), "{kernel:?}");
    }
    for kernel in MontExpMany::kernels().filter_map(|kernel| kernel.bind(Cpu::host())) {
        for count in [1, 3, 8] {
            let mut outputs = vec![vec![0; length]; count];
            let mut jobs: Vec<Exponentiation<'_>> = outputs
                .iter_mut()
                .enumerate()
                .map(|(i, output)| match i % 2 {
                    0 => Exponentiation { output, base: &base, exponent, modulus: &prepared },
                    _ => Exponentiation { output, base: &second_base, exponent, modulus: &second },
                })
                .collect();
            kernel.call(&mut jobs);
            for (i, output) in outputs.iter().enumerate() {
                assert_eq!(output, if i % 2 == 0 { &expected } else { &second_expected }, "{kernel:?}, lane {i}");
            }
        }
    }
    for public in [1, 2, 3, 65537, u64::MAX] {
        let expected = limbs(&b.modpow(&BigUint::from(public), &n), length);
        for kernel in PublicExp::kernels().filter_map(|kernel| kernel.bind(Cpu::host())) {
            kernel.call(&mut output, &base, public, &prepared);
            assert_eq!(output, expected, "{kernel:?} to the power of {public}, modulus {modulus:x?}, base {base:x?}");
        }
    }
    // a · b / R = c, with a any number: c · R = a · b.
    let any: Vec<u64> = exponent.iter().cycle().take(length).copied().collect();
    for kernel in MontMul::kernels().filter_map(|kernel| kernel.bind(Cpu::host())) {
        kernel.call(&mut output, &any, &base, &prepared);
        let product = (big(&output) << (64 * length)) % &n;
        assert_eq!(product, big(&any) * &b % &n, "{kernel:?}");
        assert!(big(&output) < n, "{kernel:?}");
    }
}

#[test]
fn edges() {
    for length in [1, 2, 3, 4, 5, 8, 11, 16, 17, 24, 32] {
        let all_ones = vec![u64::MAX; length];
        let mut high_zeros = vec![0; length];
        high_zeros[0] = u64::MAX - 58;
        let mut power_plus_one = vec![0; length];
        power_plus_one[length - 1] = 1 << 63;
        power_plus_one[0] |= 1;
        let mut three = vec![0; length];
        three[0] = 3;
        for modulus in [&all_ones, &high_zeros, &power_plus_one, &three] {
            let mut less_one = modulus.clone();
            less_one[0] -= 1;
            let (zero, mut one) = (vec![0; length], vec![0; length]);
            one[0] = 1;
            for base in [&zero, &one, &less_one, &all_ones] {
                for exponent in [&[0][..], &[1], &[2], &[u64::MAX], &[0, 1 << 63], &[u64::MAX, u64::MAX, 5]] {
                    check(modulus, base, exponent);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_numbers(
        mut modulus in prop::collection::vec(any::<u64>(), 1..36),
        base in prop::collection::vec(any::<u64>(), 36),
        exponent in prop::collection::vec(any::<u64>(), 1..6),
    ) {
        modulus[0] |= 1;
        check(&modulus, &base, &exponent);
    }
}
