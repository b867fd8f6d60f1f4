//! Message authentication codes through the functions from before EVP had them: OpenSSL 1.0 and 1.1.

use std::ffi::{CString, c_uint, c_void};
use std::ptr::{null, null_mut};

use super::api::{Api, Classic};
use crate::algorithm::{Algorithm, Kind};
use crate::case::Case;
use crate::subjects::foreign::{Context, LONGEST, Tagger, mac};
use crate::subjects::{Setup, Skip};

/// Sets a MAC up: every call begins again with the key that the context has.
pub(super) fn set_up(api: &'static Api, case: &Case) -> Result<Setup, Skip> {
    let not_offered = || Skip::NotOffered(case.algorithm.clone());
    let named = |name: &str| CString::new(name).map_err(|_| not_offered());
    match Algorithm::of(case)?.kind {
        Kind::Hmac { .. } => mac(case, hmac(api, &case.algorithm)?),
        Kind::Cmac { .. } => {
            let method = api.cipher(&named(&case.algorithm.replace("cmac", "cbc"))?);
            let functions = api
                .classic
                .as_ref()
                .and_then(|classic| classic.cmac)
                .filter(|_| !method.is_null())
                .ok_or_else(not_offered)?;
            // SAFETY: no preconditions.
            let context = unsafe { (functions.CMAC_CTX_new)() };
            mac(case, Cmac { functions, method, context })
        }
        _ => Err(not_offered()),
    }
}

/// HMAC over the hash function that its name ends with.
pub(super) fn hmac(api: &'static Api, name: &str) -> Result<Hmac, Skip> {
    let not_offered = || Skip::NotOffered(name.to_owned());
    let hash = CString::new(name.trim_start_matches("hmac-")).map_err(|_| not_offered())?;
    let method = api.digest(&hash);
    let classic = api.classic.as_ref().filter(|_| !method.is_null()).ok_or_else(not_offered)?;
    Ok(Hmac::new(classic, method))
}

pub(super) struct Hmac {
    api: &'static Classic,
    method: *const c_void,
    context: *mut c_void,
    /// Where the context lies if whoever calls has to provide for that, as before 1.1.
    _place: Context,
}

// SAFETY: OpenSSL's objects may be used from any thread, one at a time; each of these owns its own.
unsafe impl Send for Hmac {}

impl Hmac {
    fn new(api: &'static Classic, method: *const c_void) -> Hmac {
        // A context of 1.0 takes less than 400 bytes.
        let mut place = Context::of(1024);
        // SAFETY: the place is larger than a context; making one has no preconditions.
        let context = unsafe {
            match (api.new_hmac, api.init_hmac) {
                (Some(new), _) => new(),
                (None, Some(init)) => {
                    init(place.pointer());
                    place.pointer()
                }
                (None, None) => null_mut(),
            }
        };
        Hmac { api, method, context, _place: place }
    }
}

impl Tagger for Hmac {
    fn set_key(&mut self, key: &[u8]) -> bool {
        let Hmac { api, method, context, .. } = self;
        // SAFETY: the context is initialised if it is not null; the key is as long as told.
        !context.is_null()
            && unsafe { (api.HMAC_Init_ex)(*context, key.as_ptr(), key.len() as i32, *method, null_mut()) == 1 }
    }

    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let (api, context, mut length) = (self.api, self.context, 0 as c_uint);
        // SAFETY: the context has a key, which is used again where none is given; lengths are as told.
        unsafe {
            (api.HMAC_Init_ex)(context, null(), 0, null(), null_mut()) == 1
                && (api.HMAC_Update)(context, message.as_ptr(), message.len()) == 1
                && (api.HMAC_Final)(context, output.as_mut_ptr(), &mut length) == 1
        }
    }
}

impl Drop for Hmac {
    fn drop(&mut self) {
        if let Some(free) = self.api.free_hmac.filter(|_| !self.context.is_null()) {
            // SAFETY: made or initialised once, freed or cleaned once.
            unsafe { free(self.context) }
        }
    }
}

struct Cmac {
    functions: super::api::CmacFunctions,
    method: *const c_void,
    context: *mut c_void,
}

// SAFETY: as above.
unsafe impl Send for Cmac {}

impl Tagger for Cmac {
    fn set_key(&mut self, key: &[u8]) -> bool {
        // SAFETY: the context is alive if it is not null; the key is as long as told.
        !self.context.is_null()
            && unsafe {
                (self.functions.CMAC_Init)(self.context, key.as_ptr(), key.len(), self.method, null_mut()) == 1
            }
    }

    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let Cmac { functions, context, .. } = *self;
        let mut length = 0;
        // SAFETY: the context has a key, which is used again where none is given; lengths are as told.
        unsafe {
            (functions.CMAC_Init)(context, null(), 0, null(), null_mut()) == 1
                && (functions.CMAC_Update)(context, message.as_ptr(), message.len()) == 1
                && (functions.CMAC_Final)(context, output.as_mut_ptr(), &mut length) == 1
        }
    }
}

impl Drop for Cmac {
    fn drop(&mut self) {
        // SAFETY: made once, freed once; null is allowed.
        unsafe { (self.functions.CMAC_CTX_free)(self.context) }
    }
}
