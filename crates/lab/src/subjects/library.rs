//! Our library, as an application uses it: through the public types of the `speedwell` crate.

use speedwell::cipher::{Aes, CbcDecryptor, CbcEncryptor, Ctr, InOutBuf, Rc4};
use speedwell::digest::{Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use speedwell::select::{Planned, Policy, plan};
use speedwell_kernels::simd::as_chunks;
use speedwell_kernels::{aes, md5, rc4, sha1, sha256, sha512};

use super::{Facts, InProcess, Setup, Skip};
use crate::algorithm::{Algorithm, Kind};
use crate::case::{Answer, Buffer, Case, Operation};

/// The subject named `speedwell`.
pub fn library_subject() -> InProcess {
    let facts = Facts {
        name: "speedwell".to_owned(),
        version: Some(format!("speedwell {}", env!("CARGO_PKG_VERSION"))),
        build: Some(build()),
    };
    InProcess::new(facts, set_up)
}

/// What is known of this build when it runs.
fn build() -> String {
    let level = if cfg!(debug_assertions) { "unoptimised" } else { "optimised" };
    format!("{level}, {}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

fn set_up(case: &Case) -> Result<Setup, Skip> {
    match case.algorithm.as_str() {
        "md5" => Ok(hash::<md5::Compress, _>(case, |message| Md5::digest(message))),
        "sha1" => Ok(hash::<sha1::Compress, _>(case, |message| Sha1::digest(message))),
        "sha224" => Ok(hash::<sha256::Compress, _>(case, |message| Sha224::digest(message))),
        "sha256" => Ok(hash::<sha256::Compress, _>(case, |message| Sha256::digest(message))),
        "sha384" => Ok(hash::<sha512::Compress, _>(case, |message| Sha384::digest(message))),
        "sha512" => Ok(hash::<sha512::Compress, _>(case, |message| Sha512::digest(message))),
        "sha512-224" => Ok(hash::<sha512::Compress, _>(case, |message| Sha512_224::digest(message))),
        "sha512-256" => Ok(hash::<sha512::Compress, _>(case, |message| Sha512_256::digest(message))),
        "rc4" => Ok(rc4(case)),
        "aes-128-ecb" => Ok(ecb::<16>(case)),
        "aes-192-ecb" => Ok(ecb::<24>(case)),
        "aes-256-ecb" => Ok(ecb::<32>(case)),
        "aes-128-cbc" => Ok(cbc::<16>(case)),
        "aes-192-cbc" => Ok(cbc::<24>(case)),
        "aes-256-cbc" => Ok(cbc::<32>(case)),
        "aes-128-ctr" => Ok(ctr::<16>(case)),
        "aes-192-ctr" => Ok(ctr::<24>(case)),
        "aes-256-ctr" => Ok(ctr::<32>(case)),
        _ => match Algorithm::of(case)?.kind {
            Kind::PublicKey { bits, encrypts: true } => super::public_key::rsa(case, bits),
            Kind::PublicKey { .. } => super::public_key::dsa(case),
            _ => Err(Skip::NotOffered(case.algorithm.clone())),
        },
    }
}

/// A digest, from the message to its output.
fn hash<P: Planned, D: AsRef<[u8]>>(case: &Case, digest: impl Fn(&[u8]) -> D + Send + 'static) -> Setup {
    let message = case.input();
    let answer = Answer::new(digest(&message).as_ref());
    let run = move |calls: u64| {
        for _ in 0..calls {
            std::hint::black_box(digest(std::hint::black_box(&message)));
        }
    };
    Setup { answer, kernel: kernel_of::<P>(Policy::Public, case), run: Box::new(run) }
}

fn rc4(case: &Case) -> Setup {
    let key = case.key(16);
    let new = move || Rc4::from_key(&key).expect("the case's key fits");
    let apply = |cipher: &mut Rc4, data: &mut [u8]| cipher.apply(data.into());
    cipher(case, kernel_of::<rc4::Xor>(Policy::Secret, case), new, apply)
}

fn ecb<const KEY: usize>(case: &Case) -> Setup {
    let key = key::<KEY>(case);
    let new = move || Aes::<KEY>::with_policy(&key, Policy::Secret).expect("'secret' has a kernel");
    match case.operation {
        Operation::Decrypt => {
            cipher(case, kernel_of::<aes::DecryptBlocks>(Policy::Secret, case), new, |cipher, data| {
                cipher.decrypt(blocks(data));
            })
        }
        _ => cipher(case, kernel_of::<aes::EncryptBlocks>(Policy::Secret, case), new, |cipher, data| {
            cipher.encrypt(blocks(data));
        }),
    }
}

fn cbc<const KEY: usize>(case: &Case) -> Setup {
    let (key, iv) = (key::<KEY>(case), iv(case));
    match case.operation {
        Operation::Decrypt => cipher(
            case,
            kernel_of::<aes::CbcDecrypt>(Policy::Secret, case),
            move || CbcDecryptor::<KEY>::new(&key, &iv),
            |cipher, data| cipher.decrypt_blocks(blocks(data)),
        ),
        _ => cipher(
            case,
            kernel_of::<aes::CbcEncrypt>(Policy::Secret, case),
            move || CbcEncryptor::<KEY>::new(&key, &iv),
            |cipher, data| cipher.encrypt_blocks(blocks(data)),
        ),
    }
}

fn ctr<const KEY: usize>(case: &Case) -> Setup {
    let (key, iv) = (key::<KEY>(case), iv(case));
    let new = move || Ctr::<KEY>::new(&key, &iv);
    let apply = |cipher: &mut Ctr<KEY>, data: &mut [u8]| cipher.apply(data.into());
    cipher(case, kernel_of::<aes::Ctr>(Policy::Secret, case), new, apply)
}

/// A cipher over the message in place: with a key that is ready, or from the key on if the case is whole.
fn cipher<C: Send + 'static>(
    case: &Case,
    kernel: Option<String>,
    new: impl Fn() -> C + Send + 'static,
    apply: impl Fn(&mut C, &mut [u8]) + Send + 'static,
) -> Setup {
    let mut data = case.input();
    let mut ready = new();
    apply(&mut ready, &mut data);
    let answer = Answer::new(&data);
    let run: Box<dyn FnMut(u64) + Send> = if case.whole {
        Box::new(move |calls| (0..calls).for_each(|_| apply(&mut new(), std::hint::black_box(&mut data))))
    } else {
        Box::new(move |calls| (0..calls).for_each(|_| apply(&mut ready, std::hint::black_box(&mut data))))
    };
    Setup { answer, kernel, run }
}

fn kernel_of<P: Planned>(policy: Policy, case: &Case) -> Option<String> {
    plan::<P>(policy).ok().map(|plan| plan.kernel(case.bytes).descriptor().name.to_owned())
}

fn key<const KEY: usize>(case: &Case) -> [u8; KEY] {
    array(&case.key(KEY))
}

fn iv(case: &Case) -> [u8; 16] {
    array(&case.iv(16))
}

fn array<const N: usize>(buffer: &Buffer) -> [u8; N] {
    buffer[..].try_into().expect("the buffer was made with this length")
}

/// The message as blocks. The lab only hands out whole numbers of them to modes that need it.
fn blocks(data: &mut [u8]) -> InOutBuf<'_, '_, aes::Block> {
    as_chunks(InOutBuf::from(data)).0
}
