//! Lines as they are written.

use super::name::escaped;
use super::{Encoding, json};
use crate::names::Algorithm;

/// The style of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `hex  name`, as `sha256sum` prints it.
    Coreutils,
    /// `SHA256 (name) = hex`, as BSD's commands and `cksum -a` print it.
    Tag,
    /// `sha256 (name) = hex`, as Solaris' `digest -v` prints it.
    Solaris,
    /// The digest alone, as Solaris' `digest` prints it for one file. It cannot be checked: it has no name.
    Bare,
    /// A JSON object with `file`, `algorithm` and `digest`. A name that is not UTF-8 is `file_base64`.
    Json,
}

impl Style {
    /// A line, without its end. Names are escaped where `escapes` is set, as they must be unless lines end in zero bytes.
    pub fn line(self, algorithm: &Algorithm, name: &[u8], digest: &[u8], encoding: Encoding, escapes: bool) -> Vec<u8> {
        let digest = encoding.encode(digest);
        let tagged = |tag: &str| {
            let (mark, name) = escaped(name, escapes);
            [mark, tag.as_bytes(), b" (", &name, b") = ", digest.as_bytes()].concat()
        };
        match self {
            Style::Coreutils => {
                let (mark, name) = escaped(name, escapes);
                [mark, digest.as_bytes(), b"  ", &name].concat()
            }
            Style::Tag => tagged(&tag(algorithm)),
            Style::Solaris => tagged(algorithm.name),
            Style::Bare => digest.into_bytes(),
            Style::Json => json::object(algorithm, name, &digest).into_bytes(),
        }
    }
}

/// An algorithm's name as BSD's commands write it.
fn tag(algorithm: &Algorithm) -> String {
    match algorithm.name.strip_prefix("sha512-") {
        Some(cut) => format!("SHA512/{cut}"),
        None => algorithm.name.to_ascii_uppercase(),
    }
}
