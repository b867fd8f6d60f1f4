//! Lists of digests: every style is read back, and the lines of other commands are understood.

use speedwell::checklist::{Encoding, Style, output_length, read_json, read_line};
use speedwell::names::{algorithms, find};

const NAMES: [&[u8]; 9] = [
    b"plain",
    b"with  spaces ",
    b"*star",
    b"back\\slash",
    b"new\nline and\rreturn",
    b"not UTF-8 \xff\xfe",
    b"a) = b",
    b"MD5 (x) = y",
    b"(",
];

#[test]
fn every_style_is_read_back() {
    for algorithm in algorithms() {
        let Some(length) = output_length(algorithm) else { continue };
        let digest: Vec<u8> = (0..length as u8).map(|i| i.wrapping_mul(37)).collect();
        for name in NAMES {
            for encoding in [Encoding::Hex, Encoding::Base64] {
                for style in [Style::Coreutils, Style::Tag, Style::Solaris, Style::Json] {
                    let line = style.line(algorithm, name, &digest, encoding, true);
                    assert!(!line.contains(&b'\n'));
                    let entry = read_line(&line, Some(algorithm)).unwrap_or_else(|| panic!("{}", line.escape_ascii()));
                    assert_eq!((&entry.name[..], &entry.digest, entry.algorithm), (name, &digest, algorithm));
                }
            }
        }
    }
}

#[test]
fn other_commands_are_understood() {
    let md5 = "d41d8cd98f00b204e9800998ecf8427e";
    let sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    for (line, algorithm, name) in [
        (format!("{md5}  file"), "md5", "file"),
        (format!("{md5} *file"), "md5", "file"),
        (format!("{md5} file"), "md5", "file"),
        (format!("{}  file", md5.to_uppercase()), "md5", "file"),
        (format!("MD5 (file) = {md5}"), "md5", "file"),
        (format!("MD5(file)= {md5}"), "md5", "file"),
        (format!("SHA2-256(file)= {sha256}"), "sha256", "file"),
        (format!("sha256 (file) = {sha256}"), "sha256", "file"),
        (format!("  {sha256}  file"), "sha256", "file"),
        ("SHA256 (f) = 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=".to_owned(), "sha256", "f"),
        (format!(r#"{{"file":"f","algorithm":"sha256","digest":"{sha256}"}}"#), "sha256", "f"),
    ] {
        let entry = read_line(line.as_bytes(), None).unwrap_or_else(|| panic!("{line}"));
        assert_eq!((entry.algorithm.name, &entry.name[..]), (algorithm, name.as_bytes()), "{line}");
    }
}

#[test]
fn what_is_no_entry_is_none() {
    let md5 = "d41d8cd98f00b204e9800998ecf8427e";
    for line in [
        String::new(),
        "some text".to_owned(),
        md5.to_owned(),
        format!("{md5} "),
        format!("{md5}0  file"),
        format!("SHA256 (file) = {md5}"),
        format!("NONE (file) = {md5}"),
        format!("MD5 (file) {md5}"),
        format!("\\{md5}  bad\\escape"),
        format!("{md5}  zero\0"),
        "{\"file\":1}".to_owned(),
    ] {
        assert_eq!(read_line(line.as_bytes(), None), None, "{line:?}");
    }
    let sha1 = find("sha1").unwrap();
    assert_eq!(
        read_line(format!("MD5 (file) = {md5}").as_bytes(), Some(sha1)),
        None,
        "another algorithm than expected"
    );
    assert_eq!(read_json(b"{}", None), None);
    assert_eq!(read_json(b"[{}]", None), Some(vec![None]));
}
