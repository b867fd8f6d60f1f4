//! Eight exponentiations side by side, one in each lane: limbs of 52 bits, a vector for each place.
//!
//! Nothing crosses lanes, and no sum waits for another lane's carry: a limb of the result is a column of products, added up
//! in a register. A squaring makes each product of different limbs once and doubles it (as S. Gueron and V. Krasnov describe
//! in "Software Implementation of Modular Exponentiation", 2012, for vectors of smaller limbs).
//!
//! Bound by `vpmadd52`, one of 512 bits a cycle on Zen 4: 4 K² + K for a product of K limbs, 3 K² + 2 K for a square.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_cmpeq_epi64_mask, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64,
    _mm512_maskz_set1_epi64, _mm512_or_si512, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_srli_epi64,
    _mm512_ternarylogic_epi64,
};

use zeroize::Zeroize;

use super::limbs::reduce_once;
use super::windows::{count, window};
use super::{Exponentiation, MANY_AT_MOST};
use crate::simd::x86_64::{in_order_512, lanes_of, lanes_of_mut};

/// Bits of a window: with five the table of eight numbers of 1024 bits would not fit the first cache.
const WINDOW: usize = 4;

/// The first operand, or the second and third, as `vpternlog` has it.
const OR_AND: i32 = 0xf8;

/// Limbs of a tile: what is worked on in registers at a time is five by five products and their ten columns.
const TILE: usize = 5;

