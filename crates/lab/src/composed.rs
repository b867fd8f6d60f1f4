//! Operations that protocols put together: a cipher and a MAC over one record.
//!
//! A record lies in one buffer and is worked on in place. Keys are ready; the chaining value or key stream goes on from record
//! to record, as in TLS 1.0. What it takes beside the two halves (headers, padding, copying the tag) is part of the work.

use crate::algorithm::{Algorithm, Kind};
use crate::case::{Answer, Case, Operation};
use crate::ring::Ring;
use crate::subjects::usage::{LONGEST, Stream, Tagger};
use crate::subjects::{Setup, Skip};

/// A cipher and a MAC, and how they are put together.
#[derive(Debug, PartialEq, Eq)]
pub struct Composed {
    /// By which it is named: `aes-128-cbc+hmac-sha1`.
    pub name: &'static str,
    /// The canonical name of the cipher.
    pub cipher: &'static str,
    /// The canonical name of the MAC.
    pub mac: &'static str,
    /// Bytes of the tag that are sent.
    pub tag: usize,
    /// Which comes first.
    pub order: Order,
    /// Bytes of header that are authenticated with the message, in front of it.
    pub header: usize,
    /// The padded record is a whole number of units of so many bytes; 1 is no padding.
    pub unit: usize,
}

/// Which half comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The tag is encrypted with the message: TLS (RFC 5246, sections 6.2.3.1 and 6.2.3.2).
    MacThenEncrypt,
    /// The ciphertext is authenticated: ESP (RFC 4303; RFC 3602 and RFC 2404).
    EncryptThenMac,
}

/// All that the laboratory can put together. TLS authenticates sequence number, type, version and length; ESP its index and
/// sequence number, and pads for two more bytes.
pub const COMPOSED: &[Composed] = &[
    tls("aes-128-cbc+hmac-sha1", "aes-128-cbc", "hmac-sha1", 20, 16),
    tls("aes-256-cbc+hmac-sha1", "aes-256-cbc", "hmac-sha1", 20, 16),
    tls("rc4+hmac-md5", "rc4", "hmac-md5", 16, 1),
    esp("aes-128-cbc+hmac-sha1-96", "aes-128-cbc", "hmac-sha1", 12),
    esp("aes-256-cbc+hmac-sha1-96", "aes-256-cbc", "hmac-sha1", 12),
];

const fn tls(name: &'static str, cipher: &'static str, mac: &'static str, tag: usize, unit: usize) -> Composed {
    Composed { name, cipher, mac, tag, order: Order::MacThenEncrypt, header: 13, unit }
}

const fn esp(name: &'static str, cipher: &'static str, mac: &'static str, tag: usize) -> Composed {
    Composed { name, cipher, mac, tag, order: Order::EncryptThenMac, header: 8, unit: 16 }
}

/// A subject's two halves, with keys that are ready. Both say whether they did it.
pub trait Halves: Send {
    /// Encrypts in place, and goes on where the call before ended. The length is a multiple of the cipher's unit.
    fn encrypt(&mut self, data: &mut [u8]) -> bool;

    /// Writes the first bytes of the tag.
    fn tag(&mut self, data: &[u8], tag: &mut [u8]) -> bool;
}

