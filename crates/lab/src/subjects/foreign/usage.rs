//! How applications use a library: each shape of case once, for all libraries.
//!
//! A library's file says how it takes a key, a message and so on, by one of these traits; the loops, the buffers and the
//! answers are here. Workers for libraries in Rust, which are programs of their own, use them too.

use crate::algorithm::{Algorithm, Kind};
use crate::case::{Answer, Buffer, Case, Operation};
use crate::keys::{DIGEST, key};
use crate::ring::Ring;
use crate::subjects::{Setup, Skip};

/// As long as the longest digest or tag.
pub const LONGEST: usize = 64;

/// Bytes of the tag of an authenticated cipher.
pub const TAG: usize = 16;

/// Makes a tag with a context that is used again. A digest is one without a key.
pub trait Tagger: Send + 'static {
    /// Sets the key.
    fn set_key(&mut self, _key: &[u8]) -> bool {
        true
    }

    /// The tag of a whole message, into the beginning of the output.
    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool;
}

/// A cipher of which a context keeps key and chaining value.
pub trait Stream: Send + 'static {
    /// Sets key and initialisation vector.
    fn begin(&mut self, key: &[u8], iv: &[u8]) -> bool;

    /// Works on a message in place and goes on from the one before.
    fn update(&mut self, data: &mut [u8]) -> bool;

    /// Ends what [`Stream::begin`] began.
    fn finish(&mut self) -> bool {
        true
    }
}

/// An authenticated cipher of which a context keeps the key.
pub trait Sealer: Send + 'static {
    /// Sets the key.
    fn set_key(&mut self, key: &[u8]) -> bool;

    /// Encrypts a message in place and puts its tag behind it: the last 16 bytes are room for that.
    fn seal(&mut self, nonce: &[u8], data: &mut [u8]) -> bool;

    /// Decrypts a message with its tag behind it to another place, and checks the tag.
    fn open(&mut self, nonce: &[u8], data: &[u8], output: &mut [u8]) -> bool;
}

/// A key pair that signs digests of SHA-256.
pub trait Signer: Send + 'static {
    /// Makes a signature and gives its length.
    fn sign(&mut self, digest: &[u8; 32], signature: &mut [u8]) -> Option<usize>;

    /// Whether a signature holds.
    fn verify(&mut self, digest: &[u8; 32], signature: &[u8]) -> bool;
}

/// That a library cannot do a case.
pub fn not_offered(case: &Case) -> Skip {
    let several = if case.messages > 1 { " of several messages at once" } else { "" };
    Skip::NotOffered(format!("{} {}{several}", case.algorithm, case.operation))
}

fn failed(case: &Case) -> Skip {
    Skip::Failed(format!("the library fails at {case}"))
}

const AGAIN: &str = "the library fails at what it did before";

/// Sets up a digest: a call is a whole one, with a context that is used again; several messages one by one.
///
/// # Errors
/// If the case is of another shape, or the library fails at it.
pub fn digest(case: &Case, mut tagger: impl Tagger) -> Result<Setup, Skip> {
    let Kind::Hash { digest: length, .. } = Algorithm::of(case)?.kind else { return Err(not_offered(case)) };
    let messages: Vec<Buffer> = (0..case.messages).map(|number| case.input_of(number)).collect();
    let mut output = [0; LONGEST];
    let mut outputs = Vec::new();
    for message in &messages {
        if !tagger.tag(message, &mut output) {
            return Err(failed(case));
        }
        outputs.extend_from_slice(&output[..length]);
    }
    let run = move |calls| {
        let mut succeeds = true;
        for _ in 0..calls {
            for message in &messages {
                succeeds &= tagger.tag(message, &mut output);
            }
        }
        assert!(succeeds, "{AGAIN}");
    };
    Ok(Setup { answer: Answer::new(&outputs), kernel: None, run: Box::new(run) })
}

