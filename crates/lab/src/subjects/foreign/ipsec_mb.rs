//! Intel's Multi-Buffer Crypto for IPsec, versions 1 and 2: jobs are submitted, gathered in lanes, and flushed at the end
//! of every call. GCM goes through the functions for one message, as in packet processing.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::null;

use super::usage::{self, Context, Sealer, TAG, not_offered};
use super::{LoadError, Loaded, describe, functions};
use crate::algorithm::{Algorithm, Kind};
use crate::case::{Answer, Buffer, Case, Operation};
use crate::ring::Ring;
use crate::subjects::{Facts, InProcess, Setup, Skip};

functions! {
    /// What intel-ipsec-mb.h exports by name; the rest is reached through the manager.
    Api {
        imb_get_version_str: fn() -> *const c_char;
        imb_get_version: fn() -> u32;
        alloc_mb_mgr: fn(u64) -> *mut Manager;
        free_mb_mgr: fn(*mut Manager);
        init_mb_mgr_auto: fn(*mut Manager, *mut c_int);
    }
}

type Submit = unsafe extern "C" fn(*mut Manager) -> *mut Job;
type Expand = unsafe extern "C" fn(*const u8, *mut c_void, *mut c_void);
type OneBlock = unsafe extern "C" fn(*const u8, *mut c_void);
type GcmCrypt =
    unsafe extern "C" fn(*const c_void, *mut c_void, *mut u8, *const u8, u64, *const u8, *const u8, u64, *mut u8, u64);

/// The beginning of `IMB_MGR`.
#[repr(C)]
pub(super) struct Manager {
    flags: u64,
    features: u64,
    reserved: [u64; 5],
    architecture: u32,
    error: c_int,
    get_next_job: Submit,
    submit_job: Submit,
    submit_job_unchecked: Submit,
    get_completed_job: Submit,
    flush_job: Submit,
    queue_size: *const c_void,
    /// For keys of 128, 192 and 256 bits.
    expand: [Expand; 3],
    cmac_subkeys: Expand,
    others: [*const c_void; 2],
    /// SHA-1, SHA-224, SHA-256, SHA-384, SHA-512 and MD5.
    one_block: [OneBlock; 6],
    hashes: [*const c_void; 6],
    gcm_encrypt: [GcmCrypt; 3],
    gcm_decrypt: [GcmCrypt; 3],
    gcm_parts: [*const c_void; 18],
    gcm_expand: [unsafe extern "C" fn(*const u8, *mut c_void); 3],
}

/// The beginning of `IMB_JOB`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Job {
    encryption_keys: *const c_void,
    decryption_keys: *const c_void,
    key_bytes: u64,
    source: *const u8,
    destination: *mut u8,
    cipher_start: u64,
    cipher_bytes: u64,
    hash_start: u64,
    hash_bytes: u64,
    iv: *const u8,
    iv_bytes: u64,
    tag: *mut u8,
    tag_bytes: u64,
    /// What the hash needs: of HMAC the states behind the two pads, of CMAC the key and its two subkeys.
    hash_fields: [*const c_void; 3],
    status: c_int,
    cipher: c_int,
    direction: c_int,
    hash: c_int,
    order: c_int,
}

/// Numbers of the header.
const CIPHER_NONE: c_int = 3;
const HASH_NONE: c_int = 8;
const HASH_CMAC: c_int = 12;
const COMPLETED: c_int = 3;
const CIPHER_FIRST: c_int = 1;
const HASH_FIRST: c_int = 2;

impl Job {
    const NONE: Job = Job {
        encryption_keys: null(),
        decryption_keys: null(),
        key_bytes: 0,
        source: null(),
        destination: std::ptr::null_mut(),
        cipher_start: 0,
        cipher_bytes: 0,
        hash_start: 0,
        hash_bytes: 0,
        iv: null(),
        iv_bytes: 0,
        tag: std::ptr::null_mut(),
        tag_bytes: 0,
        hash_fields: [null(); 3],
        status: 0,
        cipher: CIPHER_NONE,
        direction: 1,
        hash: HASH_NONE,
        order: HASH_FIRST,
    };
}

/// The library of that path, or the system's, as a subject of this process.
pub(in crate::subjects) fn subject(path: Option<&Path>) -> Result<InProcess, LoadError> {
    let library = Loaded::open("IPsec-MB", path, &["libIPSec_MB.so.2", "libIPSec_MB.so.1"])?;
    let api = Api::find(&library)?;
    // SAFETY: the string is static.
    let version = unsafe { CStr::from_ptr((api.imb_get_version_str)()) }.to_string_lossy().into_owned();
    // SAFETY: no preconditions.
    let number = unsafe { (api.imb_get_version)() };
    if !(0x1_0200..0x3_0000).contains(&number) {
        let why = "only the interface of 1.2 to 2.x is known here".to_owned();
        return Err(LoadError::Unusable { library: format!("IPsec-MB {version}"), why });
    }
    let facts = Facts { version: Some(format!("IPsec-MB {version}")), ..Facts::named(&format!("ipsec-mb-{version}")) };
    let file = library.file_of("imb_get_version");
    Ok(InProcess::new(describe(facts, file), move |case| set_up(api, case)))
}

