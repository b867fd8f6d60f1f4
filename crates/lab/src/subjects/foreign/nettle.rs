//! Nettle, and Hogweed for RSA, through their functions on plain structures.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::Path;

use super::usage::{self, Context, LONGEST, Sealer, Signer, Stream, TAG, Tagger, not_offered};
use super::{LoadError, Loaded, describe, functions};
use crate::algorithm::{Algorithm, Kind};
use crate::case::{Case, Operation};
use crate::subjects::{Facts, InProcess, Setup, Skip};

type SetKey = unsafe extern "C" fn(*mut c_void, *const u8);
type Crypt = unsafe extern "C" fn(*const c_void, usize, *mut u8, *const u8);

functions! {
    /// Functions of nettle's headers. What it has for each digest and key is found by its name.
    Api {
        nettle_version_major: fn() -> c_int;
        nettle_version_minor: fn() -> c_int;
        nettle_cbc_encrypt: fn(*const c_void, Crypt, usize, *mut u8, usize, *mut u8, *const u8);
        nettle_cbc_decrypt: fn(*const c_void, Crypt, usize, *mut u8, usize, *mut u8, *const u8);
        nettle_ctr_crypt: fn(*const c_void, Crypt, usize, *mut u8, usize, *mut u8, *const u8);
        nettle_hmac_set_key: fn(*mut c_void, *mut c_void, *mut c_void, *const Hash, usize, *const u8);
        nettle_hmac_update: fn(*mut c_void, *const Hash, usize, *const u8);
        nettle_hmac_digest: fn(*const c_void, *const c_void, *mut c_void, *const Hash, usize, *mut u8);
        nettle_arcfour_set_key: fn(*mut c_void, usize, *const u8);
        nettle_arcfour_crypt: fn(*mut c_void, usize, *mut u8, *const u8);
        nettle_memeql_sec: fn(*const u8, *const u8, usize) -> c_int;
    }
}

/// `struct nettle_hash` of nettle-meta.h.
#[repr(C)]
pub(super) struct Hash {
    name: *const c_char,
    context_size: c_uint,
    digest_size: c_uint,
    block_size: c_uint,
    init: unsafe extern "C" fn(*mut c_void),
    update: unsafe extern "C" fn(*mut c_void, usize, *const u8),
    digest: unsafe extern "C" fn(*mut c_void, usize, *mut u8),
}

/// The Nettle of that path, or the system's, as a subject of this process.
pub(in crate::subjects) fn subject(path: Option<&Path>) -> Result<InProcess, LoadError> {
    let library = Loaded::open("Nettle", path, &["libnettle.so.8", "libnettle.8.dylib"])?;
    let api = Api::find(&library)?;
    // SAFETY: no preconditions.
    let [major, minor] = unsafe { [(api.nettle_version_major)(), (api.nettle_version_minor)()] };
    if major != 3 {
        let why = "only the interface of Nettle 3 is known here".to_owned();
        return Err(LoadError::Unusable { library: format!("Nettle {major}.{minor}"), why });
    }
    let version = format!("{major}.{minor}");
    let facts = Facts { version: Some(format!("Nettle {version}")), ..Facts::named(&format!("nettle-{version}")) };
    // Hogweed stands beside Nettle.
    let beside = path.and_then(Path::parent).map(|folder| folder.join("libhogweed.so"));
    let hogweed = Loaded::open("Hogweed", beside.as_deref(), &["libhogweed.so.6", "libhogweed.6.dylib"]).ok();
    let numbers = Loaded::open("GMP", None, &["libgmp.so.10", "libgmp.10.dylib"]).ok();
    let rsa = hogweed.zip(numbers).and_then(|(hogweed, numbers)| RsaApi::find_in(&hogweed, &numbers).ok());
    let file = library.file_of("nettle_version_major");
    Ok(InProcess::new(describe(facts, file), move |case| set_up(library, api, rsa, case)))
}

