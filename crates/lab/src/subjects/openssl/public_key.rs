//! Public-key operations through EVP, with contexts used again.

use std::ffi::{c_int, c_long, c_void};
use std::ptr::null_mut;

use super::api::Api;
use crate::case::{Answer, Case, Operation};
use crate::keys::{DIGEST, key};
use crate::subjects::{Setup, Skip};

/// A key and a context that is set up for one operation.
struct Operator {
    api: &'static Api,
    key: *mut c_void,
    context: *mut c_void,
    operation: Operation,
    is_rsa: bool,
    /// What the operation reads.
    input: Vec<u8>,
    output: Vec<u8>,
}

// SAFETY: OpenSSL's objects may be used from any thread, one at a time; the operator owns its own.
unsafe impl Send for Operator {}

/// RSA_PKCS1_PADDING of rsa.h.
const PKCS1_PADDING: c_int = 1;

/// Sets an operation up: a call does it as often as the case has messages.
pub(super) fn set_up(api: &'static Api, case: &Case, bits: usize) -> Result<Setup, Skip> {
    let der = key(&case.algorithm).ok_or_else(|| Skip::NotOffered(case.algorithm.clone()))?;
    let failed = || Skip::Failed(api.error().to_string());
    let is_rsa = case.algorithm.starts_with("rsa");
    let mut operator = Operator::new(api, der, case.operation, bits as c_int, is_rsa).ok_or_else(failed)?;
    let answer = match case.operation {
        Operation::Sign | Operation::Decrypt => {
            if case.operation == Operation::Decrypt {
                let mut other =
                    Operator::new(api, der, Operation::Encrypt, bits as c_int, is_rsa).ok_or_else(failed)?;
                operator.input = other.call().ok_or_else(failed)?;
            }
            let output = operator.call().ok_or_else(failed)?;
            Answer::new(if is_rsa { &output } else { &[1] })
        }
        Operation::Verify => {
            let mut other = Operator::new(api, der, Operation::Sign, bits as c_int, is_rsa).ok_or_else(failed)?;
            operator.output = other.call().ok_or_else(failed)?;
            operator.call().ok_or_else(failed)?;
            Answer::new(&[1])
        }
        _ => {
            operator.call().ok_or_else(failed)?;
            Answer::new(&[1])
        }
    };
    let messages = case.messages as u64;
    let run = Box::new(move |calls| {
        let succeeds = (0..calls * messages).all(|_| operator.run().is_some());
        assert!(succeeds, "libcrypto fails at what it did before: {}", api.error());
    });
    Ok(Setup { answer, kernel: None, run })
}

impl Operator {
    fn new(api: &'static Api, der: &[u8], operation: Operation, bits: c_int, is_rsa: bool) -> Option<Operator> {
        let mut start = der.as_ptr();
        // SAFETY: the pointer and length are those of the key; the function moves the pointer, which is a copy.
        let key = unsafe { (api.d2i_AutoPrivateKey)(null_mut(), &mut start, der.len() as c_long) };
        if key.is_null() {
            return None;
        }
        let context = match operation {
            Operation::Generate => api.rsa_generator(),
            // SAFETY: the key is alive; no engine is named.
            _ => unsafe { (api.EVP_PKEY_CTX_new)(key, null_mut()) },
        };
        let output = vec![0; bits as usize / 8 + 64];
        let operator = Operator { api, key, context, operation, is_rsa, input: DIGEST.to_vec(), output };
        // SAFETY: the context is alive if it is not null; the digest is fetched and stays with the context.
        let ready = !context.is_null()
            && unsafe {
                match operation {
                    Operation::Sign => (api.EVP_PKEY_sign_init)(context) == 1 && operator.choose_scheme(),
                    Operation::Verify => (api.EVP_PKEY_verify_init)(context) == 1 && operator.choose_scheme(),
                    Operation::Encrypt => (api.EVP_PKEY_encrypt_init)(context) == 1,
                    Operation::Decrypt => (api.EVP_PKEY_decrypt_init)(context) == 1,
                    Operation::Generate => (api.EVP_PKEY_keygen_init)(context) == 1 && api.set_rsa_bits(context, bits),
                    Operation::Hash | Operation::Mac => false,
                }
            };
        ready.then_some(operator)
    }

    /// PKCS #1 v1.5 with SHA-256, where the key is of RSA.
    fn choose_scheme(&self) -> bool {
        let api = self.api;
        if !self.is_rsa {
            return true;
        }
        // SAFETY: the name ends in zero.
        let method = unsafe { (api.EVP_get_digestbyname)(c"SHA256".as_ptr()) };
        // SAFETY: the context is alive and of a key of RSA; the method is one that OpenSSL keeps.
        !method.is_null()
            && unsafe { api.set_rsa_padding(self.context, PKCS1_PADDING) && api.set_digest(self.context, method) }
    }

    /// Does the operation and gives what it wrote.
    fn call(&mut self) -> Option<Vec<u8>> {
        let length = self.run()?;
        Some(self.output[..length].to_vec())
    }

    /// Does the operation once and gives the length of what it wrote.
    fn run(&mut self) -> Option<usize> {
        let Operator { api, context, input, output, .. } = self;
        let mut length = output.len();
        // SAFETY: the context was made for this operation; the input is as long as told, the output has room for `length`
        // bytes, and a verification only reads it.
        let result = unsafe {
            let (data, size) = (input.as_ptr(), input.len());
            match self.operation {
                Operation::Sign => (api.EVP_PKEY_sign)(*context, output.as_mut_ptr(), &mut length, data, size),
                Operation::Verify => (api.EVP_PKEY_verify)(*context, output.as_ptr(), length, data, size),
                Operation::Encrypt => (api.EVP_PKEY_encrypt)(*context, output.as_mut_ptr(), &mut length, data, size),
                Operation::Decrypt => (api.EVP_PKEY_decrypt)(*context, output.as_mut_ptr(), &mut length, data, size),
                Operation::Generate => {
                    let mut made = null_mut();
                    let result = api.generate(*context, &mut made);
                    (api.EVP_PKEY_free)(made);
                    length = 0;
                    result
                }
                Operation::Hash | Operation::Mac => 0,
            }
        };
        (result == 1).then_some(length)
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        // SAFETY: made once, freed once; null is allowed.
        unsafe {
            (self.api.EVP_PKEY_CTX_free)(self.context);
            (self.api.EVP_PKEY_free)(self.key);
        }
    }
}
