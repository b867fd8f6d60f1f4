//! 64-bit limbs with MULX, whose product leaves the flags alone, and ADCX and ADOX, which add with a carry flag each: the
//! two sums of a row (the products' halves among themselves, and what is there already) run as two chains at once.
//!
//! Numbers of a multiple of eight limbs, which all usual ones are, go by blocks of eight in registers ([`mulx_blocks`]); the
//! others by rows in memory.
//!
//! Source: E. Ozturk, J. Guilford, V. Gopal, W. Feghali, "New Instructions Supporting Large Integer Arithmetic on Intel
//! Architecture Processors" (2012).
//!
//! Bound by MULX, one a cycle on Zen 4, and by the additions beside it, which make it 1.55 there: 2 L² products for L
//! limbs, and 3 L² / 2 for a square.

use std::arch::asm;

use super::limbs::{add, mont_mul as any_length, multiply_add, reduce_once};
use super::mulx_blocks::{self, BLOCK};
use super::windows::{exponentiate, exponentiate_public};
use super::{Exponentiation, Modulus};

/// Limbs of the halves of an RSA key of 2048 bits; longer numbers have the most room.
const SHORT: usize = 16;

kernel! {
    isa: ["bmi2", "adx"], timing: Constant,

    name: "bn.mont_mul/x86_64_mulx_adx", primitive: super::MontMul,
    fn mont_mul(output: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus) {
        product(output, a, b, modulus);
        reduce_once(output, 0, modulus.limbs());
    }

    name: "bn.public_exp/x86_64_mulx_adx", primitive: super::PublicExp,
    fn public_exp(output: &mut [u64], base: &[u64], exponent: u64, modulus: &Modulus) {
        exponentiate_public(
            output,
            base,
            exponent,
            modulus,
            |output, a, b| product(output, a, b, modulus),
            |output, a| square(output, a, modulus),
        );
        reduce_once(output, 0, modulus.limbs());
    }

    name: "bn.mont_exp/x86_64_mulx_adx", primitive: super::MontExp,
    fn mont_exp(job: &mut Exponentiation<'_>) {
        let modulus = job.modulus;
        exponentiate(
            job,
            |output, a, b| product(output, a, b, modulus),
            |output, a| square(output, a, modulus),
        );
        reduce_once(job.output, 0, modulus.limbs());
    }

    name: "bn.mont_exp2/x86_64_mulx_adx", primitive: super::MontExp2,
    fn mont_exp2(jobs: &mut [Exponentiation<'_>; 2]) {
        for job in jobs {
            mont_exp(job);
        }
    }

    name: "bn.mont_exp8/x86_64_mulx_adx", primitive: super::MontExpMany,
    fn mont_exp8(jobs: &mut [Exponentiation<'_>]) {
        for job in jobs {
            mont_exp(job);
        }
    }

    // Montgomery multiplication: by blocks of eight limbs, in rows of a multiple of four, or by the portable code. The result
    // of blocks may be more than the modulus, and their factors may too.
    helper fn product(output: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus) {
        // To clear more room than is needed would take as long as a row.
        match modulus.limbs().len() {
            length if !length.is_multiple_of(BLOCK) => match length {
                ..=SHORT => product_in_rows::<{ SHORT + 1 }>(output, a, b, modulus),
                _ => product_in_rows::<{ Modulus::MOST_LIMBS + 1 }>(output, a, b, modulus),
            },
            ..=SHORT => mulx_blocks::product::<{ 2 * SHORT }>(output, a, b, modulus),
            _ => mulx_blocks::product::<{ 2 * Modulus::MOST_LIMBS }>(output, a, b, modulus),
        }
    }

    // A square.
    helper fn square(output: &mut [u64], a: &[u64], modulus: &Modulus) {
        match modulus.limbs().len() {
            length if !length.is_multiple_of(BLOCK) => match length {
                ..=SHORT => square_in_rows::<{ 2 * SHORT + 1 }>(output, a, modulus),
                _ => square_in_rows::<{ 2 * Modulus::MOST_LIMBS + 1 }>(output, a, modulus),
            },
            ..=SHORT => mulx_blocks::square::<{ 2 * SHORT }>(output, a, modulus),
            _ => mulx_blocks::square::<{ 2 * Modulus::MOST_LIMBS }>(output, a, modulus),
        }
    }

    // A row of products and a row of reduction for each limb of `b`.
    outlined fn product_in_rows<const ROOM: usize>(output: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus) {
        let limbs = modulus.limbs();
        let length = limbs.len();
        if !length.is_multiple_of(4) {
            return any_length(output, a, b, limbs, modulus.inverse());
        }
        let (a, b, output) = (&a[..length], &b[..length], &mut output[..length]);
        // The sum, with a place below for the limb that each row makes zero.
        let mut room = [0u64; ROOM];
        let sum = &mut room[..length + 1];
        let mut top = 0;
        for factor in b {
            let carry = row::<false>(sum, a, *factor, 0);
            let (highest, over) = add(top, carry, 0);
            let quotient = sum[1].wrapping_mul(modulus.inverse());
            let carry = row::<true>(sum, limbs, quotient, 0);
            (sum[length], top) = add(highest, carry, 0);
            top += over;
        }
        output.copy_from_slice(&sum[1..]);
        zeroize::Zeroize::zeroize(sum);
        reduce_once(output, top, limbs);
    }

    // The same with equal factors: the products of different limbs are made once and doubled. Rows start at a multiple of
    // four limbs; the few products before that are made one by one.
    outlined fn square_in_rows<const ROOM: usize>(output: &mut [u64], a: &[u64], modulus: &Modulus) {
        let limbs = modulus.limbs();
        let length = limbs.len();
        if !length.is_multiple_of(4) {
            return any_length(output, a, a, limbs, modulus.inverse());
        }
        let (a, output) = (&a[..length], &mut output[..length]);
        // As in a product with a place below.
        let mut room = [0u64; ROOM];
        let sum = &mut room[..2 * length + 1];
        for i in 0..length {
            let start = (i / 4 + 1) * 4;
            let mut carry = 0;
            for j in i + 1..start {
                (sum[1 + i + j], carry) = multiply_add(sum[1 + i + j], a[i], a[j], carry);
            }
            if start < length {
                carry = row::<false>(&mut sum[i + start..i + length + 1], &a[start..], a[i], carry);
            }
            sum[1 + i + length] = carry;
        }
        let (mut carry, mut shifted_out) = (0, 0);
        for (i, limb) in a.iter().enumerate() {
            let [low, high] = [sum[1 + 2 * i], sum[2 + 2 * i]];
            let square = u128::from(*limb) * u128::from(*limb);
            (sum[1 + 2 * i], carry) = add(low << 1 | shifted_out, square as u64, carry);
            (sum[2 + 2 * i], carry) = add(high << 1 | low >> 63, (square >> 64) as u64, carry);
            shifted_out = high >> 63;
        }
        let mut top = 0;
        for i in 0..length {
            let quotient = sum[1 + i].wrapping_mul(modulus.inverse());
            let carry = row::<false>(&mut sum[i..i + length + 1], limbs, quotient, 0);
            (sum[1 + i + length], top) = add(sum[1 + i + length], carry, top);
        }
        output.copy_from_slice(&sum[1 + length..]);
        zeroize::Zeroize::zeroize(sum);
        reduce_once(output, top, limbs);
    }

    // `sum`, without its first limb, plus `numbers` · `factor` + `carry`, moved down by a limb if `DOWN`. Gives what is
    // carried out.
    helper fn row<const DOWN: bool>(sum: &mut [u64], numbers: &[u64], factor: u64, carry: u64) -> u64 {
        assert!(sum.len() == numbers.len() + 1 && numbers.len().is_multiple_of(4) && !numbers.is_empty());
        let mut carry = carry;
        macro_rules! row {
            ($to:literal) => {
                asm!(
                    "xor {low:e}, {low:e}",
                    "2:",
                    "mulx {high}, {low}, [{from}]",
                    "adcx {low}, [{sum}]",
                    "adox {low}, {carry}",
                    concat!("mov [{sum} + ", $to, "], {low}"),
                    "mulx {carry}, {low}, [{from} + 8]",
                    "adcx {low}, [{sum} + 8]",
                    "adox {low}, {high}",
                    concat!("mov [{sum} + 8 + ", $to, "], {low}"),
                    "mulx {high}, {low}, [{from} + 16]",
                    "adcx {low}, [{sum} + 16]",
                    "adox {low}, {carry}",
                    concat!("mov [{sum} + 16 + ", $to, "], {low}"),
                    "mulx {carry}, {low}, [{from} + 24]",
                    "adcx {low}, [{sum} + 24]",
                    "adox {low}, {high}",
                    concat!("mov [{sum} + 24 + ", $to, "], {low}"),
                    "lea {from}, [{from} + 32]",
                    "lea {sum}, [{sum} + 32]",
                    // Counts without the flags that carry.
                    "lea rcx, [rcx - 1]",
                    "jrcxz 3f",
                    "jmp 2b",
                    "3:",
                    "mov {low:e}, 0",
                    "adcx {carry}, {low}",
                    "adox {carry}, {low}",
                    from = inout(reg) numbers.as_ptr() => _,
                    sum = inout(reg) sum.as_mut_ptr().add(1) => _,
                    carry = inout(reg) carry,
                    high = out(reg) _,
                    low = out(reg) _,
                    in("rdx") factor,
                    inout("rcx") numbers.len() / 4 => _,
                    options(nostack),
                )
            };
        }
        // SAFETY: reads as many limbs of each as `numbers` has, and writes as many of `sum` from its first or second on; the
        // assertion says that they are there, and that the count of four is not zero.
        unsafe {
            if DOWN { row!("-8") } else { row!("0") }
        }
        carry
    }
}