fn set_up(library: Loaded, api: Api, rsa: Option<RsaApi>, case: &Case) -> Result<Setup, Skip> {
    let missing = || not_offered(case);
    // SAFETY: of nettle-meta.h; the structures are constants of the library.
    let hash = |name: &str| unsafe { library.find::<*const Hash>(&format!("nettle_{}", name.replace('-', "_"))) };
    match Algorithm::of(case)?.kind {
        Kind::Hash { .. } => usage::digest(case, Digest::new(hash(&case.algorithm).ok_or_else(missing)?)),
        Kind::Hmac { hash: inner, .. } => {
            let hash = hash(inner).ok_or_else(missing)?;
            usage::mac(case, Hmac { api, hash, parts: [(); 3].map(|()| Context::of(512)) })
        }
        Kind::Cmac { key, .. } => {
            let name = |end| format!("nettle_cmac_aes{}_{end}", key * 8);
            // SAFETY: of cmac.h.
            let found = unsafe {
                let (set_key, update) = (library.find(&name("set_key")), library.find(&name("update")));
                set_key.zip(update).zip(library.find(&name("digest")))
            };
            let ((set_key, update), digest) = found.ok_or_else(missing)?;
            usage::mac(case, Cmac { context: Context::of(4096), set_key, update, digest })
        }
        Kind::Cipher { .. } if case.algorithm == "rc4" => {
            usage::cipher(case, || Some(Rc4 { api, context: Context::of(1024) }))
        }
        Kind::Cipher { key, .. } => {
            let mode = case.algorithm.rsplit('-').next().unwrap_or_default();
            let aes = Aes::find(library, key * 8, mode, case.operation == Operation::Decrypt).ok_or_else(missing)?;
            usage::cipher(case, || Some(Cipher { api, aes, context: Context::of(4096), iv: [0; 16] }))
        }
        Kind::Aead { key, .. } => usage::aead(case, Gcm::new(library, api, key * 8).ok_or_else(missing)?),
        Kind::PublicKey { encrypts: true, .. } => {
            let api = rsa.ok_or_else(|| Skip::NotOffered("RSA: it needs libhogweed and libgmp".to_owned()))?;
            usage::signature(case, |der| Rsa::new(api, der))
        }
        Kind::PublicKey { .. } => Err(missing()),
    }
}

struct Digest {
    hash: *const Hash,
    context: Context,
}

// SAFETY: the structure behind the pointer is a constant.
unsafe impl Send for Digest {}

impl Digest {
    fn new(hash: *const Hash) -> Digest {
        // SAFETY: the library keeps the structure.
        let (context, size) = unsafe { (Context::of((*hash).context_size as usize), (*hash).init) };
        let mut digest = Digest { hash, context };
        // SAFETY: the context has the size that the structure states. Making a digest leaves it ready for the next one.
        unsafe { size(digest.context.pointer()) };
        digest
    }
}

impl Tagger for Digest {
    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let context = self.context.pointer();
        // SAFETY: the context is initialised; the message is as long as told, and no digest is longer than the output.
        unsafe {
            ((*self.hash).update)(context, message.len(), message.as_ptr());
            ((*self.hash).digest)(context, ((*self.hash).digest_size as usize).min(LONGEST), output.as_mut_ptr());
        }
        true
    }
}

struct Hmac {
    api: Api,
    hash: *const Hash,
    /// Outer, inner and running state.
    parts: [Context; 3],
}

// SAFETY: as above.
unsafe impl Send for Hmac {}

impl Tagger for Hmac {
    fn set_key(&mut self, key: &[u8]) -> bool {
        let [outer, inner, state] = self.parts.each_mut().map(Context::pointer);
        // SAFETY: the contexts have room for any state of a hash; the key is as long as told.
        unsafe { (self.api.nettle_hmac_set_key)(outer, inner, state, self.hash, key.len(), key.as_ptr()) };
        true
    }

    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let [outer, inner, state] = self.parts.each_mut().map(Context::pointer);
        // SAFETY: the key is set; the message is as long as told, and the output has room for the digest.
        unsafe {
            let length = ((*self.hash).digest_size as usize).min(LONGEST);
            (self.api.nettle_hmac_update)(state, self.hash, message.len(), message.as_ptr());
            (self.api.nettle_hmac_digest)(outer, inner, state, self.hash, length, output.as_mut_ptr());
        }
        true
    }
}

