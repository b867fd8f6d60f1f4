//! Whole operations of the library, as programs call them: what stands around the kernels must keep secrets too.

use std::hint::black_box;

use speedwell::aead::Aes128Gcm;
use speedwell::cipher::{Aes128CbcDecryptor, Aes128CbcEncryptor, Aes128Ctr, Aes256CbcEncryptor, Padding};
use speedwell::digest::{Digest, Sha256};
use speedwell::mac::{CmacKey, HmacKey};
use speedwell_kernels::cpu::IsaSet;
use speedwell_kernels::exercise::InOutBuf;
use subtle::ConstantTimeEq;

use crate::secrets::{Secret, secrets};
use crate::subject::Subject;

/// An operation with one secret and one public input.
pub struct Operation {
    name: &'static str,
    case: &'static str,
    secrets: fn() -> Vec<Secret>,
    set_up: fn(&[u8]) -> Box<dyn FnMut()>,
}

/// Every operation.
pub static OPERATIONS: &[Operation] = &[
    Operation {
        name: "operation/aes-128-cbc.key_setup",
        case: "key of 16 bytes, for encryption and decryption",
        secrets: || secrets(16),
        set_up: |secret| {
            let key = key::<16>(secret);
            Box::new(move || {
                black_box(Aes128CbcEncryptor::new(&key, &IV));
                black_box(Aes128CbcDecryptor::new(&key, &IV));
            })
        },
    },
    Operation {
        name: "operation/aes-256-cbc.key_setup",
        case: "key of 32 bytes, for encryption",
        secrets: || secrets(32),
        set_up: |secret| {
            let key = key::<32>(secret);
            Box::new(move || {
                black_box(Aes256CbcEncryptor::new(&key, &IV));
            })
        },
    },
    Operation {
        name: "operation/aes-128-cbc.wrong_padding",
        case: "two blocks, the last with a padding that is wrong in every way there is",
        secrets: wrong_paddings,
        set_up: |secret| decrypt(secret),
    },
    Operation {
        name: "operation/aes-128-cbc.right_padding",
        case: "two blocks, the last with five bytes of padding",
        secrets: || {
            let padded = |mut secret: Secret| {
                secret.bytes[27..].fill(5);
                secret
            };
            secrets(32).into_iter().map(padded).collect()
        },
        set_up: |secret| decrypt(secret),
    },
    Operation {
        name: "operation/aes-128-ctr.message_in_parts",
        case: "key of 16 bytes, 75 bytes in parts of 7",
        secrets: || secrets(16 + 75),
        set_up: |secret| {
            let key = key::<16>(&secret[..16]);
            let mut data = secret[16..].to_vec();
            Box::new(move || {
                let mut cipher = Aes128Ctr::new(&key, &IV);
                for part in data.chunks_mut(7) {
                    cipher.apply(InOutBuf::from(part));
                }
            })
        },
    },
    Operation {
        name: "operation/sha256.message_in_parts",
        case: "200 bytes in parts of 30",
        secrets: || secrets(200),
        set_up: |secret| {
            let message = secret.to_vec();
            Box::new(move || {
                let mut hasher = Sha256::new();
                for part in message.chunks(30) {
                    hasher.update(part);
                }
                black_box(hasher.finalize());
            })
        },
    },
    Operation {
        name: "operation/hmac-sha256.key_setup",
        case: "key of 20 bytes",
        secrets: || secrets(20),
        set_up: |secret| {
            let key = secret.to_vec();
            Box::new(move || {
                black_box(HmacKey::<Sha256>::new(&key));
            })
        },
    },
    Operation {
        name: "operation/hmac-sha256.long_key_setup",
        case: "key of 100 bytes, longer than a block",
        secrets: || secrets(100),
        set_up: |secret| {
            let key = secret.to_vec();
            Box::new(move || {
                black_box(HmacKey::<Sha256>::new(&key));
            })
        },
    },
    Operation {
        name: "operation/hmac-sha256.wrong_tag",
        case: "key of 20 bytes, message of 70, a tag that is wrong",
        secrets: || secrets(20 + 70),
        set_up: |secret| {
            let (key, message) = secret.split_at(20);
            let (key, message) = (HmacKey::<Sha256>::new(key), message.to_vec());
            Box::new(move || {
                // That it is wrong is told; where is not.
                let _ = black_box(key.verify(&message, &TAG));
            })
        },
    },
    Operation {
        name: "operation/aes-128-cmac.key_setup",
        case: "key of 16 bytes",
        secrets: || secrets(16),
        set_up: |secret| {
            let key = key::<16>(secret);
            Box::new(move || {
                black_box(CmacKey::new(&key));
            })
        },
    },
    Operation {
        name: "operation/aes-128-cmac.wrong_tag",
        case: "key of 16 bytes, message of 70 in parts of 30, a tag that is wrong",
        secrets: || secrets(16 + 70),
        set_up: |secret| {
            let (key, message) = (key::<16>(&secret[..16]), secret[16..].to_vec());
            let mut mac = CmacKey::new(&key).start();
            Box::new(move || {
                for part in message.chunks(30) {
                    mac.update(part);
                }
                let _ = black_box(mac.check(&TAG));
            })
        },
    },
    Operation {
        name: "operation/aes-128-gcm.key_setup",
        case: "key of 16 bytes",
        secrets: || secrets(16),
        set_up: |secret| {
            let key = key::<16>(secret);
            Box::new(move || {
                black_box(Aes128Gcm::new(&key));
            })
        },
    },
    Operation {
        name: "operation/aes-128-gcm.encrypt",
        case: "key of 16 bytes, 20 bytes of associated data, 75 bytes",
        secrets: || secrets(16 + 75),
        set_up: |secret| {
            let cipher = Aes128Gcm::new(&key(&secret[..16]));
            let mut data = secret[16..].to_vec();
            Box::new(move || {
                let _ = black_box(cipher.encrypt(&IV[..12], &[0x31; 20], InOutBuf::from(&mut data[..])));
            })
        },
    },
    Operation {
        name: "operation/aes-128-gcm.wrong_tag",
        case: "key of 16 bytes, 20 bytes of associated data, 75 bytes, a tag that is wrong",
        secrets: || secrets(16 + 75),
        set_up: |secret| {
            let cipher = Aes128Gcm::new(&key(&secret[..16]));
            let mut data = secret[16..].to_vec();
            Box::new(move || {
                let _ = black_box(cipher.decrypt(&IV[..12], &[0x31; 20], InOutBuf::from(&mut data[..]), &TAG));
            })
        },
    },
    Operation {
        name: "operation/tag_comparison",
        case: "16 bytes: equal, and different at the beginning, middle and end",
        secrets: || {
            let mut all = secrets(16);
            for (name, at) in [("the first byte differs", 0), ("the middle differs", 7), ("the last byte differs", 15)]
            {
                let mut bytes = TAG.to_vec();
                bytes[at] ^= 0x40;
                all.push(Secret { name: name.to_owned(), bytes });
            }
            all.push(Secret { name: "equal".to_owned(), bytes: TAG.to_vec() });
            all
        },
        set_up: |secret| {
            let tag = secret.to_vec();
            Box::new(move || {
                black_box(tag.as_slice().ct_eq(&TAG));
            })
        },
    },
];

