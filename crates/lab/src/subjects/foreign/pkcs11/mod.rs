//! A PKCS #11 module (version 2.40), such as SoftHSM: sessions with objects of their own, which vanish with them.
//!
//! The first token that is initialised is used. Objects are public and of the session, so that nobody need log in; if
//! `SPEEDWELL_PKCS11_PIN` is set, the user is logged in with it all the same. SoftHSM gets a token of its own in the user's
//! cache, unless `SOFTHSM2_CONF` names another.

mod module;

use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};

use der::Decode;
use pkcs1::RsaPrivateKeyRef;

use super::usage::{self, LONGEST, Sealer, Signer, Stream, TAG, Tagger, not_offered};
use super::{LoadError, Loaded, describe};
use crate::algorithm::{Algorithm, Kind};
use crate::case::{Case, Operation};
use crate::subjects::{Facts, InProcess, Setup, Skip};
use module::*;

/// The module of that path, or SoftHSM, as a subject of this process.
pub(in crate::subjects) fn subject(path: Option<&Path>) -> Result<InProcess, LoadError> {
    const USUAL: [&str; 4] = [
        "/usr/lib/softhsm/libsofthsm2.so",
        "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
        "/usr/lib64/pkcs11/libsofthsm2.so",
        "/usr/local/lib/softhsm/libsofthsm2.so",
    ];
    let found = path.map(Path::to_owned).or_else(|| USUAL.iter().map(PathBuf::from).find(|path| path.exists()));
    let is_soft = found.as_ref().is_none_or(|path| path.to_string_lossy().contains("softhsm"));
    if is_soft && std::env::var_os("SOFTHSM2_CONF").is_none() {
        configure_softhsm()
            .map_err(|why| LoadError::Unusable { library: "SoftHSM".to_owned(), why: why.to_string() })?;
    }
    let library = Loaded::open("a PKCS #11 module", found.as_deref(), &["libsofthsm2.so"])?;
    // SAFETY: the type is that of pkcs11f.h.
    let list: unsafe extern "C" fn(*mut *const Functions) -> Number = unsafe { library.get("C_GetFunctionList") }?;
    let file = library.file_of("C_GetFunctionList");
    let shown = file.clone().map_or_else(String::new, |file| file.display().to_string());
    let unusable = |why: &str| LoadError::Unusable { library: shown.clone(), why: why.to_owned() };
    let mut functions = null();
    // SAFETY: the pointer may be written, and leads to a table that the module keeps; its first functions are those of
    // every version of the standard since 2.0.
    let functions = unsafe {
        if list(&mut functions) != 0 || functions.is_null() {
            return Err(unusable("it has no list of functions"));
        }
        &*functions
    };
    // SAFETY: the structure may be written; no arguments are needed by one thread.
    let info = unsafe {
        let result = (functions.initialize)(null());
        if result != 0 {
            return Err(unusable(&format!("C_Initialize gives 0x{result:x}")));
        }
        let mut info = std::mem::zeroed::<Info>();
        (functions.get_info)(&mut info);
        info
    };
    let slot = slot(functions, is_soft).map_err(|why| unusable(&why))?;
    let module = Module { functions, slot };
    login(module).map_err(|why| unusable(&why))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_matches(['\0', ' ']).to_owned();
    let [major, minor] = info.library_version;
    let name = text(&info.manufacturer).split_whitespace().next().unwrap_or("module").to_lowercase();
    let facts = Facts {
        version: Some(format!("{}, {} {major}.{minor}", text(&info.manufacturer), text(&info.description))),
        ..Facts::named(&format!("pkcs11-{name}-{major}.{minor}"))
    };
    Ok(InProcess::new(describe(facts, file), move |case| set_up(&module, case)))
}

fn set_up(module: &Module, case: &Case) -> Result<Setup, Skip> {
    let missing = || not_offered(case);
    let failed = |error: Number| Skip::Failed(format!("C_OpenSession gives 0x{error:x}"));
    let module = *module;
    let session = || Session::new(module).map_err(failed);
    match Algorithm::of(case)?.kind {
        Kind::Hash { .. } => {
            let (mechanism, session) = (digest(&case.algorithm).ok_or_else(missing)?, session()?);
            usage::digest(case, Digest { session, mechanism })
        }
        Kind::Hmac { hash, .. } => {
            let (mechanism, session) = (digest(hash).ok_or_else(missing)? + 1, session()?);
            usage::mac(case, Mac { session, mechanism, kind: GENERIC, key: 0 })
        }
        Kind::Cmac { .. } => usage::mac(case, Mac { session: session()?, mechanism: 0x108a, kind: AES, key: 0 }),
        Kind::Cipher { .. } => {
            let mechanism = match case.algorithm.rsplit('-').next() {
                Some("ecb") => 0x1081,
                Some("cbc") => 0x1082,
                Some("ctr") => 0x1086,
                _ => return Err(missing()),
            };
            let decrypts = case.operation == Operation::Decrypt;
            usage::cipher(case, || {
                let session = Session::new(module).ok()?;
                Some(Cipher { session, mechanism, decrypts, key: 0, output: Vec::new() })
            })
        }
        Kind::Aead { .. } => usage::aead(case, Gcm { session: session()?, key: 0 }),
        Kind::PublicKey { encrypts: true, .. } => {
            let session = session()?;
            usage::signature(case, |der| KeyPair::new(session, der))
        }
        Kind::PublicKey { .. } => Err(missing()),
    }
}

