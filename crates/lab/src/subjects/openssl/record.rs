//! The halves of composed operations through EVP: a cipher's context and a MAC's, both used again for every record.

use std::ffi::{CStr, c_int, c_void};
use std::ptr::null;

use super::cipher::Cipher;
use super::mac::Mac;
use crate::subjects::usage::{LONGEST, Stream, Tagger};

/// A cipher that goes on from record to record.
pub(super) struct Chain {
    cipher: Cipher,
    context: *mut c_void,
}

impl Chain {
    pub fn new(cipher: Cipher) -> Chain {
        // SAFETY: no preconditions.
        let context = unsafe { (cipher.api.EVP_CIPHER_CTX_new)() };
        Chain { cipher, context }
    }
}

// SAFETY: OpenSSL's objects may be used from any thread, one at a time; each of these owns its context.
unsafe impl Send for Chain {}

impl Stream for Chain {
    fn begin(&mut self, key: &[u8], iv: &[u8]) -> bool {
        let Chain { cipher: Cipher { api, method }, context } = self;
        let iv = if iv.is_empty() { null() } else { iv.as_ptr() };
        // SAFETY: context and method are alive; key and IV have the lengths of the algorithm.
        !context.is_null()
            && unsafe {
                api.begin_cipher(*context, *method, key.as_ptr(), iv, 1)
                    && (api.EVP_CIPHER_CTX_set_padding)(*context, 0) == 1
            }
    }

    fn update(&mut self, data: &mut [u8]) -> bool {
        let Ok(length) = c_int::try_from(data.len()) else { return false };
        let (data, mut written) = (data.as_mut_ptr(), 0);
        // SAFETY: the context is alive; the data is as long as told, a multiple of the cipher's unit, so that as much is
        // written as read.
        let updated =
            unsafe { (self.cipher.api.EVP_CipherUpdate)(self.context, data, &mut written, data, length) == 1 };
        updated && written == length
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        // SAFETY: made once, freed once; null is allowed.
        unsafe { (self.cipher.api.EVP_CIPHER_CTX_free)(self.context) }
    }
}

/// A MAC of 3.0 and later, which has its digest.
pub(super) struct Code {
    mac: Mac,
    context: *mut c_void,
    parameter: &'static CStr,
    inner: std::ffi::CString,
}

impl Code {
    pub fn new(mac: Mac, parameter: &'static CStr, inner: std::ffi::CString) -> Code {
        // SAFETY: the method is alive.
        let context = unsafe { (mac.api.EVP_MAC_CTX_new)(mac.method) };
        Code { mac, context, parameter, inner }
    }
}

// SAFETY: as above.
unsafe impl Send for Code {}

impl Tagger for Code {
    fn set_key(&mut self, key: &[u8]) -> bool {
        let Code { mac: Mac { api, .. }, context, parameter, inner } = self;
        // SAFETY: the context is alive if it is not null; the key is as long as told; name and value end in zero and live as
        // long as the parameters, which end with the end's mark.
        !context.is_null()
            && unsafe {
                let value = inner.as_ptr().cast_mut();
                let parameters = [
                    (api.OSSL_PARAM_construct_utf8_string)(parameter.as_ptr(), value, 0),
                    (api.OSSL_PARAM_construct_end)(),
                ];
                (api.EVP_MAC_init)(*context, key.as_ptr(), key.len(), parameters.as_ptr()) == 1
            }
    }

    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let (api, context, mut size) = (self.mac.api, self.context, 0);
        // SAFETY: the context is alive and has a key, which is used again where none is given; the message is as long as
        // told, and there is room for any tag.
        unsafe {
            (api.EVP_MAC_init)(context, null(), 0, null()) == 1
                && (api.EVP_MAC_update)(context, message.as_ptr(), message.len()) == 1
                && (api.EVP_MAC_final)(context, output.as_mut_ptr(), &mut size, output.len()) == 1
        }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: made once, freed once; null is allowed.
        unsafe { (self.mac.api.EVP_MAC_CTX_free)(self.context) }
    }
}
