//! Montgomery multiplication and squaring by blocks of eight limbs of 64 bits, with MULX, ADCX and ADOX.
//!
//! Eight limbs of the sum stay in registers while eight limbs of a number are multiplied with eight factors, one after
//! the other: each factor makes the lowest of them final and adds one on top, so that of 64 products only eight limbs are
//! stored. What is left over goes on to the next block. A square makes the products of different limbs once.
//!
//! Bound by the instructions of a product, MULX, ADCX and ADOX, which take 1.55 cycles on Zen 4.
//!
//! Source of the order of sums: E. Ozturk, J. Guilford, V. Gopal, "Large Integer Squaring on Intel Architecture
//! Processors" (2013).

use std::arch::asm;

use zeroize::optimization_barrier;

use super::Modulus;
use super::limbs::add;

/// Limbs of a block.
pub(super) const BLOCK: usize = 8;

type Block = [u64; BLOCK];

/// What the products of a block need, at places that the assembly knows.
#[repr(C)]
struct Work {
    /// The limbs of the sum that are in registers meanwhile.
    sums: Block,
    factors: Block,
    numbers: Block,
    /// −1/modulus modulo 2⁶⁴.
    inverse: u64,
    /// What the limbs that were added to the sum carried.
    carry: u64,
}

/// One after the other, as one string.
macro_rules! lines {
    ($($line:expr),* $(,)?) => { concat!($($line, "\n"),*) };
}

