//! libgcrypt, through its handles: opened and keyed once, reset for every message.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};

use der::Decode;
use pkcs1::RsaPrivateKeyRef;

use super::usage::{self, LONGEST, Sealer, Signer, Stream, TAG, Tagger, not_offered};
use super::{LoadError, Loaded, describe, functions};
use crate::algorithm::{Algorithm, Kind};
use crate::case::{Case, Operation};
use crate::subjects::{Facts, InProcess, Setup, Skip};

functions! {
    /// Functions of gcrypt.h. Handles are pointers; errors are numbers, of which 0 is none.
    Api {
        gcry_check_version: fn(*const c_char) -> *const c_char;
        gcry_strerror: fn(c_uint) -> *const c_char;
        gcry_md_open: fn(*mut *mut c_void, c_int, c_uint) -> c_uint;
        gcry_md_close: fn(*mut c_void);
        gcry_md_reset: fn(*mut c_void);
        gcry_md_setkey: fn(*mut c_void, *const u8, usize) -> c_uint;
        gcry_md_write: fn(*mut c_void, *const u8, usize);
        gcry_md_read: fn(*mut c_void, c_int) -> *const u8;
        gcry_md_get_algo_dlen: fn(c_int) -> c_uint;
        gcry_mac_open: fn(*mut *mut c_void, c_int, c_uint, *mut c_void) -> c_uint;
        gcry_mac_close: fn(*mut c_void);
        gcry_mac_ctl: fn(*mut c_void, c_int, *mut c_void, usize) -> c_uint;
        gcry_mac_setkey: fn(*mut c_void, *const u8, usize) -> c_uint;
        gcry_mac_write: fn(*mut c_void, *const u8, usize) -> c_uint;
        gcry_mac_read: fn(*mut c_void, *mut u8, *mut usize) -> c_uint;
        gcry_cipher_open: fn(*mut *mut c_void, c_int, c_int, c_uint) -> c_uint;
        gcry_cipher_close: fn(*mut c_void);
        gcry_cipher_setkey: fn(*mut c_void, *const u8, usize) -> c_uint;
        gcry_cipher_setiv: fn(*mut c_void, *const u8, usize) -> c_uint;
        gcry_cipher_setctr: fn(*mut c_void, *const u8, usize) -> c_uint;
        gcry_cipher_encrypt: fn(*mut c_void, *mut u8, usize, *const u8, usize) -> c_uint;
        gcry_cipher_decrypt: fn(*mut c_void, *mut u8, usize, *const u8, usize) -> c_uint;
        gcry_cipher_gettag: fn(*mut c_void, *mut u8, usize) -> c_uint;
        gcry_cipher_checktag: fn(*mut c_void, *const u8, usize) -> c_uint;
        gcry_sexp_new: fn(*mut *mut c_void, *const u8, usize, c_int) -> c_uint;
        gcry_sexp_release: fn(*mut c_void);
        gcry_sexp_find_token: fn(*mut c_void, *const c_char, usize) -> *mut c_void;
        gcry_sexp_nth_data: fn(*mut c_void, c_int, *mut usize) -> *const u8;
        gcry_pk_sign: fn(*mut *mut c_void, *mut c_void, *mut c_void) -> c_uint;
        gcry_pk_verify: fn(*mut c_void, *mut c_void, *mut c_void) -> c_uint;
    }
}

/// Numbers of gcrypt.h.
const RESET: c_int = 4;
const DISABLE_SECURE_MEMORY: c_int = 37;
const INITIALIZATION_FINISHED: c_int = 38;
const HMAC: c_uint = 2;
const CMAC_AES: c_int = 201;
const ARCFOUR: c_int = 301;
const MODE_STREAM: c_int = 4;
const MODE_GCM: c_int = 9;

/// The libgcrypt of that path, or the system's, as a subject of this process.
pub(in crate::subjects) fn subject(path: Option<&Path>) -> Result<InProcess, LoadError> {
    let library = Loaded::open("libgcrypt", path, &["libgcrypt.so.20", "libgcrypt.20.dylib"])?;
    let api = Api::find(&library)?;
    // SAFETY: the type is that of gcrypt.h.
    let control: unsafe extern "C" fn(c_int, ...) -> c_uint = unsafe { library.get("gcry_control") }?;
    // SAFETY: a null pointer asks for the version, a static string, and initialises the library; locked memory is not
    // needed for keys that are public.
    let version = unsafe {
        let version = CStr::from_ptr((api.gcry_check_version)(null())).to_string_lossy().into_owned();
        control(DISABLE_SECURE_MEMORY, 0);
        control(INITIALIZATION_FINISHED, 0);
        version
    };
    let facts =
        Facts { version: Some(format!("libgcrypt {version}")), ..Facts::named(&format!("libgcrypt-{version}")) };
    Ok(InProcess::new(describe(facts, library.file_of("gcry_check_version")), move |case| set_up(api, case)))
}

