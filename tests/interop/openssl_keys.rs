//! RSA and DSA in both directions with the `openssl` command: keys of either in the other's files, every padding.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use pkcs8::EncodePrivateKey;
use speedwell::dsa;
use speedwell::rsa::{Hash, Padding, PrivateKey, PublicKey, Scheme, Sizes};
use spki::EncodePublicKey;

/// A folder for the files of one test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    /// `None`, and a word on it, if there is no `openssl` command.
    fn new(name: &str) -> Option<Folder> {
        if Command::new("openssl").arg("version").output().is_err() {
            println!("skipped: there is no openssl command");
            return None;
        }
        let path = std::env::temp_dir().join(format!("speedwell-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Some(Folder(path))
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap()
    }

    /// Runs the command on files of the folder.
    fn openssl(&self, arguments: &str) {
        let output = Command::new("openssl").current_dir(&self.0).args(arguments.split_whitespace()).output().unwrap();
        assert!(output.status.success(), "openssl {arguments}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn rsa_signatures() {
    let Some(folder) = Folder::new("rsa-signatures") else { return };
    let key = PrivateKey::generate(2048).unwrap();
    folder.write("key.der", key.to_pkcs8_der().unwrap().as_bytes());
    folder.write("public.der", key.public_key().to_public_key_der().unwrap().as_bytes());
    folder.write("message", b"a message");
    for hash in Hash::ALL {
        let name = hash.name();
        for (scheme, options) in [
            (Scheme::Pkcs1v15(*hash), String::new()),
            (Scheme::pss(*hash), "-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest".to_owned()),
        ] {
            folder.write("ours", &key.sign(scheme, b"a message").unwrap());
            folder.openssl(&format!("dgst -{name} {options} -keyform DER -verify public.der -signature ours message"));
            folder.openssl(&format!("dgst -{name} {options} -keyform DER -sign key.der -out theirs message"));
            key.public_key().verify(scheme, b"a message", &folder.read("theirs")).unwrap();
        }
    }
}

#[test]
fn rsa_encryption() {
    let Some(folder) = Folder::new("rsa-encryption") else { return };
    let key = PrivateKey::generate(2048).unwrap();
    folder.write("key.pem", key.to_pkcs8_pem(Default::default()).unwrap().as_bytes());
    folder.write("message", b"a message");
    for (padding, options) in [
        (Padding::Pkcs1v15, "-pkeyopt rsa_padding_mode:pkcs1"),
        (Padding::oaep(Hash::Sha1), "-pkeyopt rsa_padding_mode:oaep"),
        (Padding::oaep(Hash::Sha256), "-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256"),
        (
            Padding::Oaep { hash: Hash::Sha512, mask_hash: Hash::Sha1, label: &[0xab, 0xcd] },
            "-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha512 -pkeyopt rsa_mgf1_md:sha1 -pkeyopt rsa_oaep_label:abcd",
        ),
    ] {
        folder.write("ours", &key.public_key().encrypt(padding, b"a message").unwrap());
        folder.openssl(&format!("pkeyutl -decrypt -inkey key.pem {options} -in ours -out plain"));
        assert_eq!(folder.read("plain"), b"a message");
        folder.openssl(&format!("pkeyutl -encrypt -inkey key.pem {options} -in message -out theirs"));
        assert_eq!(key.decrypt(padding, &folder.read("theirs")).unwrap()[..], *b"a message");
    }
}

#[test]
fn rsa_keys() {
    let Some(folder) = Folder::new("rsa-keys") else { return };
    // With two primes and with three, in every file that the command writes.
    for primes in [2, 3] {
        folder.openssl(&format!(
            "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_keygen_primes:{primes} -out key.pem"
        ));
        let key = PrivateKey::read(&folder.read("key.pem"), Sizes::Standard).unwrap();
        assert_eq!(key.primes().len(), primes);
        folder.openssl("pkey -in key.pem -traditional -outform DER -out pkcs1.der");
        folder.openssl("pkcs8 -topk8 -in key.pem -v2 aes-256-cbc -passout pass:secret -out encrypted.pem");
        folder.openssl("pkcs8 -topk8 -in key.pem -scrypt -passout pass:secret -out scrypt.pem");
        folder.openssl("pkey -in key.pem -pubout -out public.pem");
        folder.openssl("rsa -in key.pem -RSAPublicKey_out -outform DER -out public-pkcs1.der");
        let same = |other: PrivateKey| assert_eq!(other.exponent(), key.exponent());
        same(PrivateKey::read(&folder.read("pkcs1.der"), Sizes::Standard).unwrap());
        for file in ["encrypted.pem", "scrypt.pem"] {
            same(PrivateKey::read_encrypted(&folder.read(file), b"secret", Sizes::Standard).unwrap());
            assert!(PrivateKey::read_encrypted(&folder.read(file), b"wrong", Sizes::Standard).is_err());
            assert!(PrivateKey::read(&folder.read(file), Sizes::Standard).is_err());
        }
        for file in ["public.pem", "public-pkcs1.der"] {
            assert_eq!(&PublicKey::read(&folder.read(file), Sizes::Standard).unwrap(), key.public_key());
        }
        // What we write the command reads and finds sound, and what it signs with it we verify.
        folder.write("ours.der", key.to_pkcs1_der().unwrap().as_bytes());
        folder.openssl("pkey -in ours.der -inform DER -check -noout");
        let encrypted = key.to_pkcs8_encrypted_der("secret").unwrap();
        folder.write("ours-encrypted.der", encrypted.as_bytes());
        folder.openssl("pkey -in ours-encrypted.der -inform DER -passin pass:secret -check -noout");
        let scheme = Scheme::Pkcs1v15(Hash::Sha256);
        key.public_key().verify(scheme, b"message", &key.sign(scheme, b"message").unwrap()).unwrap();
    }
}

#[test]
fn dsa_in_both_directions() {
    let Some(folder) = Folder::new("dsa") else { return };
    folder.openssl("genpkey -genparam -algorithm DSA -pkeyopt dsa_paramgen_bits:2048 -pkeyopt dsa_paramgen_q_bits:256 -out parameters.pem");
    folder.openssl("genpkey -paramfile parameters.pem -out theirs.pem");
    let theirs = dsa::PrivateKey::read(&folder.read("theirs.pem"), dsa::Sizes::Standard).unwrap();
    let ours = dsa::PrivateKey::generate(theirs.public_key().parameters().clone()).unwrap();
    folder.write("message", b"a message");
    for key in [theirs, ours] {
        folder.write("key.der", key.to_pkcs8_der().unwrap().as_bytes());
        folder.write("public.der", &key.public_key().to_public_key_der().unwrap());
        for hash in [Hash::Sha1, Hash::Sha256, Hash::Sha512] {
            let name = hash.name();
            let signature = key.sign(hash, dsa::Nonce::Hedged, b"a message").unwrap();
            folder.write("ours", &signature.to_der().unwrap());
            folder.openssl(&format!("dgst -{name} -keyform DER -verify public.der -signature ours message"));
            folder.openssl(&format!("dgst -{name} -keyform DER -sign key.der -out theirs message"));
            let signature = dsa::Signature::from_der(&folder.read("theirs")).unwrap();
            key.public_key().verify(hash, b"a message", &signature).unwrap();
        }
    }
}
