//! Limbs of 52 bits in the lanes of 512-bit vectors: one number over eight lanes, or two over four each, so that both
//! halves of an RSA operation run in the same instructions.
//!
//! A step of the almost Montgomery multiplication (S. Gueron and V. Krasnov, "Software Implementation of Modular
//! Exponentiation, Using Advanced Vector Instructions Architectures", 2012) takes in one limb of a factor: four
//! `vpmadd52` a vector, for the low and the high halves of the factor's and the quotient's products. Sums stay below
//! twice the modulus, and carries wait in the upper twelve bits of a lane, to be settled once at the end.
//!
//! Bound by `vpmadd52`, one of 512 bits a cycle on Zen 4: 4 V K for K limbs in V vectors. For one vector or two, and for
//! three to five nearly so, it is the chain of a step that bounds: the quotient (4 cycles), its way to all lanes (4 or 5),
//! its product (4), the shift (4 or 5) and a sum (1).

use std::arch::x86_64::{
    __m512i, _mm_unpackhi_epi64, _mm512_add_epi64, _mm512_alignr_epi64, _mm512_and_si512, _mm512_broadcast_i32x4,
    _mm512_broadcastq_epi64, _mm512_castsi512_si128, _mm512_cmpeq_epi64_mask, _mm512_cmpgt_epu64_mask,
    _mm512_madd52hi_epu64, _mm512_madd52lo_epu64, _mm512_mask_add_epi64, _mm512_mask_set1_epi64,
    _mm512_maskz_set1_epi64, _mm512_maskz_srli_epi64, _mm512_or_si512, _mm512_set1_epi64, _mm512_setr_epi64,
    _mm512_setzero_si512, _mm512_shuffle_i64x2, _mm512_srli_epi64, _mm512_ternarylogic_epi64,
};

use zeroize::Zeroize;

use super::limbs::reduce_once;
use super::windows::{WINDOW, count, window};
use super::{Exponentiation, Modulus};
use crate::simd::x86_64::{in_order_512, lanes_of, lanes_of_mut, load_128, opaque_u64};

/// Repeats an expression with the number of a vector as a constant: as a loop, sums would not stay in registers.
macro_rules! rows {
    ($r:ident => $repeated:expr) => {
        rows!(@ $r, $repeated; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19)
    };
    (@ $r:ident, $repeated:expr; $($value:literal)*) => {
        $({ const $r: usize = $value; $repeated; })*
    };
}

/// The first operand, or the second and third, as `vpternlog` has it.
const OR_AND: i32 = 0xf8;

/// Entries of the table that are read after a squaring: all in as many parts as there are squarings.
const PART: usize = (1usize << WINDOW).div_ceil(WINDOW);