fn set_up(api: Api, case: &Case) -> Result<Setup, Skip> {
    match Algorithm::of(case)?.kind {
        Kind::Hash { .. } => {
            let digest = digest_number(&case.algorithm).ok_or_else(|| not_offered(case))?;
            usage::digest(case, Digest::new(api, digest, 0)?)
        }
        Kind::Hmac { hash, .. } => {
            let digest = digest_number(hash).ok_or_else(|| not_offered(case))?;
            usage::mac(case, Digest::new(api, digest, HMAC)?)
        }
        Kind::Cmac { .. } => {
            let mut handle = null_mut();
            // SAFETY: the handle may be written.
            check(api, unsafe { (api.gcry_mac_open)(&mut handle, CMAC_AES, 0, null_mut()) })?;
            usage::mac(case, Cmac { api, handle })
        }
        Kind::Cipher { key, .. } => {
            let (number, mode) = match case.algorithm.rsplit('-').next() {
                Some("rc4") => (ARCFOUR, MODE_STREAM),
                Some("ecb") => (aes(key), 1),
                Some("cbc") => (aes(key), 3),
                Some("ctr") => (aes(key), 6),
                _ => return Err(not_offered(case)),
            };
            let decrypts = case.operation == Operation::Decrypt;
            usage::cipher(case, || Cipher::new(api, number, mode, decrypts).ok())
        }
        Kind::Aead { key, .. } => usage::aead(case, Cipher::new(api, aes(key), MODE_GCM, false)?),
        Kind::PublicKey { encrypts: true, .. } => usage::signature(case, |der| Rsa::new(api, der)),
        Kind::PublicKey { .. } => Err(not_offered(case)),
    }
}

fn digest_number(name: &str) -> Option<c_int> {
    Some(match name {
        "md5" => 1,
        "sha1" => 2,
        "sha256" => 8,
        "sha384" => 9,
        "sha512" => 10,
        "sha224" => 11,
        "sha512-256" => 327,
        "sha512-224" => 328,
        _ => return None,
    })
}

/// AES by the bytes of its key.
fn aes(key: usize) -> c_int {
    7 + (key as c_int - 16) / 8
}

fn check(api: Api, error: c_uint) -> Result<(), Skip> {
    if error == 0 {
        return Ok(());
    }
    // SAFETY: any number has a text, which is static.
    let text = unsafe { CStr::from_ptr((api.gcry_strerror)(error)) };
    Err(Skip::NotOffered(format!("this: {}", text.to_string_lossy())))
}

/// A digest, or an HMAC.
struct Digest {
    api: Api,
    handle: *mut c_void,
    number: c_int,
    length: usize,
}

// SAFETY: the library's handles may be used from any thread, one at a time; here and below each object owns its own.
unsafe impl Send for Digest {}

impl Digest {
    fn new(api: Api, number: c_int, flags: c_uint) -> Result<Digest, Skip> {
        let mut handle = null_mut();
        // SAFETY: the handle may be written.
        check(api, unsafe { (api.gcry_md_open)(&mut handle, number, flags) })?;
        // SAFETY: no preconditions.
        let length = unsafe { (api.gcry_md_get_algo_dlen)(number) } as usize;
        Ok(Digest { api, handle, number, length: length.min(LONGEST) })
    }
}

impl Tagger for Digest {
    fn set_key(&mut self, key: &[u8]) -> bool {
        // SAFETY: the handle is open, and the key as long as told.
        unsafe { (self.api.gcry_md_setkey)(self.handle, key.as_ptr(), key.len()) == 0 }
    }

    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let Digest { api, handle, number, length } = *self;
        // SAFETY: the handle is open; the message is as long as told; what is read is as long as the digest.
        unsafe {
            (api.gcry_md_reset)(handle);
            (api.gcry_md_write)(handle, message.as_ptr(), message.len());
            let made = (api.gcry_md_read)(handle, number);
            if made.is_null() {
                return false;
            }
            output.as_mut_ptr().copy_from_nonoverlapping(made, length);
        }
        true
    }
}

