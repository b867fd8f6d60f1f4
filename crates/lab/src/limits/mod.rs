//! What the hardware cannot go below: for each primitive, a tiny loop of the instructions that bound it.
//!
//! The loop is timed in the same rounds as the subjects, so that a fraction of the limit is as good as any ratio. It
//! does no cryptography: it only has the instructions of one chain or one port, with everything else for nothing. What
//! each loop assumes stands beside it; a kernel that finds another way to the same result can beat its limit, and then
//! the model is what has to change.

#[cfg(target_arch = "x86_64")]
mod x86_64;

use std::time::{Duration, Instant};

use speedwell_kernels::cpu::{Cpu, IsaSet};

use crate::algorithm::{Algorithm, Kind};
use crate::case::{Case, Operation};

/// The limit of one case on this processor.
pub struct Limit {
    model: &'static Model,
    /// Instructions (or rounds, steps, bytes: what the loop counts) that one call of the case cannot do without.
    steps: f64,
    turns: u64,
}

impl Limit {
    /// The limit of this case; `None` if the lab has no model of it for a processor like `cpu`, which must be this
    /// one, or this one with features taken away.
    ///
    /// Of several models it is the fastest, as a kernel is free to choose: MD5's chain has fewer instructions in vectors
    /// with a three-input function, but is shorter in general registers where that function or a rotation takes two cycles.
    pub fn of(case: &Case, cpu: &Cpu) -> Option<Limit> {
        let algorithm = Algorithm::of(case).ok()?;
        let possible = models(algorithm.carrier(case)?).iter().filter(|model| cpu.features().contains(model.needs));
        let limits = possible.map(|model| {
            let steps = match algorithm.kind {
                Kind::PublicKey { bits, encrypts } => {
                    products(bits, encrypts, case, model) / model.units_together as f64
                }
                _ => {
                    let units = (algorithm.units(case.bytes) * case.messages).div_ceil(model.units_together);
                    (units * steps_per_unit(algorithm)) as f64
                }
            };
            let limit = Limit { model, steps, turns: 1 }.sized();
            let looks = std::array::from_fn::<_, LOOKS, _>(|_| limit.look());
            (looks.into_iter().fold(f64::INFINITY, f64::min), limit)
        });
        limits.min_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, limit)| limit)
    }

    /// What bounds it, in words: `dependent aesenc chain, one per round`.
    pub fn what(&self) -> &'static str {
        self.model.what
    }

    /// Nanoseconds per call of the case that the loop shows at this moment, from some ten microseconds of it.
    pub fn look(&self) -> f64 {
        let start = Instant::now();
        self.run(self.turns);
        start.elapsed().as_nanos() as f64 / (self.turns * self.model.steps_per_turn) as f64 * self.steps
    }

    /// Chooses the number of turns.
    fn sized(mut self) -> Limit {
        loop {
            let start = Instant::now();
            self.run(self.turns);
            if start.elapsed() >= LOOK || self.turns >= MOST_TURNS {
                return self;
            }
            self.turns *= 2;
        }
    }

    fn run(&self, turns: u64) {
        // SAFETY: `Limit::of` found that this processor has the instruction sets that the model needs.
        unsafe { (self.model.run)(turns) }
    }
}

/// A loop, and what a turn of it stands for.
struct Model {
    what: &'static str,
    needs: IsaSet,
    /// Steps in one turn of the loop.
    steps_per_turn: u64,
    /// Units of the primitive that one step serves at once: blocks in a vector.
    units_together: usize,
    /// Bits of a limb, for arithmetic on long numbers; elsewhere 0.
    limb: usize,
    /// Runs so many turns; they must be at least one.
    run: unsafe fn(u64),
}

/// A look at a limit takes about this long.
const LOOK: Duration = Duration::from_micros(8);

/// Looks at each model before the fastest is taken.
const LOOKS: usize = 5;

/// Turns that no look exceeds, whatever the clock says.
const MOST_TURNS: u64 = 1 << 24;

/// The models of a primitive.
fn models(primitive: &str) -> &'static [Model] {
    #[cfg(target_arch = "x86_64")]
    return x86_64::models(primitive);
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = primitive;
        &[]
    }
}