/// A factor, which is in `rdx`, times the eight numbers: added to eight registers, of which the first is stored by `$store`
/// and then is what stands above the others.
macro_rules! row {
    ($store:expr; $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => {
        lines![
            "xor {low:e}, {low:e}",
            "mulx {high}, {low}, [{work} + 128]",
            concat!("adcx {", $a, "}, {low}"),
            concat!("adox {", $b, "}, {high}"),
            "mulx {high}, {low}, [{work} + 136]",
            concat!("adcx {", $b, "}, {low}"),
            concat!("adox {", $c, "}, {high}"),
            "mulx {high}, {low}, [{work} + 144]",
            concat!("adcx {", $c, "}, {low}"),
            concat!("adox {", $d, "}, {high}"),
            "mulx {high}, {low}, [{work} + 152]",
            concat!("adcx {", $d, "}, {low}"),
            concat!("adox {", $e, "}, {high}"),
            "mulx {high}, {low}, [{work} + 160]",
            concat!("adcx {", $e, "}, {low}"),
            concat!("adox {", $f, "}, {high}"),
            "mulx {high}, {low}, [{work} + 168]",
            concat!("adcx {", $f, "}, {low}"),
            concat!("adox {", $g, "}, {high}"),
            "mulx {high}, {low}, [{work} + 176]",
            concat!("adcx {", $g, "}, {low}"),
            concat!("adox {", $h, "}, {high}"),
            "mulx {high}, {low}, [{work} + 184]",
            concat!("adcx {", $h, "}, {low}"),
            $store,
            concat!("mov {", $a, ":e}, 0"),
            concat!("adox {", $a, "}, {high}"),
            "mov {low:e}, 0",
            concat!("adcx {", $a, "}, {low}"),
        ]
    };
}

/// Eight rows. `$before` and `$store` make what stands before a row and in it, from the first register and a place.
macro_rules! rows {
    ($before:ident, $store:ident) => {
        lines![
            $before!("s0", "0"),
            row!($store!("s0", "0"); "s0" "s1" "s2" "s3" "s4" "s5" "s6" "s7"),
            $before!("s1", "8"),
            row!($store!("s1", "8"); "s1" "s2" "s3" "s4" "s5" "s6" "s7" "s0"),
            $before!("s2", "16"),
            row!($store!("s2", "16"); "s2" "s3" "s4" "s5" "s6" "s7" "s0" "s1"),
            $before!("s3", "24"),
            row!($store!("s3", "24"); "s3" "s4" "s5" "s6" "s7" "s0" "s1" "s2"),
            $before!("s4", "32"),
            row!($store!("s4", "32"); "s4" "s5" "s6" "s7" "s0" "s1" "s2" "s3"),
            $before!("s5", "40"),
            row!($store!("s5", "40"); "s5" "s6" "s7" "s0" "s1" "s2" "s3" "s4"),
            $before!("s6", "48"),
            row!($store!("s6", "48"); "s6" "s7" "s0" "s1" "s2" "s3" "s4" "s5"),
            $before!("s7", "56"),
            row!($store!("s7", "56"); "s7" "s0" "s1" "s2" "s3" "s4" "s5" "s6"),
        ]
    };
}

/// Loads a factor.
macro_rules! load_factor {
    ($first:literal, $place:literal) => {
        concat!("mov rdx, [{work} + 64 + ", $place, "]")
    };
}

/// Finds the factor that makes the first limb zero, and keeps it.
macro_rules! find_factor {
    ($first:literal, $place:literal) => {
        lines![
            concat!("mov rdx, {", $first, "}"),
            "imul rdx, [{work} + 192]",
            concat!("mov [{work} + 64 + ", $place, "], rdx"),
        ]
    };
}

/// Stores a limb that is final.
macro_rules! store_limb {
    ($first:literal, $place:literal) => {
        concat!("mov [{out} + ", $place, "], {", $first, "}")
    };
}

/// Leaves a limb that is zero.
macro_rules! leave_limb {
    ($first:literal, $place:literal) => {
        ""
    };
}

/// For each of eight registers and its place.
macro_rules! each_sum {
    ($do:ident) => {
        lines![
            lines![$do!("s0", "0"), $do!("s1", "8"), $do!("s2", "16"), $do!("s3", "24")],
            lines![$do!("s4", "32"), $do!("s5", "40"), $do!("s6", "48"), $do!("s7", "56")],
        ]
    };
}

/// For each place.
macro_rules! each_place {
    ($do:ident) => {
        lines![$do!("0"), $do!("8"), $do!("16"), $do!("24"), $do!("32"), $do!("40"), $do!("48"), $do!("56")]
    };
}

macro_rules! load_sum {
    ($sum:literal, $place:literal) => {
        concat!("mov {", $sum, "}, [{work} + ", $place, "]")
    };
}

macro_rules! store_sum {
    ($sum:literal, $place:literal) => {
        concat!("mov [{work} + ", $place, "], {", $sum, "}")
    };
}

macro_rules! add_limb {
    ($sum:literal, $place:literal) => {
        concat!("adc {", $sum, "}, [{out} + ", $place, "]")
    };
}

macro_rules! add_limb_and_flags {
    ($sum:literal, $place:literal) => {
        lines![
            concat!("adcx {", $sum, "}, {low}"),
            concat!("adox {", $sum, "}, [{out} + ", $place, "]"),
            concat!("mov [{out} + ", $place, "], {", $sum, "}"),
        ]
    };
}

macro_rules! clear_sum {
    ($sum:literal, $place:literal) => {
        concat!("xor {", $sum, ":e}, {", $sum, ":e}")
    };
}

/// The products of one limb with those above it in a block, of which the highest makes a register, `$top`,
/// that was zero. Then two limbs are final.
macro_rules! triangle_row {
    ($factor:literal; $($number:literal $to:literal $next:literal),*; $top:literal; $($out:literal $final:literal),*) => {
        lines![
            concat!("mov rdx, [{work} + 128 + ", $factor, "]"),
            "xor {low:e}, {low:e}",
            $(
                concat!("mulx {high}, {low}, [{work} + 128 + ", $number, "]"),
                concat!("adcx {", $to, "}, {low}"),
                concat!("adox {", $next, "}, {high}"),
            )*
            "mov {low:e}, 0",
            concat!("adcx {", $top, "}, {low}"),
            $(
                concat!("mov [{out} + ", $out, "], {", $final, "}"),
                concat!("mov {", $final, ":e}, 0"),
            )*
        ]
    };
}

/// One limb of a difference.
macro_rules! subtract_limb {
    ($place:literal) => {
        lines![
            concat!("mulx {high}, {low}, [{limbs} + ", $place, "]"),
            concat!("mov {difference}, [{sum} + ", $place, "]"),
            "sbb {difference}, {low}",
            concat!("mov [{out} + ", $place, "], {difference}"),
        ]
    };
}

/// One limb's part of a doubled sum: the limb's square is added to twice the sum, in two chains.
macro_rules! double_limb {
    ($place:literal) => {
        lines![
            concat!("mov rdx, [{from} + ", $place, "]"),
            "mulx {high}, {low}, rdx",
            concat!("mov {sum}, [{to} + 2*", $place, "]"),
            "adcx {sum}, {sum}",
            "adox {sum}, {low}",
            concat!("mov [{to} + 2*", $place, "], {sum}"),
            concat!("mov {sum}, [{to} + 8 + 2*", $place, "]"),
            "adcx {sum}, {sum}",
            "adox {sum}, {high}",
            concat!("mov [{to} + 8 + 2*", $place, "], {sum}"),
        ]
    };
}

/// `output` = `a` · `b` / 2⁶⁴ᴸ modulo the modulus, of which the limbs are a multiple of eight, and less than 2⁶⁴ᴸ, but not
/// always than the modulus. The factors may be any such numbers. `ROOM` is twice as many limbs or more.
#[inline(never)]
#[target_feature(enable = "bmi2,adx")]
pub(super) fn product<const ROOM: usize>(output: &mut [u64], a: &[u64], b: &[u64], modulus: &Modulus) {
    let length = modulus.limbs().len();
    let mut room = [0u64; ROOM];
    let sum = &mut room[..2 * length];
    let mut work = new_work(modulus);
    let mut top = 0;
    for (i, factors) in b[..length].as_chunks::<BLOCK>().0.iter().enumerate() {
        work.sums = [0; BLOCK];
        work.factors = *factors;
        top = sweep(&mut work, &mut sum[i * BLOCK..], &a[..length], top);
    }
    reduce(&mut work, output, sum, modulus);
    wipe(&mut room);
}

/// The same with equal factors.
#[inline(never)]
#[target_feature(enable = "bmi2,adx")]
pub(super) fn square<const ROOM: usize>(output: &mut [u64], a: &[u64], modulus: &Modulus) {
    let length = modulus.limbs().len();
    let a = &a[..length];
    let mut room = [0u64; ROOM];
    let sum = &mut room[..2 * length];
    let mut work = new_work(modulus);
    let blocks = a.as_chunks::<BLOCK>().0;
    for (numbers, out) in blocks.iter().zip(sum.as_chunks_mut().0) {
        work.numbers = *numbers;
        triangle(&mut work, out);
    }
    let mut top = 0;
    for (i, factors) in blocks[..blocks.len() - 1].iter().enumerate() {
        work.sums = [0; BLOCK];
        work.factors = *factors;
        top = sweep(&mut work, &mut sum[(2 * i + 1) * BLOCK..], &a[(i + 1) * BLOCK..], top);
    }
    for limb in &mut sum[2 * length - BLOCK..] {
        (*limb, top) = add(*limb, top, 0);
    }
    double_and_add_squares(sum, a);
    reduce(&mut work, output, sum, modulus);
    wipe(&mut room);
}

/// Montgomery's reduction of a sum of twice the length.
#[inline]
#[target_feature(enable = "bmi2,adx")]
fn reduce(work: &mut Work, output: &mut [u64], sum: &mut [u64], modulus: &Modulus) {
    let limbs = modulus.limbs();
    let (first, others) = limbs.split_at(BLOCK);
    let mut top = 0;
    for i in 0..limbs.len() / BLOCK {
        let sum = &mut sum[i * BLOCK..];
        work.sums.copy_from_slice(&sum[..BLOCK]);
        work.numbers.copy_from_slice(first);
        find_factors(work);
        top = sweep(work, &mut sum[BLOCK..], others, top);
    }
    subtract_times(output, &sum[limbs.len()..], limbs, top);
    (work.sums, work.factors, work.numbers) = ([0; BLOCK], [0; BLOCK], [0; BLOCK]);
    optimization_barrier(work);
}

/// Adds the factors times numbers of any number of blocks, and the sum in `work`, to `sum`; of what that carries out of
/// the block above them, `top` is from the sweep before, whose last block was one lower, and the result is this one's.
#[inline]
#[target_feature(enable = "bmi2,adx")]
fn sweep(work: &mut Work, sum: &mut [u64], numbers: &[u64], top: u64) -> u64 {
    let (numbers, _) = numbers.as_chunks::<BLOCK>();
    let (sums, _) = sum.as_chunks_mut::<BLOCK>();
    work.carry = 0;
    for (numbers, out) in numbers.iter().zip(&mut *sums) {
        work.numbers = *numbers;
        block(work, out);
    }
    add_sums(work, &mut sums[numbers.len()], top)
}

/// Adds the sum in `work`, its carry (in the flag that carries) and one more (in the other) to eight limbs.
#[inline]
#[target_feature(enable = "bmi2,adx")]
fn add_sums(work: &Work, out: &mut Block, carry: u64) -> u64 {
    let mut carry = carry;
    // SAFETY: reads and writes what the two references stand for.
    unsafe {
        asm!(
            each_sum!(load_sum),
            "mov {low}, 0x7fffffffffffffff",
            "add {carry}, {low}",
            "mov {high}, [{work} + 200]",
            "mov {low}, -1",
            "adcx {high}, {low}",
            "mov {low:e}, 0",
            each_sum!(add_limb_and_flags),
            "mov {carry:e}, 0",
            "adox {carry}, {low}",
            work = in(reg) std::ptr::from_ref(work),
            out = in(reg) out.as_mut_ptr(),
            carry = inout(reg) carry,
            s0 = out(reg) _, s1 = out(reg) _, s2 = out(reg) _, s3 = out(reg) _,
            s4 = out(reg) _, s5 = out(reg) _, s6 = out(reg) _, s7 = out(reg) _,
            low = out(reg) _, high = out(reg) _,
            options(nostack),
        );
    }
    carry
}

/// Adds eight limbs and the carry, and the products of eight numbers with eight factors, to the sum; the lowest eight
/// limbs of it take the place of those that were added.
#[inline]
#[target_feature(enable = "bmi2,adx")]
fn block(work: &mut Work, out: &mut Block) {
    // SAFETY: reads and writes what the two references stand for.
    unsafe {
        asm!(
            each_sum!(load_sum),
            "mov {low}, [{work} + 200]",
            "add {low}, -1",
            each_sum!(add_limb),
            "mov {low:e}, 0",
            "adc {low}, {low}",
            "mov [{work} + 200], {low}",
            rows!(load_factor, store_limb),
            each_sum!(store_sum),
            work = in(reg) std::ptr::from_mut(work),
            out = in(reg) out.as_mut_ptr(),
            s0 = out(reg) _, s1 = out(reg) _, s2 = out(reg) _, s3 = out(reg) _,
            s4 = out(reg) _, s5 = out(reg) _, s6 = out(reg) _, s7 = out(reg) _,
            low = out(reg) _, high = out(reg) _, out("rdx") _,
            options(nostack),
        );
    }
}

/// Adds the products of the lowest eight limbs of the modulus with eight factors that make the sum's limbs zero, and finds
/// those.
#[inline]
#[target_feature(enable = "bmi2,adx")]
fn find_factors(work: &mut Work) {
    // SAFETY: reads and writes what the reference stands for.
    unsafe {
        asm!(
            each_sum!(load_sum),
            rows!(find_factor, leave_limb),
            each_sum!(store_sum),
            work = in(reg) std::ptr::from_mut(work),
            s0 = out(reg) _, s1 = out(reg) _, s2 = out(reg) _, s3 = out(reg) _,
            s4 = out(reg) _, s5 = out(reg) _, s6 = out(reg) _, s7 = out(reg) _,
            low = out(reg) _, high = out(reg) _, out("rdx") _,
            options(nostack),
        );
    }
}

/// The products of different limbs among eight, each once. A limb of the sum is in the register of its place modulo eight.
#[inline]
#[target_feature(enable = "bmi2,adx")]
fn triangle(work: &mut Work, out: &mut [u64; 2 * BLOCK]) {
    (out[0], out[2 * BLOCK - 1]) = (0, 0);
    // SAFETY: reads and writes what the two references stand for.
    unsafe {
        asm!(
            each_sum!(clear_sum),
            triangle_row!("0"; "8" "s1" "s2", "16" "s2" "s3", "24" "s3" "s4", "32" "s4" "s5", "40" "s5" "s6",
                "48" "s6" "s7", "56" "s7" "s0"; "s0"; "8" "s1", "16" "s2"),
            triangle_row!("8"; "16" "s3" "s4", "24" "s4" "s5", "32" "s5" "s6", "40" "s6" "s7", "48" "s7" "s0",
                "56" "s0" "s1"; "s1"; "24" "s3", "32" "s4"),
            triangle_row!("16"; "24" "s5" "s6", "32" "s6" "s7", "40" "s7" "s0", "48" "s0" "s1",
                "56" "s1" "s2"; "s2"; "40" "s5", "48" "s6"),
            triangle_row!("24"; "32" "s7" "s0", "40" "s0" "s1", "48" "s1" "s2", "56" "s2" "s3"; "s3";
                "56" "s7", "64" "s0"),
            triangle_row!("32"; "40" "s1" "s2", "48" "s2" "s3", "56" "s3" "s4"; "s4"; "72" "s1", "80" "s2"),
            triangle_row!("40"; "48" "s3" "s4", "56" "s4" "s5"; "s5"; "88" "s3", "96" "s4"),
            triangle_row!("48"; "56" "s5" "s6"; "s6"; "104" "s5", "112" "s6"),
            work = in(reg) std::ptr::from_mut(work),
            out = in(reg) out.as_mut_ptr(),
            s0 = out(reg) _, s1 = out(reg) _, s2 = out(reg) _, s3 = out(reg) _,
            s4 = out(reg) _, s5 = out(reg) _, s6 = out(reg) _, s7 = out(reg) _,
            low = out(reg) _, high = out(reg) _, out("rdx") _,
            options(nostack),
        );
    }
}

/// Doubles a sum and adds the square of each limb at its place.
#[inline]
#[target_feature(enable = "bmi2,adx")]
fn double_and_add_squares(sum: &mut [u64], limbs: &[u64]) {
    assert!(sum.len() == 2 * limbs.len() && limbs.len().is_multiple_of(BLOCK) && !limbs.is_empty());
    // SAFETY: reads all limbs, and reads and writes twice as many of the sum, which the assertion says are there; the
    // count of blocks is not zero.
    unsafe {
        asm!(
            "xor {sum:e}, {sum:e}",
            "2:",
            each_place!(double_limb),
            "lea {from}, [{from} + 64]",
            "lea {to}, [{to} + 128]",
            // Counts without the flags that carry.
            "lea rcx, [rcx - 1]",
            "jrcxz 3f",
            "jmp 2b",
            "3:",
            from = inout(reg) limbs.as_ptr() => _,
            to = inout(reg) sum.as_mut_ptr() => _,
            inout("rcx") limbs.len() / BLOCK => _,
            sum = out(reg) _, low = out(reg) _, high = out(reg) _, out("rdx") _,
            options(nostack),
        );
    }
}

/// `output` = `sum` − `limbs` · `times`, which is 0 or 1.
#[inline]
#[target_feature(enable = "bmi2,adx")]
fn subtract_times(output: &mut [u64], sum: &[u64], limbs: &[u64], times: u64) {
    assert!(
        output.len() == limbs.len()
            && sum.len() == limbs.len()
            && limbs.len().is_multiple_of(BLOCK)
            && !limbs.is_empty()
    );
    // A product by 0 or 1 is a selection that leaves the flags alone.
    // SAFETY: reads all limbs of both and writes as many, which the assertion says are there; the count is not zero.
    unsafe {
        asm!(
            "xor {low:e}, {low:e}",
            "2:",
            each_place!(subtract_limb),
            "lea {sum}, [{sum} + 64]",
            "lea {limbs}, [{limbs} + 64]",
            "lea {out}, [{out} + 64]",
            "lea rcx, [rcx - 1]",
            "jrcxz 3f",
            "jmp 2b",
            "3:",
            sum = inout(reg) sum.as_ptr() => _,
            limbs = inout(reg) limbs.as_ptr() => _,
            out = inout(reg) output.as_mut_ptr() => _,
            inout("rcx") limbs.len() / BLOCK => _,
            difference = out(reg) _, low = out(reg) _, high = out(reg) _, in("rdx") times,
            options(nostack),
        );
    }
}

/// Overwrites a sum: whole vectors, not limbs.
#[inline]
fn wipe<const ROOM: usize>(room: &mut [u64; ROOM]) {
    *room = [0; ROOM];
    optimization_barrier(room);
}

fn new_work(modulus: &Modulus) -> Work {
    Work { sums: [0; BLOCK], factors: [0; BLOCK], numbers: [0; BLOCK], inverse: modulus.inverse(), carry: 0 }
}