impl Drop for Digest {
    fn drop(&mut self) {
        // SAFETY: opened once, closed once, here and below.
        unsafe { (self.api.gcry_md_close)(self.handle) }
    }
}

struct Cmac {
    api: Api,
    handle: *mut c_void,
}

// SAFETY: as above.
unsafe impl Send for Cmac {}

impl Tagger for Cmac {
    fn set_key(&mut self, key: &[u8]) -> bool {
        // SAFETY: the handle is open, and the key as long as told.
        unsafe { (self.api.gcry_mac_setkey)(self.handle, key.as_ptr(), key.len()) == 0 }
    }

    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let mut length = 16;
        // SAFETY: the handle is open; the message is as long as told, and the output has room.
        unsafe {
            (self.api.gcry_mac_ctl)(self.handle, RESET, null_mut(), 0) == 0
                && (self.api.gcry_mac_write)(self.handle, message.as_ptr(), message.len()) == 0
                && (self.api.gcry_mac_read)(self.handle, output.as_mut_ptr(), &mut length) == 0
        }
    }
}

impl Drop for Cmac {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { (self.api.gcry_mac_close)(self.handle) }
    }
}

struct Cipher {
    api: Api,
    handle: *mut c_void,
    mode: c_int,
    decrypts: bool,
}

// SAFETY: as above.
unsafe impl Send for Cipher {}

impl Cipher {
    fn new(api: Api, number: c_int, mode: c_int, decrypts: bool) -> Result<Cipher, Skip> {
        let mut handle = null_mut();
        // SAFETY: the handle may be written.
        check(api, unsafe { (api.gcry_cipher_open)(&mut handle, number, mode, 0) })?;
        Ok(Cipher { api, handle, mode, decrypts })
    }
}

impl Stream for Cipher {
    fn begin(&mut self, key: &[u8], iv: &[u8]) -> bool {
        let Cipher { api, handle, mode, .. } = *self;
        // SAFETY: the handle is open; key and IV are as long as told.
        unsafe {
            (api.gcry_cipher_setkey)(handle, key.as_ptr(), key.len()) == 0
                && match mode {
                    3 => (api.gcry_cipher_setiv)(handle, iv.as_ptr(), iv.len()) == 0,
                    6 => (api.gcry_cipher_setctr)(handle, iv.as_ptr(), iv.len()) == 0,
                    _ => true,
                }
        }
    }

    fn update(&mut self, data: &mut [u8]) -> bool {
        let crypt = if self.decrypts { self.api.gcry_cipher_decrypt } else { self.api.gcry_cipher_encrypt };
        // SAFETY: the handle is open; no input means in place.
        unsafe { crypt(self.handle, data.as_mut_ptr(), data.len(), null(), 0) == 0 }
    }
}

impl Sealer for Cipher {
    fn set_key(&mut self, key: &[u8]) -> bool {
        // SAFETY: the handle is open, and the key as long as told.
        unsafe { (self.api.gcry_cipher_setkey)(self.handle, key.as_ptr(), key.len()) == 0 }
    }

    fn seal(&mut self, nonce: &[u8], data: &mut [u8]) -> bool {
        let Cipher { api, handle, .. } = *self;
        let (data, tag) = data.split_at_mut(data.len() - TAG);
        // SAFETY: the handle is open; all lengths are as told; no input means in place.
        unsafe {
            (api.gcry_cipher_setiv)(handle, nonce.as_ptr(), nonce.len()) == 0
                && (api.gcry_cipher_encrypt)(handle, data.as_mut_ptr(), data.len(), null(), 0) == 0
                && (api.gcry_cipher_gettag)(handle, tag.as_mut_ptr(), tag.len()) == 0
        }
    }

    fn open(&mut self, nonce: &[u8], data: &[u8], output: &mut [u8]) -> bool {
        let Cipher { api, handle, .. } = *self;
        let (data, tag) = data.split_at(data.len() - TAG);
        let (to, room) = (output.as_mut_ptr(), output.len());
        // SAFETY: the handle is open; all lengths are as told.
        unsafe {
            (api.gcry_cipher_setiv)(handle, nonce.as_ptr(), nonce.len()) == 0
                && (api.gcry_cipher_decrypt)(handle, to, room, data.as_ptr(), data.len()) == 0
                && (api.gcry_cipher_checktag)(handle, tag.as_ptr(), tag.len()) == 0
        }
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { (self.api.gcry_cipher_close)(self.handle) }
    }
}

