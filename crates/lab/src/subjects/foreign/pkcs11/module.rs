//! What of PKCS #11's headers is used here, and how a module, its token and its sessions are opened.

use std::ffi::{c_ulong, c_void};
use std::ptr::null;

pub(super) type Number = c_ulong;
pub(super) type Begin = unsafe extern "C" fn(Number, *const Mechanism, Number) -> Number;
pub(super) type Work = unsafe extern "C" fn(Number, *const u8, Number, *mut u8, *mut Number) -> Number;

/// The beginning of `CK_FUNCTION_LIST`, up to the functions used here.
#[repr(C)]
pub(super) struct Functions {
    pub version: [u8; 2],
    pub initialize: unsafe extern "C" fn(*const c_void) -> Number,
    pub finalize: *const c_void,
    pub get_info: unsafe extern "C" fn(*mut Info) -> Number,
    pub get_function_list: *const c_void,
    pub get_slot_list: unsafe extern "C" fn(u8, *mut Number, *mut Number) -> Number,
    pub about_slots: [*const c_void; 4],
    pub init_token: unsafe extern "C" fn(Number, *const u8, Number, *const u8) -> Number,
    pub pins: [*const c_void; 2],
    pub open_session: unsafe extern "C" fn(Number, Number, *const c_void, *const c_void, *mut Number) -> Number,
    pub close_session: unsafe extern "C" fn(Number) -> Number,
    pub about_sessions: [*const c_void; 4],
    pub login: unsafe extern "C" fn(Number, Number, *const u8, Number) -> Number,
    pub logout: *const c_void,
    pub create_object: unsafe extern "C" fn(Number, *const Attribute, Number, *mut Number) -> Number,
    pub copy_object: *const c_void,
    pub destroy_object: unsafe extern "C" fn(Number, Number) -> Number,
    pub about_objects: [*const c_void; 6],
    pub encrypt_init: Begin,
    pub encrypt: Work,
    pub encrypt_update: Work,
    pub encrypt_final: unsafe extern "C" fn(Number, *mut u8, *mut Number) -> Number,
    pub decrypt_init: Begin,
    pub decrypt: Work,
    pub decrypt_update: Work,
    pub decrypt_final: unsafe extern "C" fn(Number, *mut u8, *mut Number) -> Number,
    pub digest_init: unsafe extern "C" fn(Number, *const Mechanism) -> Number,
    pub digest: Work,
    pub digest_parts: [*const c_void; 3],
    pub sign_init: Begin,
    pub sign: Work,
    pub about_signing: [*const c_void; 4],
    pub verify_init: Begin,
    pub verify: unsafe extern "C" fn(Number, *const u8, Number, *const u8, Number) -> Number,
}