kernel! {
    isa: ["avx512f", "avx512ifma"], timing: Constant,

    name: "bn.public_exp/x86_64_avx512_ifma", primitive: super::PublicExp,
    fn public_exp(output: &mut [u64], base: &[u64], exponent: u64, modulus: &Modulus) {
        match modulus.limbs_52().div_ceil(8) {
            1 => public::<1>(output, base, exponent, modulus),
            2 => public::<2>(output, base, exponent, modulus),
            3 => public::<3>(output, base, exponent, modulus),
            4 => public::<4>(output, base, exponent, modulus),
            5 => public::<5>(output, base, exponent, modulus),
            6..=8 => public::<8>(output, base, exponent, modulus),
            9..=10 => public::<10>(output, base, exponent, modulus),
            11..=15 => public::<15>(output, base, exponent, modulus),
            _ => public::<20>(output, base, exponent, modulus),
        }
    }

    name: "bn.mont_exp/x86_64_avx512_ifma", primitive: super::MontExp,
    fn mont_exp(job: &mut Exponentiation<'_>) {
        let jobs = std::array::from_mut(job);
        match jobs[0].modulus.limbs_52().div_ceil(8) {
            1 => secret::<1, false>(jobs),
            2 => secret::<2, false>(jobs),
            3 => secret::<3, false>(jobs),
            4 => secret::<4, false>(jobs),
            5 => secret::<5, false>(jobs),
            6..=8 => secret::<8, false>(jobs),
            9..=10 => secret::<10, false>(jobs),
            11..=15 => secret::<15, false>(jobs),
            _ => secret::<20, false>(jobs),
        }
    }

    name: "bn.mont_exp2/x86_64_avx512_ifma", primitive: super::MontExp2,
    fn mont_exp2(jobs: &mut [Exponentiation<'_>; 2]) {
        match jobs[0].modulus.limbs_52().div_ceil(4) {
            1..=2 => secret::<2, true>(jobs),
            3 => secret::<3, true>(jobs),
            4 => secret::<4, true>(jobs),
            5 => secret::<5, true>(jobs),
            6..=8 => secret::<8, true>(jobs),
            // Of longer ones each fills the vectors by itself, and more of it stays in registers.
            _ => {
                for job in jobs {
                    mont_exp(job);
                }
            }
        }
    }

    outlined fn secret<const V: usize, const PAIR: bool>(jobs: &mut [Exponentiation<'_>]) {
        let limbs = jobs[0].modulus.limbs_52();
        let first = jobs[0].modulus;
        let second = if PAIR { jobs[1].modulus } else { first };
        let modulus = spread::<V, PAIR>(first.limbs(), second.limbs());
        let inverse = both::<PAIR>(first.inverse(), second.inverse());
        let factor = spread::<V, PAIR>(first.r_squared_52(), second.r_squared_52());
        let one = one::<V, PAIR>();

        let mut table = [[_mm512_setzero_si512(); V]; 1 << WINDOW];
        let second_base = if PAIR { jobs[1].base } else { jobs[0].base };
        multiply::<V, PAIR>(&mut table[0], &factor, &one, &modulus, inverse, limbs);
        let base = spread::<V, PAIR>(jobs[0].base, second_base);
        multiply::<V, PAIR>(&mut table[1], &base, &factor, &modulus, inverse, limbs);
        for i in 2..1 << WINDOW {
            let (known, entry) = table.split_at_mut(i);
            multiply::<V, PAIR>(&mut entry[0], &known[i - 1], &known[1], &modulus, inverse, limbs);
        }

        let exponents = [jobs[0].exponent, if PAIR { jobs[1].exponent } else { jobs[0].exponent }];
        let windows = count::<WINDOW>(exponents[0].len());
        let mut room = [table[0]; 3];
        let [mut value, mut next, chosen] = room.each_mut();
        for number in (0..windows).rev() {
            let index = exponents.map(|exponent| window::<WINDOW>(exponent, number));
            let index = both::<PAIR>(index[0], index[1]);
            *chosen = [_mm512_setzero_si512(); V];
            for (i, part) in (0..).zip(table.chunks(PART)) {
                // A part of the table is read while the squaring before it settles.
                if number + 1 < windows && i < WINDOW {
                    square::<V, PAIR>(next, value, &modulus, inverse, limbs);
                    std::mem::swap(&mut value, &mut next);
                }
                select::<V, PAIR>(chosen, part, index, i * PART);
            }
            multiply::<V, PAIR>(next, value, chosen, &modulus, inverse, limbs);
            std::mem::swap(&mut value, &mut next);
        }
        multiply::<V, PAIR>(next, value, &one, &modulus, inverse, limbs);
        for (half, job) in jobs.iter_mut().enumerate() {
            gather::<PAIR>(job.output, lanes_of(next), half);
            reduce_once(job.output, 0, job.modulus.limbs());
        }
        for vectors in table.iter_mut().chain(&mut room) {
            lanes_of_mut(vectors).zeroize();
        }
    }

    outlined fn public<const V: usize>(output: &mut [u64], base: &[u64], exponent: u64, modulus: &Modulus) {
        let limbs = modulus.limbs_52();
        let inverse = both::<false>(modulus.inverse(), modulus.inverse());
        let factor = spread::<V, false>(modulus.r_squared_52(), &[]);
        let vectors = spread::<V, false>(modulus.limbs(), &[]);
        let base = spread::<V, false>(base, &[]);
        let mut room = [base; 3];
        let [form, mut value, mut next] = room.each_mut();
        multiply::<V, false>(form, &base, &factor, &vectors, inverse, limbs);
        *value = *form;
        for bit in (0..u64::BITS - 1 - exponent.max(1).leading_zeros()).rev() {
            square::<V, false>(next, value, &vectors, inverse, limbs);
            std::mem::swap(&mut value, &mut next);
            if bit > 0 && exponent >> bit & 1 == 1 {
                multiply::<V, false>(next, value, form, &vectors, inverse, limbs);
                std::mem::swap(&mut value, &mut next);
            }
        }
        // The last factor is the base as it is, or 1: that brings the result out of Montgomery form.
        let last = if exponent & 1 == 0 || exponent == 1 { one::<V, false>() } else { base };
        multiply::<V, false>(next, value, &last, &vectors, inverse, limbs);
        gather::<false>(output, lanes_of(next), 0);
        reduce_once(output, 0, modulus.limbs());
        for vectors in &mut room {
            lanes_of_mut(vectors).zeroize();
        }
    }

    // Almost Montgomery multiplication: the result is below twice the modulus if the factors are.
    outlined fn multiply<const V: usize, const PAIR: bool>(
        output: &mut [__m512i; V],
        a: &[__m512i; V],
        b: &[__m512i; V],
        modulus: &[__m512i; V],
        inverse: __m512i,
        limbs: usize,
    ) {
        let mut factor = limb::<PAIR>(b, 0);
        let mut sums = [_mm512_setzero_si512(); V];
        for k in 0..V {
            sums[k] = _mm512_madd52lo_epu64(sums[k], a[k], factor);
        }
        let lowest = [first::<PAIR>(modulus[0]), second::<PAIR>(modulus[0]), inverse];
        let mut quotient = _mm512_madd52lo_epu64(_mm512_setzero_si512(), first::<PAIR>(sums[0]), inverse);
        for i in 1..limbs + 1 {
            let next = if i < limbs { limb::<PAIR>(b, i) } else { _mm512_setzero_si512() };
            step::<V, PAIR>(&mut sums, [a; 3], [0, 0], [factor, next], modulus, &mut quotient, lowest);
            factor = next;
        }
        settle::<V, PAIR>(&mut sums);
        *output = sums;
    }

    // The rest of a step: the high products of a limb, the reduction, which makes the lowest limb of the sums zero and
    // drops it, and ahead of time the low products of the next limb. Of the vectors below a row nothing is multiplied.
    //
    // The next quotient does not wait for the sums: what the lowest two products of this one add to its limb is worked
    // out apart, in all lanes at once. The limb to be dropped carries over what it holds above 52 bits, and one more
    // unless it is zero. That chain is the longest, and stands first.
    helper fn step<const V: usize, const PAIR: bool>(
        sums: &mut [__m512i; V],
        numbers: [&[__m512i; V]; 3],
        [row, next_row]: [usize; 2],
        [factor, next_factor]: [__m512i; 2],
        modulus: &[__m512i; V],
        quotient: &mut __m512i,
        [modulus_0, modulus_1, inverse]: [__m512i; 3],
    ) {
        let zero = _mm512_setzero_si512();
        let upward = _mm512_add_epi64(sums[0], _mm512_set1_epi64((1 << 52) - 1));
        let mut rest = [zero; V];
        if next_row == 0 {
            rest[0] = _mm512_madd52lo_epu64(rest[0], term(numbers, 0, 0), next_factor);
        }
        if row == 0 {
            rest[0] = _mm512_madd52hi_epu64(rest[0], term(numbers, 0, 0), factor);
        }
        let carry = _mm512_maskz_srli_epi64(if PAIR { 3 } else { 1 }, upward, 52);
        rest[0] = _mm512_add_epi64(rest[0], carry);
        let limb = _mm512_add_epi64(first::<PAIR>(rest[0]), second::<PAIR>(sums[0]));
        let limb = _mm512_madd52hi_epu64(limb, modulus_0, *quotient);
        let limb = _mm512_add_epi64(limb, _mm512_madd52lo_epu64(zero, modulus_1, *quotient));
        let next = in_order::<V>(_mm512_madd52lo_epu64(zero, limb, inverse));
        for k in 0..V {
            sums[k] = _mm512_madd52lo_epu64(in_order::<V>(sums[k]), modulus[k], *quotient);
        }
        rest[0] = _mm512_madd52hi_epu64(rest[0], modulus[0], *quotient);
        let above = if V > 1 { sums[1] } else { zero };
        sums[0] = in_order::<V>(_mm512_add_epi64(shift_down::<PAIR>(sums[0], above), rest[0]));
        let [factor, next_factor] = [in_order::<V>(factor), in_order::<V>(next_factor)];
        for k in 1..V {
            let above = if k + 1 < V { sums[k + 1] } else { zero };
            if k < row {
                // One product alone goes where it belongs without an addition.
                let shifted = shift_down::<PAIR>(sums[k], above);
                sums[k] = _mm512_madd52hi_epu64(shifted, modulus[k], *quotient);
                continue;
            }
            if k >= next_row {
                rest[k] = _mm512_madd52lo_epu64(rest[k], term(numbers, next_row, k), next_factor);
            }
            rest[k] = _mm512_madd52hi_epu64(rest[k], term(numbers, row, k), factor);
            rest[k] = _mm512_madd52hi_epu64(rest[k], modulus[k], *quotient);
            sums[k] = _mm512_add_epi64(shift_down::<PAIR>(sums[k], above), rest[k]);
        }
        *quotient = next;
    }

    // Of more vectors some must wait in memory, and the compiler knows best which.
    helper fn in_order<const V: usize>(value: __m512i) -> __m512i {
        if V <= 10 { in_order_512(value) } else { value }
    }

    // The same with equal factors. Products of different limbs occur twice: those of a vector's limbs with the vectors
    // above are made once, with the doubled number, and those with the vectors below not at all.
    outlined fn square<const V: usize, const PAIR: bool>(
        output: &mut [__m512i; V],
        a: &[__m512i; V],
        modulus: &[__m512i; V],
        inverse: __m512i,
        limbs: usize,
    ) {
        // Doubled, with the bit that comes from the limb below, or without it where that limb has been multiplied by itself.
        let mut doubled = [_mm512_setzero_si512(); V];
        let mut apart = [_mm512_setzero_si512(); V];
        let most = _mm512_set1_epi64((1 << 52) - 1);
        let own = _mm512_mask_set1_epi64(most, if PAIR { 3 } else { 1 }, (1 << 52) - 2);
        let mut below = _mm512_setzero_si512();
        for k in 0..V {
            let top = _mm512_srli_epi64(a[k], 51);
            let twice = _mm512_and_si512(_mm512_add_epi64(a[k], a[k]), most);
            doubled[k] = _mm512_or_si512(twice, shift_up::<PAIR>(top, below));
            apart[k] = _mm512_and_si512(doubled[k], own);
            below = top;
        }
        let numbers = [a, &doubled, &apart];
        let mut factor = limb::<PAIR>(a, 0);
        let mut sums = [_mm512_setzero_si512(); V];
        for k in 0..V {
            sums[k] = _mm512_madd52lo_epu64(sums[k], term(numbers, 0, k), factor);
        }
        let lowest = [first::<PAIR>(modulus[0]), second::<PAIR>(modulus[0]), inverse];
        let mut quotient = _mm512_madd52lo_epu64(_mm512_setzero_si512(), first::<PAIR>(sums[0]), inverse);
        rows!(R => if R < V {
            let width = if PAIR { 4 } else { 8 };
            for i in R * width + 1..limbs.min((R + 1) * width) {
                let next = limb::<PAIR>(a, i);
                step::<V, PAIR>(&mut sums, numbers, [R, R], [factor, next], modulus, &mut quotient, lowest);
                factor = next;
            }
            // The last limb of the vector; what is made ahead belongs to the vector above.
            if R * width < limbs {
                let next = if R + 1 < V { limb::<PAIR>(a, (R + 1) * width) } else { _mm512_setzero_si512() };
                step::<V, PAIR>(&mut sums, numbers, [R, R + 1], [factor, next], modulus, &mut quotient, lowest);
                factor = next;
            }
        });
        // The last one made ahead is no limb.
        let _ = factor;
        settle::<V, PAIR>(&mut sums);
        *output = sums;
    }

    // Brings every lane to 52 bits. After one pass a lane has at most a few bits too many, and what then goes on is one
    // at most: an addition of masks does for all lanes what an adder does for bits. Of a pair the other number's lanes
    // are let through.
    helper fn settle<const V: usize, const PAIR: bool>(sums: &mut [__m512i; V]) {
        let most = _mm512_set1_epi64((1 << 52) - 1);
        let mut below = _mm512_setzero_si512();
        for sum in sums.iter_mut() {
            let carry = _mm512_srli_epi64(*sum, 52);
            *sum = _mm512_add_epi64(_mm512_and_si512(*sum, most), shift_up::<PAIR>(carry, below));
            below = carry;
        }
        let numbers: &[u64] = if PAIR { &[0x5555_5555_5555_5555, 0xaaaa_aaaa_aaaa_aaaa] } else { &[u64::MAX] };
        let mut carries = [0u64; 2];
        for sums in sums.chunks_mut(8) {
            let (mut generate, mut propagate) = (0, 0);
            for (k, sum) in sums.iter().enumerate() {
                generate |= opaque_u64(u64::from(_mm512_cmpgt_epu64_mask(*sum, most))) << (8 * k);
                propagate |= opaque_u64(u64::from(_mm512_cmpeq_epi64_mask(*sum, most))) << (8 * k);
            }
            let mut mask = 0;
            for (lanes, carry) in numbers.iter().zip(&mut carries) {
                let propagate = propagate | !lanes;
                let shifted = u128::from(generate & lanes) << 1 | u128::from(*carry);
                let total = shifted + u128::from(propagate);
                mask |= (total as u64 ^ propagate) & lanes;
                *carry = (total >> 64) as u64;
            }
            for (k, sum) in sums.iter_mut().enumerate() {
                let mask = (mask >> (8 * k)) as u8;
                *sum = _mm512_and_si512(_mm512_mask_add_epi64(*sum, mask, *sum, _mm512_set1_epi64(1)), most);
            }
        }
    }

    // Reads an entry of the table by reading all; this part of it starts at an entry of that number.
    helper fn select<const V: usize, const PAIR: bool>(
        chosen: &mut [__m512i; V],
        part: &[[__m512i; V]],
        index: __m512i,
        start: usize,
    ) {
        for (number, entry) in (start..).zip(part) {
            // A mask in a vector and not in a mask register: the compiler would make masked loads of those.
            let equal = _mm512_cmpeq_epi64_mask(index, _mm512_set1_epi64(number as i64));
            let mask = in_order_512(_mm512_maskz_set1_epi64(equal, -1));
            for (chosen, vector) in chosen.iter_mut().zip(entry) {
                *chosen = _mm512_ternarylogic_epi64::<OR_AND>(*chosen, mask, *vector);
            }
        }
    }

    // A limb of a number in all lanes; of a pair each one's own in every other lane.
    helper fn limb<const PAIR: bool>(number: &[__m512i], i: usize) -> __m512i {
        if PAIR {
            _mm512_broadcast_i32x4(load_128(&lanes_of(number).as_chunks::<2>().0[i]))
        } else {
            _mm512_set1_epi64(lanes_of(number)[i] as i64)
        }
    }

    // The lowest limb of a number in all lanes, in the same way.
    helper fn first<const PAIR: bool>(vector: __m512i) -> __m512i {
        if PAIR {
            _mm512_shuffle_i64x2::<0>(vector, vector)
        } else {
            _mm512_broadcastq_epi64(_mm512_castsi512_si128(vector))
        }
    }

    // The lowest limb but one.
    helper fn second<const PAIR: bool>(vector: __m512i) -> __m512i {
        if PAIR {
            _mm512_shuffle_i64x2::<0x55>(vector, vector)
        } else {
            _mm512_broadcastq_epi64(_mm_unpackhi_epi64(_mm512_castsi512_si128(vector), _mm512_castsi512_si128(vector)))
        }
    }

    // A vector without its lowest limb, and behind it the lowest of the next.
    helper fn shift_down<const PAIR: bool>(vector: __m512i, next: __m512i) -> __m512i {
        if PAIR { _mm512_alignr_epi64::<2>(next, vector) } else { _mm512_alignr_epi64::<1>(next, vector) }
    }

    // The highest limb of the vector before, and behind it all but the highest of this one.
    helper fn shift_up<const PAIR: bool>(vector: __m512i, before: __m512i) -> __m512i {
        if PAIR { _mm512_alignr_epi64::<6>(vector, before) } else { _mm512_alignr_epi64::<7>(vector, before) }
    }

    // The first value in the lanes of the first number, the second in those of the second.
    helper fn both<const PAIR: bool>(first: u64, second: u64) -> __m512i {
        let [first, second] = [first as i64, if PAIR { second } else { first } as i64];
        _mm512_setr_epi64(first, second, first, second, first, second, first, second)
    }

    // 1, or two of them.
    helper fn one<const V: usize, const PAIR: bool>() -> [__m512i; V] {
        let mut one = [_mm512_setzero_si512(); V];
        one[0] = _mm512_maskz_set1_epi64(if PAIR { 3 } else { 1 }, 1);
        one
    }

    // Limbs of 64 bits into lanes of 52.
    helper fn spread<const V: usize, const PAIR: bool>(first: &[u64], second: &[u64]) -> [__m512i; V] {
        let mut vectors = [_mm512_setzero_si512(); V];
        let lanes = lanes_of_mut(&mut vectors);
        for (half, number) in [first, second].into_iter().enumerate().take(1 + usize::from(PAIR)) {
            for i in 0..(64 * number.len()).div_ceil(52) {
                let (limb, shift) = (i * 52 / 64, i * 52 % 64);
                let mut bits = number[limb] >> shift;
                if shift > 12 && limb + 1 < number.len() {
                    bits |= number[limb + 1] << (64 - shift);
                }
                lanes[if PAIR { 2 * i + half } else { i }] = bits & ((1 << 52) - 1);
            }
        }
        vectors
    }

    // Lanes of 52 bits into limbs of 64.
    helper fn gather<const PAIR: bool>(output: &mut [u64], lanes: &[u64], half: usize) {
        let lane = |i: usize| {
            let place = if PAIR { 2 * i + half } else { i };
            lanes.get(place).copied().unwrap_or(0)
        };
        for (i, limb) in output.iter_mut().enumerate() {
            let (first, shift) = (64 * i / 52, 64 * i % 52);
            *limb = lane(first) >> shift | lane(first + 1) << (52 - shift);
            if shift > 40 {
                *limb |= lane(first + 2) << (104 - shift);
            }
        }
    }
}

/// What row `r` of a squaring multiplies for vector `k`: the number itself in its own vector, twice the number above it.
#[inline(always)]
fn term<const V: usize>([a, doubled, apart]: [&[__m512i; V]; 3], r: usize, k: usize) -> __m512i {
    if k == r {
        a[k]
    } else if k == r + 1 {
        apart[k]
    } else {
        doubled[k]
    }
}
