//! The functions of libcrypto that the lab calls, found at run time: those that all versions have had, under whatever name,
//! and those of one of the two eras, before and since 3.0.

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};

use crate::subjects::foreign::{LoadError, Loaded, functions};

functions! {
    /// What all versions have.
    Common {
        ERR_get_error: fn() -> c_ulong;
        ERR_error_string_n: fn(c_ulong, *mut c_char, usize);
        EVP_get_digestbyname: fn(*const c_char) -> *const c_void;
        EVP_MD_get_size or "EVP_MD_size": fn(*const c_void) -> c_int;
        EVP_MD_CTX_new or "EVP_MD_CTX_create": fn() -> *mut c_void;
        EVP_MD_CTX_free or "EVP_MD_CTX_destroy": fn(*mut c_void);
        // The third argument, an engine or parameters, is always null here.
        EVP_DigestInit_ex2 or "EVP_DigestInit_ex": fn(*mut c_void, *const c_void, *const c_void) -> c_int;
        EVP_DigestUpdate: fn(*mut c_void, *const u8, usize) -> c_int;
        EVP_DigestFinal_ex: fn(*mut c_void, *mut u8, *mut c_uint) -> c_int;
        EVP_CIPHER_get_key_length or "EVP_CIPHER_key_length": fn(*const c_void) -> c_int;
        EVP_CIPHER_get_iv_length or "EVP_CIPHER_iv_length": fn(*const c_void) -> c_int;
        EVP_CIPHER_get_block_size or "EVP_CIPHER_block_size": fn(*const c_void) -> c_int;
        EVP_CIPHER_CTX_new: fn() -> *mut c_void;
        EVP_CIPHER_CTX_free: fn(*mut c_void);
        EVP_CIPHER_CTX_set_padding: fn(*mut c_void, c_int) -> c_int;
        EVP_CIPHER_CTX_ctrl: fn(*mut c_void, c_int, c_int, *mut c_void) -> c_int;
        EVP_CipherUpdate: fn(*mut c_void, *mut u8, *mut c_int, *const u8, c_int) -> c_int;
        EVP_CipherFinal_ex: fn(*mut c_void, *mut u8, *mut c_int) -> c_int;
        d2i_AutoPrivateKey: fn(*mut *mut c_void, *mut *const u8, c_long) -> *mut c_void;
        EVP_PKEY_free: fn(*mut c_void);
        EVP_PKEY_CTX_new: fn(*mut c_void, *mut c_void) -> *mut c_void;
        EVP_PKEY_CTX_free: fn(*mut c_void);
        EVP_PKEY_sign_init: fn(*mut c_void) -> c_int;
        EVP_PKEY_sign: fn(*mut c_void, *mut u8, *mut usize, *const u8, usize) -> c_int;
        EVP_PKEY_verify_init: fn(*mut c_void) -> c_int;
        EVP_PKEY_verify: fn(*mut c_void, *const u8, usize, *const u8, usize) -> c_int;
        EVP_PKEY_encrypt_init: fn(*mut c_void) -> c_int;
        EVP_PKEY_encrypt: fn(*mut c_void, *mut u8, *mut usize, *const u8, usize) -> c_int;
        EVP_PKEY_decrypt_init: fn(*mut c_void) -> c_int;
        EVP_PKEY_decrypt: fn(*mut c_void, *mut u8, *mut usize, *const u8, usize) -> c_int;
        EVP_PKEY_keygen_init: fn(*mut c_void) -> c_int;
    }
}

