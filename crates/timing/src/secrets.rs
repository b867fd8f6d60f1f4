//! The secrets that a case is run with.

/// Bytes that a run must not show, and what is special about them.
#[derive(Clone, Debug)]
pub struct Secret {
    /// What is special about it.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The secrets of `length` bytes: the ends of the Hamming weights, single bits, patterns, and random ones.
pub fn secrets(length: usize) -> Vec<Secret> {
    let mut secrets = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| secrets.push(Secret { name: name.to_owned(), bytes });
    let single = |bit: usize| {
        let mut bytes = vec![0; length];
        if length > 0 {
            bytes[bit / 8] |= 1 << (bit % 8);
        }
        bytes
    };
    let bits = length * 8;
    let one_of_128 = |i: usize| if i % 16 == 5 { 0x10 } else { 0 };
    add("all zero", vec![0; length]);
    add("all one", vec![0xff; length]);
    add("the first bit", single(0));
    add("the eighth bit", single(7.min(bits.saturating_sub(1))));
    add("a bit in the middle", single(bits / 2));
    add("the last bit", single(bits.saturating_sub(1)));
    add("one bit in 128", (0..length).map(one_of_128).collect());
    add("all but one bit in 128", (0..length).map(|i| !one_of_128(i)).collect());
    add("alternating bits", vec![0x55; length]);
    add("each byte its index", (0..length).map(|i| i as u8).collect());
    for seed in 1..=8 {
        let mut random = fastrand::Rng::with_seed(seed);
        add(&format!("random {seed}"), (0..length).map(|_| random.u8(..)).collect());
    }
    secrets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_sixteen_different_secrets_or_more() {
        for length in [16, 17, 100] {
            let distinct: std::collections::BTreeSet<_> =
                secrets(length).into_iter().map(|secret| secret.bytes).collect();
            assert!(distinct.len() >= 16, "{length} bytes: {}", distinct.len());
        }
        assert!(secrets(0).iter().all(|secret| secret.bytes.is_empty()));
    }
}
