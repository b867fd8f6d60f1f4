//! Botan 2 or 3, through its C interface: objects made and keyed once. That interface has no way to go on from one message
//! to the next in all modes, so that every message of a cipher starts with its IV.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};

use super::usage::{self, LONGEST, Sealer, Signer, Stream, TAG, Tagger, not_offered};
use super::{LoadError, Loaded, describe, functions};
use crate::algorithm::{Algorithm, Kind};
use crate::case::{Case, Operation};
use crate::subjects::{Facts, InProcess, Setup, Skip};

functions! {
    /// Functions of botan/ffi.h. Objects are pointers; a result of 0 is success.
    Api {
        botan_version_string: fn() -> *const c_char;
        botan_hash_init: fn(*mut *mut c_void, *const c_char, u32) -> c_int;
        botan_hash_update: fn(*mut c_void, *const u8, usize) -> c_int;
        botan_hash_final: fn(*mut c_void, *mut u8) -> c_int;
        botan_hash_destroy: fn(*mut c_void) -> c_int;
        botan_mac_init: fn(*mut *mut c_void, *const c_char, u32) -> c_int;
        botan_mac_set_key: fn(*mut c_void, *const u8, usize) -> c_int;
        botan_mac_update: fn(*mut c_void, *const u8, usize) -> c_int;
        botan_mac_final: fn(*mut c_void, *mut u8) -> c_int;
        botan_mac_destroy: fn(*mut c_void) -> c_int;
        botan_cipher_init: fn(*mut *mut c_void, *const c_char, u32) -> c_int;
        botan_cipher_set_key: fn(*mut c_void, *const u8, usize) -> c_int;
        botan_cipher_start: fn(*mut c_void, *const u8, usize) -> c_int;
        botan_cipher_update: fn(*mut c_void, u32, *mut u8, usize, *mut usize, *const u8, usize, *mut usize) -> c_int;
        botan_cipher_reset: fn(*mut c_void) -> c_int;
        botan_cipher_destroy: fn(*mut c_void) -> c_int;
        botan_rng_init: fn(*mut *mut c_void, *const c_char) -> c_int;
        botan_rng_destroy: fn(*mut c_void) -> c_int;
        botan_privkey_load: fn(*mut *mut c_void, *mut c_void, *const u8, usize, *const c_char) -> c_int;
        botan_privkey_load_rsa_pkcs1: fn(*mut *mut c_void, *const u8, usize) -> c_int;
        botan_privkey_export_pubkey: fn(*mut *mut c_void, *mut c_void) -> c_int;
        botan_privkey_destroy: fn(*mut c_void) -> c_int;
        botan_pubkey_destroy: fn(*mut c_void) -> c_int;
        botan_pk_op_sign_create: fn(*mut *mut c_void, *mut c_void, *const c_char, u32) -> c_int;
        botan_pk_op_sign_update: fn(*mut c_void, *const u8, usize) -> c_int;
        botan_pk_op_sign_finish: fn(*mut c_void, *mut c_void, *mut u8, *mut usize) -> c_int;
        botan_pk_op_sign_destroy: fn(*mut c_void) -> c_int;
        botan_pk_op_verify_create: fn(*mut *mut c_void, *mut c_void, *const c_char, u32) -> c_int;
        botan_pk_op_verify_update: fn(*mut c_void, *const u8, usize) -> c_int;
        botan_pk_op_verify_finish: fn(*mut c_void, *const u8, usize) -> c_int;
        botan_pk_op_verify_destroy: fn(*mut c_void) -> c_int;
    }
}

/// `BOTAN_CIPHER_INIT_FLAG_DECRYPT` and `BOTAN_CIPHER_UPDATE_FLAG_FINAL`.
const DECRYPT: u32 = 1;
const FINAL: u32 = 1;

/// The Botan of that path, or the system's, as a subject of this process.
pub(in crate::subjects) fn subject(path: Option<&Path>) -> Result<InProcess, LoadError> {
    // The second number of Botan 3's name goes up with every minor version.
    let mut names: Vec<String> = (0..=16).rev().map(|minor| format!("libbotan-3.so.{minor}")).collect();
    names.extend(["libbotan-2.so.19", "libbotan-3.dylib"].map(str::to_owned));
    let library = Loaded::open("Botan", path, &names.iter().map(String::as_str).collect::<Vec<_>>());
    let library = library.map_err(|error| match error {
        LoadError::NotInstalled { why, .. } => {
            LoadError::NotInstalled { names: "libbotan-3.so.*, libbotan-2.so.19".to_owned(), why }
        }
        other => other,
    })?;
    let api = Api::find(&library)?;
    // SAFETY: the string is static.
    let text = unsafe { CStr::from_ptr((api.botan_version_string)()) }.to_string_lossy().into_owned();
    let number = text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit())).unwrap_or("");
    let facts = Facts { version: Some(text.clone()), ..Facts::named(&format!("botan-{number}")) };
    Ok(InProcess::new(describe(facts, library.file_of("botan_version_string")), move |case| set_up(api, case)))
}