fn set_up(api: Api, case: &Case) -> Result<Setup, Skip> {
    let missing = || not_offered(case);
    // SAFETY: no preconditions; the manager is initialised if there is one.
    let manager = unsafe {
        let manager = (api.alloc_mb_mgr)(0);
        if manager.is_null() {
            return Err(Skip::Failed("the library makes no manager".to_owned()));
        }
        (api.init_mb_mgr_auto)(manager, std::ptr::null_mut());
        Owned { api, manager }
    };
    match Algorithm::of(case)?.kind {
        Kind::Hash { digest, .. } => {
            let hash = 12 + sha(&case.algorithm).ok_or_else(missing)?;
            jobs(case, manager, |_, _| Material::none(), Job { hash, tag_bytes: digest as u64, ..Job::NONE })
        }
        Kind::Hmac { hash, key, .. } if case.messages == 1 => {
            // MD5 stands behind the others in one list, and behind CMAC's brother in the other.
            let (number, one_block) = if hash == "md5" {
                (7, 5)
            } else {
                sha(hash).map(|sha| (sha, sha as usize - 1)).ok_or_else(missing)?
            };
            let block = if ["sha384", "sha512"].contains(&hash) { 128 } else { 64 };
            let material =
                move |manager: *mut Manager, case: &Case| Material::hmac(manager, &case.key(key), block, one_block);
            jobs(case, manager, material, Job { hash: number, tag_bytes: key as u64, ..Job::NONE })
        }
        Kind::Cmac { key: 16, .. } if case.messages == 1 => {
            let material = |manager: *mut Manager, case: &Case| Material::cmac(manager, &case.key(16));
            jobs(case, manager, material, Job { hash: HASH_CMAC, tag_bytes: 16, ..Job::NONE })
        }
        Kind::Cipher { key, iv, .. } => {
            let cipher = match case.algorithm.rsplit('-').next() {
                Some("cbc") => 1,
                Some("ctr") => 2,
                Some("ecb") => 12,
                _ => return Err(missing()),
            };
            let (direction, order) =
                if case.operation == Operation::Encrypt { (1, CIPHER_FIRST) } else { (2, HASH_FIRST) };
            let job = Job { cipher, direction, order, key_bytes: key as u64, iv_bytes: iv as u64, ..Job::NONE };
            ciphers(case, manager, job)
        }
        Kind::Aead { key, .. } => {
            usage::aead(case, Gcm { manager, keys: Context::of(8192), context: Context::of(256), size: key / 8 - 2 })
        }
        _ => Err(missing()),
    }
}

/// The place of a function of the SHA family in the library's lists, from 1.
fn sha(name: &str) -> Option<c_int> {
    ["sha1", "sha224", "sha256", "sha384", "sha512"]
        .iter()
        .position(|known| *known == name)
        .map(|place| place as c_int + 1)
}

/// A manager that is freed when it is dropped.
struct Owned {
    api: Api,
    manager: *mut Manager,
}

// SAFETY: the manager belongs to this object alone, and may be used from any thread, one at a time; here and below.
unsafe impl Send for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: made once, freed once.
        unsafe { (self.api.free_mb_mgr)(self.manager) }
    }
}

impl Owned {
    /// Does all jobs and says whether all succeeded.
    fn run(&mut self, jobs: &[Job], submit: Submit) -> bool {
        let (manager, mut done) = (self.manager, 0);
        // SAFETY: the manager is initialised; a job's place may be written until it is submitted; what the jobs point to
        // outlives them, since the last of them is done before this returns.
        unsafe {
            let mut count = |job: *mut Job| {
                if !job.is_null() {
                    done += usize::from((*job).status == COMPLETED);
                }
                !job.is_null()
            };
            for job in jobs {
                ((*manager).get_next_job)(manager).write(*job);
                if count(submit(manager)) {
                    while count(((*manager).get_completed_job)(manager)) {}
                }
            }
            while count(((*manager).flush_job)(manager)) {}
        }
        done == jobs.len()
    }

    fn checked(&self) -> Submit {
        // SAFETY: the manager is initialised, here and below.
        unsafe { (*self.manager).submit_job }
    }