fn digest(name: &str) -> Option<Number> {
    Some(match name {
        "md5" => 0x210,
        "sha1" => 0x220,
        "sha256" => 0x250,
        "sha224" => 0x255,
        "sha384" => 0x260,
        "sha512" => 0x270,
        _ => return None,
    })
}

/// A session, which takes one operation at a time.
struct Session {
    functions: &'static Functions,
    number: Number,
}

// SAFETY: the table is a constant, and a session may be used from any thread, one at a time.
unsafe impl Send for Session {}

impl Session {
    fn new(module: Module) -> Result<Session, Number> {
        Ok(Session { functions: module.functions, number: open(module.functions, module.slot)? })
    }

    /// Makes a secret key in the place of another one.
    fn replace(&self, key: &mut Number, kind: Number, uses: &[Number], value: &[u8]) -> bool {
        if *key != 0 {
            // SAFETY: the session is open. An object that is not there is an error and nothing else.
            unsafe { (self.functions.destroy_object)(self.number, *key) };
        }
        let made = self.object(SECRET_KEY, kind, uses, &[(VALUE, value)]);
        *key = made.unwrap_or_default();
        made.is_some()
    }

    /// Makes an object of the session that anybody may use.
    fn object(&self, class: Number, kind: Number, uses: &[Number], values: &[(Number, &[u8])]) -> Option<Number> {
        const YES: u8 = 1;
        const NO: u8 = 0;
        let number = |number, value: &Number| attribute(number, (&raw const *value).cast(), size_of::<Number>());
        let flag = |number, value: &'static u8| attribute(number, (&raw const *value).cast(), 1);
        let mut attributes = vec![number(CLASS, &class), number(KEY_TYPE, &kind), flag(TOKEN, &NO), flag(PRIVATE, &NO)];
        attributes.extend(uses.iter().map(|one| flag(*one, &YES)));
        attributes.extend(values.iter().map(|(one, value)| attribute(*one, value.as_ptr().cast(), value.len())));
        let mut object = 0;
        // SAFETY: the attributes are as many as told, and all values are alive.
        let result = unsafe {
            let count = attributes.len() as Number;
            (self.functions.create_object)(self.number, attributes.as_ptr(), count, &mut object)
        };
        (result == 0).then_some(object)
    }

    fn begin(&self, begin: Begin, mechanism: Number, parameter: Option<(*const c_void, usize)>, key: Number) -> bool {
        let (parameter, length) = parameter.unwrap_or((null(), 0));
        let mechanism = Mechanism { number: mechanism, parameter, length: length as Number };
        // SAFETY: the session is open; the parameter is as long as told and alive.
        unsafe { begin(self.number, &mechanism, key) == 0 }
    }

    fn work(&self, work: Work, input: (*const u8, usize), output: (*mut u8, usize)) -> Option<usize> {
        let mut length = output.1 as Number;
        // SAFETY: both are as long as told.
        let result = unsafe { work(self.number, input.0, input.1 as Number, output.0, &mut length) };
        (result == 0).then_some(length as usize)
    }
}

fn attribute(number: Number, value: *const c_void, length: usize) -> Attribute {
    Attribute { number, value, length: length as Number }
}

impl Drop for Session {
    fn drop(&mut self) {
        close(self.functions, self.number);
    }
}

struct Digest {
    session: Session,
    mechanism: Number,
}

impl Tagger for Digest {
    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let Session { functions, number } = self.session;
        let mechanism = Mechanism { number: self.mechanism, parameter: null(), length: 0 };
        // SAFETY: the session is open.
        let begun = unsafe { (functions.digest_init)(number, &mechanism) == 0 };
        begun
            && self
                .session
                .work(functions.digest, (message.as_ptr(), message.len()), (output.as_mut_ptr(), LONGEST))
                .is_some()
    }
}

struct Mac {
    session: Session,
    mechanism: Number,
    kind: Number,
    key: Number,
}

impl Tagger for Mac {
    fn set_key(&mut self, key: &[u8]) -> bool {
        self.session.replace(&mut self.key, self.kind, &[SIGN], key)
    }

    fn tag(&mut self, message: &[u8], output: &mut [u8; LONGEST]) -> bool {
        let functions = self.session.functions;
        self.session.begin(functions.sign_init, self.mechanism, None, self.key)
            && self
                .session
                .work(functions.sign, (message.as_ptr(), message.len()), (output.as_mut_ptr(), LONGEST))
                .is_some()
    }
}

