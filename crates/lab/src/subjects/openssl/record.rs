//! The halves of composed operations through EVP: a cipher's context and a MAC's, both used again for every record.

use std::ffi::{CStr, c_int, c_void};
use std::ptr::null;

use super::cipher::Cipher;
use super::mac::Mac;
use crate::case::Case;
use crate::composed::{Composed, Halves};
use crate::subjects::{Setup, Skip};

/// Sets a composed operation up, from what was fetched for its two halves.
pub(super) fn set_up(
    composed: &'static Composed,
    case: &Case,
    cipher: Cipher,
    mac: Mac,
    parameter: &'static CStr,
    inner: &CStr,
) -> Result<Setup, Skip> {
    let api = cipher.api;
    let mut contexts = Contexts {
        // SAFETY: no preconditions.
        cipher_context: unsafe { (api.EVP_CIPHER_CTX_new)() },
        // SAFETY: the method is alive.
        mac_context: unsafe { (api.EVP_MAC_CTX_new)(mac.method) },
        cipher,
        _mac: mac,
    };
    if !contexts.begin(case, composed, parameter, inner) {
        return Err(Skip::Failed(api.error().to_string()));
    }
    composed.set_up(case, contexts)
}

struct Contexts {
    cipher: Cipher,
    /// Its context holds on to it.
    _mac: Mac,
    cipher_context: *mut c_void,
    mac_context: *mut c_void,
}

// SAFETY: OpenSSL's objects may be used from any thread, one at a time; this owns its contexts.
unsafe impl Send for Contexts {}

impl Contexts {
    fn begin(&mut self, case: &Case, composed: &Composed, parameter: &CStr, inner: &CStr) -> bool {
        let Contexts { cipher: Cipher { api, method }, cipher_context, mac_context, .. } = self;
        if cipher_context.is_null() || mac_context.is_null() {
            return false;
        }
        // SAFETY: the method is alive.
        let [key, iv] = unsafe { [(api.EVP_CIPHER_get_key_length)(*method), (api.EVP_CIPHER_get_iv_length)(*method)] }
            .map(|length| length.max(0) as usize);
        let (key, iv) = (case.key(key), case.iv(iv));
        let iv = if iv.is_empty() { null() } else { iv.as_ptr() };
        // The key that the list of algorithms names is as long as the full tag.
        let secret = case.key(if composed.mac == "hmac-md5" { 16 } else { 20 });
        // SAFETY: contexts and method are alive; keys and IV have the lengths that are asked for or told; name and value end
        // in zero and live as long as the parameters, which end with the end's mark.
        unsafe {
            let value = inner.as_ptr().cast_mut();
            let parameters = [
                (api.OSSL_PARAM_construct_utf8_string)(parameter.as_ptr(), value, 0),
                (api.OSSL_PARAM_construct_end)(),
            ];
            (api.EVP_CipherInit_ex2)(*cipher_context, *method, key.as_ptr(), iv, 1, null()) == 1
                && (api.EVP_CIPHER_CTX_set_padding)(*cipher_context, 0) == 1
                && (api.EVP_MAC_init)(*mac_context, secret.as_ptr(), secret.len(), parameters.as_ptr()) == 1
        }
    }
}

impl Halves for Contexts {
    fn encrypt(&mut self, data: &mut [u8]) -> bool {
        let Contexts { cipher: Cipher { api, .. }, cipher_context, .. } = self;
        let Ok(length) = c_int::try_from(data.len()) else { return false };
        let mut written = 0;
        let data = data.as_mut_ptr();
        // SAFETY: the context is alive; the data is as long as told, a multiple of the cipher's unit, so that as much is
        // written as read.
        unsafe { (api.EVP_CipherUpdate)(*cipher_context, data, &mut written, data, length) == 1 && written == length }
    }

    fn tag(&mut self, data: &[u8], tag: &mut [u8]) -> bool {
        let Contexts { cipher: Cipher { api, .. }, mac_context, .. } = self;
        let (mut full, mut size) = ([0u8; 64], 0);
        // SAFETY: the context is alive; the data is as long as told, and there is room for any tag. Without a key the one
        // that the context has is used again.
        let succeeds = unsafe {
            (api.EVP_MAC_init)(*mac_context, null(), 0, null()) == 1
                && (api.EVP_MAC_update)(*mac_context, data.as_ptr(), data.len()) == 1
                && (api.EVP_MAC_final)(*mac_context, full.as_mut_ptr(), &mut size, full.len()) == 1
        };
        tag.copy_from_slice(&full[..tag.len()]);
        succeeds && size >= tag.len()
    }
}

impl Drop for Contexts {
    fn drop(&mut self) {
        // SAFETY: made once, freed once; null is allowed.
        unsafe {
            (self.cipher.api.EVP_CIPHER_CTX_free)(self.cipher_context);
            (self.cipher.api.EVP_MAC_CTX_free)(self.mac_context);
        }
    }
}