fn set_up(api: Api, case: &Case) -> Result<Setup, Skip> {
    let missing = || not_offered(case);
    let flags = if case.operation == Operation::Decrypt { DECRYPT } else { 0 };
    match Algorithm::of(case)?.kind {
        Kind::Hash { .. } => {
            let name = digest(&case.algorithm).ok_or_else(missing)?;
            let object = make(|object| called(api.botan_hash_init, object, name, 0)).ok_or_else(missing)?;
            usage::digest(case, Hash { api, object })
        }
        Kind::Hmac { hash, .. } => {
            let name = format!("HMAC({})", digest(hash).ok_or_else(missing)?);
            let object = make(|object| called(api.botan_mac_init, object, &name, 0)).ok_or_else(missing)?;
            usage::mac(case, Mac { api, object })
        }
        Kind::Cmac { key, .. } => {
            let name = format!("CMAC(AES-{})", key * 8);
            let object = make(|object| called(api.botan_mac_init, object, &name, 0)).ok_or_else(missing)?;
            usage::mac(case, Mac { api, object })
        }
        Kind::Cipher { key, .. } => {
            let name = match case.algorithm.rsplit('-').next() {
                Some("cbc") => format!("AES-{}/CBC/NoPadding", key * 8),
                Some("ctr") => format!("CTR-BE(AES-{})", key * 8),
                Some("rc4") => "RC4".to_owned(),
                _ => return Err(missing()),
            };
            usage::cipher(case, || Cipher::new(api, &name, flags))
        }
        Kind::Aead { key, .. } => {
            let new = |flags| Cipher::new(api, &format!("AES-{}/GCM", key * 8), flags);
            let pair = new(0).zip(new(DECRYPT)).ok_or_else(missing)?;
            usage::aead(case, Gcm { sealer: pair.0, opener: pair.1 })
        }
        Kind::PublicKey { encrypts, .. } => usage::signature(case, |der| Key::new(api, der, encrypts)),
    }
}

fn digest(name: &str) -> Option<&'static str> {
    Some(match name {
        "md5" => "MD5",
        "sha1" => "SHA-1",
        "sha224" => "SHA-224",
        "sha256" => "SHA-256",
        "sha384" => "SHA-384",
        "sha512" => "SHA-512",
        "sha512-256" => "SHA-512-256",
        _ => return None,
    })
}

/// An object that a function makes.
fn make(new: impl FnOnce(*mut *mut c_void) -> c_int) -> Option<*mut c_void> {
    let mut object = null_mut();
    (new(&mut object) == 0).then_some(object)
}

type Init = unsafe extern "C" fn(*mut *mut c_void, *const c_char, u32) -> c_int;

fn called(init: Init, object: *mut *mut c_void, name: &str, flags: u32) -> c_int {
    let Ok(name) = CString::new(name) else { return -1 };
    // SAFETY: the object may be written, and the name ends in zero.
    unsafe { init(object, name.as_ptr(), flags) }
}

struct Hash {
    api: Api,
    object: *mut c_void,
}

// SAFETY: the library's objects may be used from any thread, one at a time; here and below each owns its own.
unsafe impl Send for Hash {}

impl Tagger for Hash {
    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        // SAFETY: the object is alive; the message is as long as told; no digest is longer than the output.
        unsafe {
            (self.api.botan_hash_update)(self.object, message.as_ptr(), message.len()) == 0
                && (self.api.botan_hash_final)(self.object, output.as_mut_ptr()) == 0
        }
    }
}

impl Drop for Hash {
    fn drop(&mut self) {
        // SAFETY: made once, destroyed once, here and below.
        unsafe { (self.api.botan_hash_destroy)(self.object) };
    }
}

struct Mac {
    api: Api,
    object: *mut c_void,
}

// SAFETY: as above.
unsafe impl Send for Mac {}

impl Tagger for Mac {
    fn set_key(&mut self, key: &[u8]) -> bool {
        // SAFETY: the object is alive, and the key as long as told.
        unsafe { (self.api.botan_mac_set_key)(self.object, key.as_ptr(), key.len()) == 0 }
    }

    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        // SAFETY: as for a hash.
        unsafe {
            (self.api.botan_mac_update)(self.object, message.as_ptr(), message.len()) == 0
                && (self.api.botan_mac_final)(self.object, output.as_mut_ptr()) == 0
        }
    }
}

impl Drop for Mac {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { (self.api.botan_mac_destroy)(self.object) };
    }
}

struct Cipher {
    api: Api,
    object: *mut c_void,
    iv: Vec<u8>,
}

// SAFETY: as above.
unsafe impl Send for Cipher {}

impl Cipher {
    fn new(api: Api, name: &str, flags: u32) -> Option<Cipher> {
        let object = make(|object| called(api.botan_cipher_init, object, name, flags))?;
        Some(Cipher { api, object, iv: Vec::new() })
    }

    fn key(&mut self, key: &[u8]) -> bool {
        // SAFETY: the object is alive, and the key as long as told.
        unsafe { (self.api.botan_cipher_set_key)(self.object, key.as_ptr(), key.len()) == 0 }
    }