/// Steps of the model that a unit (a block of a hash or cipher, a byte of RC4) needs: rounds, as the standards count
/// them.
fn steps_per_unit(algorithm: Algorithm) -> usize {
    match algorithm.kind {
        Kind::Hash { compress, .. } | Kind::Hmac { compress, .. } => match compress {
            "sha1.compress" | "sha512.compress" => 80,
            _ => 64,
        },
        Kind::Cmac { key, .. } => key / 4 + 6,
        // Rounds, and the four products of GHASH.
        Kind::Aead { key, .. } => key / 4 + 6 + 4,
        // FIPS 197, section 5: Nr = Nk + 6, with Nk the key's length in words of four bytes.
        Kind::Cipher { key, unit, iv, .. } if unit > 1 || iv > 0 => key / 4 + 6,
        Kind::Cipher { .. } | Kind::PublicKey { .. } => 1,
    }
}

/// Products of limbs, or halves of products, that a call cannot do without in Montgomery's method with windows of five
/// bits: n (n + 1) / 2 of them for the square of n limbs, n² for a product, and n² for the reduction of either.
fn products(bits: usize, is_rsa: bool, case: &Case, model: &Model) -> f64 {
    let exponentiation = |modulus: usize, exponent: usize| {
        // The limbs of 52 bits come in halves: the model counts those; two bits more keep sums below the radix.
        let (limbs, halves) =
            if model.limb == 52 { ((modulus + 2).div_ceil(52), 2) } else { (modulus.div_ceil(model.limb), 1) };
        let (square, product) = (limbs * limbs + limbs * (limbs + 1) / 2, 2 * limbs * limbs);
        let windows = exponent.div_ceil(5);
        ((exponent * square + (windows + 30) * product) * halves) as f64
    };
    let public = || {
        let (limbs, halves) =
            if model.limb == 52 { ((bits + 2).div_ceil(52), 2) } else { (bits.div_ceil(model.limb), 1) };
        ((16 * (limbs * limbs + limbs * (limbs + 1) / 2) + 4 * limbs * limbs) * halves) as f64
    };
    let messages = case.messages as f64;
    match case.operation {
        Operation::Verify | Operation::Encrypt if is_rsa => public(),
        // Two halves, and the check of the result.
        Operation::Sign | Operation::Decrypt if is_rsa => {
            messages * (2.0 * exponentiation(bits / 2, bits / 2) + public())
        }
        // One exponentiation by a number of q's size, and two to verify.
        Operation::Verify => 2.0 * exponentiation(bits, if bits > 1024 { 256 } else { 160 }),
        _ => messages * exponentiation(bits, if bits > 1024 { 256 } else { 160 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_of_this_processor_can_be_looked_at() {
        for algorithm in Algorithm::all() {
            for operation in algorithm.operations() {
                let Some(limit) = Limit::of(&Case::new(algorithm.name, *operation, 1024), Cpu::host()) else {
                    println!("{} {operation}: no model for this processor", algorithm.name);
                    continue;
                };
                let look = limit.look();
                println!("{} {operation}: {look:.1} ns for 1024 bytes ({})", algorithm.name, limit.what());
                assert!(look.is_finite() && look > 0.0);
            }
        }
    }

    #[test]
    fn every_model_runs() {
        let primitives = Algorithm::all().flat_map(|algorithm| {
            algorithm.operations().iter().filter_map(move |operation| algorithm.primitive(*operation))
        });
        for model in primitives.flat_map(models).filter(|model| Cpu::host().features().contains(model.needs)) {
            let limit = Limit { model, steps: 1.0, turns: 1 }.sized();
            println!("{:.3} ns a step: {}", limit.look(), limit.what());
            assert!(limit.look() > 0.0);
        }
    }

    #[test]
    fn steps_follow_the_standards() {
        let steps = |name| steps_per_unit(Algorithm::named(name).unwrap());
        assert_eq!(["aes-128-ecb", "aes-192-ctr", "aes-256-cbc"].map(steps), [10, 12, 14]);
        assert_eq!(["md5", "sha1", "sha224", "sha512-256", "rc4"].map(steps), [64, 80, 64, 80, 1]);
    }

    #[test]
    fn no_features_no_limit() {
        let bare = Cpu::host().without(Cpu::host().features());
        assert!(Limit::of(&Case::new("aes-128-ctr", Operation::Encrypt, 1024), &bare).is_none());
    }
}
