//! wolfSSL, through wolfCrypt's own functions on structures whose size depends on how it was built.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::null_mut;

use super::usage::{self, Context, LONGEST, Sealer, Signer, Stream, TAG, Tagger, not_offered};
use super::{LoadError, Loaded, describe, functions};
use crate::algorithm::{Algorithm, Kind};
use crate::case::{Case, Operation};
use crate::subjects::{Facts, InProcess, Setup, Skip};

functions! {
    /// Functions that every build has. A result of 0 is success; lengths are 32 bits wide.
    Api {
        wolfSSL_lib_version: fn() -> *const c_char;
        wc_HmacInit: fn(*mut c_void, *mut c_void, c_int) -> c_int;
        wc_HmacSetKey: fn(*mut c_void, c_int, *const u8, u32) -> c_int;
        wc_HmacUpdate: fn(*mut c_void, *const u8, u32) -> c_int;
        wc_HmacFinal: fn(*mut c_void, *mut u8) -> c_int;
        wc_AesInit: fn(*mut c_void, *mut c_void, c_int) -> c_int;
        wc_AesSetKey: fn(*mut c_void, *const u8, u32, *const u8, c_int) -> c_int;
        wc_AesGcmSetKey: fn(*mut c_void, *const u8, u32) -> c_int;
        wc_AesGcmEncrypt: fn(*mut c_void, *mut u8, *const u8, u32, *const u8, u32, *mut u8, u32, *const u8, u32) -> c_int;
        wc_AesGcmDecrypt: fn(*mut c_void, *mut u8, *const u8, u32, *const u8, u32, *const u8, u32, *const u8, u32) -> c_int;
    }
}

type OnMessage = unsafe extern "C" fn(*mut c_void, *const u8, u32) -> c_int;
type ToOutput = unsafe extern "C" fn(*mut c_void, *mut u8) -> c_int;
type Crypt = unsafe extern "C" fn(*mut c_void, *mut u8, *const u8, u32) -> c_int;

/// More than any structure of wolfCrypt takes.
const ROOM: usize = 1 << 16;

/// `INVALID_DEVID`: no hardware.
const NO_DEVICE: c_int = -2;

/// The wolfSSL of that path, or the system's, as a subject of this process.
pub(in crate::subjects) fn subject(path: Option<&Path>) -> Result<InProcess, LoadError> {
    const NAMES: [&str; 6] = [
        "libwolfssl.so.44",
        "libwolfssl.so.43",
        "libwolfssl.so.42",
        "libwolfssl.so.35",
        "libwolfssl.so",
        "libwolfssl.dylib",
    ];
    let library = Loaded::open("wolfSSL", path, &NAMES)?;
    let api = Api::find(&library)?;
    // SAFETY: the string is static.
    let version = unsafe { CStr::from_ptr((api.wolfSSL_lib_version)()) }.to_string_lossy().into_owned();
    let facts = Facts { version: Some(format!("wolfSSL {version}")), ..Facts::named(&format!("wolfssl-{version}")) };
    let file = library.file_of("wolfSSL_lib_version");
    Ok(InProcess::new(describe(facts, file), move |case| set_up(library, api, case)))
}