impl Subject for &'static Operation {
    fn name(&self) -> &str {
        self.name
    }

    fn instruction_sets(&self) -> Option<IsaSet> {
        None
    }

    fn claims_constant(&self) -> bool {
        true
    }

    fn cases(&self) -> Vec<String> {
        vec![self.case.to_owned()]
    }

    fn secrets(&self, _case: usize) -> Vec<Secret> {
        (self.secrets)()
    }

    fn set_up(&self, _case: usize, secret: &[u8]) -> Box<dyn FnMut()> {
        (self.set_up)(secret)
    }
}

const IV: [u8; 16] = [0x24; 16];
const TAG: [u8; 16] = [0x5a; 16];

fn key<const LENGTH: usize>(secret: &[u8]) -> [u8; LENGTH] {
    secret.try_into().expect("the secret is a key")
}

/// Two blocks whose last bytes are no padding of PKCS #7.
fn wrong_paddings() -> Vec<Secret> {
    let mut wrong = Vec::new();
    for (name, last) in [("length 0", 0u8), ("length 17", 17), ("length 128", 128), ("length 255", 255)] {
        wrong.push(Secret { name: name.to_owned(), bytes: vec![last; 32] });
    }
    for length in [2, 3, 8, 15, 16u8] {
        for (name, at) in [("first", 32 - usize::from(length)), ("last but one", 30)] {
            let mut bytes = vec![length; 32];
            bytes[at] ^= 0x21;
            wrong.push(Secret { name: format!("length {length}, the {name} byte is wrong"), bytes });
        }
    }
    for (seed, secret) in secrets(32).into_iter().enumerate().filter(|(_, secret)| secret.name.starts_with("random")) {
        let mut bytes = secret.bytes;
        bytes[31] = 18 + seed as u8;
        wrong.push(Secret { name: secret.name, bytes });
    }
    wrong
}

/// Decrypts what encrypts to this plaintext, in parts as a stream comes.
fn decrypt(plaintext: &[u8]) -> Box<dyn FnMut()> {
    let key = [0x77; 16];
    let encryptor = Aes128CbcEncryptor::new(&key, &IV);
    let ciphertext = encryptor.encrypt_to_vec(plaintext, Padding::None).expect("two whole blocks");
    let mut output = vec![0; 48];
    let mut decryptor = Some(Aes128CbcDecryptor::new(&key, &IV));
    Box::new(move || {
        let Some(mut decryptor) = decryptor.take() else { return };
        let written = decryptor.update(&ciphertext, &mut output).expect("there is room");
        // That the padding is wrong is told; how is not.
        let _ = black_box(decryptor.finish(&mut output[written..], Padding::Pkcs7));
    })
}