struct Cmac {
    context: Context,
    set_key: SetKey,
    update: unsafe extern "C" fn(*mut c_void, usize, *const u8),
    digest: unsafe extern "C" fn(*mut c_void, usize, *mut u8),
}

impl Tagger for Cmac {
    fn set_key(&mut self, key: &[u8]) -> bool {
        // SAFETY: the context has room, and the key has the function's length.
        unsafe { (self.set_key)(self.context.pointer(), key.as_ptr()) };
        true
    }

    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let context = self.context.pointer();
        // SAFETY: the key is set; lengths are as told.
        unsafe {
            (self.update)(context, message.len(), message.as_ptr());
            (self.digest)(context, 16, output.as_mut_ptr());
        }
        true
    }
}

struct Rc4 {
    api: Api,
    context: Context,
}

impl Stream for Rc4 {
    fn begin(&mut self, key: &[u8], _iv: &[u8]) -> bool {
        // SAFETY: the context has room, and the key is as long as told.
        unsafe { (self.api.nettle_arcfour_set_key)(self.context.pointer(), key.len(), key.as_ptr()) };
        true
    }

    fn update(&mut self, data: &mut [u8]) -> bool {
        let pointer = data.as_mut_ptr();
        // SAFETY: the key is set; in place is allowed.
        unsafe { (self.api.nettle_arcfour_crypt)(self.context.pointer(), data.len(), pointer, pointer) };
        true
    }
}

/// AES with a length of key, for a mode and direction.
#[derive(Clone, Copy)]
struct Aes {
    mode: Mode,
    set_key: SetKey,
    crypt: Crypt,
}

#[derive(Clone, Copy)]
enum Mode {
    Ecb,
    CbcEncrypt(Option<unsafe extern "C" fn(*const c_void, *mut u8, usize, *mut u8, *const u8)>),
    CbcDecrypt,
    Ctr,
}

impl Aes {
    fn find(library: Loaded, bits: usize, mode: &str, decrypts: bool) -> Option<Aes> {
        let mode = match mode {
            "ecb" => Mode::Ecb,
            "cbc" if decrypts => Mode::CbcDecrypt,
            // SAFETY: of cbc.h, since 3.8; without it the function for any cipher does it.
            "cbc" => Mode::CbcEncrypt(unsafe { library.find(&format!("nettle_cbc_aes{bits}_encrypt")) }),
            "ctr" => Mode::Ctr,
            _ => return None,
        };
        let word = if decrypts && !matches!(mode, Mode::Ctr) { "decrypt" } else { "encrypt" };
        // SAFETY: of aes.h.
        unsafe {
            let set_key = library.find(&format!("nettle_aes{bits}_set_{word}_key"))?;
            Some(Aes { mode, set_key, crypt: library.find(&format!("nettle_aes{bits}_{word}"))? })
        }
    }
}

struct Cipher {
    api: Api,
    aes: Aes,
    context: Context,
    iv: [u8; 16],
}

impl Stream for Cipher {
    fn begin(&mut self, key: &[u8], iv: &[u8]) -> bool {
        self.iv[..iv.len()].copy_from_slice(iv);
        // SAFETY: the context has room, and the key has the function's length.
        unsafe { (self.aes.set_key)(self.context.pointer(), key.as_ptr()) };
        true
    }