#[repr(C)]
pub(super) struct Info {
    pub version: [u8; 2],
    pub manufacturer: [u8; 32],
    pub flags: Number,
    pub description: [u8; 32],
    pub library_version: [u8; 2],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Mechanism {
    pub number: Number,
    pub parameter: *const c_void,
    pub length: Number,
}

#[repr(C)]
pub(super) struct Attribute {
    pub number: Number,
    pub value: *const c_void,
    pub length: Number,
}

#[repr(C)]
pub(super) struct CounterParameters {
    pub bits: Number,
    pub block: [u8; 16],
}

#[repr(C)]
pub(super) struct GcmParameters {
    pub iv: *const u8,
    pub iv_bytes: Number,
    pub iv_bits: Number,
    pub data: *const u8,
    pub data_bytes: Number,
    pub tag_bits: Number,
}

/// Numbers of pkcs11t.h: kinds of objects, of keys, and attributes.
pub(super) const PUBLIC_KEY: Number = 2;
pub(super) const PRIVATE_KEY: Number = 3;
pub(super) const SECRET_KEY: Number = 4;
pub(super) const RSA: Number = 0;
pub(super) const GENERIC: Number = 0x10;
pub(super) const AES: Number = 0x1f;
pub(super) const CLASS: Number = 0;
pub(super) const TOKEN: Number = 1;
pub(super) const PRIVATE: Number = 2;
pub(super) const VALUE: Number = 0x11;
pub(super) const KEY_TYPE: Number = 0x100;
pub(super) const ENCRYPT: Number = 0x104;
pub(super) const DECRYPT: Number = 0x105;
pub(super) const SIGN: Number = 0x108;
pub(super) const VERIFY: Number = 0x10a;
pub(super) const RSA_PKCS: Number = 1;

#[derive(Clone, Copy)]
pub(super) struct Module {
    pub functions: &'static Functions,
    pub slot: Number,
}

// SAFETY: the table and what it points to are constants.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

/// Tells SoftHSM to keep its token in the user's cache.
pub(super) fn configure_softhsm() -> std::io::Result<()> {
    let folder = crate::builds::default_cache().join("softhsm2");
    std::fs::create_dir_all(folder.join("tokens"))?;
    let file = folder.join("softhsm2.conf");
    let tokens = folder.join("tokens");
    let text = format!("directories.tokendir = {}\nobjectstore.backend = file\nlog.level = ERROR\n", tokens.display());
    std::fs::write(&file, text)?;
    // SAFETY: nobody else reads the environment: this is done before the module is loaded, and workers have one thread.
    unsafe { std::env::set_var("SOFTHSM2_CONF", file) };
    Ok(())
}

/// The first slot with a token that can be used. SoftHSM's is made if there is none.
pub(super) fn slot(functions: &Functions, is_soft: bool) -> Result<Number, String> {
    let slots = || {
        let (mut slots, mut count) = ([0; 64], 64);
        // SAFETY: there is room for as many slots as told.
        let result = unsafe { (functions.get_slot_list)(1, slots.as_mut_ptr(), &mut count) };
        if result == 0 { slots[..count as usize].to_vec() } else { Vec::new() }
    };
    let usable = |slot: &Number| open(functions, *slot).is_ok_and(|session| close(functions, session));
    if let Some(slot) = slots().into_iter().find(usable) {
        return Ok(slot);
    }
    let Some(free) = slots().first().copied().filter(|_| is_soft) else {
        return Err("it has no slot with a token that is initialised".to_owned());
    };
    let (pin, label) = (b"speedwell", b"speedwell                       ");
    // SAFETY: the PIN is as long as told, and the label 32 bytes.
    let result = unsafe { (functions.init_token)(free, pin.as_ptr(), pin.len() as Number, label.as_ptr()) };
    if result != 0 {
        return Err(format!("C_InitToken gives 0x{result:x}"));
    }
    slots().into_iter().find(usable).ok_or_else(|| "the token that was made cannot be used".to_owned())
}

/// Opens a session that may make objects.
pub(super) fn open(functions: &Functions, slot: Number) -> Result<Number, Number> {
    let mut session = 0;
    // SAFETY: the session may be written; nobody is to be called back.
    match unsafe { (functions.open_session)(slot, 6, null(), null(), &mut session) } {
        0 => Ok(session),
        error => Err(error),
    }
}

pub(super) fn close(functions: &Functions, session: Number) -> bool {
    // SAFETY: the session is open.
    unsafe { (functions.close_session)(session) == 0 }
}

/// Logs in if there is a PIN. A login holds for all sessions, as long as one is open: one stays open.
pub(super) fn login(module: Module) -> Result<(), String> {
    let Ok(pin) = std::env::var("SPEEDWELL_PKCS11_PIN") else { return Ok(()) };
    let session = open(module.functions, module.slot).map_err(|error| format!("C_OpenSession gives 0x{error:x}"))?;
    // SAFETY: the PIN is as long as told.
    match unsafe { (module.functions.login)(session, 1, pin.as_ptr(), pin.len() as Number) } {
        0 => Ok(()),
        error => Err(format!("C_Login gives 0x{error:x}: is SPEEDWELL_PKCS11_PIN the user's?")),
    }
}

