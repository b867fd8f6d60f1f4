//! Many signatures at a time: eight exponentiations go through the lanes of a kernel together.

use speedwell_kernels::bn::{Exponentiation, MANY_AT_MOST, MontExpMany};

use super::signature::whole;
use super::{PrivateKey, RsaError, Scheme};
use crate::bignum::Number;
use crate::select::{Plan, Policy, plan};

/// The signatures of digests under one key, in their order.
///
/// # Errors
/// Those of [`PrivateKey::sign_digest`], for the first digest that has one.
pub fn sign_many(key: &PrivateKey, scheme: Scheme, digests: &[&[u8]]) -> Result<Vec<Vec<u8>>, RsaError> {
    sign_many_under(scheme, &digests.iter().map(|digest| (key, *digest)).collect::<Vec<_>>())
}

/// The signatures of digests, each under a key of its own, in their order. Keys of one size with two primes go through the
/// lanes together; the others are used one by one.
///
/// # Errors
/// As [`sign_many`].
pub fn sign_many_under(scheme: Scheme, jobs: &[(&PrivateKey, &[u8])]) -> Result<Vec<Vec<u8>>, RsaError> {
    let mut signatures = vec![Vec::new(); jobs.len()];
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by_key(|job| jobs[*job].0.lane_limbs());
    for group in order.chunk_by(|a, b| jobs[*a].0.lane_limbs() == jobs[*b].0.lane_limbs()) {
        for lanes in group.chunks(MANY_AT_MOST) {
            let limbs = jobs[lanes[0]].0.lane_limbs();
            if lanes.len() < FEWEST || limbs.is_none() {
                for job in lanes {
                    signatures[*job] = jobs[*job].0.sign_digest(scheme, jobs[*job].1)?;
                }
                continue;
            }
            let signed = sign_lanes(scheme, &lanes.iter().map(|job| jobs[*job]).collect::<Vec<_>>())?;
            lanes.iter().zip(signed).for_each(|(job, signature)| signatures[*job] = signature);
        }
    }
    Ok(signatures)
}

/// With fewer a lane would be empty too often to be worth it.
const FEWEST: usize = 4;

/// Up to eight signatures under keys whose primes all have the same number of limbs.
fn sign_lanes(scheme: Scheme, jobs: &[(&PrivateKey, &[u8])]) -> Result<Vec<Vec<u8>>, RsaError> {
    let plan = plan_of_lanes();
    let mut blinded = Vec::new();
    for (key, digest) in jobs {
        let public = key.public_key();
        let input = public.representative(&whole(scheme.encode(digest, public.bits())?, public.size()))?;
        let blinding = key.next_blinding()?;
        let base = public.ring.mont_mul(&input, &blinding.factor);
        blinded.push((input, blinding, base));
    }
    let mut residues: Vec<Vec<Number>> = vec![Vec::new(); jobs.len()];
    for half in 0..2 {
        let bases: Vec<Number> =
            jobs.iter().zip(&blinded).map(|((key, _), (_, _, base))| key.primes[half].ring.reduce(base)).collect();
        let mut outputs: Vec<Number> = jobs.iter().map(|(key, _)| key.primes[half].ring.zero()).collect();
        let mut lanes: Vec<Exponentiation<'_>> = jobs
            .iter()
            .zip(&bases)
            .zip(&mut outputs)
            .map(|(((key, _), base), output)| key.primes[half].job(base, &key.primes[half].exponent, output))
            .collect();
        plan.kernel(jobs[0].0.primes[half].ring.bytes()).call(&mut lanes);
        residues.iter_mut().zip(outputs).for_each(|(residues, output)| residues.push(output));
    }
    jobs.iter()
        .zip(&blinded)
        .zip(&residues)
        .map(|(((key, _), (input, blinding, _)), residues)| {
            let output = key.finish(input, &key.combine(residues), blinding)?;
            Ok(crate::bignum::to_bytes(&output, key.public_key().size()).to_vec())
        })
        .collect()
}

/// The plan for eight exponentiations.
pub(super) fn plan_of_lanes() -> &'static Plan<MontExpMany> {
    plan(Policy::Secret).expect("the portable kernels are constant in time and run everywhere")
}

impl PrivateKey {
    /// The limbs of its primes, if there are two of the same size: such keys share lanes.
    fn lane_limbs(&self) -> Option<usize> {
        match &self.primes[..] {
            [p, q] if p.ring.limbs() == q.ring.limbs() => Some(p.ring.limbs()),
            _ => None,
        }
    }
}
