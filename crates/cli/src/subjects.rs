//! `speedwell subjects`: what can be compared with, what of it is here, and how to get the rest.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde::Serialize;
use speedwell_lab::case::Operation;
use speedwell_lab::subjects::{Facts, Found, KNOWN, Known, look};

use crate::arguments::SubjectsArguments;
use crate::output;
use crate::speed::UsageError;

/// Runs the command.
pub fn run(arguments: &SubjectsArguments) -> Result<()> {
    let this = std::env::current_exe().context("cannot find this program to start it as a worker")?;
    let names: Vec<&str> = match arguments.subjects.is_empty() {
        true => KNOWN.iter().map(|known| known.name).collect(),
        false => arguments.subjects.iter().map(String::as_str).collect(),
    };
    let found = names.into_iter().map(|name| look(name, &this)).collect::<Result<Vec<_>, _>>();
    let found = found.map_err(|error| UsageError(error.to_string()))?;
    if arguments.json {
        let rows: Vec<Row<'_>> = found.iter().map(Row::of).collect();
        return output::print(&(serde_json::to_string_pretty(&rows)? + "\n"));
    }
    output::print(&text(&found))
}

/// A subject in the JSON document.
#[derive(Serialize)]
struct Row<'a> {
    subject: &'a str,
    what: &'a str,
    present: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<&'a Facts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    install: Option<String>,
    offers: Vec<Offer<'a>>,
}

/// An algorithm in the JSON document.
#[derive(Serialize)]
struct Offer<'a> {
    algorithm: &'a str,
    operations: &'a [Operation],
}

impl Row<'_> {
    fn of(found: &Found) -> Row<'_> {
        let offers = found.offers.iter().map(|(algorithm, operations)| Offer { algorithm, operations });
        Row {
            subject: &found.name,
            what: found.known.map_or("", |known| known.what),
            present: found.facts.is_ok(),
            facts: found.facts.as_ref().ok(),
            why: found.facts.as_ref().err().map(ToString::to_string),
            install: found.facts.as_ref().err().and_then(|_| found.known.and_then(Known::install)),
            offers: offers.collect(),
        }
    }
}

fn text(found: &[Found]) -> String {
    let mut text = String::new();
    for one in found {
        text += &block(one);
    }
    text + "Any program that speaks the protocol of docs/workers.md can be compared with: worker=COMMAND\n"
}

/// A subject in a few lines: a name with what it is, and what it offers or how it is got.
fn block(found: &Found) -> String {
    let mut text = format!(
        "{}\n",
        found.known.map_or_else(|| found.name.clone(), |known| format!("{}: {}", found.name, known.what))
    );
    // Nothing that is written to a string fails.
    let _ = match &found.facts {
        Ok(facts) => {
            let version = facts.version.as_deref().unwrap_or(&facts.name);
            let file = facts.file.as_ref().map_or(String::new(), |file| format!(" ({})", file.display()));
            writeln!(text, "  here     {version}{file}\n  offers   {}", offers(found))
        }
        Err(why) => {
            let install = found.known.and_then(Known::install);
            let install = install.map_or(String::new(), |command| format!("\n  install  {command}"));
            writeln!(text, "  missing  {why}{install}")
        }
    };
    text + "\n"
}

/// The algorithms, those of a family together: `aes-128/192/256-cbc`.
fn offers(found: &Found) -> String {
    let mut families: Vec<(String, Vec<String>)> = Vec::new();
    for (algorithm, _) in &found.offers {
        let parts: Vec<&str> = algorithm.split('-').collect();
        let (family, member) = match parts[..] {
            ["aes", bits, mode] => (format!("aes-*-{mode}"), bits),
            ["rsa" | "dsa", bits] => (format!("{}-*", parts[0]), bits),
            ["hmac", ..] => ("hmac-*".to_owned(), &algorithm[5..]),
            _ => ((*algorithm).to_owned(), ""),
        };
        match families.iter_mut().find(|(name, _)| *name == family) {
            Some((_, members)) => members.push(member.to_owned()),
            None => families.push((family, vec![member.to_owned()])),
        }
    }
    let names = families.iter().map(|(family, members)| family.replace('*', &members.join("/")));
    names.collect::<Vec<_>>().join(", ")
}
