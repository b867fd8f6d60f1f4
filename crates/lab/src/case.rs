//! What is measured: an algorithm, an operation and a size; and the bytes to do it on, the same for every subject.

use std::fmt;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

/// One thing to measure. Two subjects that do the same case do the same work on the same bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Case {
    /// The canonical name: `sha256`, `aes-128-ctr`.
    pub algorithm: String,
    /// What is done.
    pub operation: Operation,
    /// Bytes of one message.
    pub bytes: usize,
    /// Messages handed over together.
    pub messages: usize,
    /// For ciphers, whether a call is the whole operation (key and IV, data, end) or only the data, with the key and
    /// the chaining value kept from the call before. For MACs, whether the key is set up in every call. A hash is always
    /// whole.
    #[serde(default)]
    pub whole: bool,
    /// Other bytes for what is secret than the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Secret>,
}

/// A secret: the key, or the message of an algorithm without a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Secret {
    /// What its bytes are made from.
    pub seed: u64,
    /// How many of 256 bits are ones, on average.
    pub density: u8,
    /// Without influence on the bytes: two cases with the same secret are told apart by it.
    pub turn: u64,
}

/// What is done to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// Its digest is made.
    Hash,
    /// Its tag is made under a key.
    Mac,
    /// It is encrypted in place, without padding.
    Encrypt,
    /// It is decrypted in place, without padding.
    Decrypt,
    /// A digest of it is signed.
    Sign,
    /// The signature of a digest of it is checked.
    Verify,
    /// There is none: a key is made.
    Generate,
}

impl Case {
    /// One message, data only.
    pub fn new(algorithm: &str, operation: Operation, bytes: usize) -> Case {
        Case { algorithm: algorithm.to_owned(), operation, bytes, messages: 1, whole: false, secret: None }
    }

    /// The message: the first, if there are several.
    pub fn input(&self) -> Buffer {
        self.input_of(0)
    }

    /// The key, of the length that the algorithm wants.
    pub fn key(&self, length: usize) -> Buffer {
        self.key_of(0, length)
    }

    /// The initialisation vector or first counter block, of the length that the algorithm wants.
    pub fn iv(&self, length: usize) -> Buffer {
        self.iv_of(0, length)
    }

    /// Message `number`, counted from 0. Each begins a cache line further into a page than the one before: as many lines at
    /// the same place of so many pages would not fit into a cache, which messages elsewhere seldom do to each other.
    pub fn input_of(&self, number: usize) -> Buffer {
        match self.secret {
            Some(secret) if self.operation == Operation::Hash => secret.bytes(self.bytes, Filling::Input, number),
            _ => Buffer::filled(self.bytes, Filling::Input as u64, number),
        }
    }

    /// The key of message `number`.
    pub fn key_of(&self, number: usize, length: usize) -> Buffer {
        match self.secret {
            Some(secret) => secret.bytes(length, Filling::Key, number),
            None => Buffer::filled(length, Filling::Key as u64, number),
        }
    }

    /// The initialisation vector of message `number`.
    pub fn iv_of(&self, number: usize, length: usize) -> Buffer {
        Buffer::filled(length, Filling::Iv as u64, number)
    }

    /// How many bits of the secret are ones; of a key's first 16 bytes, which are as dense as all.
    pub fn ones(&self) -> u32 {
        let secret = if self.operation == Operation::Hash { self.input() } else { self.key(16) };
        secret.iter().map(|byte| byte.count_ones()).sum()
    }
}

impl Secret {
    fn bytes(&self, length: usize, filling: Filling, number: usize) -> Buffer {
        let mut buffer = Buffer::filled(length, self.seed ^ filling as u64, number);
        if self.density != 128 {
            // A bit is one if the byte of randomness for it is below the density.
            let random = Buffer::filled(8 * length, self.seed.wrapping_add(filling as u64), number);
            for (byte, random) in buffer.iter_mut().zip(random.as_chunks::<8>().0) {
                *byte = random.iter().fold(0, |byte, random| byte << 1 | u8::from(*random < self.density));
            }
        }
        buffer
    }
}

impl fmt::Display for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.algorithm)?;
        if !matches!(self.operation, Operation::Hash | Operation::Mac) {
            write!(formatter, " {}", self.operation)?;
        }
        if self.messages > 1 {
            write!(formatter, " {} messages of", self.messages)?;
        }
        write!(formatter, " {} bytes", self.bytes)
    }
}