fn set_up(library: Loaded, api: Api, case: &Case) -> Result<Setup, Skip> {
    let missing = || not_offered(case);
    match Algorithm::of(case)?.kind {
        Kind::Hash { .. } => usage::digest(case, Hash::new(library, &case.algorithm).ok_or_else(missing)?),
        Kind::Hmac { hash, .. } => {
            let number = hash_number(hash).ok_or_else(missing)?;
            usage::mac(case, Hmac { api, number, context: Context::of(ROOM) })
        }
        Kind::Cmac { .. } => usage::mac(case, Cmac::find(library).ok_or_else(missing)?),
        Kind::Cipher { .. } if case.algorithm == "rc4" => usage::cipher(case, || Rc4::find(library)),
        Kind::Cipher { .. } => {
            let decrypts = case.operation == Operation::Decrypt;
            let name = match (case.algorithm.rsplit('-').next(), decrypts) {
                (Some("cbc"), false) => "wc_AesCbcEncrypt",
                (Some("cbc"), true) => "wc_AesCbcDecrypt",
                (Some("ecb"), false) => "wc_AesEcbEncrypt",
                (Some("ecb"), true) => "wc_AesEcbDecrypt",
                (Some("ctr"), _) => "wc_AesCtrEncrypt",
                _ => return Err(missing()),
            };
            // SAFETY: all five have this type in aes.h.
            let crypt: Crypt = unsafe { library.find(name) }.ok_or_else(missing)?;
            let direction = c_int::from(decrypts && !name.contains("Ctr"));
            usage::cipher(case, || Some(Aes { api, crypt, direction, context: Context::of(ROOM) }))
        }
        Kind::Aead { .. } => usage::aead(case, Gcm { api, context: Context::of(ROOM) }),
        Kind::PublicKey { encrypts: true, .. } => usage::signature(case, |der| Rsa::new(library, der)),
        Kind::PublicKey { .. } => Err(missing()),
    }
}

/// `enum wc_HashType` of types.h.
fn hash_number(name: &str) -> Option<c_int> {
    Some(match name {
        "md5" => 3,
        "sha1" => 4,
        "sha224" => 5,
        "sha256" => 6,
        "sha384" => 7,
        "sha512" => 8,
        _ => return None,
    })
}

struct Hash {
    context: Context,
    update: OnMessage,
    finish: ToOutput,
}

impl Hash {
    fn new(library: Loaded, algorithm: &str) -> Option<Hash> {
        let name = match algorithm {
            "md5" => "Md5",
            "sha1" => "Sha",
            "sha224" => "Sha224",
            "sha256" => "Sha256",
            "sha384" => "Sha384",
            "sha512" => "Sha512",
            "sha512-224" => "Sha512_224",
            "sha512-256" => "Sha512_256",
            _ => return None,
        };
        type Init = unsafe extern "C" fn(*mut c_void) -> c_int;
        let mut context = Context::of(ROOM);
        // SAFETY: all digests have functions of these types; the context has room. Finishing begins anew.
        unsafe {
            let init: Init = library.find(&format!("wc_Init{name}"))?;
            let update = library.find(&format!("wc_{name}Update"))?;
            let finish = library.find(&format!("wc_{name}Final"))?;
            (init(context.pointer()) == 0).then_some(Hash { context, update, finish })
        }
    }
}

impl Tagger for Hash {
    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let context = self.context.pointer();
        // SAFETY: the context is initialised; the message is as long as told; no digest is longer than the output.
        unsafe {
            (self.update)(context, message.as_ptr(), message.len() as u32) == 0
                && (self.finish)(context, output.as_mut_ptr()) == 0
        }
    }
}

struct Hmac {
    api: Api,
    number: c_int,
    context: Context,
}

impl Tagger for Hmac {
    fn set_key(&mut self, key: &[u8]) -> bool {
        let context = self.context.pointer();
        // SAFETY: the context has room; the key is as long as told.
        unsafe {
            (self.api.wc_HmacInit)(context, null_mut(), NO_DEVICE) == 0
                && (self.api.wc_HmacSetKey)(context, self.number, key.as_ptr(), key.len() as u32) == 0
        }
    }

    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let context = self.context.pointer();
        // SAFETY: the key is set, and stays so when a tag is finished; lengths are as told.
        unsafe {
            (self.api.wc_HmacUpdate)(context, message.as_ptr(), message.len() as u32) == 0
                && (self.api.wc_HmacFinal)(context, output.as_mut_ptr()) == 0
        }
    }
}

/// The interface has no way to keep a key: it is set for every message.
struct Cmac {
    generate: unsafe extern "C" fn(*mut u8, *mut u32, *const u8, u32, *const u8, u32) -> c_int,
    key: Vec<u8>,
}

