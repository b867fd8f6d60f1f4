//! The S-box (FIPS 197, section 5.1.1) and its inverse as tables, computed from their definition: for the kernel that
//! looks tables up, and for tests of those that do not.

/// The S-box.
pub(super) const SBOX: [u8; 256] = sbox();

/// The inverse S-box.
pub(super) const INVERSE: [u8; 256] = {
    let mut inverse = [0; 256];
    let mut x = 0;
    while x < 256 {
        inverse[SBOX[x] as usize] = x as u8;
        x += 1;
    }
    inverse
};

/// The product of two elements of GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, section 4.2).
pub(super) const fn multiply(a: u8, b: u8) -> u8 {
    let (mut a, mut b, mut product) = (a, b, 0);
    while b != 0 {
        if b & 1 != 0 {
            product ^= a;
        }
        a = (a << 1) ^ (if a & 0x80 != 0 { 0x1b } else { 0 });
        b >>= 1;
    }
    product
}

const fn sbox() -> [u8; 256] {
    let mut table = [0; 256];
    // 3 generates the multiplicative group, and 0xf6 is its inverse: together they walk over all pairs of inverses.
    let (mut element, mut inverse) = (1u8, 1u8);
    let mut done = false;
    while !done {
        table[element as usize] = affine(inverse);
        element = multiply(element, 3);
        inverse = multiply(inverse, 0xf6);
        done = element == 1;
    }
    // Zero has no inverse and is its own image before the affine step.
    table[0] = affine(0);
    table
}

const fn affine(x: u8) -> u8 {
    x ^ x.rotate_left(1) ^ x.rotate_left(2) ^ x.rotate_left(3) ^ x.rotate_left(4) ^ 0x63
}
