//! Names with characters that would break a line.

use std::borrow::Cow;

/// Escapes a name; `None` if there is nothing to escape.
pub fn escape(name: &[u8]) -> Option<Vec<u8>> {
    if !name.iter().any(|byte| matches!(byte, b'\n' | b'\r' | b'\\')) {
        return None;
    }
    let mut escaped = Vec::with_capacity(name.len() + 4);
    for byte in name {
        match byte {
            b'\n' => escaped.extend(b"\\n"),
            b'\r' => escaped.extend(b"\\r"),
            b'\\' => escaped.extend(b"\\\\"),
            other => escaped.push(*other),
        }
    }
    Some(escaped)
}

/// Takes the escapes of a name away; `None` if one is unknown or cut, or a zero byte is in it, which no name has.
pub fn unescape(name: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = name.iter();
    let mut plain = Vec::with_capacity(name.len());
    while let Some(byte) = bytes.next() {
        plain.push(match byte {
            b'\\' => match bytes.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b'\\' => b'\\',
                _ => return None,
            },
            0 => return None,
            other => *other,
        });
    }
    Some(plain)
}

/// The mark before a line, and the name in it.
pub(super) fn escaped(name: &[u8], escapes: bool) -> (&'static [u8], Cow<'_, [u8]>) {
    match escape(name).filter(|_| escapes) {
        Some(name) => (b"\\", Cow::Owned(name)),
        None => (b"", Cow::Borrowed(name)),
    }
}