    /// A whole message from one place to another, or in place.
    fn message(&mut self, nonce: &[u8], from: (*const u8, usize), to: (*mut u8, usize)) -> bool {
        let Cipher { api, object, .. } = *self;
        let (mut written, mut read) = (0, 0);
        // SAFETY: the object is alive; both places are as long as told.
        unsafe {
            (api.botan_cipher_start)(object, nonce.as_ptr(), nonce.len()) == 0
                && (api.botan_cipher_update)(object, FINAL, to.0, to.1, &mut written, from.0, from.1, &mut read) == 0
                && written == to.1
        }
    }
}

impl Stream for Cipher {
    fn begin(&mut self, key: &[u8], iv: &[u8]) -> bool {
        self.iv = iv.to_vec();
        self.key(key)
    }

    fn update(&mut self, data: &mut [u8]) -> bool {
        let iv = std::mem::take(&mut self.iv);
        let (pointer, length) = (data.as_mut_ptr(), data.len());
        let done = self.message(&iv, (pointer, length), (pointer, length));
        self.iv = iv;
        done
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { (self.api.botan_cipher_destroy)(self.object) };
    }
}

/// GCM: the interface has message and tag in one piece.
struct Gcm {
    sealer: Cipher,
    opener: Cipher,
}

impl Sealer for Gcm {
    fn set_key(&mut self, key: &[u8]) -> bool {
        self.sealer.key(key) && self.opener.key(key)
    }

    fn seal(&mut self, nonce: &[u8], data: &mut [u8]) -> bool {
        let (pointer, length) = (data.as_mut_ptr(), data.len());
        self.sealer.message(nonce, (pointer, length - TAG), (pointer, length))
    }

    fn open(&mut self, nonce: &[u8], data: &[u8], output: &mut [u8]) -> bool {
        let done = self.opener.message(nonce, (data.as_ptr(), data.len()), (output.as_mut_ptr(), output.len()));
        if !done {
            // SAFETY: the object is alive. What failed in the middle does not stand in the way of the next message.
            unsafe { (self.opener.api.botan_cipher_reset)(self.opener.object) };
        }
        done
    }
}

/// A key pair, with a scheme that takes digests.
struct Key {
    api: Api,
    random: *mut c_void,
    private: *mut c_void,
    public: *mut c_void,
    signer: *mut c_void,
    verifier: *mut c_void,
}

// SAFETY: as above.
unsafe impl Send for Key {}

impl Key {
    fn new(api: Api, der: &[u8], rsa: bool) -> Option<Key> {
        let scheme = if rsa { c"EMSA_PKCS1(Raw,SHA-256)" } else { c"Raw" };
        let mut key = Key {
            api,
            random: null_mut(),
            private: null_mut(),
            public: null_mut(),
            signer: null_mut(),
            verifier: null_mut(),
        };
        // SAFETY: objects may be written; names end in zero; the key is as long as told; what is made from what was made
        // before is only made if that was.
        let made = unsafe {
            let loaded = (api.botan_rng_init)(&mut key.random, c"user".as_ptr()) == 0
                && match rsa {
                    true => (api.botan_privkey_load_rsa_pkcs1)(&mut key.private, der.as_ptr(), der.len()) == 0,
                    false => {
                        (api.botan_privkey_load)(&mut key.private, key.random, der.as_ptr(), der.len(), null()) == 0
                    }
                };
            loaded
                && (api.botan_privkey_export_pubkey)(&mut key.public, key.private) == 0
                && (api.botan_pk_op_sign_create)(&mut key.signer, key.private, scheme.as_ptr(), 0) == 0
                && (api.botan_pk_op_verify_create)(&mut key.verifier, key.public, scheme.as_ptr(), 0) == 0
        };
        made.then_some(key)
    }
}

impl Signer for Key {
    fn sign(&mut self, digest: &[u8; 32], signature: &mut [u8]) -> Option<usize> {
        let mut length = signature.len();
        // SAFETY: the objects are alive; lengths are as told.
        let done = unsafe {
            (self.api.botan_pk_op_sign_update)(self.signer, digest.as_ptr(), digest.len()) == 0
                && (self.api.botan_pk_op_sign_finish)(self.signer, self.random, signature.as_mut_ptr(), &mut length)
                    == 0
        };
        done.then_some(length)
    }

    fn verify(&mut self, digest: &[u8; 32], signature: &[u8]) -> bool {
        // SAFETY: as above.
        unsafe {
            (self.api.botan_pk_op_verify_update)(self.verifier, digest.as_ptr(), digest.len()) == 0
                && (self.api.botan_pk_op_verify_finish)(self.verifier, signature.as_ptr(), signature.len()) == 0
        }
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: made once, destroyed once; none is allowed.
        unsafe {
            (self.api.botan_pk_op_verify_destroy)(self.verifier);
            (self.api.botan_pk_op_sign_destroy)(self.signer);
            (self.api.botan_pubkey_destroy)(self.public);
            (self.api.botan_privkey_destroy)(self.private);
            (self.api.botan_rng_destroy)(self.random);
        }
    }
}
