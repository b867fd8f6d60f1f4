//! Our own JSON: one document, documents a line each, or the lines of `speedwell speed --jsonl`.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{ImportError, Imported, Source};
use crate::result::Report;

/// Reads all documents of a text.
pub fn read(source: Source<'_>) -> Result<Vec<Imported>, ImportError> {
    let mut reports = Vec::new();
    let mut lines: Option<Lines> = None;
    let mut at = 1;
    let mut stream =
        serde_json::Deserializer::from_str(source.text.trim_start_matches('\u{feff}')).into_iter::<Value>();
    while let Some(value) = stream.next() {
        let value = value.map_err(|error| fault(source, at, &error))?;
        match value.get("type").and_then(Value::as_str).map(str::to_owned) {
            Some(kind) => {
                if kind == "host" {
                    reports
                        .extend(lines.take().map(Lines::finish).transpose().map_err(|why| source.malformed(at, why))?);
                }
                lines.get_or_insert_default().take(&kind, value).map_err(|why| source.malformed(at, why))?;
            }
            None => match value {
                Value::Array(values) => {
                    for value in values {
                        reports.push(parse(value).map_err(|why| source.malformed(at, why))?);
                    }
                }
                value => reports.push(parse(value).map_err(|why| source.malformed(at, why))?),
            },
        }
        at = 1 + source.text.as_bytes()[..stream.byte_offset()].iter().filter(|byte| **byte == b'\n').count();
    }
    if let Some(lines) = lines {
        if lines.end.is_none() {
            return Err(source.truncated(at, "the line of type 'end' is missing"));
        }
        reports.push(lines.finish().map_err(|why| source.malformed(at, why))?);
    }
    Ok(reports.into_iter().map(|report| Imported { report, notes: Vec::new() }).collect())
}

fn fault(source: Source<'_>, at: usize, error: &serde_json::Error) -> ImportError {
    // A stream counts lines from the start of the text, but for what was trimmed off: never less than where it was.
    let line = error.line().max(at);
    if error.is_eof() {
        source.truncated(line, "the JSON ends too early")
    } else {
        source.malformed(line, format!("not our JSON: {error}"))
    }
}

fn parse<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| format!("not our JSON: {error}"))
}

/// The lines of one run, by their types.
#[derive(Default)]
struct Lines {
    rows: serde_json::Map<String, Value>,
    end: Option<Value>,
}

impl Lines {
    fn take(&mut self, kind: &str, value: Value) -> Result<(), String> {
        let place = match kind {
            "host" => {
                self.rows.insert("host".to_owned(), value);
                return Ok(());
            }
            "end" => {
                self.end = Some(value);
                return Ok(());
            }
            "subject" => "subjects",
            "result" => "results",
            "ratio" => "ratios",
            "limit" => "limits",
            "line" => "lines",
            "skipped" => "skipped",
            "samples" => "samples",
            other => return Err(format!("a line of the type '{other}' is none of ours")),
        };
        let rows = self.rows.entry(place).or_insert_with(|| json!([]));
        rows.as_array_mut().ok_or("two fields of one name")?.push(value);
        Ok(())
    }

    fn finish(mut self) -> Result<Report, String> {
        for place in ["subjects", "results", "ratios", "limits", "lines", "skipped"] {
            self.rows.entry(place).or_insert_with(|| json!([]));
        }
        let end = self.end.unwrap_or_else(|| json!({"complete": false}));
        self.rows.insert("complete".to_owned(), end["complete"].clone());
        self.rows.insert("noise_floor".to_owned(), end["noise_floor"].clone());
        parse(Value::Object(self.rows))
    }
}