functions! {
    /// What came with 3.0.
    Modern {
        OSSL_PROVIDER_load: fn(*mut c_void, *const c_char) -> *mut c_void;
        OSSL_PROVIDER_set_default_search_path: fn(*mut c_void, *const c_char) -> c_int;
        EVP_MD_fetch: fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
        EVP_MD_free: fn(*mut c_void);
        EVP_MAC_fetch: fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
        EVP_MAC_free: fn(*mut c_void);
        EVP_MAC_CTX_new: fn(*mut c_void) -> *mut c_void;
        EVP_MAC_CTX_free: fn(*mut c_void);
        EVP_MAC_init: fn(*mut c_void, *const u8, usize, *const OsslParam) -> c_int;
        EVP_MAC_update: fn(*mut c_void, *const u8, usize) -> c_int;
        EVP_MAC_final: fn(*mut c_void, *mut u8, *mut usize, usize) -> c_int;
        OSSL_PARAM_construct_utf8_string: fn(*const c_char, *mut c_char, usize) -> OsslParam;
        OSSL_PARAM_construct_end: fn() -> OsslParam;
        EVP_CIPHER_fetch: fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
        EVP_CIPHER_free: fn(*mut c_void);
        EVP_CipherInit_ex2: fn(*mut c_void, *const c_void, *const u8, *const u8, c_int, *const c_void) -> c_int;
        EVP_PKEY_CTX_new_from_name: fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
        EVP_PKEY_CTX_set_rsa_padding: fn(*mut c_void, c_int) -> c_int;
        EVP_PKEY_CTX_set_signature_md: fn(*mut c_void, *const c_void) -> c_int;
        EVP_PKEY_CTX_set_rsa_keygen_bits: fn(*mut c_void, c_int) -> c_int;
        EVP_PKEY_generate: fn(*mut c_void, *mut *mut c_void) -> c_int;
    }
}

functions! {
    /// What was there before.
    ClassicFunctions {
        EVP_get_cipherbyname: fn(*const c_char) -> *const c_void;
        EVP_CipherInit_ex: fn(*mut c_void, *const c_void, *mut c_void, *const u8, *const u8, c_int) -> c_int;
        EVP_PKEY_CTX_ctrl: fn(*mut c_void, c_int, c_int, c_int, c_int, *mut c_void) -> c_int;
        EVP_PKEY_CTX_new_id: fn(c_int, *mut c_void) -> *mut c_void;
        EVP_PKEY_keygen: fn(*mut c_void, *mut *mut c_void) -> c_int;
        HMAC_Init_ex: fn(*mut c_void, *const u8, c_int, *const c_void, *mut c_void) -> c_int;
        HMAC_Update: fn(*mut c_void, *const u8, usize) -> c_int;
        HMAC_Final: fn(*mut c_void, *mut u8, *mut c_uint) -> c_int;
    }
}

functions! {
    /// What came with 1.0.1.
    CmacFunctions {
        CMAC_CTX_new: fn() -> *mut c_void;
        CMAC_CTX_free: fn(*mut c_void);
        CMAC_Init: fn(*mut c_void, *const u8, usize, *const c_void, *mut c_void) -> c_int;
        CMAC_Update: fn(*mut c_void, *const u8, usize) -> c_int;
        CMAC_Final: fn(*mut c_void, *mut u8, *mut usize) -> c_int;
    }
}

/// `OSSL_PARAM` of core.h: a named parameter of an algorithm.
#[repr(C)]
pub(super) struct OsslParam {
    key: *const c_char,
    data_type: c_uint,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

/// The functions of the era before 3.0, and what of HMAC changed with 1.1.
pub(super) struct Classic {
    functions: ClassicFunctions,
    pub new_hmac: Option<unsafe extern "C" fn() -> *mut c_void>,
    pub init_hmac: Option<unsafe extern "C" fn(*mut c_void)>,
    pub free_hmac: Option<unsafe extern "C" fn(*mut c_void)>,
    pub cmac: Option<CmacFunctions>,
}

impl Deref for Classic {
    type Target = ClassicFunctions;

    fn deref(&self) -> &ClassicFunctions {
        &self.functions
    }
}

/// A loaded libcrypto, which stays loaded.
pub(super) struct Api {
    common: Common,
    library: Loaded,
    /// The functions of its era: of one of the two.
    pub modern: Option<Modern>,
    pub classic: Option<Classic>,
    pub file: Option<PathBuf>,
}

impl Deref for Api {
    type Target = Common;

