//! How the bytes of a digest are written.

use base64ct::{Base64, Encoding as _};

/// How the bytes of a digest are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Two hexadecimal digits for each byte, in lower case.
    #[default]
    Hex,
    /// Base64 with padding (RFC 4648, section 4).
    Base64,
}

impl Encoding {
    /// Writes bytes as text.
    pub fn encode(self, bytes: &[u8]) -> String {
        match self {
            Encoding::Hex => {
                const DIGITS: &[u8; 16] = b"0123456789abcdef";
                bytes
                    .iter()
                    .flat_map(|byte| [byte >> 4, byte & 15])
                    .map(|digit| char::from(DIGITS[usize::from(digit)]))
                    .collect()
            }
            Encoding::Base64 => Base64::encode_string(bytes),
        }
    }

    /// Reads text in this encoding, hexadecimal digits in either case; `None` if it is not.
    pub fn decode(self, text: &[u8]) -> Option<Vec<u8>> {
        match self {
            Encoding::Hex => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16).map(|digit| digit as u8);
                let (pairs, []) = text.as_chunks::<2>() else { return None };
                pairs.iter().map(|[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
            }
            Encoding::Base64 => Base64::decode_vec(std::str::from_utf8(text).ok()?).ok(),
        }
    }

    /// Characters of so many bytes.
    pub fn length(self, bytes: usize) -> usize {
        match self {
            Encoding::Hex => 2 * bytes,
            Encoding::Base64 => bytes.div_ceil(3) * 4,
        }
    }
}

/// Reads a digest of a known length in whichever encoding it is. The two differ in length for every digest.
pub(super) fn decode_any(text: &[u8], bytes: usize) -> Option<Vec<u8>> {
    let encoding = [Encoding::Hex, Encoding::Base64].into_iter().find(|it| it.length(bytes) == text.len())?;
    encoding.decode(text).filter(|digest| digest.len() == bytes)
}
