//! Our library's public-key operations. An answer is what everybody's must be: a deterministic signature, the secret that
//! was encrypted, or just that a signature holds.

use std::hint::black_box;
use std::sync::Arc;

use speedwell::dsa::{self, DsaError, Nonce};
use speedwell::rsa::{Hash, Padding, PrivateKey, Scheme, Sizes, sign_many};

use super::{Setup, Skip};
use crate::case::{Answer, Case, Operation};
use crate::keys::{DIGEST, key};

const SCHEME: Scheme = Scheme::Pkcs1v15(Hash::Sha256);

/// Sets up an operation of RSA with PKCS #1 v1.5.
pub(super) fn rsa(case: &Case, bits: usize) -> Result<Setup, Skip> {
    let failed = |error: speedwell::rsa::RsaError| Skip::Failed(error.to_string());
    let der = key(&case.algorithm).ok_or_else(|| Skip::NotOffered(case.algorithm.clone()))?;
    let key = Arc::new(PrivateKey::read(der, Sizes::Legacy).map_err(failed)?);
    let kernel = Some(key.kernel_of(case.operation == Operation::Sign && case.messages > 1));
    // PKCS #1 v1.5 with SHA-256 needs 62 bytes, and 512 bits are 64.
    let signature = key.sign_digest(SCHEME, &DIGEST).map_err(failed)?;
    let sealed = key.public_key().encrypt(Padding::Pkcs1v15, &DIGEST).map_err(failed)?;
    let yes = Answer::new(&[1]);
    let (answer, call): (Answer, Box<dyn FnMut() -> bool + Send>) = match case.operation {
        Operation::Sign if case.messages > 1 => {
            let digests = vec![&DIGEST[..]; case.messages];
            let call = Box::new(move || sign_many(&key, SCHEME, black_box(&digests)).is_ok());
            (Answer::new(&signature), call)
        }
        Operation::Sign => {
            let call = Box::new(move || key.sign_digest(SCHEME, black_box(&DIGEST)).is_ok());
            (Answer::new(&signature), call)
        }
        Operation::Verify => {
            let public = key.public_key().clone();
            (yes, Box::new(move || public.verify_digest(SCHEME, black_box(&DIGEST), &signature).is_ok()))
        }
        Operation::Encrypt => {
            let public = key.public_key().clone();
            (yes, Box::new(move || public.encrypt(Padding::Pkcs1v15, black_box(&DIGEST)).is_ok()))
        }
        Operation::Decrypt => {
            let message = key.decrypt(Padding::Pkcs1v15, &sealed).map_err(failed)?;
            (Answer::new(&message), Box::new(move || key.decrypt(Padding::Pkcs1v15, black_box(&sealed)).is_ok()))
        }
        Operation::Generate => {
            let call = Box::new(move || PrivateKey::generate_with_sizes(black_box(bits), Sizes::Legacy).is_ok());
            (yes, call)
        }
        Operation::Hash | Operation::Mac => return Err(Skip::NotApplicable),
    };
    finish(case, answer, kernel, call)
}

/// Sets up an operation of DSA with SHA-256 and hedged nonces.
pub(super) fn dsa(case: &Case) -> Result<Setup, Skip> {
    let failed = |error: DsaError| Skip::Failed(error.to_string());
    let der = key(&case.algorithm).ok_or_else(|| Skip::NotOffered(case.algorithm.clone()))?;
    let key = dsa::PrivateKey::read(der, dsa::Sizes::Legacy).map_err(failed)?;
    let kernel = Some(key.kernel());
    let sign = |key: &dsa::PrivateKey| key.sign_digest(Hash::Sha256, Nonce::Hedged, black_box(&DIGEST));
    let messages = case.messages;
    let call: Box<dyn FnMut() -> bool + Send> = match case.operation {
        Operation::Sign => Box::new(move || (0..messages).all(|_| sign(&key).is_ok())),
        Operation::Verify => {
            let signature = sign(&key).map_err(failed)?;
            Box::new(move || key.public_key().verify_digest(black_box(&DIGEST), &signature).is_ok())
        }
        _ => return Err(Skip::NotOffered(format!("{} of {}", case.operation, case.algorithm))),
    };
    finish(case, Answer::new(&[1]), kernel, call)
}

fn finish(
    case: &Case,
    answer: Answer,
    kernel: Option<&'static str>,
    mut call: Box<dyn FnMut() -> bool + Send>,
) -> Result<Setup, Skip> {
    if !call() {
        return Err(Skip::Failed(format!("{} fails", case.operation)));
    }
    let run = move |calls: u64| (0..calls).for_each(|_| assert!(call(), "it fails at what it did before"));
    Ok(Setup { answer, kernel: kernel.map(str::to_owned), run: Box::new(run) })
}