    fn unchecked(&self) -> Submit {
        // SAFETY: as above.
        unsafe { (*self.manager).submit_job_unchecked }
    }
}

/// What is made of a key.
struct Material([Context; 3]);

impl Material {
    fn none() -> Material {
        Material([(); 3].map(|()| Context::of(0)))
    }

    fn hmac(manager: *mut Manager, key: &[u8], block: usize, one_block: usize) -> Material {
        let mut material = Material([Context::of(64), Context::of(64), Context::of(0)]);
        for (state, pad) in material.0.iter_mut().zip([0x36, 0x5c]) {
            let mut padded = vec![pad; block];
            padded.iter_mut().zip(key).for_each(|(place, byte)| *place ^= byte);
            // SAFETY: the manager is initialised; the block is one of this hash, and the state has room.
            unsafe { ((*manager).one_block[one_block])(padded.as_ptr(), state.pointer()) };
        }
        material
    }

    fn cmac(manager: *mut Manager, key: &[u8]) -> Material {
        let mut material = Material([Context::of(256), Context::of(64), Context::of(64)]);
        let mut unused = Context::of(256);
        let [keys, first, second] = material.0.each_mut().map(Context::pointer);
        // SAFETY: the manager is initialised; key schedules and subkeys have room.
        unsafe {
            ((*manager).expand[0])(key.as_ptr(), keys, unused.pointer());
            ((*manager).cmac_subkeys)(keys.cast(), first, second);
        }
        material
    }
}

/// Sets up digests and MACs: a job a message.
fn jobs(
    case: &Case,
    mut manager: Owned,
    material: impl Fn(*mut Manager, &Case) -> Material + Send + 'static,
    template: Job,
) -> Result<Setup, Skip> {
    let messages: Vec<Buffer> = (0..case.messages).map(|number| case.input_of(number)).collect();
    let mut outputs = vec![0; case.messages * template.tag_bytes as usize];
    let mut made = material(manager.manager, case);
    let case = case.clone();
    let mut call = move |checked: bool, outputs: &mut [u8]| {
        if case.whole {
            made = material(manager.manager, &case);
        }
        let tags = outputs.chunks_exact_mut(template.tag_bytes as usize);
        let jobs: Vec<Job> = messages
            .iter()
            .zip(tags)
            .map(|(message, tag)| Job {
                source: message.as_ptr(),
                hash_bytes: message.len() as u64,
                tag: tag.as_mut_ptr(),
                hash_fields: made.0.each_mut().map(|part| part.pointer().cast_const()),
                ..template
            })
            .collect();
        let submit = if checked { manager.checked() } else { manager.unchecked() };
        manager.run(&jobs, submit)
    };
    if !call(true, &mut outputs) {
        return Err(Skip::Failed("the library refuses the job".to_owned()));
    }
    let answer = Answer::new(&outputs);
    let run = move |calls| assert!((0..calls).all(|_| call(false, &mut outputs)), "a job fails that was done before");
    Ok(Setup { answer, kernel: None, run: Box::new(Sent(run).into_run()) })
}

/// A message of a cipher, its keys and its chaining value.
struct Stream {
    key: Buffer,
    start: Buffer,
    iv: Buffer,
    encryption: Context,
    decryption: Context,
    messages: Ring,
}

impl Stream {
    fn expand(&mut self, manager: *mut Manager) {
        let (to, from) = (self.encryption.pointer(), self.decryption.pointer());
        // SAFETY: the manager is initialised; the key has the function's length, and the schedules have room.
        unsafe { ((*manager).expand[self.key.len() / 8 - 2])(self.key.as_ptr(), to, from) };
        self.iv.copy_from_slice(&self.start);
    }

    /// Goes on behind a message: the library leaves that to whoever calls it.
    fn advance(&mut self, job: &Job, input_end: [u8; 16]) {
        match (job.cipher, job.direction) {
            (1, 1) => {
                // SAFETY: the job's message is alive, and a block long at least.
                let end =
                    unsafe { job.destination.add(job.cipher_bytes as usize - 16).cast::<[u8; 16]>().read_unaligned() };
                self.iv.copy_from_slice(&end);
            }
            (1, _) => self.iv.copy_from_slice(&input_end),
            (2, _) => {
                let counter: [u8; 16] = self.iv[..].try_into().expect("a counter block");
                let next = u128::from_be_bytes(counter).wrapping_add(u128::from(job.cipher_bytes.div_ceil(16)));
                self.iv.copy_from_slice(&next.to_be_bytes());
            }
            _ => (),
        }
    }
}

