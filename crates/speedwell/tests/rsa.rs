//! RSA: keys, signatures and encryption, against published vectors and against itself.

use speedwell::rsa::{Hash, Padding, Parts, PrivateKey, PublicKey, RsaError, Scheme, Sizes, sign_many};

#[test]
fn every_scheme_signs_and_verifies() {
    for bits in [1024, 1026, 2048] {
        let key = PrivateKey::generate_with_sizes(bits, Sizes::Legacy).unwrap();
        assert_eq!(key.public_key().bits(), bits);
        for hash in Hash::ALL {
            for scheme in [
                Scheme::Pkcs1v15(*hash),
                Scheme::pss(*hash),
                Scheme::Pss { hash: *hash, mask_hash: Hash::Sha1, salt: 0 },
            ] {
                if bits < 2048 && hash.length() == 64 && matches!(scheme, Scheme::Pss { salt: 64, .. }) {
                    let error = key.sign(scheme, b"message").unwrap_err();
                    assert_eq!(error, RsaError::KeyTooShort { needed: 130 });
                    continue;
                }
                let mut signature = key.sign(scheme, b"message").unwrap();
                key.public_key().verify(scheme, b"message", &signature).unwrap();
                assert_eq!(key.public_key().verify(scheme, b"massage", &signature), Err(RsaError::Signature));
                signature[bits / 16] ^= 4;
                assert_eq!(key.public_key().verify(scheme, b"message", &signature), Err(RsaError::Signature));
                assert_eq!(key.public_key().verify(scheme, b"message", &signature[1..]), Err(RsaError::Signature));
            }
        }
    }
}

#[test]
fn messages_come_back() {
    let key = PrivateKey::generate(2048).unwrap();
    for padding in [
        Padding::Pkcs1v15,
        Padding::oaep(Hash::Sha256),
        Padding::Oaep { hash: Hash::Sha512, mask_hash: Hash::Sha1, label: b"label" },
    ] {
        for length in [0, 1, 17, 126] {
            let message = vec![7; length];
            let sealed = key.public_key().encrypt(padding, &message).unwrap();
            assert_eq!(*key.decrypt(padding, &sealed).unwrap(), message);
        }
        let error = key.public_key().encrypt(padding, &[0; 250]).unwrap_err();
        assert!(matches!(error, RsaError::MessageTooLong { bytes: 250, .. }), "{error}");
    }
    let mut sealed = key.public_key().encrypt(Padding::oaep(Hash::Sha1), b"message").unwrap();
    sealed[255] ^= 1;
    assert_eq!(key.decrypt(Padding::oaep(Hash::Sha1), &sealed), Err(RsaError::Decryption));
    // The same ciphertext gives the same wrong message each time.
    assert_eq!(key.decrypt(Padding::Pkcs1v15, &sealed), key.decrypt(Padding::Pkcs1v15, &sealed));
    assert_eq!(key.decrypt(Padding::Pkcs1v15, &[0xff; 256]), Err(RsaError::OutOfRange));
}

#[test]
fn a_batch_is_as_one_by_one() {
    let key = PrivateKey::generate_with_sizes(1024, Sizes::Legacy).unwrap();
    let scheme = Scheme::Pkcs1v15(Hash::Sha256);
    let digests: Vec<[u8; 32]> = (0..19).map(|i| [i; 32]).collect();
    for count in [0, 1, 3, 4, 5, 8, 9, 19] {
        let digests: Vec<&[u8]> = digests[..count].iter().map(|digest| &digest[..]).collect();
        let expected: Vec<_> = digests.iter().map(|digest| key.sign_digest(scheme, digest).unwrap()).collect();
        assert_eq!(sign_many(&key, scheme, &digests).unwrap(), expected);
    }
}

#[test]
fn what_is_no_key_is_refused() {
    let short = PrivateKey::generate_with_sizes(512, Sizes::Legacy).unwrap();
    let (modulus, exponent) = (short.public_key().modulus(), short.public_key().exponent());
    assert_eq!(PublicKey::new(&modulus, &exponent), Err(RsaError::ModulusSize { bits: 512, least: 2048 }));
    assert!(PublicKey::with_sizes(&modulus, &exponent, Sizes::Legacy).is_ok());
    let with = |modulus: &[u8], exponent: &[u8]| PublicKey::with_sizes(modulus, exponent, Sizes::Legacy).unwrap_err();
    assert!(matches!(with(&[], &[3]), RsaError::ModulusSize { .. }));
    assert!(matches!(with(&vec![0xff; 1 << 20], &[3]), RsaError::ModulusSize { .. }));
    let mut even = modulus.clone();
    even[63] ^= 1;
    assert_eq!(with(&even, &[3]), RsaError::EvenModulus);
    for exponent in [&[][..], &[0], &[1], &[2], &[4], &[0xff; 33], &modulus] {
        assert_eq!(with(&modulus, exponent), RsaError::PublicExponent, "{exponent:?}");
    }
    let (d, primes) = (short.exponent(), short.primes());
    let parts = |d, primes| Parts { modulus: &modulus, public_exponent: &exponent, private_exponent: d, primes };
    let with = |parts: Parts<'_>| PrivateKey::with_sizes(&parts, Sizes::Legacy).map(|_| ());
    assert_eq!(with(parts(&d, vec![&primes[0], &primes[1]])), Ok(()));
    let mut wrong = d.to_vec();
    wrong[60] ^= 2;
    for parts in [
        parts(&wrong, vec![&primes[0], &primes[1]]),
        parts(&d, vec![&primes[0], &primes[0]]),
        parts(&d, vec![&primes[0]]),
        parts(&d, vec![]),
        parts(&d, vec![&primes[0], &[]]),
        parts(&d, vec![&primes[0], &[1]]),
        parts(&d, vec![&primes[0], &primes[1], &[3]]),
    ] {
        assert!(matches!(with(parts), Err(RsaError::Inconsistent(_))));
    }
}

#[test]
fn keys_are_written_and_read() {
    use pkcs8::{DecodePrivateKey, EncodePrivateKey};
    use spki::{DecodePublicKey, EncodePublicKey};

    let key = PrivateKey::generate(2048).unwrap();
    let same = |other: PrivateKey| {
        assert_eq!(other.public_key(), key.public_key());
        assert_eq!(other.exponent(), key.exponent());
    };
    same(PrivateKey::read(key.to_pkcs1_der().unwrap().as_bytes(), Sizes::Standard).unwrap());
    same(PrivateKey::read(key.to_pkcs8_der().unwrap().as_bytes(), Sizes::Standard).unwrap());
    let pem = key.to_pkcs8_pem(Default::default()).unwrap();
    same(PrivateKey::read(pem.as_bytes(), Sizes::Standard).unwrap());
    same(PrivateKey::from_pkcs8_pem(&pem).unwrap());
    let public = key.public_key();
    assert_eq!(PublicKey::from_public_key_der(public.to_public_key_der().unwrap().as_bytes()).as_ref(), Ok(public));
    assert_eq!(PublicKey::read(&public.to_pkcs1_der().unwrap(), Sizes::Standard).as_ref(), Ok(public));
}
