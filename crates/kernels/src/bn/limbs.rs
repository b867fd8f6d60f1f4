//! Numbers of many limbs: additions, subtractions and selections whose time depends on lengths alone.

/// `a` + `b` + `carry`, and the carry out.
#[inline(always)]
pub(super) fn add(a: u64, b: u64, carry: u64) -> (u64, u64) {
    let sum = u128::from(a) + u128::from(b) + u128::from(carry);
    (sum as u64, (sum >> 64) as u64)
}

/// `a` − `b` − `borrow`, and the borrow out.
#[inline(always)]
pub(super) fn subtract(a: u64, b: u64, borrow: u64) -> (u64, u64) {
    let (difference, first) = a.overflowing_sub(b);
    let (difference, second) = difference.overflowing_sub(borrow);
    (difference, u64::from(first | second))
}

/// `a` + `b` · `c` + `carry`, and the upper half.
#[inline(always)]
pub(super) fn multiply_add(a: u64, b: u64, c: u64, carry: u64) -> (u64, u64) {
    let sum = u128::from(b) * u128::from(c) + u128::from(a) + u128::from(carry);
    (sum as u64, (sum >> 64) as u64)
}

/// Takes the modulus away from `top` · 2⁶⁴ᴸ + `value` if that is not less, without a branch.
pub(super) fn reduce_once(value: &mut [u64], top: u64, modulus: &[u64]) {
    let mut borrow = 0;
    for (limb, modulus) in value.iter().zip(modulus) {
        (_, borrow) = subtract(*limb, *modulus, borrow);
    }
    // All ones if there is something to take away: no borrow is left after the top limb had its share.
    let mask = (borrow & !top & 1).wrapping_sub(1);
    let mask = std::hint::black_box(mask);
    let mut borrow = 0;
    for (limb, modulus) in value.iter_mut().zip(modulus) {
        (*limb, borrow) = subtract(*limb, modulus & mask, borrow);
    }
}

/// Doubles modulo the modulus.
pub(super) fn double(value: &mut [u64], modulus: &[u64]) {
    let mut top = 0;
    for limb in value.iter_mut() {
        (*limb, top) = (*limb << 1 | top, *limb >> 63);
    }
    reduce_once(value, top, modulus);
}

/// Montgomery multiplication (P. L. Montgomery, "Modular Multiplication Without Trial Division", 1985), the products of a
/// limb and the reduction that they need in one pass: the shape that Koç, Acar and Kaliski, "Analyzing and Comparing
/// Montgomery Multiplication Algorithms" (1996), call finely integrated.
#[inline(always)]
pub(super) fn mont_mul(output: &mut [u64], a: &[u64], b: &[u64], modulus: &[u64], inverse: u64) {
    let length = modulus.len();
    let (output, a, b) = (&mut output[..length], &a[..length], &b[..length]);
    output.fill(0);
    let mut top = 0;
    for factor in b {
        let (low, mut carry) = multiply_add(output[0], a[0], *factor, 0);
        let quotient = low.wrapping_mul(inverse);
        let (_, mut carry_of_reduction) = multiply_add(low, quotient, modulus[0], 0);
        for i in 1..length {
            let low;
            (low, carry) = multiply_add(output[i], a[i], *factor, carry);
            (output[i - 1], carry_of_reduction) = multiply_add(low, quotient, modulus[i], carry_of_reduction);
        }
        (output[length - 1], top) = add(carry, carry_of_reduction, top);
    }
    reduce_once(output, top, modulus);
}
