//! Encrypted files: whatever is done to one, its message comes back whole or not at all.

use hex_literal::hex;
use proptest::prelude::*;
use speedwell::digest::{Sha1, Sha256};
use speedwell::file::{
    Argon2Cost, CHUNK, Credential, FileError, HEADER, KeyDerivation, Opener, SEALED_CHUNK, Sealer, SolarisHeader,
    decrypt_to_vec, encrypt_to_vec, pbkdf2,
};

const KEY: [u8; 32] = [0x42; 32];
const CHEAP: KeyDerivation = KeyDerivation::Argon2id(Argon2Cost { memory: 64, passes: 1, lanes: 2 });

fn message(length: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(length as u64);
    std::iter::repeat_with(|| random.u8(..)).take(length).collect()
}

fn sealed(length: usize) -> (Vec<u8>, Vec<u8>) {
    let message = message(length);
    let file = encrypt_to_vec(&Credential::Key(&KEY), KeyDerivation::RawKey, &message).unwrap();
    (message, file)
}

fn open(file: &[u8]) -> Result<Vec<u8>, FileError> {
    decrypt_to_vec(&Credential::Key(&KEY), file)
}

#[test]
fn every_length_around_a_chunk_comes_back() {
    for length in [0, 1, 15, 16, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK - 1, 3 * CHUNK + 17] {
        let (message, file) = sealed(length);
        assert_eq!(file.len(), HEADER + length + 16 * length.div_ceil(CHUNK).max(1));
        assert_eq!(open(&file).unwrap(), message);
    }
}

#[test]
fn wrong_keys_are_told_from_changed_files() {
    let (_, file) = sealed(10);
    assert_eq!(decrypt_to_vec(&Credential::Key(&[0; 32]), &file), Err(FileError::WrongKey));
    assert_eq!(decrypt_to_vec(&Credential::Passphrase(b"x"), &file), Err(FileError::NeedsKey));
    let file = encrypt_to_vec(&Credential::Passphrase(b"pass"), CHEAP, b"text").unwrap();
    assert_eq!(decrypt_to_vec(&Credential::Passphrase(b"pass"), &file).unwrap(), b"text");
    assert_eq!(decrypt_to_vec(&Credential::Passphrase(b"Pass"), &file), Err(FileError::WrongKey));
    assert_eq!(open(&file), Err(FileError::NeedsPassphrase));
    let huge = KeyDerivation::Argon2id(Argon2Cost { memory: u32::MAX, passes: 1, lanes: 1 });
    assert!(matches!(encrypt_to_vec(&Credential::Passphrase(b""), huge, b""), Err(FileError::Cost { .. })));
}

#[test]
fn every_bit_of_the_header_counts() {
    let (_, file) = sealed(10);
    for bit in 0..8 * HEADER {
        let mut changed = file.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(open(&changed).is_err(), "bit {bit}");
    }
}

#[test]
fn every_cut_of_a_small_file_is_seen() {
    let (_, file) = sealed(40);
    for length in 0..file.len() {
        assert!(open(&file[..length]).is_err(), "{length} bytes");
    }
    assert_eq!(open(b""), Err(FileError::NotThisForm));
    assert_eq!(open(&file[..50]), Err(FileError::HeaderCut { bytes: 50 }));
}

#[test]
fn parts_sealed_and_opened_apart_are_the_same_file() {
    let whole = message(5 * CHUNK + 3);
    let (sealer, header) = Sealer::new(&Credential::Key(&KEY), KeyDerivation::RawKey).unwrap();
    let (mut first, mut second) = (Vec::new(), Vec::new());
    sealer.seal(2, true, &whole[2 * CHUNK..], &mut second).unwrap();
    sealer.seal(0, false, &whole[..2 * CHUNK], &mut first).unwrap();
    assert_eq!(open(&[&header[..], &first, &second].concat()).unwrap(), whole);
    let opener = Opener::new(&Credential::Key(&KEY), &header).unwrap();
    let mut message = Vec::new();
    opener.open(2, true, &second, &mut message).unwrap();
    assert_eq!(message, whole[2 * CHUNK..]);
    assert_eq!(opener.open(3, true, &second, &mut message), Err(FileError::Chunk { number: 3 }));
    assert_eq!(message, whole[2 * CHUNK..], "nothing of what is not authentic");
}

