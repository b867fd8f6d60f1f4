//! Results of the Phoronix Test Suite: the XML file of a saved result. Those of OpenSSL's test are taken in; of others
//! a note says that they were left out.

use roxmltree::{Document, Node};

use super::builder::{Builder, Rate, What};
use super::{ImportError, Imported, Source, labels};

/// Reads a file, a document for each system in it.
pub fn read(source: Source<'_>) -> Result<Vec<Imported>, ImportError> {
    let document = Document::parse(source.text).map_err(|error| {
        let line = error.pos().row as usize;
        let lines = source.text.lines().count();
        if line >= lines
            || matches!(error, roxmltree::Error::UnexpectedEndOfStream | roxmltree::Error::UnclosedRootNode)
        {
            source.truncated(lines, format!("the XML ends too early: {error}"))
        } else {
            source.malformed(line, format!("not well-formed XML: {error}"))
        }
    })?;
    let mut hosts: Vec<(String, Builder)> = Vec::new();
    for system in named(document.root_element(), "System") {
        let identifier = text(system, "Identifier").unwrap_or_default();
        let hardware = text(system, "Hardware").unwrap_or_default();
        let processor = field(&hardware, "Processor").unwrap_or_else(|| identifier.clone());
        let mut builder = Builder::new(&processor);
        builder.host().kernel = field(&text(system, "Software").unwrap_or_default(), "Kernel");
        hosts.push((identifier, builder));
    }
    let mut notes = Vec::new();
    for result in named(document.root_element(), "Result") {
        let line = document.text_pos_at(result.range().start).row as usize;
        let test = text(result, "Identifier").unwrap_or_default();
        let description = text(result, "Description").unwrap_or_default();
        let scale = text(result, "Scale").unwrap_or_default();
        let Some((what, factor)) = case(&test, &description, &scale) else {
            notes.push(format!("line {line}: {test} ({description}) in {scale}: not a result of OpenSSL's speed"));
            continue;
        };
        let version = text(result, "AppVersion").filter(|version| !version.is_empty());
        let subject = version.as_ref().map_or("openssl".to_owned(), |version| format!("openssl-{version}"));
        for entry in named(result, "Entry") {
            let system = text(entry, "Identifier").unwrap_or_default();
            let value = text(entry, "Value").unwrap_or_default();
            let value: f64 = match value.parse() {
                Ok(value) => value,
                // A run that failed has no value.
                Err(_) if value.is_empty() => continue,
                Err(_) => return Err(source.malformed(line, format!("'{value}' is no figure"))),
            };
            let Some((_, builder)) = hosts.iter_mut().find(|(name, _)| *name == system) else {
                return Err(source.malformed(line, format!("the system '{system}' is not described in the file")));
            };
            let build = format!("read from {}: Phoronix Test Suite, {test}", source.name);
            let subject = builder.subject(&subject, version.as_deref(), build);
            let rate = if what.bytes == 0 && scale.contains("/s") && !scale.starts_with("byte") {
                Rate::OperationsPerSecond(value)
            } else {
                Rate::BytesPerSecond(value * factor)
            };
            builder.measured(&subject, what.clone(), rate);
        }
    }
    if let Some((_, first)) = hosts.first_mut() {
        notes.into_iter().for_each(|note| first.note(note));
    }
    Ok(hosts.into_iter().filter_map(|(_, builder)| builder.finish()).collect())
}

/// What a result is about, and how many bytes a second its unit is; `None` if it is none of `openssl speed`.
fn case(test: &str, description: &str, scale: &str) -> Option<(What, f64)> {
    if !test.contains("openssl") {
        return None;
    }
    let label = field(description, "Algorithm").or_else(|| description.split_whitespace().next().map(str::to_owned))?;
    let unit = scale.to_ascii_lowercase();
    if let Some(operation) = unit.strip_suffix("/s").and_then(labels::operation) {
        return Some((What { algorithm: labels::public_key(&label), operation, bytes: 0 }, 1.0));
    }
    // Older profiles measure RSA-4096 alone and say "Signs Per Second".
    if unit.starts_with("signs per second") {
        let label = if label.to_ascii_lowercase().starts_with("rsa") { description } else { "rsa 4096" };
        let label = label.split_whitespace().take(2).collect::<Vec<_>>().join(" ").replace("-bit", "");
        return Some((
            What { algorithm: labels::public_key(&label), operation: crate::case::Operation::Sign, bytes: 0 },
            1.0,
        ));
    }
    let factor = match unit.as_str() {
        "byte/s" | "bytes/s" => 1.0,
        "mb/s" => 1e6,
        _ => return None,
    };
    // The test runs its program with the largest of the default sizes last, and shows that one.
    Some((labels::throughput(&label, LARGEST), factor))
}

/// Bytes of a message at which the test measures.
const LARGEST: usize = 16384;

/// The value of `Key: value`, in a list with commas.
fn field(text: &str, key: &str) -> Option<String> {
    text.split(',').find_map(|part| {
        let (name, value) = part.split_once(':')?;
        (name.trim() == key).then(|| value.trim().to_owned())
    })
}

fn named<'a>(node: Node<'a, 'a>, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.descendants().filter(move |node| node.has_tag_name(name))
}

fn text(node: Node<'_, '_>, name: &str) -> Option<String> {
    node.children()
        .find(|child| child.has_tag_name(name))
        .and_then(|child| child.text())
        .map(|text| text.trim().to_owned())
}
