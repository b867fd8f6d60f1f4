//! Lists of digests: the lines that `sha256sum`, `md5sum`, `cksum -a`, `shasum`, `openssl dgst` and `digest -v` print and
//! read, and JSON beside them.
//!
//! ```
//! use speedwell::checklist::{Encoding, Style, read_line};
//!
//! let entry = read_line(b"MD5 (a file) = d41d8cd98f00b204e9800998ecf8427e", None).unwrap();
//! assert_eq!((entry.algorithm.name, &entry.name[..]), ("md5", &b"a file"[..]));
//!
//! let line = Style::Coreutils.line(entry.algorithm, &entry.name, &entry.digest, Encoding::Hex, true);
//! assert_eq!(line, b"d41d8cd98f00b204e9800998ecf8427e  a file");
//! ```
//!
//! Names are bytes, as file systems have them. A name with a line end or a backslash is escaped as GNU coreutils does: the
//! line begins with a backslash, and `\n`, `\r` and `\\` stand for the three characters.

mod encoding;
mod json;
mod name;
mod read;
mod write;

pub use encoding::Encoding;
pub use name::{escape, unescape};
pub use read::{Entry, read_json, read_line};
pub use write::Style;

use crate::names::{Algorithm, Kind};

/// The bytes of a digest or tag; `None` if an algorithm makes neither.
pub fn output_length(algorithm: &Algorithm) -> Option<usize> {
    match algorithm.kind {
        Kind::Digest { output, .. } => Some(output),
        Kind::Mac { tag, .. } => Some(tag),
        _ => None,
    }
}
