//! The `openssl` command, which shares no code with ours: digests and ciphers over lengths that reach every tail.

use std::io::Write;
use std::process::{Command, Stdio};

use speedwell::cipher::{CbcDecryptor, CbcEncryptor, Ctr, InOutBuf, Padding, Rc4};
use speedwell::digest::by_name;
use speedwell::mac;
use speedwell::names::{Kind, algorithms};

/// Lengths around the ends of blocks, of the widest kernels' loops, and one of many rounds of them.
const LENGTHS: [usize; 14] = [0, 1, 15, 16, 17, 55, 56, 63, 64, 111, 112, 128, 1000, 100_003];

/// What `openssl` prints when it is given these arguments and this input; `None`, with a line that says so, if there
/// is no such command or it does not have the algorithm.
fn openssl(arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let child = Command::new("openssl")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        println!("skipped: there is no openssl command; `cargo xtask interop` installs it");
        return None;
    };
    let mut stdin = child.stdin.take()?;
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().ok()?;
    let _ = writer.join();
    if !output.status.success() {
        println!("skipped: openssl {} says {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
        return None;
    }
    Some(output.stdout)
}

fn message(length: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(length as u64);
    std::iter::repeat_with(|| random.u8(..)).take(length).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn digests() {
    for algorithm in algorithms() {
        let Kind::Digest { .. } = algorithm.kind else { continue };
        for length in LENGTHS {
            let message = message(length);
            let Some(theirs) = openssl(&["dgst", &format!("-{}", algorithm.name), "-binary"], &message) else { break };
            let mut ours = by_name(algorithm.name).expect("every digest of the list has a type");
            ours.update(&message);
            assert_eq!(hex(&ours.finalize()), hex(&theirs), "{} of {length} bytes", algorithm.name);
        }
    }
}

#[test]
fn macs() {
    for algorithm in algorithms() {
        let Kind::Mac { key, .. } = algorithm.kind else { continue };
        let key = message(key);
        let (function, option) = match algorithm.name.strip_prefix("hmac-") {
            Some(digest) => ("HMAC", format!("digest:{digest}")),
            None => ("CMAC", format!("cipher:{}", algorithm.name.replace("cmac", "cbc"))),
        };
        for length in LENGTHS {
            let message = message(length);
            let key_option = format!("hexkey:{}", hex(&key));
            let options = ["mac", "-macopt", &option, "-macopt", &key_option, "-binary", function];
            let Some(theirs) = openssl(&options, &message) else { break };
            let mut ours = mac::by_name(algorithm.name, &key).expect("every MAC of the list has a type");
            ours.update(&message);
            assert_eq!(hex(&ours.finish()), hex(&theirs), "{} of {length} bytes", algorithm.name);
        }
    }
}

#[test]
fn cbc_in_both_directions() {
    fn check<const KEY: usize>() {
        let (key, iv) = ([0x5a; KEY], [0xc3; 16]);
        let cipher = format!("-aes-{}-cbc", KEY * 8);
        let (hex_key, hex_iv) = (hex(&key), hex(&iv));
        for length in LENGTHS {
            let message = message(length);
            let options = |direction| ["enc", &cipher, direction, "-K", &hex_key, "-iv", &hex_iv];
            let Some(theirs) = openssl(&options("-e"), &message) else { return };
            let ours = CbcEncryptor::<KEY>::new(&key, &iv).encrypt_to_vec(&message, Padding::Pkcs7).unwrap();
            assert_eq!(ours, theirs, "{cipher} of {length} bytes");
            let opened = CbcDecryptor::<KEY>::new(&key, &iv).decrypt_to_vec(&theirs, Padding::Pkcs7).unwrap();
            assert_eq!(opened, message, "{cipher} of {length} bytes");
            assert_eq!(openssl(&options("-d"), &ours).unwrap(), message, "{cipher} of {length} bytes");
        }
    }
    check::<16>();
    check::<24>();
    check::<32>();
}

#[test]
fn key_streams() {
    fn check<const KEY: usize>() {
        let (key, counter) = ([0xa5; KEY], [0xff; 16]);
        let cipher = format!("-aes-{}-ctr", KEY * 8);
        for length in LENGTHS {
            let mut ours = message(length);
            let options = ["enc", &cipher, "-e", "-K", &hex(&key), "-iv", &hex(&counter)];
            let Some(theirs) = openssl(&options, &ours) else { return };
            Ctr::<KEY>::new(&key, &counter).apply(InOutBuf::from(&mut ours[..]));
            assert_eq!(ours, theirs, "{cipher} of {length} bytes");
        }
    }
    check::<16>();
    check::<24>();
    check::<32>();

    for length in LENGTHS {
        let mut ours = message(length);
        let key = [0x3c; 16];
        let options = ["enc", "-rc4", "-e", "-K", &hex(&key), "-provider", "legacy", "-provider", "default"];
        let Some(theirs) = openssl(&options, &ours) else { return };
        Rc4::from_key(&key).unwrap().apply(InOutBuf::from(&mut ours[..]));
        assert_eq!(ours, theirs, "rc4 of {length} bytes");
    }
}
