use super::*;
use crate::import::{Hints, import};

fn runs(name: &str, text: &str, hints: &Hints) -> Vec<Run> {
    let found = import(name, text, hints).unwrap();
    found.into_iter().map(|found| Run { name: name.to_owned(), report: found.report }).collect()
}

const WESTMERE: &str = include_str!("../../tests/fixtures/openssl-1.0.0d-westmere.txt");
const COMPILERS: &str = include_str!("../../tests/fixtures/openssl-0.9.7b-compilers.txt");
const CELLS: &str = include_str!("../../tests/fixtures/aes-cells-2007.txt");

fn on<'a>(advice: &'a [Advice], name: &str) -> &'a Advice {
    advice.iter().find(|one| one.topic.name() == name).unwrap_or_else(|| panic!("no advice on {name}"))
}

#[test]
fn the_c_of_2011_is_faster_where_the_page_says() {
    let advice = recommend(&runs("westmere", WESTMERE, &Hints::default()));
    let aes = on(&advice, "aes-128-cbc encrypt");
    assert_eq!(aes.tiers.len(), 1);
    assert_eq!(aes.tiers[0].winner, "openssl-1.0.0d without asm");
    let lead = aes.tiers[0].next.as_ref().unwrap();
    assert_eq!((lead.bytes, lead.verdict), (8192, Verdict::Unknown));
    assert_eq!(on(&advice, "rsa-1024 sign").tiers[0].winner, "openssl-1.0.0d with asm");
    let camellia = on(&advice, "camellia-128-cbc encrypt");
    let winners: Vec<(usize, &str)> = camellia.tiers.iter().map(|tier| (tier.sizes[0], tier.winner.as_str())).collect();
    assert_eq!(winners, [(16, "openssl-1.0.0d without asm"), (64, "openssl-1.0.0d with asm")]);
    let text = text(&advice);
    assert!(text.contains("aes-128-cbc encrypt"), "{text}");
    assert!(
        text.contains("at least 1.966 × openssl-1.0.0d with asm (one figure each, no interval) at 8 KiB"),
        "{text}"
    );
}

#[test]
fn ratios_alone_are_enough() {
    let advice = recommend(&runs("compilers", COMPILERS, &Hints::default()));
    let rc4 = &on(&advice, "rc4 encrypt").tiers[0];
    assert!(rc4.winner.starts_with("oicc"), "{rc4:?}");
    assert!(rc4.evidence.is_none());
    assert_eq!(on(&advice, "sha1").tiers[0].winner, "ecc");
    assert_eq!(on(&advice, "md2").tiers[0].next.as_ref().unwrap().subject, "gcc");
}

#[test]
fn hosts_that_differ_are_told_apart() {
    let hints = Hints { algorithm: "aes-128-ctr".to_owned(), bytes: 512, calls: 1_000_000, ..Hints::default() };
    let advice = recommend(&runs("cells", CELLS, &hints));
    assert_eq!(advice.len(), 3);
    assert!(advice.iter().all(|one| one.differs));
    let winners: Vec<&str> = advice.iter().map(|one| one.tiers[0].winner.as_str()).collect();
    assert_eq!(
        winners,
        [
            "use_openssl_aes + -O3",
            "use_openssl_aes, with 0.9.8e + -O3",
            "use_rijndael_counter_optimization + full unroll"
        ]
    );
    let lines = cpp(&advice);
    assert!(lines.contains("#if defined(HOST_INTEL_CORE_2_DUO_E6700__CATBUS_)"), "{lines}");
    assert!(lines.contains("define USE_USE_OPENSSL_AES____O3_FOR_AES_128_CTR_ENCRYPT 1"), "{lines}");
    assert!(lines.trim_end().ends_with("#endif"), "{lines}");
    let balanced = lines.matches("/*").count() == lines.matches("*/").count();
    assert!(balanced, "{lines}");
}

#[test]
fn a_configuration_names_what_is_better_elsewhere() {
    let mut found = runs("westmere", WESTMERE, &Hints::default());
    for run in &mut found {
        let rename =
            |name: &mut String| *name = if name.contains("without") { "speedwell" } else { "openssl" }.to_owned();
        run.report.subjects.iter_mut().for_each(|facts| rename(&mut facts.name));
        run.report.results.iter_mut().for_each(|row| rename(&mut row.subject));
    }
    let text = openssl_cnf(&recommend(&found));
    assert!(text.contains("default_properties = ?provider=default"), "{text}");
    assert!(text.contains("\"provider=speedwell\".\n"), "{text}");
    assert!(text.contains("#   aes-128-cbc encrypt 16 B to 8 KiB (Westmere): speedwell: at least 1.966"), "{text}");
    assert!(profile(&found).unwrap_err().contains("speedwell tune"));
}

#[test]
fn nothing_to_choose_from_is_no_advice() {
    let one = runs("one", "type  16 bytes\nmd5  1000.00k\n", &Hints::default());
    assert_eq!(recommend(&one), []);
    assert!(text(&[]).starts_with("No advice"));
}
