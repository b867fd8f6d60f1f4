//! Message authentication codes through EVP.

use std::ffi::{CStr, CString, c_void};
use std::ptr::{null, null_mut};

use super::api::{Api, Modern};
use crate::algorithm::{Algorithm, Kind};
use crate::case::{Answer, Buffer, Case};
use crate::subjects::{Setup, Skip};

/// A fetched MAC algorithm.
pub(super) struct Mac {
    pub api: &'static Modern,
    pub method: *mut c_void,
}

impl Mac {
    /// `None` if no provider that is loaded has it.
    pub fn fetch(api: &'static Api, name: &CString) -> Option<Mac> {
        let api = api.modern.as_ref()?;
        // SAFETY: the name ends in zero; null pointers stand for the default context and no conditions.
        let method = unsafe { (api.EVP_MAC_fetch)(null_mut(), name.as_ptr(), null()) };
        (!method.is_null()).then_some(Mac { api, method })
    }
}

impl Drop for Mac {
    fn drop(&mut self) {
        // SAFETY: fetched once, freed once.
        unsafe { (self.api.EVP_MAC_free)(self.method) }
    }
}

/// How OpenSSL spells a MAC: the function, and by which parameter it is told of which digest or cipher.
pub(super) fn spelled(algorithm: &str) -> Result<(CString, &'static CStr, CString), Skip> {
    let inner = |name: &str| CString::new(name).map_err(|_| Skip::NotOffered(algorithm.to_owned()));
    if let Some(digest) = algorithm.strip_prefix("hmac-") {
        return Ok((c"HMAC".to_owned(), c"digest", inner(digest)?));
    }
    match algorithm.strip_suffix("-cmac") {
        Some(cipher) => Ok((c"CMAC".to_owned(), c"cipher", inner(&format!("{cipher}-cbc"))?)),
        None => Err(Skip::NotOffered(algorithm.to_owned())),
    }
}

/// Sets a MAC up: every call begins, takes the message, and ends, with the same context; if the case is whole, with the
/// key given anew.
pub(super) fn set_up(
    library: &'static Api,
    mac: Mac,
    parameter: &'static CStr,
    inner: &CStr,
    case: &Case,
) -> Result<Setup, Skip> {
    let api = mac.api;
    let (Kind::Hmac { key, .. } | Kind::Cmac { key, .. }) = Algorithm::of(case)?.kind else {
        return Err(Skip::NotApplicable);
    };
    // SAFETY: the method is alive.
    let context = unsafe { (api.EVP_MAC_CTX_new)(mac.method) };
    let mut sealer = Sealer { mac, context, key: case.key(key), input: case.input(), output: [0; 64] };
    // SAFETY: name and value end in zero and live as long as the parameters, which end with the end's mark; the context
    // is alive, and the key as long as told.
    let ready = !context.is_null()
        && unsafe {
            let value = inner.as_ptr().cast_mut();
            let parameters = [
                (api.OSSL_PARAM_construct_utf8_string)(parameter.as_ptr(), value, 0),
                (api.OSSL_PARAM_construct_end)(),
            ];
            (api.EVP_MAC_init)(context, sealer.key.as_ptr(), sealer.key.len(), parameters.as_ptr()) == 1
        };
    let whole = case.whole;
    let Some(size) = ready.then(|| sealer.tag(whole)).flatten() else {
        return Err(Skip::Failed(library.error().to_string()));
    };
    Ok(Setup {
        answer: Answer::new(&sealer.output[..size]),
        kernel: None,
        run: Box::new(move |calls| {
            let mut succeeds = true;
            for _ in 0..calls {
                succeeds &= sealer.tag(whole).is_some();
            }
            assert!(succeeds, "libcrypto fails at what it did before: {}", library.error());
        }),
    })
}

struct Sealer {
    mac: Mac,
    context: *mut c_void,
    key: Buffer,
    input: Buffer,
    output: [u8; 64],
}

// SAFETY: OpenSSL's objects may be used from any thread, one at a time; the sealer owns its context.
unsafe impl Send for Sealer {}

impl Sealer {
    /// The length of the tag, which is in the output; `None` if the library fails.
    fn tag(&mut self, whole: bool) -> Option<usize> {
        let Sealer { mac: Mac { api, .. }, context, key, input, output } = self;
        // Without a key the one that the context has is used again.
        let (key, key_length) = if whole { (key.as_ptr(), key.len()) } else { (null(), 0) };
        let mut size = 0;
        // SAFETY: the context is alive; key and input are as long as told, and the output has room for any tag.
        let succeeds = unsafe {
            (api.EVP_MAC_init)(*context, key, key_length, null()) == 1
                && (api.EVP_MAC_update)(*context, input.as_ptr(), input.len()) == 1
                && (api.EVP_MAC_final)(*context, output.as_mut_ptr(), &mut size, output.len()) == 1
        };
        succeeds.then_some(size)
    }
}

impl Drop for Sealer {
    fn drop(&mut self) {
        // SAFETY: made once, freed once; null is allowed.
        unsafe { (self.mac.api.EVP_MAC_CTX_free)(self.context) }
    }
}