    fn update(&mut self, data: &mut [u8]) -> bool {
        let Cipher { api, aes, context, iv } = self;
        let (context, iv, length, data) = (context.pointer(), iv.as_mut_ptr(), data.len(), data.as_mut_ptr());
        // SAFETY: the key is set; in place is allowed; the data is a whole number of blocks where that is asked for.
        unsafe {
            match aes.mode {
                Mode::Ecb => (aes.crypt)(context, length, data, data),
                Mode::CbcEncrypt(Some(encrypt)) => encrypt(context, iv, length, data, data),
                Mode::CbcEncrypt(None) => (api.nettle_cbc_encrypt)(context, aes.crypt, 16, iv, length, data, data),
                Mode::CbcDecrypt => (api.nettle_cbc_decrypt)(context, aes.crypt, 16, iv, length, data, data),
                Mode::Ctr => (api.nettle_ctr_crypt)(context, aes.crypt, 16, iv, length, data, data),
            }
        }
        true
    }
}

struct Gcm {
    api: Api,
    context: Context,
    set_key: SetKey,
    set_iv: unsafe extern "C" fn(*mut c_void, usize, *const u8),
    encrypt: unsafe extern "C" fn(*mut c_void, usize, *mut u8, *const u8),
    decrypt: unsafe extern "C" fn(*mut c_void, usize, *mut u8, *const u8),
    digest: unsafe extern "C" fn(*mut c_void, usize, *mut u8),
}

impl Gcm {
    fn new(library: Loaded, api: Api, bits: usize) -> Option<Gcm> {
        let name = |end| format!("nettle_gcm_aes{bits}_{end}");
        // SAFETY: of gcm.h. Its structure is a table of 4 KiB and a key schedule.
        unsafe {
            Some(Gcm {
                api,
                context: Context::of(8192),
                set_key: library.find(&name("set_key"))?,
                set_iv: library.find(&name("set_iv"))?,
                encrypt: library.find(&name("encrypt"))?,
                decrypt: library.find(&name("decrypt"))?,
                digest: library.find(&name("digest"))?,
            })
        }
    }
}

impl Sealer for Gcm {
    fn set_key(&mut self, key: &[u8]) -> bool {
        // SAFETY: the context has room, and the key has the function's length.
        unsafe { (self.set_key)(self.context.pointer(), key.as_ptr()) };
        true
    }

    fn seal(&mut self, nonce: &[u8], data: &mut [u8]) -> bool {
        let (data, tag) = data.split_at_mut(data.len() - TAG);
        let (context, length, data) = (self.context.pointer(), data.len(), data.as_mut_ptr());
        // SAFETY: the key is set; lengths are as told; in place is allowed.
        unsafe {
            (self.set_iv)(context, nonce.len(), nonce.as_ptr());
            (self.encrypt)(context, length, data, data);
            (self.digest)(context, tag.len(), tag.as_mut_ptr());
        }
        true
    }

    fn open(&mut self, nonce: &[u8], data: &[u8], output: &mut [u8]) -> bool {
        let (data, tag) = data.split_at(data.len() - TAG);
        let (context, mut made) = (self.context.pointer(), [0; TAG]);
        // SAFETY: the key is set; lengths are as told.
        unsafe {
            (self.set_iv)(context, nonce.len(), nonce.as_ptr());
            (self.decrypt)(context, data.len(), output.as_mut_ptr(), data.as_ptr());
            (self.digest)(context, made.len(), made.as_mut_ptr());
            (self.api.nettle_memeql_sec)(made.as_ptr(), tag.as_ptr(), tag.len()) == 1
        }
    }
}

functions! {
    /// Functions of rsa.h and bignum.h.
    Hogweed {
        nettle_rsa_public_key_init: fn(*mut c_void);
        nettle_rsa_private_key_init: fn(*mut c_void);
        nettle_rsa_keypair_from_der: fn(*mut c_void, *mut c_void, c_uint, usize, *const u8) -> c_int;
        nettle_rsa_sha256_sign_digest_tr: fn(*const c_void, *const c_void, *mut c_void, Random, *const u8, *mut c_void) -> c_int;
        nettle_rsa_sha256_verify_digest: fn(*const c_void, *const u8, *const c_void) -> c_int;
        nettle_mpz_get_str_256: fn(usize, *mut u8, *const c_void);
        nettle_mpz_set_str_256_u: fn(*mut c_void, usize, *const u8);
    }
}