/// Sets up a MAC: a call is a whole one under a key that is set, or from the key on if the case is whole.
///
/// # Errors
/// If the case is of another shape, or the library fails at it.
pub fn mac(case: &Case, mut tagger: impl Tagger) -> Result<Setup, Skip> {
    let (key, length) = match Algorithm::of(case)?.kind {
        Kind::Hmac { key, .. } => (key, key),
        Kind::Cmac { key, .. } => (key, 16),
        _ => return Err(not_offered(case)),
    };
    if case.messages > 1 {
        return Err(not_offered(case));
    }
    let (key, message, whole, mut output) = (case.key(key), case.input(), case.whole, [0; LONGEST]);
    if !tagger.set_key(&key) || !tagger.tag(&message, &mut output) {
        return Err(failed(case));
    }
    let answer = Answer::new(&output[..length]);
    let run = move |calls| {
        let mut succeeds = true;
        for _ in 0..calls {
            succeeds &= (!whole || tagger.set_key(&key)) && tagger.tag(&message, &mut output);
        }
        assert!(succeeds, "{AGAIN}");
    };
    Ok(Setup { answer, kernel: None, run: Box::new(run) })
}

/// A message with its context.
struct Streamed<S> {
    stream: S,
    key: Buffer,
    iv: Buffer,
    messages: Ring,
}

/// Sets up a cipher: a call hands the message over, or does everything from the key on if the case is whole. Several
/// messages go one by one, each with a context of its own.
///
/// # Errors
/// If the case is of another shape, or the library fails at it.
pub fn cipher<S: Stream>(case: &Case, new: impl Fn() -> Option<S>) -> Result<Setup, Skip> {
    let Kind::Cipher { key, iv, .. } = Algorithm::of(case)?.kind else { return Err(not_offered(case)) };
    let mut streams = Vec::new();
    for number in 0..case.messages {
        let stream = new().ok_or_else(|| failed(case))?;
        let input = case.input_of(number);
        let messages = if case.messages == 1 { Ring::new(&input, 1) } else { Ring::alone(input) };
        let mut one = Streamed { stream, key: case.key_of(number, key), iv: case.iv_of(number, iv), messages };
        if !one.stream.begin(&one.key, &one.iv) || !one.stream.update(one.messages.take()) {
            return Err(failed(case));
        }
        streams.push(one);
    }
    let whole = case.whole;
    if whole && !streams.iter_mut().all(|one| one.stream.finish()) {
        return Err(failed(case));
    }
    let answer = Answer::new(&streams.iter().map(|one| one.messages.first()).collect::<Vec<_>>().concat());
    let run = move |calls| {
        let mut succeeds = true;
        for _ in 0..calls {
            for Streamed { stream, key, iv, messages } in &mut streams {
                let data = messages.take();
                succeeds &= match whole {
                    true => stream.begin(key, iv) && stream.update(data) && stream.finish(),
                    false => stream.update(data),
                };
            }
        }
        assert!(succeeds, "{AGAIN}");
    };
    Ok(Setup { answer, kernel: None, run: Box::new(run) })
}

