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
    __m512i, _mm512_add_epi64, _mm512_alignr_epi64, _mm512_and_si512, _mm512_broadcastq_epi64, _mm512_castsi512_si128,
    _mm512_cmpeq_epi64_mask, _mm512_cmpgt_epu64_mask, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64,
    _mm512_mask_add_epi64, _mm512_mask_mov_epi64, _mm512_maskz_srli_epi64, _mm512_permutex_epi64,
    _mm512_permutex2var_epi64, _mm512_set1_epi64, _mm512_setr_epi64, _mm512_setzero_si512, _mm512_srli_epi64,
};

use zeroize::Zeroize;

use super::limbs::reduce_once;
use super::windows::{WINDOW, count, window};
use super::{Exponentiation, Modulus};
use crate::simd::x86_64::{lanes_of, lanes_of_mut};

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
            9..=10 => secret::<10, true>(jobs),
            11..=15 => secret::<15, true>(jobs),
            16..=20 => secret::<20, true>(jobs),
            // Two numbers of more than 4096 bits fill the vectors one by one.
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
        let mut one = [_mm512_setzero_si512(); V];
        one[0] = both_low::<PAIR>(1, 1);

        let mut table = vec![[_mm512_setzero_si512(); V]; 1 << WINDOW];
        let second_base = if PAIR { jobs[1].base } else { jobs[0].base };
        multiply::<V, PAIR>(&mut table[0], &factor, &one, &modulus, inverse, limbs);
        let base = spread::<V, PAIR>(jobs[0].base, second_base);
        multiply::<V, PAIR>(&mut table[1], &base, &factor, &modulus, inverse, limbs);
        for i in 2..1 << WINDOW {
            let (known, entry) = table.split_at_mut(i);
            multiply::<V, PAIR>(&mut entry[0], &known[i - 1], &known[1], &modulus, inverse, limbs);
        }

        let exponents = [jobs[0].exponent, if PAIR { jobs[1].exponent } else { jobs[0].exponent }];
        let windows = count(exponents[0].len());
        let mut value = table[0];
        let mut chosen = table[0];
        for number in (0..windows).rev() {
            if number + 1 < windows {
                for _ in 0..WINDOW {
                    let square = value;
                    multiply::<V, PAIR>(&mut value, &square, &square, &modulus, inverse, limbs);
                }
            }
            select::<V, PAIR>(&mut chosen, &table, exponents.map(|exponent| window(exponent, number)));
            let factor = value;
            multiply::<V, PAIR>(&mut value, &factor, &chosen, &modulus, inverse, limbs);
        }
        let factor = value;
        multiply::<V, PAIR>(&mut value, &factor, &one, &modulus, inverse, limbs);
        for (half, job) in jobs.iter_mut().enumerate() {
            gather::<PAIR>(job.output, lanes_of(&value), half);
            reduce_once(job.output, 0, job.modulus.limbs());
        }
        for entry in &mut table {
            lanes_of_mut(entry).zeroize();
        }
        for vectors in [&mut value, &mut chosen, &mut one] {
            lanes_of_mut(vectors).zeroize();
        }
    }

    outlined fn public<const V: usize>(output: &mut [u64], base: &[u64], exponent: u64, modulus: &Modulus) {
        let limbs = modulus.limbs_52();
        let inverse = both::<false>(modulus.inverse(), modulus.inverse());
        let factor = spread::<V, false>(modulus.r_squared_52(), &[]);
        let vectors = spread::<V, false>(modulus.limbs(), &[]);
        let base = spread::<V, false>(base, &[]);
        let mut form = base;
        multiply::<V, false>(&mut form, &base, &factor, &vectors, inverse, limbs);
        let mut value = form;
        for bit in (0..u64::BITS - 1 - exponent.max(1).leading_zeros()).rev() {
            let square = value;
            multiply::<V, false>(&mut value, &square, &square, &vectors, inverse, limbs);
            if bit > 0 && exponent >> bit & 1 == 1 {
                let square = value;
                multiply::<V, false>(&mut value, &square, &form, &vectors, inverse, limbs);
            }
        }
        // The last factor is the base as it is, or 1: that brings the result out of Montgomery form.
        let mut last = base;
        if exponent & 1 == 0 || exponent == 1 {
            last = [_mm512_setzero_si512(); V];
            last[0] = both_low::<false>(1, 1);
        }
        let square = value;
        multiply::<V, false>(&mut value, &square, &last, &vectors, inverse, limbs);
        gather::<false>(output, lanes_of(&value), 0);
        reduce_once(output, 0, modulus.limbs());
    }

    // Almost Montgomery multiplication: the result is below twice the modulus if the factors are.
    helper fn multiply<const V: usize, const PAIR: bool>(
        output: &mut [__m512i; V],
        a: &[__m512i; V],
        b: &[__m512i; V],
        modulus: &[__m512i; V],
        inverse: __m512i,
        limbs: usize,
    ) {
        let zero = _mm512_setzero_si512();
        let factors = lanes_of(b);
        let mut sums = [zero; V];
        // What the lowest vector has yet to get from the step before: it is added where the chain of the quotients waits.
        let mut late = zero;
        for i in 0..limbs {
            let factor = if PAIR {
                let place = i / 4 * 8 + i % 4;
                let low = _mm512_set1_epi64(factors[place] as i64);
                _mm512_mask_mov_epi64(low, 0xf0, _mm512_set1_epi64(factors[place + 4] as i64))
            } else {
                _mm512_set1_epi64(factors[i] as i64)
            };
            let low = _mm512_madd52lo_epu64(zero, a[0], factor);
            sums[0] = _mm512_add_epi64(sums[0], _mm512_add_epi64(late, low));
            let quotient = first_lane::<PAIR>(_mm512_madd52lo_epu64(zero, sums[0], inverse));
            for k in 1..V {
                sums[k] = _mm512_madd52lo_epu64(sums[k], a[k], factor);
            }
            for k in 0..V {
                sums[k] = _mm512_madd52lo_epu64(sums[k], modulus[k], quotient);
            }
            late = _mm512_maskz_srli_epi64(if PAIR { 0x11 } else { 1 }, sums[0], 52);
            for k in 0..V {
                sums[k] = shift_down::<PAIR>(sums[k], if k + 1 < V { sums[k + 1] } else { zero });
            }
            for k in 1..V {
                sums[k] = _mm512_madd52hi_epu64(sums[k], a[k], factor);
                sums[k] = _mm512_madd52hi_epu64(sums[k], modulus[k], quotient);
            }
            let high = _mm512_madd52hi_epu64(zero, a[0], factor);
            late = _mm512_add_epi64(late, _mm512_madd52hi_epu64(high, modulus[0], quotient));
        }
        sums[0] = _mm512_add_epi64(sums[0], late);
        settle::<V, PAIR>(&mut sums);
        *output = sums;
    }

    // Brings every lane to 52 bits. After one pass a lane has at most a few bits too many, and what then goes on is one
    // at most: an addition of masks does for all lanes what an adder does for bits.
    helper fn settle<const V: usize, const PAIR: bool>(sums: &mut [__m512i; V]) {
        let most = _mm512_set1_epi64((1 << 52) - 1);
        let mut below = _mm512_setzero_si512();
        for sum in sums.iter_mut() {
            let carry = _mm512_srli_epi64(*sum, 52);
            *sum = _mm512_add_epi64(_mm512_and_si512(*sum, most), shift_up::<PAIR>(carry, below));
            below = carry;
        }
        let (mut generate, mut propagate) = ([0u64; 3], [0u64; 3]);
        let mut carries = [0u64; 2];
        if PAIR {
            // The lower and upper lanes are numbers of their own: words 0 and 1 are the first number, 2 and 3 the second.
            let (mut generate, mut propagate) = ([0u128; 2], [0u128; 2]);
            for (k, sum) in sums.iter().enumerate() {
                let above = u128::from(_mm512_cmpgt_epu64_mask(*sum, most));
                let equal = u128::from(_mm512_cmpeq_epi64_mask(*sum, most));
                generate[0] |= (above & 15) << (4 * k);
                generate[1] |= (above >> 4) << (4 * k);
                propagate[0] |= (equal & 15) << (4 * k);
                propagate[1] |= (equal >> 4) << (4 * k);
            }
            let carries: [u128; 2] =
                std::array::from_fn(|i| ((generate[i] << 1).wrapping_add(propagate[i])) ^ propagate[i]);
            for (k, sum) in sums.iter_mut().enumerate() {
                let mask = (carries[0] >> (4 * k)) as u8 & 15 | ((carries[1] >> (4 * k)) as u8) << 4;
                *sum = _mm512_and_si512(_mm512_mask_add_epi64(*sum, mask, *sum, _mm512_set1_epi64(1)), most);
            }
        } else {
            for (k, sum) in sums.iter().enumerate() {
                generate[k / 8] |= u64::from(_mm512_cmpgt_epu64_mask(*sum, most)) << (8 * (k % 8));
                propagate[k / 8] |= u64::from(_mm512_cmpeq_epi64_mask(*sum, most)) << (8 * (k % 8));
            }
            for (word, sums) in sums.chunks_mut(8).enumerate() {
                let total = (u128::from(generate[word]) << 1 | u128::from(carries[0])) + u128::from(propagate[word]);
                let mask = total as u64 ^ propagate[word];
                carries[0] = (total >> 64) as u64;
                for (k, sum) in sums.iter_mut().enumerate() {
                    let mask = (mask >> (8 * k)) as u8;
                    *sum = _mm512_and_si512(_mm512_mask_add_epi64(*sum, mask, *sum, _mm512_set1_epi64(1)), most);
                }
            }
        }
    }

    // Reads an entry of the table by reading all.
    helper fn select<const V: usize, const PAIR: bool>(
        chosen: &mut [__m512i; V],
        table: &[[__m512i; V]],
        index: [u64; 2],
    ) {
        let index = both::<PAIR>(index[0], index[1]);
        let mut found = [_mm512_setzero_si512(); V];
        for (number, entry) in (0i64..).zip(table) {
            let mask = _mm512_cmpeq_epi64_mask(index, _mm512_set1_epi64(number));
            for (found, vector) in found.iter_mut().zip(entry) {
                *found = _mm512_mask_mov_epi64(*found, mask, *vector);
            }
        }
        *chosen = found;
    }

    // The first number's lane 0 in all lanes; of a pair each one's own in four.
    helper fn first_lane<const PAIR: bool>(vector: __m512i) -> __m512i {
        if PAIR {
            _mm512_permutex_epi64::<0>(vector)
        } else {
            _mm512_broadcastq_epi64(_mm512_castsi512_si128(vector))
        }
    }

    // Lanes 1 and up of a vector, and behind them the first of the next.
    helper fn shift_down<const PAIR: bool>(vector: __m512i, next: __m512i) -> __m512i {
        if PAIR {
            _mm512_permutex2var_epi64(vector, _mm512_setr_epi64(1, 2, 3, 8, 5, 6, 7, 12), next)
        } else {
            _mm512_alignr_epi64::<1>(next, vector)
        }
    }

    // The last lane of the vector before, and behind it all but the last of this one.
    helper fn shift_up<const PAIR: bool>(vector: __m512i, before: __m512i) -> __m512i {
        if PAIR {
            _mm512_permutex2var_epi64(vector, _mm512_setr_epi64(11, 0, 1, 2, 15, 4, 5, 6), before)
        } else {
            _mm512_alignr_epi64::<7>(vector, before)
        }
    }

    // The first value in the lanes of the first number, the second in those of the second.
    helper fn both<const PAIR: bool>(first: u64, second: u64) -> __m512i {
        let [first, second] = [first as i64, if PAIR { second } else { first } as i64];
        _mm512_setr_epi64(first, first, first, first, second, second, second, second)
    }

    // The same for the lowest lanes, with zeros elsewhere.
    helper fn both_low<const PAIR: bool>(first: u64, second: u64) -> __m512i {
        _mm512_setr_epi64(first as i64, 0, 0, 0, if PAIR { second as i64 } else { 0 }, 0, 0, 0)
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
                lanes[if PAIR { i / 4 * 8 + i % 4 + 4 * half } else { i }] = bits & ((1 << 52) - 1);
            }
        }
        vectors
    }

    // Lanes of 52 bits into limbs of 64.
    helper fn gather<const PAIR: bool>(output: &mut [u64], lanes: &[u64], half: usize) {
        let lane = |i: usize| {
            let place = if PAIR { i / 4 * 8 + i % 4 + 4 * half } else { i };
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