kernel! {
    isa: ["avx512f", "avx512ifma"], timing: Constant,

    name: "bn.mont_exp8/x86_64_avx512_ifma_x8", primitive: super::MontExpMany,
    fn mont_exp8(jobs: &mut [Exponentiation<'_>]) {
        for jobs in jobs.chunks_mut(MANY_AT_MOST) {
            exponentiate(jobs);
        }
    }

    outlined fn exponentiate(jobs: &mut [Exponentiation<'_>]) {
        let limbs = jobs[0].modulus.limbs_52();
        let mut room = vec![_mm512_setzero_si512(); (1 << WINDOW) * limbs + 9 * limbs];
        let (table, rest) = room.split_at_mut(limbs << WINDOW);
        let (modulus, rest) = rest.split_at_mut(limbs);
        let (factor, rest) = rest.split_at_mut(limbs);
        let (mut value, rest) = rest.split_at_mut(limbs);
        let (mut next, rest) = rest.split_at_mut(limbs);
        let (chosen, rest) = rest.split_at_mut(limbs);
        let (one, sums) = rest.split_at_mut(limbs);
        for (lane, job) in jobs.iter().enumerate() {
            spread(modulus, job.modulus.limbs(), lane);
            spread(factor, job.modulus.r_squared_52(), lane);
            spread(value, job.base, lane);
        }
        let inverses: [u64; 8] = std::array::from_fn(|i| jobs.get(i).map_or(0, |job| job.modulus.inverse()));
        let mut inverse = [_mm512_setzero_si512()];
        lanes_of_mut(&mut inverse).copy_from_slice(&inverses);
        let modulus = (&*modulus, inverse[0]);
        one[0] = _mm512_set1_epi64(1);

        multiply(&mut table[..limbs], factor, one, modulus, sums);
        multiply(&mut table[limbs..2 * limbs], value, factor, modulus, sums);
        for i in 2..1 << WINDOW {
            let (known, entry) = table.split_at_mut(i * limbs);
            if i % 2 == 0 {
                square(&mut entry[..limbs], &known[i / 2 * limbs..(i / 2 + 1) * limbs], modulus, sums);
            } else {
                multiply(&mut entry[..limbs], &known[(i - 1) * limbs..], &known[limbs..2 * limbs], modulus, sums);
            }
        }

        let windows = count::<WINDOW>(jobs[0].exponent.len());
        for number in (0..windows).rev() {
            let index: [u64; 8] = std::array::from_fn(|i| jobs.get(i).map_or(0, |job| window::<WINDOW>(job.exponent, number)));
            let mut indices = [_mm512_setzero_si512()];
            lanes_of_mut(&mut indices).copy_from_slice(&index);
            select(chosen, table, indices[0]);
            if number + 1 == windows {
                value.copy_from_slice(chosen);
                continue;
            }
            for _ in 0..WINDOW {
                square(next, value, modulus, sums);
                std::mem::swap(&mut value, &mut next);
            }
            multiply(next, value, chosen, modulus, sums);
            std::mem::swap(&mut value, &mut next);
        }
        multiply(next, value, one, modulus, sums);
        for (lane, job) in jobs.iter_mut().enumerate() {
            gather(job.output, next, lane);
            reduce_once(job.output, 0, job.modulus.limbs());
        }
        lanes_of_mut(&mut room).zeroize();
    }

    // Almost Montgomery multiplication: the result is below twice the modulus if the factors are. `room` has room for
    // three times as many limbs as the modulus.
    outlined fn multiply(
        output: &mut [__m512i],
        a: &[__m512i],
        b: &[__m512i],
        modulus: (&[__m512i], __m512i),
        room: &mut [__m512i],
    ) {
        let limbs = modulus.0.len();
        let (a, b) = (a[..limbs].as_chunks::<TILE>().0, b[..limbs].as_chunks::<TILE>().0);
        let sums = &mut room[..2 * limbs];
        sums.fill(_mm512_setzero_si512());
        for diagonal in 0..2 * a.len() - 1 {
            for i in (diagonal + 1).saturating_sub(a.len())..a.len().min(diagonal + 1) {
                tile(columns(sums, diagonal), &a[diagonal - i], &b[i]);
            }
            reduce(sums, modulus, diagonal);
        }
        settle(output, &sums[limbs..]);
    }

    // The same with equal factors: what stands below the diagonal of tiles is what stands above it, and so the tiles above
    // are multiplied by the doubled number. The bit that a doubled tile gets from the one below is a part of it where that
    // one is multiplied too, and not where it has been by itself.
    outlined fn square(output: &mut [__m512i], a: &[__m512i], modulus: (&[__m512i], __m512i), room: &mut [__m512i]) {
        let limbs = modulus.0.len();
        let (sums, doubled) = room.split_at_mut(2 * limbs);
        let most = _mm512_set1_epi64((1 << 52) - 1);
        let mut below = _mm512_setzero_si512();
        for (doubled, limb) in doubled.iter_mut().zip(&a[..limbs]) {
            let twice = _mm512_add_epi64(*limb, *limb);
            *doubled = _mm512_or_si512(_mm512_and_si512(twice, most), below);
            below = _mm512_srli_epi64(twice, 52);
        }
        let (a, doubled) = (a[..limbs].as_chunks::<TILE>().0, doubled[..limbs].as_chunks::<TILE>().0);
        sums.fill(_mm512_setzero_si512());
        for diagonal in 0..2 * a.len() - 1 {
            for i in (diagonal + 1).saturating_sub(a.len())..diagonal.div_ceil(2) {
                let j = diagonal - i;
                let mut above = doubled[j];
                if j == i + 1 {
                    above[0] = _mm512_and_si512(above[0], _mm512_set1_epi64(!1));
                }
                tile(columns(sums, diagonal), &above, &a[i]);
            }
            if diagonal % 2 == 0 {
                square_tile(columns(sums, diagonal), &a[diagonal / 2]);
            }
            reduce(sums, modulus, diagonal);
        }
        settle(output, &sums[limbs..]);
    }

    // Adds the products of five limbs with five to their ten columns. Low and high halves go apart, in chains half as long.
    helper fn tile(sums: &mut [__m512i; 2 * TILE], a: &[__m512i; TILE], b: &[__m512i; TILE]) {
        let mut low = *sums;
        let mut high = [_mm512_setzero_si512(); 2 * TILE];
        for i in 0..TILE {
            for j in 0..TILE {
                low[i + j] = _mm512_madd52lo_epu64(low[i + j], a[j], b[i]);
                high[i + j + 1] = _mm512_madd52hi_epu64(high[i + j + 1], a[j], b[i]);
            }
        }
        for i in 0..2 * TILE {
            sums[i] = _mm512_add_epi64(low[i], high[i]);
        }
    }

    // The same with equal limbs.
    helper fn square_tile(sums: &mut [__m512i; 2 * TILE], a: &[__m512i; TILE]) {
        let mut twice = [_mm512_setzero_si512(); 2 * TILE];
        for i in 1..TILE {
            for j in 0..i {
                twice[i + j] = _mm512_madd52lo_epu64(twice[i + j], a[j], a[i]);
                twice[i + j + 1] = _mm512_madd52hi_epu64(twice[i + j + 1], a[j], a[i]);
            }
        }
        for i in 0..TILE {
            let low = _mm512_madd52lo_epu64(sums[2 * i], a[i], a[i]);
            let high = _mm512_madd52hi_epu64(sums[2 * i + 1], a[i], a[i]);
            sums[2 * i] = _mm512_add_epi64(low, _mm512_add_epi64(twice[2 * i], twice[2 * i]));
            sums[2 * i + 1] = _mm512_add_epi64(high, _mm512_add_epi64(twice[2 * i + 1], twice[2 * i + 1]));
        }
    }

    // Montgomery's reduction of a diagonal of tiles: the products of the quotients that are known, of which the latest come
    // last, and then five quotients more, which take the place of the columns that they make zero. The caller goes on with
    // products that do not wait for those.
    helper fn reduce(sums: &mut [__m512i], (modulus, inverse): (&[__m512i], __m512i), diagonal: usize) {
        let modulus = modulus.as_chunks::<TILE>().0;
        let (quotients, sums) = sums.split_at_mut(diagonal * TILE);
        let quotients = quotients.as_chunks::<TILE>().0;
        let sums = columns(sums, 0);
        for i in (diagonal + 1).saturating_sub(modulus.len())..modulus.len().min(diagonal) {
            tile(sums, &modulus[diagonal - i], &quotients[i]);
        }
        if diagonal < modulus.len() {
            lowest_tile(sums, &modulus[0], inverse);
        }
    }

    // Brings the columns to 52 bits.
    helper fn settle(output: &mut [__m512i], sums: &[__m512i]) {
        let most = _mm512_set1_epi64((1 << 52) - 1);
        let mut carry = _mm512_setzero_si512();
        for (output, sum) in output.iter_mut().zip(sums) {
            let sum = _mm512_add_epi64(*sum, carry);
            *output = _mm512_and_si512(sum, most);
            carry = _mm512_srli_epi64(sum, 52);
        }
    }

    // Makes the lowest five columns zero, and puts the quotients that do it in their place. A column carries over what it holds above 52
    // bits, and one more unless its lower bits are zero: the quotient's lowest product need not be made.
    helper fn lowest_tile(sums: &mut [__m512i; 2 * TILE], modulus: &[__m512i; TILE], inverse: __m512i) {
        let zero = _mm512_setzero_si512();
        let mut columns = *sums;
        for i in 0..TILE {
            let quotient = _mm512_madd52lo_epu64(zero, columns[i], inverse);
            let carry = _mm512_srli_epi64(_mm512_add_epi64(columns[i], _mm512_set1_epi64((1 << 52) - 1)), 52);
            columns[i + 1] = _mm512_add_epi64(columns[i + 1], carry);
            columns[i + 1] = _mm512_madd52hi_epu64(columns[i + 1], modulus[0], quotient);
            let low = _mm512_madd52lo_epu64(zero, modulus[1], quotient);
            columns[i + 1] = _mm512_add_epi64(columns[i + 1], low);
            for j in 1..TILE {
                if j > 1 {
                    columns[i + j] = _mm512_madd52lo_epu64(columns[i + j], modulus[j], quotient);
                }
                columns[i + j + 1] = _mm512_madd52hi_epu64(columns[i + j + 1], modulus[j], quotient);
            }
            columns[i] = quotient;
        }
        *sums = columns;
    }

    // Reads an entry of the table by reading all.
    helper fn select(chosen: &mut [__m512i], table: &[__m512i], index: __m512i) {
        chosen.fill(_mm512_setzero_si512());
        for (number, entry) in (0i64..).zip(table.chunks_exact(chosen.len())) {
            // A mask in a vector and not in a mask register: the compiler would make masked stores of those.
            let equal = _mm512_cmpeq_epi64_mask(index, _mm512_set1_epi64(number));
            let mask = in_order_512(_mm512_maskz_set1_epi64(equal, -1));
            for (chosen, vector) in chosen.iter_mut().zip(entry) {
                *chosen = _mm512_ternarylogic_epi64::<OR_AND>(*chosen, mask, *vector);
            }
        }
    }

    // Limbs of 64 bits into a lane's limbs of 52.
    helper fn spread(vectors: &mut [__m512i], number: &[u64], lane: usize) {
        let lanes = lanes_of_mut(vectors);
        for i in 0..(64 * number.len()).div_ceil(52) {
            let (limb, shift) = (i * 52 / 64, i * 52 % 64);
            let mut bits = number[limb] >> shift;
            if shift > 12 && limb + 1 < number.len() {
                bits |= number[limb + 1] << (64 - shift);
            }
            lanes[8 * i + lane] = bits & ((1 << 52) - 1);
        }
    }

    // A lane's limbs of 52 bits into limbs of 64.
    helper fn gather(output: &mut [u64], vectors: &[__m512i], lane: usize) {
        let limb = |i: usize| lanes_of(vectors).get(8 * i + lane).copied().unwrap_or(0);
        for (i, output) in output.iter_mut().enumerate() {
            let (first, shift) = (64 * i / 52, 64 * i % 52);
            *output = limb(first) >> shift | limb(first + 1) << (52 - shift);
            if shift > 40 {
                *output |= limb(first + 2) << (104 - shift);
            }
        }
    }
}

/// The ten columns from a tile on.
#[inline(always)]
fn columns(sums: &mut [__m512i], tile: usize) -> &mut [__m512i; 2 * TILE] {
    (&mut sums[tile * TILE..(tile + 2) * TILE]).try_into().expect("two tiles are ten columns")
}