/// Sets up an authenticated cipher: a call is a whole message with its nonce and tag, and with its key if the case is whole.
/// Encryption is in place; decryption goes from one buffer to another, so that it can be done again.
///
/// # Errors
/// If the case is of another shape, or the library fails at it.
pub fn aead(case: &Case, mut sealer: impl Sealer) -> Result<Setup, Skip> {
    let Kind::Aead { key, nonce, .. } = Algorithm::of(case)?.kind else { return Err(not_offered(case)) };
    if case.messages > 1 {
        return Err(not_offered(case));
    }
    let (key, nonce) = (case.key(key), case.iv(nonce));
    let (mut data, mut output) = (Buffer::zeroed(case.bytes + TAG), Buffer::zeroed(case.bytes));
    data[..case.bytes].copy_from_slice(&case.input());
    if !sealer.set_key(&key) || !sealer.seal(&nonce, &mut data) {
        return Err(failed(case));
    }
    let encrypts = case.operation == Operation::Encrypt;
    let answer = if encrypts {
        Answer::new(&data)
    } else {
        // A library that does not look at the tag is faster, and of no use.
        data[case.bytes] ^= 1;
        let fooled = sealer.open(&nonce, &data, &mut output);
        data[case.bytes] ^= 1;
        if fooled || !sealer.open(&nonce, &data, &mut output) {
            return Err(failed(case));
        }
        Answer::new(&output)
    };
    let whole = case.whole;
    let run = move |calls| {
        let mut succeeds = true;
        for _ in 0..calls {
            succeeds &= !whole || sealer.set_key(&key);
            succeeds &= match encrypts {
                true => sealer.seal(&nonce, &mut data),
                false => sealer.open(&nonce, &data, &mut output),
            };
        }
        assert!(succeeds, "{AGAIN}");
    };
    Ok(Setup { answer, kernel: None, run: Box::new(run) })
}

/// Sets up signing or checking of a digest: as often a call as the case has messages.
///
/// # Errors
/// If the case is of another shape, or the library fails at it.
pub fn signature<S: Signer>(
    case: &Case,
    new: impl FnOnce(&'static [u8]) -> Option<S>,
) -> Result<Setup, Skip> {
    let Kind::PublicKey { bits, .. } = Algorithm::of(case)?.kind else { return Err(not_offered(case)) };
    let der = key(&case.algorithm).ok_or_else(|| not_offered(case))?;
    if !matches!(case.operation, Operation::Sign | Operation::Verify) {
        return Err(not_offered(case));
    }
    let mut signer = new(der).ok_or_else(|| failed(case))?;
    let mut made = vec![0; bits / 8 + LONGEST];
    let length = signer.sign(&DIGEST, &mut made).ok_or_else(|| failed(case))?;
    let signature = made[..length].to_vec();
    let messages = case.messages as u64;
    if case.operation == Operation::Sign {
        // Signatures of DSA differ every time.
        let answer = Answer::new(if case.algorithm.starts_with("rsa") { &signature } else { &[1] });
        let run = move |calls| {
            let succeeds = (0..calls * messages).all(|_| signer.sign(&DIGEST, &mut made).is_some());
            assert!(succeeds, "{AGAIN}");
        };
        return Ok(Setup { answer, kernel: None, run: Box::new(run) });
    }
    let holds = signer.verify(&DIGEST, &signature);
    let mut other = DIGEST;
    other[31] ^= 1;
    if !holds || signer.verify(&other, &signature) {
        return Err(failed(case));
    }
    let run = move |calls| {
        let succeeds = (0..calls * messages).all(|_| signer.verify(&DIGEST, &signature));
        assert!(succeeds, "{AGAIN}");
    };
    Ok(Setup { answer: Answer::new(&[1]), kernel: None, run: Box::new(run) })
}

/// `DigestInfo` of RFC 8017, section 9.2, for a digest of SHA-256: what libraries sign that know no digests.
pub fn digest_info(digest: &[u8; 32]) -> [u8; 51] {
    const HEAD: [u8; 19] = [
        0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
        0x20,
    ];
    let mut info = [0; 51];
    info[..19].copy_from_slice(&HEAD);
    info[19..].copy_from_slice(digest);
    info
}

/// Memory for a context whose size only the library's own headers tell: more than any has, aligned for any vector.
pub struct Context(Vec<Line>);

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

impl Context {
    /// So many bytes of zeros, at least.
    pub fn of(bytes: usize) -> Context {
        Context(vec![Line([0; 64]); bytes.div_ceil(64)])
    }

    /// The start of the memory.
    pub fn pointer(&mut self) -> *mut std::ffi::c_void {
        self.0.as_mut_ptr().cast()
    }
}
