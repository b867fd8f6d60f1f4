//! The digests against published answers, at every split of the message, and through RustCrypto's traits.

use hex_literal::hex;
use speedwell::digest::{Digest, Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256, by_name};
use speedwell::names::{Kind, algorithms};

/// RFC 1321, section A.5, and NIST's "Examples with intermediate values" and SHAVS: of "", "abc", the two-block
/// message of FIPS 180 and a million "a".
#[test]
fn published_answers() {
    const TWO_BLOCKS: &[u8] = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    const FOUR_BLOCKS: &[u8] =
        b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";
    let million = vec![b'a'; 1_000_000];

    assert_eq!(Md5::digest(b"")[..], hex!("d41d8cd98f00b204e9800998ecf8427e"));
    assert_eq!(Md5::digest(b"abc")[..], hex!("900150983cd24fb0d6963f7d28e17f72"));
    assert_eq!(
        Md5::digest(b"12345678901234567890123456789012345678901234567890123456789012345678901234567890")[..],
        hex!("57edf4a22be3c955ac49da2e2107b67a")
    );
    assert_eq!(Sha1::digest(b"")[..], hex!("da39a3ee5e6b4b0d3255bfef95601890afd80709"));
    assert_eq!(Sha1::digest(b"abc")[..], hex!("a9993e364706816aba3e25717850c26c9cd0d89d"));
    assert_eq!(Sha1::digest(TWO_BLOCKS)[..], hex!("84983e441c3bd26ebaae4aa1f95129e5e54670f1"));
    assert_eq!(Sha1::digest(&million)[..], hex!("34aa973cd4c4daa4f61eeb2bdbad27316534016f"));
    assert_eq!(Sha224::digest(b"abc")[..], hex!("23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"));
    assert_eq!(Sha256::digest(b"")[..], hex!("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    assert_eq!(
        Sha256::digest(TWO_BLOCKS)[..],
        hex!("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    );
    assert_eq!(Sha256::digest(&million)[..], hex!("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
    assert_eq!(
        Sha384::digest(b"abc")[..],
        hex!("cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7")
    );
    assert_eq!(
        Sha512::digest(FOUR_BLOCKS)[..],
        hex!(
            "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
            "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
        )
    );
    assert_eq!(
        Sha512::digest(&million)[..],
        hex!(
            "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
            "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
        )
    );
    assert_eq!(Sha512_224::digest(b"abc")[..], hex!("4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa"));
    assert_eq!(
        Sha512_256::digest(b"abc")[..],
        hex!("53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23")
    );
}

/// All lengths over four blocks, each cut in three at random places: the digest is that of the whole message.
#[test]
fn any_split_gives_the_same() {
    let mut random = fastrand::Rng::with_seed(5);
    let message: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(600).collect();
    for algorithm in algorithms() {
        let Kind::Digest { output, .. } = algorithm.kind else { continue };
        for length in 0..message.len() {
            let message = &message[..length];
            let mut whole = by_name(algorithm.name).unwrap();
            whole.update(message);
            let expected = whole.finalize_reset();
            assert_eq!(expected.len(), output);

            let mut cuts = [random.usize(..=length), random.usize(..=length)];
            cuts.sort_unstable();
            // The hasher that was reset takes the parts, and one of its clones ends early.
            whole.update(&message[..cuts[0]]);
            let _ = whole.box_clone().finalize();
            whole.update(&message[cuts[0]..cuts[1]]);
            whole.update(&message[cuts[1]..]);
            assert_eq!(whole.finalize(), expected, "{} over {length} bytes cut at {cuts:?}", algorithm.name);
        }
    }
}

#[test]
fn types_fit_where_rustcrypto_traits_do() {
    fn hash<D: Digest + Clone + Default + digest::FixedOutputReset>(message: &[u8]) -> Vec<u8> {
        let mut hasher = D::new_with_prefix(&message[..1]);
        Digest::update(&mut hasher, &message[1..]);
        hasher.finalize_reset().to_vec()
    }
    assert_eq!(hash::<Sha256>(b"abc"), Sha256::digest(b"abc").to_vec());
    assert_eq!(hash::<Md5>(b"abc"), Md5::digest(b"abc").to_vec());
    assert!(by_name("rc4").is_none());
    assert_eq!(format!("{:?}", Sha1::new()), "Sha1 { .. }");
}
