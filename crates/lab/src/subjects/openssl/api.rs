//! The functions of libcrypto that the lab calls, found at run time: OpenSSL 3 and 4.

use std::error::Error;
use std::ffi::{CStr, CString, c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::fmt;
use std::path::{Path, PathBuf};

use libloading::Library;

/// Why there is no libcrypto to measure.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The library of that path cannot be loaded.
    #[error("cannot load libcrypto from '{}': {why}", .path.display())]
    Path {
        /// As it was given.
        path: PathBuf,
        /// The dynamic linker's words.
        why: String,
    },
    /// The system has no libcrypto where the dynamic linker looks.
    #[error("this system has none of {names}; name one: openssl=/path/to/libcrypto.so.3 ({why})")]
    NotInstalled {
        /// The names tried.
        names: String,
        /// The dynamic linker's words on the last one.
        why: String,
    },
    /// It is another libcrypto, or too old.
    #[error("{library} has no {function}: OpenSSL 3.0 or newer is needed")]
    TooOld {
        /// What it says it is.
        library: String,
        /// The function that is not there.
        function: &'static str,
    },
}

/// Declares the table of functions, and how it is filled.
macro_rules! functions {
    ($($(#[$meta:meta])* $name:ident: fn($($argument:ty),* $(,)?) $(-> $result:ty)?;)*) => {
        /// Functions of a loaded libcrypto, which stays loaded.
        #[allow(non_snake_case)]
        pub(super) struct Api {
            $($(#[$meta])* pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Api {
            fn fill(library: &Library) -> Result<Api, &'static str> {
                Ok(Api {
                    $(
                        // SAFETY: the type is that of OpenSSL's header of that function, in 3.0 and later.
                        $name: *unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) }
                            .map_err(|_| stringify!($name))?,
                    )*
                })
            }
        }
    };
}

functions! {
    OpenSSL_version: fn(c_int) -> *const c_char;
    ERR_get_error: fn() -> c_ulong;
    ERR_error_string_n: fn(c_ulong, *mut c_char, usize);
    OSSL_PROVIDER_load: fn(*mut c_void, *const c_char) -> *mut c_void;
    OSSL_PROVIDER_set_default_search_path: fn(*mut c_void, *const c_char) -> c_int;
    EVP_MD_fetch: fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
    EVP_MD_free: fn(*mut c_void);
    EVP_MD_get_size: fn(*const c_void) -> c_int;
    EVP_MD_CTX_new: fn() -> *mut c_void;
    EVP_MD_CTX_free: fn(*mut c_void);
    EVP_DigestInit_ex2: fn(*mut c_void, *const c_void, *const c_void) -> c_int;
    EVP_DigestUpdate: fn(*mut c_void, *const u8, usize) -> c_int;
    EVP_DigestFinal_ex: fn(*mut c_void, *mut u8, *mut c_uint) -> c_int;
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
    EVP_CIPHER_get_key_length: fn(*const c_void) -> c_int;
    EVP_CIPHER_get_iv_length: fn(*const c_void) -> c_int;
    EVP_CIPHER_get_block_size: fn(*const c_void) -> c_int;
    EVP_CIPHER_CTX_new: fn() -> *mut c_void;
    EVP_CIPHER_CTX_free: fn(*mut c_void);
    EVP_CIPHER_CTX_set_padding: fn(*mut c_void, c_int) -> c_int;
    EVP_CIPHER_CTX_ctrl: fn(*mut c_void, c_int, c_int, *mut c_void) -> c_int;
    EVP_CipherInit_ex2: fn(*mut c_void, *const c_void, *const u8, *const u8, c_int, *const c_void) -> c_int;
    EVP_CipherUpdate: fn(*mut c_void, *mut u8, *mut c_int, *const u8, c_int) -> c_int;
    d2i_AutoPrivateKey: fn(*mut *mut c_void, *mut *const u8, c_long) -> *mut c_void;
    EVP_get_digestbyname: fn(*const c_char) -> *const c_void;
    EVP_PKEY_free: fn(*mut c_void);
    EVP_PKEY_is_a: fn(*const c_void, *const c_char) -> c_int;
    EVP_PKEY_CTX_new: fn(*mut c_void, *mut c_void) -> *mut c_void;
    EVP_PKEY_CTX_new_from_name: fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
    EVP_PKEY_CTX_free: fn(*mut c_void);
    EVP_PKEY_CTX_set_rsa_padding: fn(*mut c_void, c_int) -> c_int;
    EVP_PKEY_CTX_set_signature_md: fn(*mut c_void, *const c_void) -> c_int;
    EVP_PKEY_CTX_set_rsa_keygen_bits: fn(*mut c_void, c_int) -> c_int;
    EVP_PKEY_sign_init: fn(*mut c_void) -> c_int;
    EVP_PKEY_sign: fn(*mut c_void, *mut u8, *mut usize, *const u8, usize) -> c_int;
    EVP_PKEY_verify_init: fn(*mut c_void) -> c_int;
    EVP_PKEY_verify: fn(*mut c_void, *const u8, usize, *const u8, usize) -> c_int;
    EVP_PKEY_encrypt_init: fn(*mut c_void) -> c_int;
    EVP_PKEY_encrypt: fn(*mut c_void, *mut u8, *mut usize, *const u8, usize) -> c_int;
    EVP_PKEY_decrypt_init: fn(*mut c_void) -> c_int;
    EVP_PKEY_decrypt: fn(*mut c_void, *mut u8, *mut usize, *const u8, usize) -> c_int;
    EVP_PKEY_keygen_init: fn(*mut c_void) -> c_int;
    EVP_PKEY_generate: fn(*mut c_void, *mut *mut c_void) -> c_int;
    EVP_CipherFinal_ex: fn(*mut c_void, *mut u8, *mut c_int) -> c_int;
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

impl Api {
    /// Loads the libcrypto of that path, or the system's. It is never unloaded: it has handlers that run at exit.
    pub fn load(path: Option<&Path>) -> Result<&'static Api, LoadError> {
        let library: &'static Library = Box::leak(Box::new(open(path)?));
        let api = Api::fill(library).map_err(|function| LoadError::TooOld { library: introduce(library), function })?;
        Ok(Box::leak(Box::new(api)))
    }

    /// One of the texts of `OpenSSL_version`, by its number in crypto.h.
    pub fn text(&self, number: c_int) -> String {
        // SAFETY: the function takes any number and gives a static string.
        unsafe { CStr::from_ptr((self.OpenSSL_version)(number)) }.to_string_lossy().into_owned()
    }

    /// Makes a provider's algorithms available; `None` is success.
    pub fn load_provider(&self, name: &CStr) -> Option<OpenSslError> {
        // SAFETY: the string ends in zero, and a null pointer stands for the default library context.
        let provider = unsafe { (self.OSSL_PROVIDER_load)(std::ptr::null_mut(), name.as_ptr()) };
        provider.is_null().then(|| self.error())
    }

    /// Where providers are looked for from now on.
    pub fn search_providers_in(&self, folder: &Path) {
        let Ok(folder) = CString::new(folder.as_os_str().as_encoded_bytes()) else { return };
        // SAFETY: as above. If it fails, loading the provider fails next, and says so.
        unsafe { (self.OSSL_PROVIDER_set_default_search_path)(std::ptr::null_mut(), folder.as_ptr()) };
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

/// An error in OpenSSL's words.
#[derive(Debug)]
pub(super) struct OpenSslError(String);

impl fmt::Display for OpenSslError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The names by which the dynamic linker knows the system's libcrypto, the one most programs use first.
#[cfg(target_os = "macos")]
const SYSTEM: &[&str] = &["libcrypto.3.dylib", "libcrypto.4.dylib", "libcrypto.dylib"];
#[cfg(not(target_os = "macos"))]
const SYSTEM: &[&str] = &["libcrypto.so.3", "libcrypto.so.4", "libcrypto.so"];

fn open(path: Option<&Path>) -> Result<Library, LoadError> {
    // SAFETY: loading runs the library's initialisers. It is what the user asked to measure, and the process that does
    // this is a worker, kept apart for just that.
    let load = |name: &Path| unsafe { Library::new(name) }.map_err(words);
    if let Some(path) = path {
        // Without a slash the dynamic linker would look elsewhere than the user means.
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        return load(&absolute).map_err(|why| LoadError::Path { path: path.to_owned(), why });
    }
    let mut why = String::new();
    for name in SYSTEM {
        match load(Path::new(name)) {
            Ok(library) => return Ok(library),
            Err(error) => why = error,
        }
    }
    Err(LoadError::NotInstalled { names: SYSTEM.join(", "), why })
}

/// The dynamic linker's own words, which the error keeps as its source.
fn words(error: libloading::Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

/// What a library that lacks a function says it is.
fn introduce(library: &Library) -> String {
    type Version = unsafe extern "C" fn(c_int) -> *const c_char;
    // SAFETY: the function has this type in every libcrypto that has it (OpenSSL since 1.1, LibreSSL, BoringSSL).
    let version = unsafe { library.get::<Version>(b"OpenSSL_version\0") };
    // SAFETY: it takes any number and gives a static string.
    let text = version.map(|version| unsafe { CStr::from_ptr(version(0)) }.to_string_lossy().into_owned());
    text.unwrap_or_else(|_| "this library".to_owned())
}
