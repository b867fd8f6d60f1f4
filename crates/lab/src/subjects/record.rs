//! Our library's halves of composed operations.

use speedwell::cipher::{CbcEncryptor, InOutBuf, Rc4};
use speedwell::digest::{BlockDigest, Md5, Sha1};
use speedwell::mac::HmacKey;
use speedwell_kernels::simd::as_chunks;

use super::{Setup, Skip};
use crate::case::{Buffer, Case};
use crate::composed::{Composed, Halves};

/// Sets a composed operation up.
pub(super) fn set_up(composed: &'static Composed, case: &Case) -> Result<Setup, Skip> {
    match (composed.cipher, composed.mac) {
        ("aes-128-cbc", "hmac-sha1") => composed.set_up(case, Pair(cbc::<16>(case), hmac::<Sha1>(case))),
        ("aes-256-cbc", "hmac-sha1") => composed.set_up(case, Pair(cbc::<32>(case), hmac::<Sha1>(case))),
        ("rc4", "hmac-md5") => {
            let mut rc4 = Rc4::from_key(&case.key(16)).expect("the case's key fits");
            composed.set_up(case, Pair(move |data: &mut [u8]| rc4.apply(data.into()), hmac::<Md5>(case)))
        }
        _ => Err(Skip::NotOffered(composed.name.to_owned())),
    }
}

struct Pair<E, T>(E, T);

impl<E: FnMut(&mut [u8]) + Send, T: FnMut(&[u8], &mut [u8]) + Send> Halves for Pair<E, T> {
    fn encrypt(&mut self, data: &mut [u8]) -> bool {
        (self.0)(data);
        true
    }

    fn tag(&mut self, data: &[u8], tag: &mut [u8]) -> bool {
        (self.1)(data, tag);
        true
    }
}

fn cbc<const KEY: usize>(case: &Case) -> impl FnMut(&mut [u8]) + Send + 'static {
    let mut cbc = CbcEncryptor::<KEY>::new(&array(&case.key(KEY)), &array(&case.iv(16)));
    move |data| cbc.encrypt_blocks(as_chunks(InOutBuf::from(data)).0)
}

fn hmac<D: BlockDigest + 'static>(case: &Case) -> impl FnMut(&[u8], &mut [u8]) + Send + 'static
where
    HmacKey<D>: Send,
{
    let key = HmacKey::<D>::new(&case.key(D::output_size()));
    move |data, tag| {
        let full = key.tag(data);
        let full: &[u8] = full.as_ref();
        tag.copy_from_slice(&full[..tag.len()]);
    }
}

fn array<const N: usize>(buffer: &Buffer) -> [u8; N] {
    buffer[..].try_into().expect("the buffer was made with this length")
}