impl Composed {
    /// The one of that name.
    pub fn named(name: &str) -> Option<&'static Composed> {
        COMPOSED.iter().find(|composed| composed.name == name)
    }

    /// The one of a case, if the case is one that can be put together.
    ///
    /// # Errors
    /// [`Skip::NotOffered`] for anything but the encryption of one record under keys that are ready.
    pub fn of(case: &Case) -> Result<Option<&'static Composed>, Skip> {
        let Some(composed) = Composed::named(&case.algorithm) else { return Ok(None) };
        if case.operation != Operation::Encrypt || case.messages > 1 || case.whole {
            let what = "but the encryption of one record at a time under keys that are ready";
            return Err(Skip::NotOffered(format!("anything of {} {what}", composed.name)));
        }
        Ok(Some(composed))
    }

    /// Sets a subject's halves up for a case. The answer is the record without its header.
    ///
    /// # Errors
    /// [`Skip::Failed`] if the halves fail.
    pub fn set_up(&'static self, case: &Case, mut halves: impl Halves + 'static) -> Result<Setup, Skip> {
        let body = self.header + case.bytes;
        let message = [&vec![0; self.header][..], &case.input()[..], &vec![0; self.length(case.bytes) - body]].concat();
        let mut records = Ring::new(&message, 1);
        if !self.seal(&mut halves, records.take(), body) {
            return Err(Skip::Failed(format!("fails at {}", self.name)));
        }
        let answer = Answer::new(&records.first()[self.header..]);
        let run = move |calls| {
            let sealed = (0..calls).all(|_| self.seal(&mut halves, std::hint::black_box(records.take()), body));
            assert!(sealed, "it fails at what it did before");
        };
        Ok(Setup { answer, kernel: None, run: Box::new(run) })
    }

    /// Sets a library's cipher and MAC up for a case.
    ///
    /// # Errors
    /// [`Skip::Failed`] if they fail.
    pub(crate) fn of_parts(
        &'static self,
        case: &Case,
        mut stream: impl Stream,
        mut tagger: impl Tagger,
    ) -> Result<Setup, Skip> {
        let kinds = [self.cipher, self.mac].map(|name| Algorithm::named(name).map(|algorithm| algorithm.kind));
        let [Some(Kind::Cipher { key, iv, .. }), Some(Kind::Hmac { key: secret, .. })] = kinds else {
            return Err(Skip::NotOffered(self.name.to_owned()));
        };
        if !stream.begin(&case.key(key), &case.iv(iv)) || !tagger.set_key(&case.key(secret)) {
            return Err(Skip::Failed(format!("fails at the keys of {}", self.name)));
        }
        self.set_up(case, Parts { stream, tagger, tag: [0; LONGEST] })
    }

    /// Bytes of a record, header included.
    fn length(&self, message: usize) -> usize {
        self.header
            + match self.order {
                // The byte that says how much padding there is belongs to it.
                Order::MacThenEncrypt if self.unit > 1 => (message + self.tag + 1).next_multiple_of(self.unit),
                Order::MacThenEncrypt => message + self.tag,
                Order::EncryptThenMac => (message + 2).next_multiple_of(self.unit) + self.tag,
            }
    }

    /// Makes a record of a buffer whose header and message are there, up to `body`.
    fn seal(&self, halves: &mut impl Halves, record: &mut [u8], body: usize) -> bool {
        match self.order {
            Order::MacThenEncrypt => {
                let (message, rest) = record.split_at_mut(body);
                let (tag, padding) = rest.split_at_mut(self.tag);
                // Every byte of the padding is how many there are besides the last.
                padding.fill(padding.len().saturating_sub(1) as u8);
                halves.tag(message, tag) && halves.encrypt(&mut record[self.header..])
            }
            Order::EncryptThenMac => {
                let (packet, tag) = record.split_at_mut(record.len() - self.tag);
                let padding = packet.len() - body - 2;
                // 1, 2, 3 and so on; then how many; then what comes in the packet: IPv4.
                packet[body..].iter_mut().zip(1..).for_each(|(byte, number)| *byte = number);
                packet[body + padding] = padding as u8;
                packet[body + padding + 1] = 4;
                halves.encrypt(&mut packet[self.header..]) && halves.tag(packet, tag)
            }
        }
    }
}

/// The halves of a library whose cipher and MAC are used like any other's.
struct Parts<S, T> {
    stream: S,
    tagger: T,
    tag: [u8; LONGEST],
}

impl<S: Stream, T: Tagger> Halves for Parts<S, T> {
    fn encrypt(&mut self, data: &mut [u8]) -> bool {
        self.stream.update(data)
    }

    fn tag(&mut self, data: &[u8], tag: &mut [u8]) -> bool {
        let made = self.tagger.tag(data, &mut self.tag);
        tag.copy_from_slice(&self.tag[..tag.len()]);
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::{Subject, library_subject};

    #[test]
    fn records_have_the_lengths_of_their_standards() {
        let length = |name: &str, bytes| {
            let composed = Composed::named(name).unwrap();
            composed.length(bytes) - composed.header
        };
        // 16 bytes, a tag of 20 and 12 of padding; a tag that ends at a block has a whole block of padding behind it.
        assert_eq!([16, 12].map(|bytes| length("aes-128-cbc+hmac-sha1", bytes)), [48, 48]);
        assert_eq!(length("rc4+hmac-md5", 1400), 1416);
        // 64 and 2 bytes are five blocks; 62 and 2 are four.
        assert_eq!([64, 62].map(|bytes| length("aes-128-cbc+hmac-sha1-96", bytes)), [92, 76]);
    }

    #[test]
    fn a_record_is_what_its_halves_make() {
        use speedwell::cipher::{CbcEncryptor, InOutBuf};
        use speedwell::digest::Sha1;
        use speedwell::mac::HmacKey;
        use speedwell_kernels::simd::as_chunks;

        let case = Case::new("aes-128-cbc+hmac-sha1", Operation::Encrypt, 100);
        let key = HmacKey::<Sha1>::new(&case.key(20));
        let tag = key.tag(&[&[0; 13][..], &case.input()[..]].concat());
        // 100 + 20 + 8 bytes of padding.
        let mut record = [&case.input()[..], tag.as_ref(), &[7; 8]].concat();
        let (aes_key, iv): ([u8; 16], [u8; 16]) =
            (case.key(16)[..].try_into().unwrap(), case.iv(16)[..].try_into().unwrap());
        CbcEncryptor::<16>::new(&aes_key, &iv).encrypt_blocks(as_chunks(InOutBuf::from(&mut record[..])).0);
        assert_eq!(library_subject().prepare(&case).unwrap().answer, Answer::new(&record));
    }

    #[test]
    fn all_of_them_are_offered() {
        for composed in COMPOSED {
            for bytes in [1, 64, 1400, 16384] {
                let case = Case::new(composed.name, Operation::Encrypt, bytes);
                library_subject().prepare(&case).unwrap_or_else(|why| panic!("{}: {why}", composed.name));
            }
            assert!(library_subject().prepare(&Case::new(composed.name, Operation::Decrypt, 64)).is_err());
        }
    }
}
