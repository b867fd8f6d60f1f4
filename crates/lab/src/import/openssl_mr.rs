//! The machine format of `openssl speed -mr`: `+H` with the sizes, `+F` with bytes a second, `+F2` and so on with the
//! operations of public keys: until 1.1.0 the seconds of one, since 1.1.1 how many a second.

use super::builder::{Builder, Rate, UNKNOWN, What};
use super::openssl::decimal;
use super::{ImportError, Imported, Source, labels};
use crate::case::Operation;

/// Reads all such lines of a text into one document.
pub fn read(source: Source<'_>) -> Result<Option<Imported>, ImportError> {
    let mut builder = Builder::new(UNKNOWN);
    let mut sizes: Vec<usize> = Vec::new();
    let build = format!("read from {}: openssl speed -mr", source.name);
    for (number, line) in source.lines() {
        let Some((tag, rest)) = line.strip_prefix('+').and_then(|line| line.split_once(':')) else { continue };
        let fields: Vec<&str> = rest.split(':').collect();
        let cut = |what: String| source.truncated(number, what);
        if tag == "H" {
            let parsed: Option<Vec<usize>> = fields.iter().map(|field| field.parse().ok()).collect();
            sizes = parsed.ok_or_else(|| cut("the line of sizes".to_owned()))?;
            continue;
        }
        if !tag.starts_with('F') {
            continue;
        }
        let figure = |text: &str| decimal(text).ok_or_else(|| cut(format!("the figure '{text}' is not complete")));
        let mut rows: Vec<(What, Rate)> = Vec::new();
        if tag == "F" {
            let [_, name, figures @ ..] = &fields[..] else { return Err(cut("a row without figures".to_owned())) };
            if figures.len() != sizes.len() {
                let (found, wanted) = (figures.len(), sizes.len());
                return Err(cut(format!("the row of '{name}' has {found} of {wanted} figures")));
            }
            for (bytes, text) in sizes.iter().zip(figures) {
                rows.push((labels::throughput(name, *bytes), Rate::BytesPerSecond(figure(text)?)));
            }
        } else if let Some((algorithm, figures)) = key(tag, &fields) {
            let figures: Vec<f64> = figures.iter().map(|text| figure(text)).collect::<Result<_, _>>()?;
            if figures.is_empty() || figures.len() % 2 == 1 {
                return Err(cut(format!("the row of '{algorithm}' has {} figures", figures.len())));
            }
            for (operation, figure) in OPERATIONS.into_iter().zip(rates(&figures)) {
                let what = What { algorithm: algorithm.clone(), operation, bytes: 0 };
                rows.push((what, Rate::OperationsPerSecond(figure)));
            }
        } else {
            builder.note(format!("line {number}: +{tag}: not an operation of the laboratory"));
        }
        for (what, rate) in rows {
            let (Rate::BytesPerSecond(figure) | Rate::OperationsPerSecond(figure)) = rate;
            if figure > 0.0 {
                let name = (1..)
                    .map(|turn| if turn == 1 { source.stem().to_owned() } else { format!("{}#{turn}", source.stem()) });
                let free = name.into_iter().find(|name| !builder.has(name, &what)).unwrap_or_default();
                let subject = builder.subject(&free, None, build.clone());
                builder.measured(&subject, what, rate);
            }
        }
    }
    Ok(builder.finish())
}

const OPERATIONS: [Operation; 4] = [Operation::Sign, Operation::Verify, Operation::Encrypt, Operation::Decrypt];

/// The algorithm of a row of public keys, and its figures; `None` for key agreement and others.
fn key<'a>(tag: &str, fields: &'a [&'a str]) -> Option<(String, &'a [&'a str])> {
    match (tag, fields) {
        ("F2", [_, bits, figures @ ..]) => Some((labels::public_key(&format!("rsa {bits}")), figures)),
        ("F3", [_, bits, figures @ ..]) => Some((labels::public_key(&format!("dsa {bits}")), figures)),
        ("F4", [_, bits, figures @ ..]) => Some((format!("ecdsa-{bits}"), figures)),
        ("F6", [_, _, name, figures @ ..]) => Some((labels::public_key(name), figures)),
        _ => None,
    }
}

/// Operations a second. Seconds are known by signing: it takes longer than verifying with the same RSA key, and of all
/// keys less than a second.
fn rates(figures: &[f64]) -> Vec<f64> {
    let seconds = figures.iter().all(|figure| *figure < 1.0) || (figures[0] > figures[1] && figures[1] < 1.0);
    figures.iter().map(|figure| if seconds && *figure > 0.0 { figure.recip() } else { *figure }).collect()
}
