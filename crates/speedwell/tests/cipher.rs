//! The ciphers against published answers, at every split, in place and not, and through RustCrypto's traits.

use hex_literal::hex;
use speedwell::cipher::{
    Aes128, Aes128CbcDecryptor, Aes128CbcEncryptor, Aes128Ctr, Aes192, Aes192CbcDecryptor, Aes192CbcEncryptor,
    Aes192Ctr, Aes256, Aes256CbcDecryptor, Aes256CbcEncryptor, Aes256Ctr, BlockCipherDecrypt, BlockCipherEncrypt,
    BlockModeDecrypt, BlockModeEncrypt, CbcDecryptor, CbcEncryptor, CipherError, Ctr, InOutBuf, KeyInit, KeyIvInit,
    Padding, Rc4, StreamCipher, StreamCipherSeek,
};
use speedwell::select::{Policy, SelectError};

const KEY_128: [u8; 16] = hex!("2b7e151628aed2a6abf7158809cf4f3c");
const KEY_192: [u8; 24] = hex!("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b");
const KEY_256: [u8; 32] = hex!("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
const IV: [u8; 16] = hex!("000102030405060708090a0b0c0d0e0f");
const COUNTER: [u8; 16] = hex!("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
const PLAIN: [u8; 64] = hex!(
    "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710"
);

/// SP 800-38A, sections F.2 and F.5.
#[test]
fn published_answers_of_the_modes() {
    fn cbc<const KEY: usize>(key: &[u8; KEY], ciphertext: [u8; 64]) {
        assert_eq!(CbcEncryptor::new(key, &IV).encrypt_to_vec(&PLAIN, Padding::None).unwrap(), ciphertext);
        assert_eq!(CbcDecryptor::new(key, &IV).decrypt_to_vec(&ciphertext, Padding::None).unwrap(), PLAIN);
    }
    fn ctr<const KEY: usize>(key: &[u8; KEY], ciphertext: [u8; 64]) {
        let mut data = PLAIN;
        Ctr::new(key, &COUNTER).apply(InOutBuf::from(&mut data[..]));
        assert_eq!(data, ciphertext);
    }
    cbc(
        &KEY_128,
        hex!(
            "7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2"
            "73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7"
        ),
    );
    cbc(
        &KEY_192,
        hex!(
            "4f021db243bc633d7178183a9fa071e8 b4d9ada9ad7dedf4e5e738763f69145a"
            "571b242012fb7ae07fa9baac3df102e0 08b0e27988598881d920a9e64f5615cd"
        ),
    );
    cbc(
        &KEY_256,
        hex!(
            "f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d"
            "39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b"
        ),
    );
    ctr(
        &KEY_128,
        hex!(
            "874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff"
            "5ae4df3edbd5d35e5b4f09020db03eab 1e031dda2fbe03d1792170a0f3009cee"
        ),
    );
    ctr(
        &KEY_192,
        hex!(
            "1abc932417521ca24f2b0459fe7e6e0b 090339ec0aa6faefd5ccc2c6f4ce8e94"
            "1e36b26bd1ebc670d1bd1d665620abf7 4f78a7f6d29809585a97daec58c6b050"
        ),
    );
    ctr(
        &KEY_256,
        hex!(
            "601ec313775789a5b7a7f504bbf3d228 f443e3ca4d62b59aca84e990cacaf5c5"
            "2b0930daa23de94ce87017ba2d84988d dfc9c58db67aada613c2dd08457941a6"
        ),
    );
}

/// RFC 6229: the key stream of 0102030405 at its start and at 4096.
#[test]
fn published_answers_of_rc4() {
    let mut stream = vec![0; 4112];
    Rc4::from_key(&hex!("0102030405")).unwrap().apply(InOutBuf::from(&mut stream[..]));
    assert_eq!(stream[..16], hex!("b2396305f03dc027ccc3524a0a1118a8"));
    assert_eq!(stream[4096..], hex!("ff25b58995996707e51fbdf08b34d875"));
}

fn message(random: &mut fastrand::Rng, length: usize) -> Vec<u8> {
    std::iter::repeat_with(|| random.u8(..)).take(length).collect()
}

/// Cuts a message in parts, some of them empty.
fn parts<'a>(random: &mut fastrand::Rng, mut message: &'a [u8]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    while !message.is_empty() {
        let (part, rest) = message.split_at(random.usize(..=message.len().min(50)));
        parts.push(part);
        message = rest;
    }
    parts
}

#[test]
fn cbc_takes_a_message_in_any_split() {
    let mut random = fastrand::Rng::with_seed(6);
    for length in 0..200 {
        let message = message(&mut random, length);
        let sealed = Aes128CbcEncryptor::new(&KEY_128, &IV).encrypt_to_vec(&message, Padding::Pkcs7).unwrap();
        assert_eq!(sealed.len(), length / 16 * 16 + 16);

        let mut encryptor = Aes128CbcEncryptor::new(&KEY_128, &IV);
        let mut output = vec![0; length + 16];
        let mut written = 0;
        for part in parts(&mut random, &message) {
            written += encryptor.update(part, &mut output[written..]).unwrap();
        }
        written += encryptor.finish(&mut output[written..], Padding::Pkcs7).unwrap();
        assert_eq!(output[..written], sealed, "{length} bytes");

        let mut decryptor = Aes128CbcDecryptor::new(&KEY_128, &IV);
        let mut output = vec![0; sealed.len()];
        let mut written = 0;
        for part in parts(&mut random, &sealed) {
            written += decryptor.update(part, &mut output[written..]).unwrap();
        }
        written += decryptor.finish(&mut output[written..], Padding::Pkcs7).unwrap();
        assert_eq!(output[..written], message, "{length} bytes");
    }
}

#[test]
fn key_streams_take_a_message_in_any_split() {
    let mut random = fastrand::Rng::with_seed(7);
    for length in 0..300 {
        let message = message(&mut random, length);
        let mut whole = (message.clone(), message.clone());
        Aes256Ctr::new(&KEY_256, &COUNTER).apply(InOutBuf::from(&mut whole.0[..]));
        Rc4::from_key(&KEY_128).unwrap().apply(InOutBuf::from(&mut whole.1[..]));
        let mut ctr = Aes256Ctr::new(&KEY_256, &COUNTER);
        let mut rc4 = Rc4::from_key(&KEY_128).unwrap();
        let mut cut = (Vec::new(), Vec::new());
        for part in parts(&mut random, &message) {
            let mut output = vec![0; part.len()];
            ctr.apply(InOutBuf::new(part, &mut output).unwrap());
            cut.0.extend_from_slice(&output);
            rc4.apply(InOutBuf::new(part, &mut output).unwrap());
            cut.1.extend(output);
        }
        assert_eq!(cut, whole, "{length} bytes");
    }
}

#[test]
fn a_counter_seeks_to_any_byte() {
    let mut stream = vec![0; 1000];
    Aes192Ctr::new(&KEY_192, &[0xff; 16]).apply(InOutBuf::from(&mut stream[..]));
    let mut ctr = Aes192Ctr::new(&KEY_192, &[0xff; 16]);
    for position in [0usize, 1, 15, 16, 17, 500, 999, 3] {
        ctr.seek(position);
        assert_eq!(ctr.current_pos::<usize>(), position);
        let mut byte = [0];
        ctr.apply_keystream(&mut byte);
        assert_eq!(byte[0], stream[position], "byte {position}");
        assert_eq!(ctr.current_pos::<usize>(), position + 1);
    }
}

/// Electronic codebook and chaining through the traits, over more blocks than the traits hand over at once.
#[test]
fn types_fit_where_rustcrypto_traits_do() {
    fn ecb<C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt>(key: &[u8], first: [u8; 16]) {
        let cipher = C::new_from_slice(key).unwrap();
        let mut blocks = vec![cipher::Block::<C>::default(); 150];
        for block in &mut blocks {
            block.copy_from_slice(&PLAIN[..16]);
        }
        let plain = blocks.clone();
        cipher.encrypt_blocks(&mut blocks);
        assert!(blocks.iter().all(|block| block[..] == first));
        cipher.decrypt_blocks(&mut blocks);
        assert_eq!(blocks, plain);
        let mut one = plain[0].clone();
        cipher.encrypt_block(&mut one);
        assert_eq!(one[..], first);
        assert!(C::new_from_slice(&key[1..]).is_err());
    }
    // SP 800-38A, section F.1.
    ecb::<Aes128>(&KEY_128, hex!("3ad77bb40d7a3660a89ecaf32466ef97"));
    ecb::<Aes192>(&KEY_192, hex!("bd334f1d6e45f25ff712a214571fa5cc"));
    ecb::<Aes256>(&KEY_256, hex!("f3eed1bdb5d2a03c064b5a7e3db181f8"));

    fn cbc<E: KeyIvInit + BlockModeEncrypt, D: KeyIvInit + BlockModeDecrypt<BlockSize = E::BlockSize>>(key: &[u8]) {
        let plain: Vec<cipher::Block<E>> = (0..150).map(|i| [i; 16].iter().copied().collect()).collect();
        let mut blocks = plain.clone();
        E::new_from_slices(key, &IV).unwrap().encrypt_blocks(&mut blocks);
        assert_ne!(blocks[0], plain[0]);
        D::new_from_slices(key, &IV).unwrap().decrypt_blocks(&mut blocks);
        assert_eq!(blocks, plain);
    }
    cbc::<Aes128CbcEncryptor, Aes128CbcDecryptor>(&KEY_128);
    cbc::<Aes192CbcEncryptor, Aes192CbcDecryptor>(&KEY_192);
    cbc::<Aes256CbcEncryptor, Aes256CbcDecryptor>(&KEY_256);

    fn stream(mut cipher: impl StreamCipher, mut other: impl StreamCipher) {
        let mut data = [0; 77];
        cipher.apply_keystream(&mut data);
        let mut written = [1; 77];
        other.write_keystream(&mut written);
        assert_eq!(data, written);
    }
    stream(Aes128Ctr::new(&KEY_128, &IV), <Aes128Ctr as KeyIvInit>::new(&KEY_128.into(), &IV.into()));
    stream(Rc4::new(&KEY_128.into()), Rc4::new_from_slice(&KEY_128).unwrap());
}

#[test]
fn bad_input_gets_a_typed_error_and_loses_nothing() {
    assert_eq!(Rc4::from_key(&[]).unwrap_err(), CipherError::KeyLength { given: 0, expected: "1 to 256" });
    assert!(Rc4::from_key(&[0; 257]).is_err());
    assert_eq!(
        Rc4::with_policy(&[1; 16], Policy::Strict).unwrap_err(),
        CipherError::Select(SelectError::NoKernel { primitive: "rc4.xor", policy: Policy::Strict })
    );

    let mut encryptor = Aes128CbcEncryptor::new(&KEY_128, &IV);
    let mut small = [0; 15];
    let error = encryptor.update(&PLAIN, &mut small).unwrap_err();
    assert_eq!(error, CipherError::OutputTooSmall { needed: 64, given: 15 });
    let mut output = [0; 80];
    assert_eq!(encryptor.update(&PLAIN, &mut output), Ok(64), "nothing was processed by the call that failed");
    assert_eq!(output[..16], hex!("7649abac8119b246cee98e9b12e9197d"));
    encryptor.update(&[1, 2, 3], &mut output).unwrap();
    let error = encryptor.clone().finish(&mut output, Padding::None).unwrap_err();
    assert_eq!(error, CipherError::NotWholeBlocks { bytes: 3 });
    let error = encryptor.finish(&mut [], Padding::Pkcs7).unwrap_err();
    assert_eq!(error, CipherError::OutputTooSmall { needed: 16, given: 0 });

    let sealed = Aes128CbcEncryptor::new(&KEY_128, &IV).encrypt_to_vec(b"message", Padding::Pkcs7).unwrap();
    let open = |sealed: &[u8]| Aes128CbcDecryptor::new(&KEY_128, &IV).decrypt_to_vec(sealed, Padding::Pkcs7);
    assert_eq!(open(&sealed).unwrap(), b"message");
    assert_eq!(open(&sealed[..15]), Err(CipherError::NotWholeBlocks { bytes: 15 }));
    assert_eq!(open(&[]), Err(CipherError::NotWholeBlocks { bytes: 0 }));
    let wrong = Aes128CbcDecryptor::new(&[9; 16], &IV).decrypt_to_vec(&sealed, Padding::Pkcs7);
    assert_eq!(wrong, Err(CipherError::BadPadding));
}

#[test]
fn secrets_are_not_printed() {
    let texts = [
        format!("{:?}", Aes128::new(&KEY_128.into())),
        format!("{:?}", Aes128CbcEncryptor::new(&KEY_128, &IV)),
        format!("{:?}", Aes128Ctr::new(&KEY_128, &IV)),
        format!("{:?}", Rc4::from_key(&KEY_128).unwrap()),
    ];
    assert_eq!(texts, ["Aes128 { .. }", "CbcEncryptor<16> { .. }", "Ctr<16> { .. }", "Rc4 { .. }"]);
}
