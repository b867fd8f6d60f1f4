//! Ciphers through EVP, without padding, in place.

use std::ffi::{CString, c_int, c_void};
use std::ptr::null;

use super::api::Api;
use crate::case::{Answer, Buffer, Case, Operation};
use crate::ring::Ring;
use crate::subjects::{Setup, Skip};

/// A fetched cipher algorithm.
pub(super) struct Cipher {
    pub api: &'static Api,
    pub method: *mut c_void,
}

impl Cipher {
    /// `None` if no provider that is loaded has it.
    pub fn fetch(api: &'static Api, name: &CString) -> Option<Cipher> {
        let method = api.cipher(name);
        (!method.is_null()).then_some(Cipher { api, method })
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        self.api.free_cipher(self.method);
    }
}

/// Sets a cipher up: a call is one update, or all from key and IV to the end if the case is whole.
/// Several messages are updated one by one.
pub(super) fn set_up(ciphers: Vec<Cipher>, case: &Case) -> Result<Setup, Skip> {
    let mut operators = Vec::new();
    for (number, cipher) in ciphers.into_iter().enumerate() {
        operators.push(operator(cipher, case, number)?);
    }
    let answer = Answer::new(&operators.iter().map(|operator| operator.messages.first()).collect::<Vec<_>>().concat());
    let whole = case.whole;
    let run = Box::new(move |calls| {
        let mut succeeds = true;
        for _ in 0..calls {
            for operator in &mut operators {
                // No method is to go on with the one that the context has.
                succeeds &= match whole {
                    true => operator.begin(null()) && operator.update() && operator.finish(),
                    false => operator.update(),
                };
            }
        }
        assert!(succeeds, "libcrypto fails at what it did before: {}", operators[0].cipher.api.error());
    });
    Ok(Setup { answer, kernel: None, run })
}

/// One message's context, which has been used once.
fn operator(cipher: Cipher, case: &Case, number: usize) -> Result<Operator, Skip> {
    let api = cipher.api;
    // SAFETY: the method is alive, in all three.
    let [key, iv, unit] = unsafe {
        [
            (api.EVP_CIPHER_get_key_length)(cipher.method),
            (api.EVP_CIPHER_get_iv_length)(cipher.method),
            (api.EVP_CIPHER_get_block_size)(cipher.method),
        ]
    }
    .map(|length| length.max(0) as usize);
    if !case.bytes.is_multiple_of(unit.max(1)) {
        return Err(Skip::Length { unit, bytes: case.bytes });
    }
    let length = c_int::try_from(case.bytes)
        .map_err(|_| Skip::NotOffered(format!("messages of {} bytes: an int holds their length", case.bytes)))?;
    // SAFETY: no preconditions.
    let context = unsafe { (api.EVP_CIPHER_CTX_new)() };
    let (key, iv) = (case.key_of(number, key), case.iv_of(number, iv));
    let input = case.input_of(number);
    // Of several messages each has its place already.
    let messages = if case.messages == 1 { Ring::new(&input, 1) } else { Ring::alone(input) };
    let encrypt = c_int::from(case.operation == Operation::Encrypt);
    let mut operator = Operator { cipher, context, key, iv, messages, length, encrypt };
    let method = operator.cipher.method;
    if context.is_null() || !operator.begin(method) || !operator.update() || (case.whole && !operator.finish()) {
        return Err(Skip::Failed(api.error().to_string()));
    }
    Ok(operator)
}

struct Operator {
    cipher: Cipher,
    context: *mut c_void,
    key: Buffer,
    iv: Buffer,
    messages: Ring,
    length: c_int,
    encrypt: c_int,
}

// SAFETY: OpenSSL's objects may be used from any thread, one at a time; the operator owns its context.
unsafe impl Send for Operator {}

impl Operator {
    fn begin(&mut self, method: *const c_void) -> bool {
        let Operator { cipher: Cipher { api, .. }, context, key, iv, encrypt, .. } = self;
        let iv = if iv.is_empty() { null() } else { iv.as_ptr() };
        // SAFETY: context and method are alive, or the method is null and the context has one; key and IV have the
        // lengths that the method asks for.
        unsafe {
            api.begin_cipher(*context, method, key.as_ptr(), iv, *encrypt)
                && (method.is_null() || (api.EVP_CIPHER_CTX_set_padding)(*context, 0) == 1)
        }
    }

    fn update(&mut self) -> bool {
        let Operator { cipher: Cipher { api, .. }, context, messages, length, .. } = self;
        let (data, mut written) = (messages.take().as_mut_ptr(), 0);
        // SAFETY: the context is alive; the data is as long as told, and without padding as much is written as read:
        // the length is a multiple of the block, so that nothing is held back for later.
        unsafe { (api.EVP_CipherUpdate)(*context, data, &mut written, data, *length) == 1 && written == *length }
    }

    fn finish(&mut self) -> bool {
        let Operator { cipher: Cipher { api, .. }, context, .. } = self;
        let (mut rest, mut written) = ([0u8; 32], 0);
        // SAFETY: the context is alive; the rest has room for a block, though without padding there is none.
        unsafe { (api.EVP_CipherFinal_ex)(*context, rest.as_mut_ptr(), &mut written) == 1 && written == 0 }
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        // SAFETY: made once, freed once; null is allowed.
        unsafe { (self.cipher.api.EVP_CIPHER_CTX_free)(self.context) }
    }
}