functions! {
    /// Functions of gmp.h.
    Gmp { __gmpz_init: fn(*mut c_void); __gmpz_clear: fn(*mut c_void); }
}

type Random = unsafe extern "C" fn(*mut c_void, usize, *mut u8);

#[derive(Clone, Copy)]
struct RsaApi {
    hogweed: Hogweed,
    gmp: Gmp,
}

impl RsaApi {
    fn find_in(hogweed: &Loaded, gmp: &Loaded) -> Result<RsaApi, LoadError> {
        Ok(RsaApi { hogweed: Hogweed::find(hogweed)?, gmp: Gmp::find(gmp)? })
    }
}

/// A key pair, which lives as long as the process: a few hundred bytes a setup.
struct Rsa {
    api: RsaApi,
    public: Context,
    private: Context,
    number: Context,
    length: usize,
}

// SAFETY: the numbers belong to this object alone.
unsafe impl Send for Rsa {}

impl Rsa {
    fn new(api: RsaApi, der: &[u8]) -> Option<Rsa> {
        let mut rsa =
            Rsa { api, public: Context::of(512), private: Context::of(512), number: Context::of(64), length: 0 };
        let (public, private) = (rsa.public.pointer(), rsa.private.pointer());
        // SAFETY: the structures, of a length and at most eight numbers of 16 bytes, have room; the key is as long as told.
        // A public key begins with the length of its modulus.
        unsafe {
            (api.gmp.__gmpz_init)(rsa.number.pointer());
            (api.hogweed.nettle_rsa_public_key_init)(public);
            (api.hogweed.nettle_rsa_private_key_init)(private);
            let read = (api.hogweed.nettle_rsa_keypair_from_der)(public, private, 0, der.len(), der.as_ptr());
            rsa.length = *public.cast::<usize>();
            (read == 1).then_some(rsa)
        }
    }
}

/// For the blinding: no secret that deserves better.
unsafe extern "C" fn random(_context: *mut c_void, length: usize, output: *mut u8) {
    for place in 0..length {
        // SAFETY: the library asks for so many bytes there.
        unsafe { output.add(place).write(fastrand::u8(..)) };
    }
}

impl Signer for Rsa {
    fn sign(&mut self, digest: &[u8; 32], signature: &mut [u8]) -> Option<usize> {
        let Rsa { api: RsaApi { hogweed, .. }, public, private, number, length } = self;
        let (public, private, number) = (public.pointer(), private.pointer(), number.pointer());
        let room = signature.get_mut(..*length)?;
        // SAFETY: the keys are read, the number is initialised, and the room is as long as the modulus.
        unsafe {
            let sign = hogweed.nettle_rsa_sha256_sign_digest_tr;
            if sign(public, private, std::ptr::null_mut(), random, digest.as_ptr(), number) != 1 {
                return None;
            }
            (hogweed.nettle_mpz_get_str_256)(room.len(), room.as_mut_ptr(), number);
        }
        Some(*length)
    }

    fn verify(&mut self, digest: &[u8; 32], signature: &[u8]) -> bool {
        let Rsa { api: RsaApi { hogweed, .. }, public, number, .. } = self;
        // SAFETY: as above.
        unsafe {
            (hogweed.nettle_mpz_set_str_256_u)(number.pointer(), signature.len(), signature.as_ptr());
            (hogweed.nettle_rsa_sha256_verify_digest)(public.pointer(), digest.as_ptr(), number.pointer()) == 1
        }
    }
}

impl Drop for Rsa {
    fn drop(&mut self) {
        // SAFETY: initialised once, cleared once.
        unsafe { (self.api.gmp.__gmpz_clear)(self.number.pointer()) }
    }
}