impl Operation {
    /// `hash`, `mac`, `encrypt` or `decrypt`.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Hash => "hash",
            Operation::Mac => "mac",
            Operation::Encrypt => "encrypt",
            Operation::Decrypt => "decrypt",
            Operation::Sign => "sign",
            Operation::Verify => "verify",
            Operation::Generate => "generate",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// Bytes that start at a page, so that all subjects find their message equally well aligned.
#[derive(Clone, Debug)]
pub struct Buffer {
    storage: Vec<u8>,
    start: usize,
    length: usize,
}

impl Buffer {
    /// So many zeros.
    pub fn zeroed(length: usize) -> Buffer {
        Buffer::zeroed_at(length, 0)
    }

    /// The same so many bytes behind the start of a page.
    fn zeroed_at(length: usize, offset: usize) -> Buffer {
        let storage = vec![0; length + PAGE - 1 + offset];
        let start = storage.as_ptr().align_offset(PAGE).min(PAGE - 1) + offset;
        Buffer { storage, start, length }
    }

    /// So many bytes that look random and are always the same: the upper bytes of x ← 6364136223846793005 x +
    /// 1442695040888963407 modulo 2⁶⁴, from a first x that the filling and the message's number name
    /// (docs/workers.md).
    fn filled(length: usize, first: u64, number: usize) -> Buffer {
        let mut buffer = Buffer::zeroed_at(length, number % (PAGE / LINE) * LINE);
        let mut x = first.wrapping_add(3 * number as u64);
        for byte in buffer.iter_mut() {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *byte = (x >> 56) as u8;
        }
        buffer
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.storage[self.start..self.start + self.length]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.storage[self.start..self.start + self.length]
    }
}

const PAGE: usize = 4096;
const LINE: usize = 64;

/// What a buffer is for: the number is where the bytes of the first message start.
#[derive(Clone, Copy)]
enum Filling {
    Input = 1,
    Key = 2,
    Iv = 3,
}

/// What a subject made of a case: enough to see whether it is what others made, and to show both if not.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Answer {
    /// Bytes of the output.
    pub length: usize,
    /// Its first bytes in hexadecimal, at most 16.
    pub start: String,
    /// FNV-1a (64 bits) of all of it, in hexadecimal. Whoever answers wrongly by mistake will not hit the same one.
    pub checksum: String,
}

impl Answer {
    /// The answer that consists of these bytes.
    pub fn new(output: &[u8]) -> Answer {
        let checksum = output
            .iter()
            .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
        Answer {
            length: output.len(),
            start: output.iter().take(16).map(|byte| format!("{byte:02x}")).collect(),
            checksum: format!("{checksum:016x}"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.length > 16 { "…" } else { "" };
        write!(formatter, "{}{more} ({} bytes, checksum {})", self.start, self.length, self.checksum)
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_the_same_everywhere() {
        let case = Case::new("aes-128-cbc", Operation::Encrypt, 8192);
        let input = case.input();
        assert_eq!(input.len(), 8192);
        assert_eq!(input.as_ptr().align_offset(PAGE), 0);
        // The worker protocol's document gives these bytes, for workers in other languages.
        assert_eq!(input[..4], [0x6c, 0x82, 0xa5, 0x62]);
        assert_ne!(case.key(16)[..], input[..16]);
        assert_ne!(case.iv(16)[..], case.key(16)[..]);
        assert_eq!(case.input_of(0)[..], input[..]);
        assert_ne!(case.input_of(1)[..], input[..]);
        assert_eq!(case.input_of(3).as_ptr() as usize % PAGE, 3 * LINE);
    }

    #[test]
    fn answers_differ_where_outputs_do() {
        let mut output = vec![0; 100];
        let answer = Answer::new(&output);
        output[99] = 1;
        assert_ne!(answer, Answer::new(&output));
        assert_eq!(answer.start, Answer::new(&output).start);
        // FNV-1a's published test value for "a".
        assert_eq!(Answer::new(b"a").checksum, "af63dc4c8601ec8c");
    }

    #[test]
    fn a_case_is_what_the_protocol_says() {
        let text = r#"{"algorithm":"sha256","operation":"hash","bytes":16,"messages":1,"whole":false}"#;
        let case = Case::new("sha256", Operation::Hash, 16);
        assert_eq!(serde_json::to_string(&case).unwrap(), text);
        assert_eq!(serde_json::from_str::<Case>(text).unwrap(), case);
        assert_eq!(case.to_string(), "sha256 16 bytes");
    }
}
