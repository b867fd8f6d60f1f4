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
    /// the chaining value kept from the call before. A hash is always whole.
    #[serde(default)]
    pub whole: bool,
}

/// What is done to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// Its digest is made.
    Hash,
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
        Case { algorithm: algorithm.to_owned(), operation, bytes, messages: 1, whole: false }
    }

    /// The message.
    pub fn input(&self) -> Buffer {
        Buffer::filled(self.bytes, Filling::Input)
    }

    /// The key, of the length that the algorithm wants.
    pub fn key(&self, length: usize) -> Buffer {
        Buffer::filled(length, Filling::Key)
    }

    /// The initialisation vector or first counter block, of the length that the algorithm wants.
    pub fn iv(&self, length: usize) -> Buffer {
        Buffer::filled(length, Filling::Iv)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.algorithm)?;
        if self.operation != Operation::Hash {
            write!(formatter, " {}", self.operation)?;
        }
        write!(formatter, " {} bytes", self.bytes)
    }
}

impl Operation {
    /// `hash`, `encrypt` or `decrypt`.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Hash => "hash",
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
        let storage = vec![0; length + PAGE - 1];
        let start = storage.as_ptr().align_offset(PAGE).min(PAGE - 1);
        Buffer { storage, start, length }
    }

    /// So many bytes that look random and are always the same: the upper bytes of x ← 6364136223846793005 x +
    /// 1442695040888963407 modulo 2⁶⁴, from a first x that the filling names (docs/worker-protocol.md).
    fn filled(length: usize, filling: Filling) -> Buffer {
        let mut buffer = Buffer::zeroed(length);
        let mut x = filling as u64;
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

/// What a buffer is for: the number is where its bytes start.
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