impl Cmac {
    fn find(library: Loaded) -> Option<Cmac> {
        // SAFETY: of cmac.h.
        Some(Cmac { generate: unsafe { library.find("wc_AesCmacGenerate") }?, key: Vec::new() })
    }
}

impl Tagger for Cmac {
    fn set_key(&mut self, key: &[u8]) -> bool {
        self.key = key.to_vec();
        true
    }

    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let (mut length, key) = (16, &self.key);
        let (output, from, bytes) = (output.as_mut_ptr(), message.as_ptr(), message.len() as u32);
        // SAFETY: lengths are as told.
        unsafe { (self.generate)(output, &mut length, from, bytes, key.as_ptr(), key.len() as u32) == 0 }
    }
}

struct Rc4 {
    context: Context,
    set_key: OnMessage,
    crypt: Crypt,
}

impl Rc4 {
    fn find(library: Loaded) -> Option<Rc4> {
        // SAFETY: of arc4.h.
        unsafe {
            let (set_key, crypt) = (library.find("wc_Arc4SetKey")?, library.find("wc_Arc4Process")?);
            Some(Rc4 { context: Context::of(ROOM), set_key, crypt })
        }
    }
}

impl Stream for Rc4 {
    fn begin(&mut self, key: &[u8], _iv: &[u8]) -> bool {
        // SAFETY: the context has room, and the key is as long as told.
        unsafe { (self.set_key)(self.context.pointer(), key.as_ptr(), key.len() as u32) == 0 }
    }

    fn update(&mut self, data: &mut [u8]) -> bool {
        let pointer = data.as_mut_ptr();
        // SAFETY: the key is set; in place is allowed.
        unsafe { (self.crypt)(self.context.pointer(), pointer, pointer, data.len() as u32) == 0 }
    }
}

struct Aes {
    api: Api,
    crypt: Crypt,
    direction: c_int,
    context: Context,
}

impl Stream for Aes {
    fn begin(&mut self, key: &[u8], iv: &[u8]) -> bool {
        let context = self.context.pointer();
        let iv = if iv.is_empty() { std::ptr::null() } else { iv.as_ptr() };
        // SAFETY: the context has room; the key is as long as told, and an IV a block.
        unsafe {
            (self.api.wc_AesInit)(context, null_mut(), NO_DEVICE) == 0
                && (self.api.wc_AesSetKey)(context, key.as_ptr(), key.len() as u32, iv, self.direction) == 0
        }
    }

    fn update(&mut self, data: &mut [u8]) -> bool {
        let pointer = data.as_mut_ptr();
        // SAFETY: the key is set; in place is allowed.
        unsafe { (self.crypt)(self.context.pointer(), pointer, pointer, data.len() as u32) == 0 }
    }
}

struct Gcm {
    api: Api,
    context: Context,
}

impl Sealer for Gcm {
    fn set_key(&mut self, key: &[u8]) -> bool {
        let context = self.context.pointer();
        // SAFETY: the context has room; the key is as long as told.
        unsafe {
            (self.api.wc_AesInit)(context, null_mut(), NO_DEVICE) == 0
                && (self.api.wc_AesGcmSetKey)(context, key.as_ptr(), key.len() as u32) == 0
        }
    }

    fn seal(&mut self, nonce: &[u8], data: &mut [u8]) -> bool {
        let (data, tag) = data.split_at_mut(data.len() - TAG);
        let (context, pointer, length) = (self.context.pointer(), data.as_mut_ptr(), data.len() as u32);
        let (iv, iv_length) = (nonce.as_ptr(), nonce.len() as u32);
        let seal = self.api.wc_AesGcmEncrypt;
        // SAFETY: the key is set; lengths are as told; in place is allowed; there is no associated data.
        unsafe {
            seal(context, pointer, pointer, length, iv, iv_length, tag.as_mut_ptr(), TAG as u32, std::ptr::null(), 0)
                == 0
        }
    }