    fn deref(&self) -> &Common {
        &self.common
    }
}

/// The names by which the dynamic linker knows the system's libcrypto, the one most programs use first.
#[cfg(target_os = "macos")]
const SYSTEM: &[&str] = &["libcrypto.3.dylib", "libcrypto.4.dylib", "libcrypto.dylib"];
#[cfg(not(target_os = "macos"))]
const SYSTEM: &[&str] = &["libcrypto.so.3", "libcrypto.so.4", "libcrypto.so.1.1", "libcrypto.so.1.0.0", "libcrypto.so"];

/// Numbers of evp.h and rsa.h before 3.0.
const KEY_RSA: c_int = 6;
const ANY: c_int = -1;
const SIGNATURE_OPERATIONS: c_int = 0xf8;
const GENERATION: c_int = 1 << 2;
const CONTROL_DIGEST: c_int = 1;
const CONTROL_RSA_PADDING: c_int = 0x1001;
const CONTROL_RSA_BITS: c_int = 0x1003;

impl Api {
    /// Loads the libcrypto of that path, or the system's. It is never unloaded: it has handlers that run at exit.
    pub fn load(path: Option<&Path>) -> Result<&'static Api, LoadError> {
        const WANTED: &str = "libcrypto of OpenSSL 1.0.0 or newer";
        let library = Loaded::open(WANTED, path, SYSTEM)?;
        let introduce = |error| match error {
            LoadError::Lacks { function, wanted, .. } => {
                LoadError::Lacks { library: introduction(&library), function, wanted }
            }
            other => other,
        };
        let common = Common::find(&library).map_err(introduce)?;
        let modern = Modern::find(&library).ok();
        let classic = if modern.is_none() { Some(Classic::find(&library).map_err(introduce)?) } else { None };
        let file = library.file_of("EVP_CipherUpdate");
        Ok(Box::leak(Box::new(Api { common, library, modern, classic, file })))
    }

    /// What it says of itself: version, compiler, date, platform, and what it sees of the processor.
    pub fn texts(&self) -> [String; 5] {
        match text(&self.library, c"OpenSSL_version") {
            // The numbers are those of crypto.h, 1.1 and later. 1.1 answers 9 with words of regret.
            Some(text) if self.modern.is_some() => [0, 1, 2, 3, 9].map(text),
            Some(text) => [text(0), text(1), text(2), text(3), String::new()],
            None => match text(&self.library, c"SSLeay_version") {
                Some(text) => [text(0), text(2), text(3), text(4), String::new()],
                None => [(); 5].map(|()| String::new()),
            },
        }
    }

    /// The digest of that name, or null.
    pub fn digest(&self, name: &CStr) -> *mut c_void {
        // SAFETY: the name ends in zero; null pointers stand for the default context and no conditions.
        unsafe {
            match &self.modern {
                Some(modern) => (modern.EVP_MD_fetch)(null_mut(), name.as_ptr(), null()),
                None => (self.EVP_get_digestbyname)(name.as_ptr()).cast_mut(),
            }
        }
    }

    /// Gives back what [`Api::digest`] gave.
    pub fn free_digest(&self, method: *mut c_void) {
        if let Some(modern) = &self.modern {
            // SAFETY: fetched once, freed once; before 3.0 the library keeps them.
            unsafe { (modern.EVP_MD_free)(method) }
        }
    }

    /// The cipher of that name, or null.
    pub fn cipher(&self, name: &CStr) -> *mut c_void {
        // SAFETY: as for digests.
        unsafe {
            match (&self.modern, &self.classic) {
                (Some(modern), _) => (modern.EVP_CIPHER_fetch)(null_mut(), name.as_ptr(), null()),
                (None, Some(classic)) => (classic.EVP_get_cipherbyname)(name.as_ptr()).cast_mut(),
                (None, None) => null_mut(),
            }
        }
    }

