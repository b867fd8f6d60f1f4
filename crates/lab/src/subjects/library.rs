//! Our library, as an application uses it: through the public types of the `speedwell` crate.

use speedwell::aead::AesGcm;
use speedwell::cipher::{Aes, CbcDecryptor, CbcEncryptor, Ctr, InOutBuf, Rc4};
use speedwell::digest::{BlockDigest, Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use speedwell::mac::{CmacKey, HmacKey};
use speedwell::select::{Planned, Policy, plan};
use speedwell_kernels::simd::as_chunks;
use speedwell_kernels::{aes, gcm, md5, rc4, sha1, sha256, sha512};

use super::{Facts, InProcess, Setup, Skip, many, record};
use crate::algorithm::{Algorithm, Kind};
use crate::case::{Answer, Buffer, Case, Operation};
use crate::composed::Composed;
use crate::ring::Ring;

/// The subject named `speedwell`.
pub fn library_subject() -> InProcess {
    let facts = Facts {
        name: "speedwell".to_owned(),
        version: Some(format!("speedwell {}", env!("CARGO_PKG_VERSION"))),
        build: Some(build()),
        ..Facts::default()
    };
    InProcess::new(facts, set_up)
}

/// What is known of this build when it runs.
fn build() -> String {
    let level = if cfg!(debug_assertions) { "unoptimised" } else { "optimised" };
    format!("{level}, {}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

fn set_up(case: &Case) -> Result<Setup, Skip> {
    if let Some(composed) = Composed::of(case)? {
        return record::set_up(composed, case);
    }
    let algorithm = Algorithm::of(case)?;
    // Keys take several messages themselves.
    if case.messages > 1 && !matches!(algorithm.kind, Kind::PublicKey { .. }) {
        return many::set_up(case, None);
    }
    match case.algorithm.as_str() {
        "md5" => Ok(hash::<md5::Compress, _>(case, |message| Md5::digest(message))),
        "sha1" => Ok(hash::<sha1::Compress, _>(case, |message| Sha1::digest(message))),
        "sha224" => Ok(hash::<sha256::Compress, _>(case, |message| Sha224::digest(message))),
        "sha256" => Ok(hash::<sha256::Compress, _>(case, |message| Sha256::digest(message))),
        "sha384" => Ok(hash::<sha512::Compress, _>(case, |message| Sha384::digest(message))),
        "sha512" => Ok(hash::<sha512::Compress, _>(case, |message| Sha512::digest(message))),
        "sha512-224" => Ok(hash::<sha512::Compress, _>(case, |message| Sha512_224::digest(message))),
        "sha512-256" => Ok(hash::<sha512::Compress, _>(case, |message| Sha512_256::digest(message))),
        "hmac-md5" => Ok(hmac::<md5::Compress, Md5>(case)),
        "hmac-sha1" => Ok(hmac::<sha1::Compress, Sha1>(case)),
        "hmac-sha224" => Ok(hmac::<sha256::Compress, Sha224>(case)),
        "hmac-sha256" => Ok(hmac::<sha256::Compress, Sha256>(case)),
        "hmac-sha384" => Ok(hmac::<sha512::Compress, Sha384>(case)),
        "hmac-sha512" => Ok(hmac::<sha512::Compress, Sha512>(case)),
        "hmac-sha512-224" => Ok(hmac::<sha512::Compress, Sha512_224>(case)),
        "hmac-sha512-256" => Ok(hmac::<sha512::Compress, Sha512_256>(case)),
        "aes-128-cmac" => Ok(cmac::<16>(case)),
        "aes-192-cmac" => Ok(cmac::<24>(case)),
        "aes-256-cmac" => Ok(cmac::<32>(case)),
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
        "aes-128-gcm" => Ok(aead::<16>(case)),
        "aes-192-gcm" => Ok(aead::<24>(case)),
        "aes-256-gcm" => Ok(aead::<32>(case)),
        _ => match algorithm.kind {
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

fn hmac<P: Planned, D: BlockDigest>(case: &Case) -> Setup {
    // As long as the tag, which is the key that the list of algorithms names.
    let key = case.key(D::output_size());
    mac(case, kernel_of::<P>(Policy::Secret, case), move || HmacKey::<D>::new(&key), HmacKey::tag)
}

fn cmac<const KEY: usize>(case: &Case) -> Setup {
    let key = key::<KEY>(case);
    mac(case, kernel_of::<aes::CbcEncrypt>(Policy::Secret, case), move || CmacKey::new(&key), CmacKey::tag)
}

/// A tag, from the message on, or from the key on if the case is whole.
fn mac<K: Send + 'static, T: AsRef<[u8]> + 'static>(
    case: &Case,
    kernel: Option<String>,
    new: impl Fn() -> K + Send + 'static,
    tag: fn(&K, &[u8]) -> T,
) -> Setup {
    let message = case.input();
    let ready = new();
    let answer = Answer::new(tag(&ready, &message).as_ref());
    let whole = case.whole;
    let run = move |calls: u64| {
        for _ in 0..calls {
            let message = std::hint::black_box(&message);
            std::hint::black_box(if whole { tag(&new(), message) } else { tag(&ready, message) });
        }
    };
    Setup { answer, kernel, run: Box::new(run) }
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

/// A message in place to its ciphertext and tag, or from one buffer to another back again: with a nonce given for each,
/// and with a key that is ready, or from the key on if the case is whole.
fn aead<const KEY: usize>(case: &Case) -> Setup {
    let (key, whole) = (key::<KEY>(case), case.whole);
    let nonce = case.iv(12);
    let ready = AesGcm::new(&key);
    let mut data = case.input();
    let tag = ready.encrypt(&nonce, &[], InOutBuf::from(&mut data[..])).expect("the case's length fits");
    if case.operation == Operation::Encrypt {
        let answer = Answer::new(&[&data[..], &tag].concat());
        let run = move |calls| {
            for _ in 0..calls {
                let data = InOutBuf::from(std::hint::black_box(&mut data[..]));
                let tag =
                    if whole { AesGcm::new(&key).encrypt(&nonce, &[], data) } else { ready.encrypt(&nonce, &[], data) };
                std::hint::black_box(tag.expect("it did this before"));
            }
        };
        return Setup { answer, kernel: kernel_of::<gcm::Seal>(Policy::Secret, case), run: Box::new(run) };
    }
    let mut output = Buffer::zeroed(case.bytes);
    let run = move |calls| {
        for _ in 0..calls {
            let data = InOutBuf::new(std::hint::black_box(&data[..]), &mut output[..]).expect("equally long");
            let done = if whole {
                AesGcm::new(&key).decrypt(&nonce, &[], data, &tag)
            } else {
                ready.decrypt(&nonce, &[], data, &tag)
            };
            done.expect("the tag is the message's");
        }
    };
    // Decryption checks the tag, so that it gives nothing else than the message.
    Setup {
        answer: Answer::new(&case.input()),
        kernel: kernel_of::<gcm::Open>(Policy::Secret, case),
        run: Box::new(run),
    }
}

/// A cipher over the messages in place: with a key that is ready, or from the key on if the case is whole.
fn cipher<C: Send + 'static>(
    case: &Case,
    kernel: Option<String>,
    new: impl Fn() -> C + Send + 'static,
    apply: impl Fn(&mut C, &mut [u8]) + Send + 'static,
) -> Setup {
    let mut messages = Ring::new(&case.input(), 1);
    let mut ready = new();
    apply(&mut ready, messages.take());
    let answer = Answer::new(messages.first());
    let run: Box<dyn FnMut(u64) + Send> = if case.whole {
        Box::new(move |calls| (0..calls).for_each(|_| apply(&mut new(), std::hint::black_box(messages.take()))))
    } else {
        Box::new(move |calls| (0..calls).for_each(|_| apply(&mut ready, std::hint::black_box(messages.take()))))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_messages_are_taken_by_batches_and_by_keys() {
        for (algorithm, operation) in
            [("sha256", Operation::Hash), ("aes-128-cbc", Operation::Encrypt), ("rsa-1024", Operation::Sign)]
        {
            let bytes = if operation == Operation::Sign { 0 } else { 64 };
            let case = Case { messages: 3, ..Case::new(algorithm, operation, bytes) };
            assert!(set_up(&case).is_ok(), "{algorithm}");
        }
    }
}