fn ciphers(case: &Case, mut manager: Owned, template: Job) -> Result<Setup, Skip> {
    if case.bytes == 0 {
        return Err(Skip::NotOffered("empty messages".to_owned()));
    }
    let mut streams: Vec<Stream> = (0..case.messages)
        .map(|number| {
            let input = case.input_of(number);
            Stream {
                key: case.key_of(number, template.key_bytes as usize),
                start: case.iv_of(number, template.iv_bytes as usize),
                iv: case.iv_of(number, template.iv_bytes as usize),
                encryption: Context::of(256),
                decryption: Context::of(256),
                messages: if case.messages == 1 { Ring::new(&input, 1) } else { Ring::alone(input) },
            }
        })
        .collect();
    streams.iter_mut().for_each(|stream| stream.expand(manager.manager));
    let whole = case.whole;
    let mut jobs = Vec::new();
    let mut call = move |checked: bool, streams: &mut Vec<Stream>| {
        jobs.clear();
        let mut ends = Vec::new();
        for stream in streams.iter_mut() {
            if whole {
                stream.expand(manager.manager);
            }
            let data = stream.messages.take();
            ends.push(data.last_chunk().copied().unwrap_or_default());
            // Counter mode has one schedule for both directions.
            let encryption = stream.encryption.pointer().cast_const();
            let decryption = if template.cipher == 2 { encryption } else { stream.decryption.pointer().cast_const() };
            jobs.push(Job {
                encryption_keys: encryption,
                decryption_keys: decryption,
                source: data.as_ptr(),
                destination: data.as_mut_ptr(),
                cipher_bytes: data.len() as u64,
                iv: stream.iv.as_ptr(),
                ..template
            });
        }
        let submit = if checked { manager.checked() } else { manager.unchecked() };
        let done = manager.run(&jobs, submit);
        for ((stream, job), end) in streams.iter_mut().zip(&jobs).zip(ends) {
            stream.advance(job, end);
        }
        done
    };
    if !call(true, &mut streams) {
        return Err(Skip::Failed("the library refuses the job".to_owned()));
    }
    let answer = Answer::new(&streams.iter().map(|stream| stream.messages.first()).collect::<Vec<_>>().concat());
    let run = move |calls| assert!((0..calls).all(|_| call(false, &mut streams)), "a job fails that was done before");
    Ok(Setup { answer, kernel: None, run: Box::new(Sent(run).into_run()) })
}

/// A closure over jobs, whose pointers are to what the closure owns itself.
struct Sent<F>(F);

// SAFETY: the pointers in the jobs lead to buffers that move along with the closure.
unsafe impl<F> Send for Sent<F> {}

impl<F: FnMut(u64) + 'static> Sent<F> {
    fn into_run(mut self) -> impl FnMut(u64) + Send {
        move |calls| self.call(calls)
    }

    fn call(&mut self, calls: u64) {
        (self.0)(calls);
    }
}

/// GCM with one of three sizes of key.
struct Gcm {
    manager: Owned,
    keys: Context,
    context: Context,
    size: usize,
}

impl Gcm {
    fn crypt(&mut self, crypt: GcmCrypt, nonce: &[u8], to: *mut u8, from: *const u8, length: usize, tag: &mut [u8]) {
        let (keys, context, tag_bytes) = (self.keys.pointer(), self.context.pointer(), tag.len() as u64);
        // SAFETY: the key is set; lengths are as told; in place is allowed; there is no associated data.
        unsafe {
            crypt(keys, context, to, from, length as u64, nonce.as_ptr(), null(), 0, tag.as_mut_ptr(), tag_bytes);
        }
    }
}

impl Sealer for Gcm {
    fn set_key(&mut self, key: &[u8]) -> bool {
        // SAFETY: the manager is initialised; the key has this size, and what is made of it has room.
        unsafe { ((*self.manager.manager).gcm_expand[self.size])(key.as_ptr(), self.keys.pointer()) };
        true
    }

    fn seal(&mut self, nonce: &[u8], data: &mut [u8]) -> bool {
        // SAFETY: the manager is initialised.
        let seal = unsafe { (*self.manager.manager).gcm_encrypt[self.size] };
        let (data, tag) = data.split_at_mut(data.len() - TAG);
        self.crypt(seal, nonce, data.as_mut_ptr(), data.as_ptr(), data.len(), tag);
        true
    }

    fn open(&mut self, nonce: &[u8], data: &[u8], output: &mut [u8]) -> bool {
        // SAFETY: the manager is initialised.
        let open = unsafe { (*self.manager.manager).gcm_decrypt[self.size] };
        let (data, tag) = data.split_at(data.len() - TAG);
        let mut made = [0; TAG];
        self.crypt(open, nonce, output.as_mut_ptr(), data.as_ptr(), data.len(), &mut made);
        // The library leaves this to whoever calls it.
        made.iter().zip(tag).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
    }
}