struct Cipher {
    session: Session,
    mechanism: Number,
    decrypts: bool,
    key: Number,
    output: Vec<u8>,
}

impl Stream for Cipher {
    fn begin(&mut self, key: &[u8], iv: &[u8]) -> bool {
        if !self.session.replace(&mut self.key, AES, &[ENCRYPT, DECRYPT], key) {
            return false;
        }
        let functions = self.session.functions;
        let begin = if self.decrypts { functions.decrypt_init } else { functions.encrypt_init };
        let mut counter = CounterParameters { bits: 128, block: [0; 16] };
        let parameter = match self.mechanism {
            0x1086 => {
                counter.block.copy_from_slice(iv);
                Some(((&raw const counter).cast(), size_of::<CounterParameters>()))
            }
            0x1082 => Some((iv.as_ptr().cast(), iv.len())),
            _ => None,
        };
        self.session.begin(begin, self.mechanism, parameter, self.key)
    }

    fn update(&mut self, data: &mut [u8]) -> bool {
        let functions = self.session.functions;
        let update = if self.decrypts { functions.decrypt_update } else { functions.encrypt_update };
        let pointer = data.as_mut_ptr();
        self.session.work(update, (pointer, data.len()), (pointer, data.len())) == Some(data.len())
    }

    fn finish(&mut self) -> bool {
        let functions = self.session.functions;
        let finish = if self.decrypts { functions.decrypt_final } else { functions.encrypt_final };
        self.output.resize(64, 0);
        let mut length = self.output.len() as Number;
        // SAFETY: the output is as long as told.
        unsafe { finish(self.session.number, self.output.as_mut_ptr(), &mut length) == 0 }
    }
}

struct Gcm {
    session: Session,
    key: Number,
}

impl Gcm {
    fn begin(&self, begin: Begin, nonce: &[u8]) -> bool {
        let parameters = GcmParameters {
            iv: nonce.as_ptr(),
            iv_bytes: nonce.len() as Number,
            iv_bits: nonce.len() as Number * 8,
            data: null_mut(),
            data_bytes: 0,
            tag_bits: TAG as Number * 8,
        };
        let parameter = Some(((&raw const parameters).cast(), size_of::<GcmParameters>()));
        self.session.begin(begin, 0x1087, parameter, self.key)
    }
}

impl Sealer for Gcm {
    fn set_key(&mut self, key: &[u8]) -> bool {
        self.session.replace(&mut self.key, AES, &[ENCRYPT, DECRYPT], key)
    }

    fn seal(&mut self, nonce: &[u8], data: &mut [u8]) -> bool {
        let functions = self.session.functions;
        let (pointer, length) = (data.as_mut_ptr(), data.len());
        self.begin(functions.encrypt_init, nonce)
            && self.session.work(functions.encrypt, (pointer, length - TAG), (pointer, length)) == Some(length)
    }

    fn open(&mut self, nonce: &[u8], data: &[u8], output: &mut [u8]) -> bool {
        let functions = self.session.functions;
        let to = (output.as_mut_ptr(), output.len());
        self.begin(functions.decrypt_init, nonce)
            && self.session.work(functions.decrypt, (data.as_ptr(), data.len()), to) == Some(output.len())
    }
}

struct KeyPair {
    session: Session,
    private: Number,
    public: Number,
}

impl KeyPair {
    fn new(session: Session, der: &[u8]) -> Option<KeyPair> {
        let key = RsaPrivateKeyRef::from_der(der).ok()?;
        let public = [(0x120, key.modulus.as_bytes()), (0x122, key.public_exponent.as_bytes())];
        let secret = [key.private_exponent, key.prime1, key.prime2, key.exponent1, key.exponent2, key.coefficient];
        let mut all = public.to_vec();
        all.extend((0x123..).zip(secret.iter().map(|value| value.as_bytes())));
        let private = session.object(PRIVATE_KEY, RSA, &[SIGN], &all)?;
        let public = session.object(PUBLIC_KEY, RSA, &[VERIFY], &public)?;
        Some(KeyPair { session, private, public })
    }
}

impl Signer for KeyPair {
    fn sign(&mut self, digest: &[u8; 32], signature: &mut [u8]) -> Option<usize> {
        let (functions, message) = (self.session.functions, usage::digest_info(digest));
        if !self.session.begin(functions.sign_init, RSA_PKCS, None, self.private) {
            return None;
        }
        let to = (signature.as_mut_ptr(), signature.len());
        self.session.work(functions.sign, (message.as_ptr(), message.len()), to)
    }

    fn verify(&mut self, digest: &[u8; 32], signature: &[u8]) -> bool {
        let (Session { functions, number }, message) = (&self.session, usage::digest_info(digest));
        let (length, end) = (message.len() as Number, signature.len() as Number);
        // SAFETY: the session is open; both are as long as told.
        self.session.begin(functions.verify_init, RSA_PKCS, None, self.public)
            && unsafe { (functions.verify)(*number, message.as_ptr(), length, signature.as_ptr(), end) == 0 }
    }
}