/// A key of RSA as libgcrypt's expressions.
struct Rsa {
    api: Api,
    private: *mut c_void,
    public: *mut c_void,
}

// SAFETY: as above.
unsafe impl Send for Rsa {}

impl Rsa {
    fn new(api: Api, der: &[u8]) -> Option<Rsa> {
        let key = RsaPrivateKeyRef::from_der(der).ok()?;
        let number = |name: &str, value: pkcs1::UintRef<'_>| {
            // A number whose first bit is set would be negative.
            list(name, &[atom(&[&[0], value.as_bytes()].concat())])
        };
        let (n, e) = (number("n", key.modulus), number("e", key.public_exponent));
        let d = number("d", key.private_exponent);
        // libgcrypt's coefficient is the inverse of p modulo q, where RFC 8017 has that of q modulo p.
        let (p, q, u) = (number("p", key.prime2), number("q", key.prime1), number("u", key.coefficient));
        let public = list("public-key", &[list("rsa", &[n.clone(), e.clone()])]);
        let private = list("private-key", &[list("rsa", &[n, e, d, p, q, u])]);
        Some(Rsa { api, private: expression(api, &private)?, public: expression(api, &public)? })
    }

    fn data(&self, digest: &[u8; 32]) -> Option<*mut c_void> {
        let hash = list("hash", &[atom(b"sha256"), atom(digest)]);
        expression(self.api, &list("data", &[list("flags", &[atom(b"pkcs1")]), hash]))
    }
}

/// Parts of an expression in its canonical form: a length, a colon, and so many bytes.
fn atom(bytes: &[u8]) -> Vec<u8> {
    [format!("{}:", bytes.len()).as_bytes(), bytes].concat()
}

fn list(name: &str, parts: &[Vec<u8>]) -> Vec<u8> {
    [b"(", &atom(name.as_bytes())[..], &parts.concat(), b")"].concat()
}

fn expression(api: Api, text: &[u8]) -> Option<*mut c_void> {
    let mut made = null_mut();
    // SAFETY: the pointer may be written, and the text is as long as told.
    (unsafe { (api.gcry_sexp_new)(&mut made, text.as_ptr(), text.len(), 1) } == 0).then_some(made)
}

impl Signer for Rsa {
    fn sign(&mut self, digest: &[u8; 32], signature: &mut [u8]) -> Option<usize> {
        let api = self.api;
        let data = self.data(digest)?;
        let (mut made, mut length) = (null_mut(), 0);
        // SAFETY: all expressions are alive until they are released here, each once; releasing none is allowed. What is
        // copied lies in one of them, and has room.
        unsafe {
            let error = (api.gcry_pk_sign)(&mut made, data, self.private);
            let value = if error == 0 { (api.gcry_sexp_find_token)(made, c"s".as_ptr(), 0) } else { null_mut() };
            let bytes = if value.is_null() { null() } else { (api.gcry_sexp_nth_data)(value, 1, &mut length) };
            let fits = !bytes.is_null() && length <= signature.len();
            if fits {
                signature.as_mut_ptr().copy_from_nonoverlapping(bytes, length);
            }
            [data, made, value].into_iter().for_each(|one| (api.gcry_sexp_release)(one));
            fits.then_some(length)
        }
    }

    fn verify(&mut self, digest: &[u8; 32], signature: &[u8]) -> bool {
        let text = list("sig-val", &[list("rsa", &[list("s", &[atom(signature)])])]);
        let (Some(data), Some(value)) = (self.data(digest), expression(self.api, &text)) else { return false };
        // SAFETY: the expressions are alive, and released once.
        unsafe {
            let error = (self.api.gcry_pk_verify)(value, data, self.public);
            [data, value].into_iter().for_each(|one| (self.api.gcry_sexp_release)(one));
            error == 0
        }
    }
}

impl Drop for Rsa {
    fn drop(&mut self) {
        // SAFETY: made once, released once.
        unsafe {
            (self.api.gcry_sexp_release)(self.private);
            (self.api.gcry_sexp_release)(self.public);
        }
    }
}