    fn open(&mut self, nonce: &[u8], data: &[u8], output: &mut [u8]) -> bool {
        let (data, tag) = data.split_at(data.len() - TAG);
        let (context, to, length) = (self.context.pointer(), output.as_mut_ptr(), data.len() as u32);
        let (iv, iv_length) = (nonce.as_ptr(), nonce.len() as u32);
        let open = self.api.wc_AesGcmDecrypt;
        // SAFETY: as above.
        unsafe {
            open(context, to, data.as_ptr(), length, iv, iv_length, tag.as_ptr(), TAG as u32, std::ptr::null(), 0) == 0
        }
    }
}

functions! {
    /// Functions of rsa.h and random.h.
    RsaApi {
        wc_InitRsaKey: fn(*mut c_void, *mut c_void) -> c_int;
        wc_RsaPrivateKeyDecode: fn(*const u8, *mut u32, *mut c_void, u32) -> c_int;
        wc_RsaSSL_Sign: fn(*const u8, u32, *mut u8, u32, *mut c_void, *mut c_void) -> c_int;
        wc_RsaSSL_Verify: fn(*const u8, u32, *mut u8, u32, *mut c_void) -> c_int;
        wc_FreeRsaKey: fn(*mut c_void) -> c_int;
        wc_InitRng: fn(*mut c_void) -> c_int;
        wc_FreeRng: fn(*mut c_void) -> c_int;
    }
}

struct Rsa {
    api: RsaApi,
    key: Context,
    random: Context,
}

impl Rsa {
    fn new(library: Loaded, der: &[u8]) -> Option<Rsa> {
        let api = RsaApi::find(&library).ok()?;
        let mut rsa = Rsa { api, key: Context::of(ROOM), random: Context::of(ROOM) };
        let (key, random, mut position) = (rsa.key.pointer(), rsa.random.pointer(), 0);
        // SAFETY: of rsa.h: some builds have no blinding, and then this is missing.
        let set_random: Option<unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int> =
            unsafe { library.find("wc_RsaSetRNG") };
        // SAFETY: the structures have room, and the key is as long as told.
        let ready = unsafe {
            (api.wc_InitRng)(random) == 0
                && (api.wc_InitRsaKey)(key, null_mut()) == 0
                && (api.wc_RsaPrivateKeyDecode)(der.as_ptr(), &mut position, key, der.len() as u32) == 0
                && set_random.is_none_or(|set| set(key, random) == 0)
        };
        ready.then_some(rsa)
    }
}

impl Signer for Rsa {
    fn sign(&mut self, digest: &[u8; 32], signature: &mut [u8]) -> Option<usize> {
        let message = usage::digest_info(digest);
        let (key, random) = (self.key.pointer(), self.random.pointer());
        let (from, to) = ((message.as_ptr(), message.len() as u32), (signature.as_mut_ptr(), signature.len() as u32));
        // SAFETY: key and generator are ready; lengths are as told.
        usize::try_from(unsafe { (self.api.wc_RsaSSL_Sign)(from.0, from.1, to.0, to.1, key, random) }).ok()
    }

    fn verify(&mut self, digest: &[u8; 32], signature: &[u8]) -> bool {
        let mut message = [0; 512];
        let (from, to) = ((signature.as_ptr(), signature.len() as u32), (message.as_mut_ptr(), message.len() as u32));
        // SAFETY: as above.
        let length = unsafe { (self.api.wc_RsaSSL_Verify)(from.0, from.1, to.0, to.1, self.key.pointer()) };
        usize::try_from(length).is_ok_and(|length| message[..length] == usage::digest_info(digest))
    }
}

impl Drop for Rsa {
    fn drop(&mut self) {
        // SAFETY: initialised once, freed once.
        unsafe {
            (self.api.wc_FreeRsaKey)(self.key.pointer());
            (self.api.wc_FreeRng)(self.random.pointer());
        }
    }
}