    /// Gives back what [`Api::cipher`] gave.
    pub fn free_cipher(&self, method: *mut c_void) {
        if let Some(modern) = &self.modern {
            // SAFETY: as for digests.
            unsafe { (modern.EVP_CIPHER_free)(method) }
        }
    }

    /// Sets a cipher's method, key and IV; each of them may be null if the context has one.
    ///
    /// # Safety
    /// The context is alive; key and IV have the lengths that the method asks for.
    pub unsafe fn begin_cipher(
        &self,
        context: *mut c_void,
        method: *const c_void,
        key: *const u8,
        iv: *const u8,
        encrypt: c_int,
    ) -> bool {
        // SAFETY: as the caller has promised.
        unsafe {
            match (&self.modern, &self.classic) {
                (Some(modern), _) => (modern.EVP_CipherInit_ex2)(context, method, key, iv, encrypt, null()) == 1,
                (None, Some(classic)) => {
                    (classic.EVP_CipherInit_ex)(context, method, null_mut(), key, iv, encrypt) == 1
                }
                (None, None) => false,
            }
        }
    }

    /// A context that makes keys of RSA, or null.
    pub fn rsa_generator(&self) -> *mut c_void {
        // SAFETY: the name ends in zero; null pointers stand for the default context, no conditions and no engine.
        unsafe {
            match (&self.modern, &self.classic) {
                (Some(modern), _) => (modern.EVP_PKEY_CTX_new_from_name)(null_mut(), c"RSA".as_ptr(), null()),
                (None, Some(classic)) => (classic.EVP_PKEY_CTX_new_id)(KEY_RSA, null_mut()),
                (None, None) => null_mut(),
            }
        }
    }

    /// Sets the padding of an operation of RSA.
    ///
    /// # Safety
    /// The context is alive, here and in the next three.
    pub unsafe fn set_rsa_padding(&self, context: *mut c_void, padding: c_int) -> bool {
        match &self.modern {
            // SAFETY: as the caller has promised, here and in the next three.
            Some(modern) => unsafe { (modern.EVP_PKEY_CTX_set_rsa_padding)(context, padding) == 1 },
            // SAFETY: as above.
            None => unsafe { self.control(context, [KEY_RSA, ANY, CONTROL_RSA_PADDING, padding], null()) },
        }
    }

    /// Sets the digest that is signed.
    ///
    /// # Safety
    /// As above.
    pub unsafe fn set_digest(&self, context: *mut c_void, method: *const c_void) -> bool {
        match &self.modern {
            // SAFETY: as above.
            Some(modern) => unsafe { (modern.EVP_PKEY_CTX_set_signature_md)(context, method) == 1 },
            // SAFETY: as above.
            None => unsafe { self.control(context, [ANY, SIGNATURE_OPERATIONS, CONTROL_DIGEST, 0], method) },
        }
    }

    /// Sets the length of the key to be made.
    ///
    /// # Safety
    /// As above.
    pub unsafe fn set_rsa_bits(&self, context: *mut c_void, bits: c_int) -> bool {
        match &self.modern {
            // SAFETY: as above.
            Some(modern) => unsafe { (modern.EVP_PKEY_CTX_set_rsa_keygen_bits)(context, bits) == 1 },
            // SAFETY: as above.
            None => unsafe { self.control(context, [KEY_RSA, GENERATION, CONTROL_RSA_BITS, bits], null()) },
        }
    }

    /// Makes a key.
    ///
    /// # Safety
    /// As above.
    pub unsafe fn generate(&self, context: *mut c_void, made: &mut *mut c_void) -> c_int {
        // SAFETY: as above.
        unsafe {
            match (&self.modern, &self.classic) {
                (Some(modern), _) => (modern.EVP_PKEY_generate)(context, made),
                (None, Some(classic)) => (classic.EVP_PKEY_keygen)(context, made),
                (None, None) => 0,
            }
        }
    }

