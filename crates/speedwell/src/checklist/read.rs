//! Lines as they are read.

use super::encoding::decode_any;
use super::json::Object;
use super::{output_length, unescape};
use crate::names::{Algorithm, Kind, algorithms, find};

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The algorithm: the line's own, or the one that the caller or the digest's length tells.
    pub algorithm: &'static Algorithm,
    /// The file's name, without escapes.
    pub name: Vec<u8>,
    /// Its digest.
    pub digest: Vec<u8>,
}

/// Reads a line without its end; `None` if it is in none of the forms. `expected` is the algorithm of lines that do not
/// name one: without it, the length of the digest tells it, and SHA-2 stands before its shorter forms. A line that names
/// another algorithm than the expected one is not read, just as coreutils does not.
///
/// The forms: those of [`Style`](super::Style); `hex *name`; `hex name` of BSD's `-r`; `ALGORITHM(name)= hex` of `openssl
/// dgst`. Digests are hexadecimal or base64.
pub fn read_line(line: &[u8], expected: Option<&'static Algorithm>) -> Option<Entry> {
    let line = line.trim_ascii_start();
    if line.starts_with(b"{") {
        return from_object(&serde_json::from_slice(line).ok()?, expected);
    }
    let (line, is_escaped) = line.strip_prefix(b"\\").map_or((line, false), |line| (line, true));
    let mut entry = tagged(line, expected).or_else(|| untagged(line, expected))?;
    if is_escaped {
        entry.name = unescape(&entry.name)?;
    }
    (!entry.name.is_empty() && !entry.name.contains(&0)).then_some(entry)
}

/// Reads a JSON array of objects; what is no entry among them is `None`. `None` if the text is no JSON array.
pub fn read_json(text: &[u8], expected: Option<&'static Algorithm>) -> Option<Vec<Option<Entry>>> {
    let objects: Vec<serde_json::Value> = serde_json::from_slice(text).ok()?;
    let entry = |value| from_object(&serde_json::from_value(value).ok()?, expected);
    Some(objects.into_iter().map(entry).collect())
}

fn from_object(object: &Object, expected: Option<&'static Algorithm>) -> Option<Entry> {
    let algorithm = named(object.algorithm.as_bytes(), expected)?;
    let digest = decode_any(object.digest.as_bytes(), output_length(algorithm)?)?;
    Some(Entry { algorithm, name: object.name().filter(|name| !name.contains(&0))?, digest })
}

/// `ALGORITHM (name) = digest` and `ALGORITHM(name)= digest`. A name may hold `) = ` itself: the last one counts.
fn tagged(line: &[u8], expected: Option<&'static Algorithm>) -> Option<Entry> {
    let open = line.iter().position(|byte| *byte == b'(')?;
    let algorithm = named(line[..open].trim_ascii_end(), expected)?;
    let close = (open..line.len()).rev().find(|at| line[*at] == b')')?;
    let digest = line[close + 1..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii();
    let digest = decode_any(digest, output_length(algorithm)?)?;
    Some(Entry { algorithm, name: line[open + 1..close].to_vec(), digest })
}

/// `digest  name`, `digest *name` and `digest name`.
fn untagged(line: &[u8], expected: Option<&'static Algorithm>) -> Option<Entry> {
    let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
    let (digest, rest) = line.split_at(end);
    let name = match rest {
        [_, b' ' | b'*', name @ ..] if !name.is_empty() => name,
        [_, name @ ..] => name,
        [] => return None,
    };
    let mut candidates = algorithms().filter(|algorithm| match expected {
        Some(expected) => *algorithm == expected,
        None => matches!(algorithm.kind, Kind::Digest { .. }),
    });
    candidates.find_map(|algorithm| {
        let digest = decode_any(digest, output_length(algorithm)?)?;
        Some(Entry { algorithm, name: name.to_vec(), digest })
    })
}

fn named(name: &[u8], expected: Option<&'static Algorithm>) -> Option<&'static Algorithm> {
    let name = std::str::from_utf8(name).ok()?;
    let named = find(name).ok()?;
    match expected {
        // OpenSSL writes `HMAC-SHA2-256(name)=`, older ones `HMAC-SHA256(name)=`: both are aliases.
        Some(expected) if expected != named => None,
        _ => Some(named),
    }
}
