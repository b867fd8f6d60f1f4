//! Authenticated ciphers through EVP: every message has its nonce set and its tag got, or set and checked, in a context
//! that is used again.

use std::ffi::{c_int, c_void};
use std::ptr::null;

use super::cipher::Cipher;
use crate::algorithm::{Algorithm, Kind};
use crate::case::{Answer, Buffer, Case, Operation};
use crate::subjects::{Setup, Skip};

/// Whether a case is one of an authenticated cipher.
pub(super) fn is(case: &Case) -> bool {
    Algorithm::of(case).is_ok_and(|algorithm| matches!(algorithm.kind, Kind::Aead { .. }))
}

/// Sets a cipher up: a call is a whole message, with the key given anew if the case is whole. Encryption is in place;
/// decryption goes from one buffer to another, so that it can be done again.
pub(super) fn set_up(cipher: Cipher, case: &Case) -> Result<Setup, Skip> {
    let api = cipher.api;
    let Kind::Aead { key, nonce, tag, .. } = Algorithm::of(case)?.kind else { return Err(Skip::NotApplicable) };
    let length = c_int::try_from(case.bytes)
        .map_err(|_| Skip::NotOffered(format!("messages of {} bytes: an int holds their length", case.bytes)))?;
    // SAFETY: no preconditions.
    let context = unsafe { (api.EVP_CIPHER_CTX_new)() };
    let (key, nonce, input) = (case.key(key), case.iv(nonce), case.input());
    let output = Buffer::zeroed(case.bytes);
    let mut sealer = Sealer { cipher, context, key, nonce, input, output, length, tag: vec![0; tag] };
    let method = sealer.cipher.method;
    let encrypts = case.operation == Operation::Encrypt;
    let mut succeeds = !context.is_null() && sealer.begin(method, true, true) && sealer.seal();
    let answer = if encrypts {
        Answer::new(&[&sealer.input[..], &sealer.tag].concat())
    } else {
        succeeds = succeeds && sealer.begin(method, false, true) && sealer.open();
        Answer::new(&sealer.output)
    };
    if !succeeds {
        return Err(Skip::Failed(api.error().to_string()));
    }
    let whole = case.whole;
    let run = Box::new(move |calls| {
        let mut succeeds = true;
        for _ in 0..calls {
            // No method is to go on with the one that the context has.
            succeeds &= sealer.begin(null(), encrypts, whole);
            succeeds &= if encrypts { sealer.seal() } else { sealer.open() };
        }
        assert!(succeeds, "libcrypto fails at what it did before: {}", api.error());
    });
    Ok(Setup { answer, kernel: None, run })
}

struct Sealer {
    cipher: Cipher,
    context: *mut c_void,
    key: Buffer,
    nonce: Buffer,
    input: Buffer,
    output: Buffer,
    length: c_int,
    tag: Vec<u8>,
}

// SAFETY: OpenSSL's objects may be used from any thread, one at a time; the sealer owns its context.
unsafe impl Send for Sealer {}

/// `EVP_CTRL_AEAD_GET_TAG` and `EVP_CTRL_AEAD_SET_TAG` of evp.h.
const GET_TAG: c_int = 0x10;
const SET_TAG: c_int = 0x11;

impl Sealer {
    /// Sets the nonce, and the key if it is wanted.
    fn begin(&mut self, method: *const c_void, encrypts: bool, with_key: bool) -> bool {
        let Sealer { cipher: Cipher { api, .. }, context, key, nonce, .. } = self;
        let key = if with_key { key.as_ptr() } else { null() };
        // SAFETY: context and method are alive, or the method is null and the context has one; the key, if there is one,
        // and the nonce have the lengths that the method asks for.
        unsafe { api.begin_cipher(*context, method, key, nonce.as_ptr(), c_int::from(encrypts)) }
    }

    fn seal(&mut self) -> bool {
        let Sealer { cipher: Cipher { api, .. }, context, input, length, tag, .. } = self;
        let (data, mut written) = (input.as_mut_ptr(), 0);
        // SAFETY: the context is alive; the data is as long as told, and as much is written as read; at the end nothing is
        // written, and the tag has room for as many bytes as are asked for.
        unsafe {
            (api.EVP_CipherUpdate)(*context, data, &mut written, data, *length) == 1
                && (api.EVP_CipherFinal_ex)(*context, data, &mut written) == 1
                && (api.EVP_CIPHER_CTX_ctrl)(*context, GET_TAG, tag.len() as c_int, tag.as_mut_ptr().cast()) == 1
        }
    }

    fn open(&mut self) -> bool {
        let Sealer { cipher: Cipher { api, .. }, context, input, output, length, tag, .. } = self;
        let (from, to, mut written) = (input.as_ptr(), output.as_mut_ptr(), 0);
        // SAFETY: the context is alive; input and output are as long as told; the tag is read, and nothing is written at
        // the end.
        unsafe {
            (api.EVP_CIPHER_CTX_ctrl)(*context, SET_TAG, tag.len() as c_int, tag.as_mut_ptr().cast()) == 1
                && (api.EVP_CipherUpdate)(*context, to, &mut written, from, *length) == 1
                && (api.EVP_CipherFinal_ex)(*context, to, &mut written) == 1
        }
    }
}

impl Drop for Sealer {
    fn drop(&mut self) {
        // SAFETY: made once, freed once; null is allowed.
        unsafe { (self.cipher.api.EVP_CIPHER_CTX_free)(self.context) }
    }
}
