//! PBKDF2 (RFC 8018, section 5.2) over HMAC: what older forms make keys of passphrases with.

use zeroize::Zeroize;

use crate::digest::{BlockDigest, Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use crate::mac::HmacKey;

/// Fills `key` from a passphrase and a salt. The digest is that of HMAC; `iterations` is the cost of trying a passphrase,
/// and zero counts as one.
pub fn pbkdf2<D: BlockDigest>(passphrase: &[u8], salt: &[u8], iterations: u32, key: &mut [u8]) {
    let hmac = HmacKey::<D>::new(passphrase);
    let length = <D as digest::OutputSizeUser>::output_size();
    for (number, part) in (1_u32..).zip(key.chunks_mut(length)) {
        let mut last = hmac.tag(&[salt, &number.to_be_bytes()].concat());
        let mut sum = last.clone();
        for _ in 1..iterations {
            last = hmac.tag(&last);
            sum.iter_mut().zip(&last).for_each(|(sum, byte)| *sum ^= byte);
        }
        part.copy_from_slice(&sum[..part.len()]);
        sum.zeroize();
        last.zeroize();
    }
}

/// The same with the digest of this canonical name (see [`crate::names`]); `None`, and no key, if there is none.
pub fn pbkdf2_by_name(digest: &str, passphrase: &[u8], salt: &[u8], iterations: u32, key: &mut [u8]) -> Option<()> {
    let derive = match digest {
        "md5" => pbkdf2::<Md5>,
        "sha1" => pbkdf2::<Sha1>,
        "sha224" => pbkdf2::<Sha224>,
        "sha256" => pbkdf2::<Sha256>,
        "sha384" => pbkdf2::<Sha384>,
        "sha512" => pbkdf2::<Sha512>,
        "sha512-224" => pbkdf2::<Sha512_224>,
        "sha512-256" => pbkdf2::<Sha512_256>,
        _ => return None,
    };
    derive(passphrase, salt, iterations, key);
    Some(())
}