    /// # Safety
    /// The context is alive, and the data what the control asks for.
    unsafe fn control(&self, context: *mut c_void, numbers: [c_int; 4], data: *const c_void) -> bool {
        let [kind, operation, control, value] = numbers;
        let Some(classic) = &self.classic else { return false };
        // SAFETY: as the caller has promised.
        unsafe { (classic.EVP_PKEY_CTX_ctrl)(context, kind, operation, control, value, data.cast_mut()) == 1 }
    }

    /// Makes a provider's algorithms available; `None` is success.
    pub fn load_provider(&self, name: &CStr) -> Option<OpenSslError> {
        let modern = self.modern.as_ref()?;
        // SAFETY: the string ends in zero, and a null pointer stands for the default library context.
        let provider = unsafe { (modern.OSSL_PROVIDER_load)(null_mut(), name.as_ptr()) };
        provider.is_null().then(|| self.error())
    }

    /// Where providers are looked for from now on.
    pub fn search_providers_in(&self, folder: &Path) {
        let (Some(modern), Ok(folder)) = (&self.modern, CString::new(folder.as_os_str().as_encoded_bytes())) else {
            return;
        };
        // SAFETY: as above. If it fails, loading the provider fails next, and says so.
        unsafe { (modern.OSSL_PROVIDER_set_default_search_path)(null_mut(), folder.as_ptr()) };
    }

    /// The last error of this thread; the others are forgotten.
    pub fn error(&self) -> OpenSslError {
        let mut last = 0;
        loop {
            // SAFETY: no preconditions.
            match unsafe { (self.ERR_get_error)() } {
                0 => break,
                code => last = code,
            }
        }
        let mut text = [0u8; 256];
        // SAFETY: the length is that of the buffer, which the function ends with a zero.
        unsafe { (self.ERR_error_string_n)(last, text.as_mut_ptr().cast(), text.len()) };
        let text = CStr::from_bytes_until_nul(&text).map(CStr::to_string_lossy).unwrap_or_default();
        OpenSslError(if last == 0 { "no reason given".to_owned() } else { text.into_owned() })
    }
}

impl Classic {
    fn find(library: &Loaded) -> Result<Classic, LoadError> {
        let functions = ClassicFunctions::find(library)?;
        // SAFETY: the types are those of evp.h, err.h and hmac.h, in the versions that have these functions.
        unsafe {
            // Before 1.1 nothing is there until it is asked for.
            for name in ["OPENSSL_add_all_algorithms_noconf", "ERR_load_crypto_strings"] {
                if let Some(prepare) = library.find::<unsafe extern "C" fn()>(name) {
                    prepare();
                }
            }
            let [new, old] = ["HMAC_CTX_free", "HMAC_CTX_cleanup"];
            Ok(Classic {
                functions,
                new_hmac: library.find("HMAC_CTX_new"),
                init_hmac: library.find("HMAC_CTX_init"),
                free_hmac: library.find(new).or_else(|| library.find(old)),
                cmac: CmacFunctions::find(library).ok(),
            })
        }
    }
}

/// An error in OpenSSL's words.
#[derive(Debug)]
pub(super) struct OpenSslError(String);

impl fmt::Display for OpenSslError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The function that tells one of a library's texts, by its number.
fn text(library: &Loaded, name: &CStr) -> Option<impl Fn(c_int) -> String + Copy> {
    type Version = unsafe extern "C" fn(c_int) -> *const c_char;
    // SAFETY: the function has this type in every libcrypto that has it (OpenSSL, LibreSSL, BoringSSL).
    let version = unsafe { library.find::<Version>(&name.to_string_lossy()) }?;
    Some(move |number| {
        // SAFETY: it takes any number and gives a static string, or null.
        let text = unsafe { version(number) };
        // SAFETY: as above.
        if text.is_null() { String::new() } else { unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned() }
    })
}

/// What a library that lacks a function says it is.
fn introduction(library: &Loaded) -> String {
    text(library, c"OpenSSL_version").map_or_else(|| "this library".to_owned(), |text| text(0))
}
