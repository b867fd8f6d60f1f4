//! Eight exponentiations side by side, one in each lane: limbs of 52 bits, a vector for each place.
//!
//! Nothing crosses lanes, and no sum waits for another lane's carry: a limb of the result is a column of products, added up
//! in a register. A squaring makes each product of different limbs once and doubles it (as S. Gueron and V. Krasnov describe
//! in "Software Implementation of Modular Exponentiation", 2012, for vectors of smaller limbs).
//!
//! Bound by `vpmadd52`, one of 512 bits a cycle on Zen 4: 4 K² + K for a product of K limbs, 3 K² + 2 K for a square.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_cmpeq_epi64_mask, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64,
    _mm512_maskz_set1_epi64, _mm512_set1_epi64, _mm512_setzero_si512, _mm512_srli_epi64, _mm512_ternarylogic_epi64,
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

/// Ten columns of products. Low and high halves are added up apart, in chains half as long.
#[derive(Clone, Copy)]
struct Columns {
    low: [__m512i; 2 * TILE],
    high: [__m512i; 2 * TILE],
}

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
        let mut room = vec![_mm512_setzero_si512(); (1 << WINDOW) * limbs + 8 * limbs];
        let (table, rest) = room.split_at_mut(limbs << WINDOW);
        let (modulus, rest) = rest.split_at_mut(limbs);
        let (factor, rest) = rest.split_at_mut(limbs);
        let (mut value, rest) = rest.split_at_mut(limbs);
        let (mut next, rest) = rest.split_at_mut(limbs);
        let (chosen, rest) = rest.split_at_mut(limbs);
        let (one, work) = rest.split_at_mut(limbs);
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

        product::<false>(&mut table[..limbs], factor, one, modulus, work);
        product::<false>(&mut table[limbs..2 * limbs], value, factor, modulus, work);
        for i in 2..1 << WINDOW {
            let (known, entry) = table.split_at_mut(i * limbs);
            if i % 2 == 0 {
                let half = &known[i / 2 * limbs..(i / 2 + 1) * limbs];
                product::<true>(&mut entry[..limbs], half, half, modulus, work);
            } else {
                product::<false>(&mut entry[..limbs], &known[(i - 1) * limbs..], &known[limbs..2 * limbs], modulus, work);
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
                product::<true>(next, value, value, modulus, work);
                std::mem::swap(&mut value, &mut next);
            }
            product::<false>(next, value, chosen, modulus, work);
            std::mem::swap(&mut value, &mut next);
        }
        product::<false>(next, value, one, modulus, work);
        for (lane, job) in jobs.iter_mut().enumerate() {
            gather(job.output, next, lane);
            reduce_once(job.output, 0, job.modulus.limbs());
        }
        lanes_of_mut(&mut room).zeroize();
    }

    // Almost Montgomery multiplication: the result is below twice the modulus if the factors are. `room` has room for
    // twice as many limbs as the modulus.
    //
    // Of a `SQUARE` both factors are `a`: what stands below the diagonal of tiles is what stands above it, and so the tiles
    // above are multiplied by the doubled number. The bit that a doubled tile gets from the one below is a part of it where
    // that one is multiplied too, and not where it has been by itself.
    outlined fn product<const SQUARE: bool>(
        output: &mut [__m512i],
        a: &[__m512i],
        b: &[__m512i],
        modulus: (&[__m512i], __m512i),
        room: &mut [__m512i]
    ) {
        let (modulus, inverse) = modulus;
        let limbs = modulus.len();
        let (quotients, doubled) = room.split_at_mut(limbs);
        let (a, b) = (a[..limbs].as_chunks::<TILE>().0, b[..limbs].as_chunks::<TILE>().0);
        let (modulus, doubled) = (modulus.as_chunks::<TILE>().0, doubled[..limbs].as_chunks_mut::<TILE>().0);
        let quotients = quotients.as_chunks_mut::<TILE>().0;
        let result = output.as_chunks_mut::<TILE>().0;
        let tiles = modulus.len();
        let mut carried = [_mm512_setzero_si512(); TILE];
        let (mut below, mut carry) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        for diagonal in 0..2 * tiles - 1 {
            let first = (diagonal + 1).saturating_sub(tiles);
            let mut sums = no_columns();
            if SQUARE {
                if diagonal < tiles {
                    doubled[diagonal] = double(a[diagonal], &mut below);
                }
                for i in first..diagonal.div_ceil(2) {
                    let j = diagonal - i;
                    let mut above = doubled[j];
                    if j == i + 1 {
                        above[0] = _mm512_and_si512(above[0], _mm512_set1_epi64(!1));
                    }
                    tile(&mut sums, &above, &a[i]);
                }
                if diagonal % 2 == 0 {
                    square_tile(&mut sums, &a[diagonal / 2]);
                }
            } else {
                for i in first..tiles.min(diagonal + 1) {
                    tile(&mut sums, &a[diagonal - i], &b[i]);
                }
            }
            // Montgomery's reduction: the products of the quotients that are known, of which the latest come last, and what
            // the diagonal before carried here. The next diagonal's products do not wait for that.
            for i in first..tiles.min(diagonal) {
                tile(&mut sums, &modulus[diagonal - i], &quotients[i]);
            }
            let mut columns = sums.low;
            for i in 0..2 * TILE {
                columns[i] = _mm512_add_epi64(columns[i], sums.high[i]);
                if i < TILE {
                    columns[i] = _mm512_add_epi64(columns[i], carried[i]);
                }
            }
            // Five more quotients make the lowest columns zero, or those are a part of the result.
            if diagonal < tiles {
                lowest_tile(&mut columns, &modulus[0], inverse);
            }
            let [c0, c1, c2, c3, c4, upper @ ..] = columns;
            let done = [c0, c1, c2, c3, c4];
            if diagonal < tiles {
                quotients[diagonal] = done;
            } else {
                result[diagonal - tiles] = settle(done, &mut carry);
            }
            carried = upper;
        }
        result[tiles - 1] = settle(carried, &mut carry);
    }

    // Twice five limbs, with the bit from those below.
    helper fn double(limbs: [__m512i; TILE], below: &mut __m512i) -> [__m512i; TILE] {
        let most = _mm512_set1_epi64((1 << 52) - 1);
        let mut doubled = limbs;
        for limb in &mut doubled {
            let twice = _mm512_add_epi64(*limb, *limb);
            *limb = _mm512_ternarylogic_epi64::<OR_AND>(*below, twice, most);
            *below = _mm512_srli_epi64(twice, 52);
        }
        doubled
    }

    // Adds the products of five limbs with five to their ten columns.
    helper fn tile(sums: &mut Columns, a: &[__m512i; TILE], b: &[__m512i; TILE]) {
        let Columns { mut low, mut high } = *sums;
        for i in 0..TILE {
            for j in 0..TILE {
                low[i + j] = _mm512_madd52lo_epu64(low[i + j], a[j], b[i]);
                high[i + j + 1] = _mm512_madd52hi_epu64(high[i + j + 1], a[j], b[i]);
            }
        }
        *sums = Columns { low, high };
    }

    // The same with equal limbs.
    helper fn square_tile(sums: &mut Columns, a: &[__m512i; TILE]) {
        let mut twice = [_mm512_setzero_si512(); 2 * TILE];
        for i in 1..TILE {
            for j in 0..i {
                twice[i + j] = _mm512_madd52lo_epu64(twice[i + j], a[j], a[i]);
                twice[i + j + 1] = _mm512_madd52hi_epu64(twice[i + j + 1], a[j], a[i]);
            }
        }
        for i in 0..TILE {
            sums.low[2 * i] = _mm512_madd52lo_epu64(sums.low[2 * i], a[i], a[i]);
            sums.high[2 * i + 1] = _mm512_madd52hi_epu64(sums.high[2 * i + 1], a[i], a[i]);
        }
        for i in 0..2 * TILE {
            sums.low[i] = _mm512_add_epi64(sums.low[i], _mm512_add_epi64(twice[i], twice[i]));
        }
    }

    // Brings five columns to 52 bits, with the carry from those below.
    helper fn settle(columns: [__m512i; TILE], carry: &mut __m512i) -> [__m512i; TILE] {
        let most = _mm512_set1_epi64((1 << 52) - 1);
        let mut limbs = columns;
        for limb in &mut limbs {
            let sum = _mm512_add_epi64(*limb, *carry);
            *limb = _mm512_and_si512(sum, most);
            *carry = _mm512_srli_epi64(sum, 52);
        }
        limbs
    }

    // Ten columns that are zero.
    helper fn no_columns() -> Columns {
        Columns { low: [_mm512_setzero_si512(); 2 * TILE], high: [_mm512_setzero_si512(); 2 * TILE] }
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

    // Reads an entry of the table by reading all, five limbs at a time.
    helper fn select(chosen: &mut [__m512i], table: &[__m512i], index: __m512i) {
        let limbs = chosen.len();
        let mut masks = [_mm512_setzero_si512(); 1 << WINDOW];
        for (number, mask) in (0i64..).zip(&mut masks) {
            // A mask in a vector and not in a mask register: the compiler would make masked loads of those.
            let equal = _mm512_cmpeq_epi64_mask(index, _mm512_set1_epi64(number));
            *mask = in_order_512(_mm512_maskz_set1_epi64(equal, -1));
        }
        for (tile, chosen) in chosen.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
            let mut read = [_mm512_setzero_si512(); TILE];
            for (mask, entry) in masks.iter().zip(table.chunks_exact(limbs)) {
                let entry = &entry.as_chunks::<TILE>().0[tile];
                for i in 0..TILE {
                    read[i] = _mm512_ternarylogic_epi64::<OR_AND>(read[i], *mask, entry[i]);
                }
            }
            *chosen = read;
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
