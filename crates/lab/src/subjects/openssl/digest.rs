//! Message digests through EVP.

use std::ffi::{CString, c_void};
use std::ptr::null;

use super::api::Api;
use crate::case::{Answer, Buffer, Case};
use crate::subjects::{Setup, Skip};

/// A fetched digest algorithm.
pub(super) struct Digest {
    api: &'static Api,
    method: *mut c_void,
}

impl Digest {
    /// `None` if no provider that is loaded has it.
    pub fn fetch(api: &'static Api, name: &CString) -> Option<Digest> {
        let method = api.digest(name);
        (!method.is_null()).then_some(Digest { api, method })
    }
}

impl Drop for Digest {
    fn drop(&mut self) {
        self.api.free_digest(self.method);
    }
}

/// Sets a digest up: every call begins, takes the message, and ends, with the same context; several messages one by one.
pub(super) fn set_up(digest: Digest, case: &Case) -> Result<Setup, Skip> {
    // SAFETY: the method is alive.
    let size = unsafe { (digest.api.EVP_MD_get_size)(digest.method) };
    let size = usize::try_from(size).ok().filter(|size| (1..=64).contains(size));
    let size = size.ok_or_else(|| Skip::NotOffered(format!("{} of a fixed length", case.algorithm)))?;
    // SAFETY: no preconditions.
    let context = unsafe { (digest.api.EVP_MD_CTX_new)() };
    let mut hasher = Hasher {
        digest,
        context,
        inputs: (0..case.messages).map(|number| case.input_of(number)).collect(),
        outputs: vec![[0; 64]; case.messages],
    };
    if context.is_null() || !hasher.hash() {
        return Err(Skip::Failed(hasher.digest.api.error().to_string()));
    }
    Ok(Setup {
        answer: Answer::new(&hasher.outputs.iter().map(|output| &output[..size]).collect::<Vec<_>>().concat()),
        kernel: None,
        run: Box::new(move |calls| {
            let mut succeeds = true;
            for _ in 0..calls {
                succeeds &= hasher.hash();
            }
            assert!(succeeds, "libcrypto fails at what it did before: {}", hasher.digest.api.error());
        }),
    })
}

struct Hasher {
    digest: Digest,
    context: *mut c_void,
    inputs: Vec<Buffer>,
    outputs: Vec<[u8; 64]>,
}

// SAFETY: OpenSSL's objects may be used from any thread, one at a time; the hasher owns its context.
unsafe impl Send for Hasher {}

impl Hasher {
    fn hash(&mut self) -> bool {
        let Hasher { digest: Digest { api, method }, context, inputs, outputs } = self;
        let one = |(input, output): (&Buffer, &mut [u8; 64])| {
            // SAFETY: method and context are alive, the input is as long as told, and the output has room for any digest.
            unsafe {
                (api.EVP_DigestInit_ex2)(*context, *method, null()) == 1
                    && (api.EVP_DigestUpdate)(*context, input.as_ptr(), input.len()) == 1
                    && (api.EVP_DigestFinal_ex)(*context, output.as_mut_ptr(), std::ptr::null_mut()) == 1
            }
        };
        inputs.iter().zip(outputs).all(one)
    }
}

impl Drop for Hasher {
    fn drop(&mut self) {
        // SAFETY: made once, freed once; null is allowed.
        unsafe { (self.digest.api.EVP_MD_CTX_free)(self.context) }
    }
}