/// What an adversary may do to the chunks.
#[derive(Clone, Debug)]
enum Change {
    Cut(prop::sample::Index),
    Flip(prop::sample::Index, u8),
    Swap(prop::sample::Index, prop::sample::Index),
    Repeat(prop::sample::Index),
    Drop(prop::sample::Index),
    Append(Vec<u8>),
}

fn change() -> impl Strategy<Value = Change> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        index().prop_map(Change::Cut),
        (index(), 0..8_u8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        (index(), index()).prop_map(|(one, other)| Change::Swap(one, other)),
        index().prop_map(Change::Repeat),
        index().prop_map(Change::Drop),
        prop::collection::vec(any::<u8>(), 1..40).prop_map(Change::Append),
    ]
}

fn apply(file: &[u8], change: &Change) -> Vec<u8> {
    let (header, body) = file.split_at(HEADER);
    let mut chunks: Vec<&[u8]> = body.chunks(SEALED_CHUNK).collect();
    match change {
        Change::Cut(at) => return file[..at.index(file.len())].to_vec(),
        Change::Flip(at, bit) => {
            let mut file = file.to_vec();
            let at = at.index(file.len());
            file[at] ^= 1 << bit;
            return file;
        }
        Change::Append(bytes) => return [file, bytes].concat(),
        Change::Swap(one, other) => {
            let (one, other) = (one.index(chunks.len()), other.index(chunks.len()));
            chunks.swap(one, other);
        }
        Change::Repeat(at) => {
            let at = at.index(chunks.len());
            chunks.insert(at, chunks[at]);
        }
        Change::Drop(at) => {
            chunks.remove(at.index(chunks.len()));
        }
    }
    [header, &chunks.concat()].concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_file_gives_no_message(length in 0..3 * CHUNK + 100, change in change()) {
        let (message, file) = sealed(length);
        let changed = apply(&file, &change);
        if changed == file {
            prop_assert_eq!(open(&changed).unwrap(), message);
        } else {
            prop_assert!(open(&changed).is_err());
        }
    }

    #[test]
    fn nothing_crashes_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..300), valid in any::<bool>()) {
        let bytes = if valid { [&b"\x89SPDW\r\n\x1a\x01\x00\x00\x00"[..], &bytes].concat() } else { bytes };
        prop_assert!(open(&bytes).is_err());
        let _ = SolarisHeader::read(&bytes, 16);
    }
}

/// RFC 6070 for SHA-1, and RFC 7914, section 11, for SHA-256.
#[test]
fn pbkdf2_gives_published_answers() {
    let sha1 = |passphrase: &[u8], salt: &[u8], iterations, length| {
        let mut key = vec![0; length];
        pbkdf2::<Sha1>(passphrase, salt, iterations, &mut key);
        key
    };
    assert_eq!(sha1(b"password", b"salt", 1, 20), hex!("0c60c80f961f0e71f3a9b524af6012062fe037a6"));
    assert_eq!(sha1(b"password", b"salt", 4096, 20), hex!("4b007901b765489abead49d926f721d065a429c1"));
    assert_eq!(sha1(b"pass\0word", b"sa\0lt", 4096, 16), hex!("56fa6aa75548099dcc37d7f03425e0c3"));
    assert_eq!(
        sha1(b"passwordPASSWORDpassword", b"saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096, 25),
        hex!("3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038")
    );
    let mut key = [0; 64];
    pbkdf2::<Sha256>(b"passwd", b"salt", 1, &mut key);
    assert_eq!(
        key,
        hex!(
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
        )
    );
}

#[test]
fn headers_of_solaris_are_read_in_both_widths() {
    let header = SolarisHeader { iterations: 1000, iv: vec![3; 16], salt: [4; 16] };
    let bytes = header.to_bytes();
    assert_eq!(bytes[..8], [0, 0, 0, 1, 0, 0, 3, 0xe8]);
    assert_eq!(SolarisHeader::read(&bytes, 16).unwrap(), (header.clone(), 40));
    let wide = [&bytes[..4], &[0; 4], &bytes[4..]].concat();
    assert_eq!(SolarisHeader::read(&wide, 16).unwrap(), (header, 44));
    for length in 0..40 {
        assert!(matches!(SolarisHeader::read(&bytes[..length], 16), Err(FileError::HeaderCut { .. })), "{length}");
    }
    assert_eq!(SolarisHeader::read(b"Salted__", 16), Err(FileError::NotThisForm));
}
