//! Timings of a whole job by name, a block for each machine: `On HOST, a PROCESSOR, …` and then `name: 7.4s` a line.
//! A name that begins with `+` is a variant of the one above it.

use super::builder::{Builder, Rate, UNKNOWN, What};
use super::{Hints, ImportError, Imported, Source};

/// Reads all such blocks of a text, a document for each.
pub fn read(source: Source<'_>, hints: &Hints) -> Result<Vec<Imported>, ImportError> {
    let mut found = Vec::new();
    let mut block: Option<Block<'_>> = None;
    // Who has once said seconds goes on in seconds.
    let mut unit = None;
    for (number, line) in source.lines() {
        if line.starts_with("On ") && line.contains(',') {
            found.extend(block.take().and_then(|block| block.finish(source, hints)));
            block = Some(Block { heading: line, rows: Vec::new(), base: "", unit });
        } else if let Some(current) = &mut block {
            if line.is_empty() || current.row(source, number, line)? {
                unit = current.unit;
                continue;
            }
            found.extend(block.take().and_then(|block| block.finish(source, hints)));
        }
    }
    found.extend(block.and_then(|block| block.finish(source, hints)));
    Ok(found)
}

struct Block<'a> {
    heading: &'a str,
    /// Line, name, time, and seconds of its unit, if it has one.
    rows: Vec<(usize, String, f64, Option<f64>)>,
    /// The name that variants belong to.
    base: &'a str,
    /// Seconds of the unit that a row has last named.
    unit: Option<f64>,
}

impl<'a> Block<'a> {
    /// Takes a line in, if it is a row.
    fn row(&mut self, source: Source<'_>, number: usize, line: &'a str) -> Result<bool, ImportError> {
        let Some((name, time)) = line.rsplit_once(':') else {
            if source.ends_in(number) && !self.rows.is_empty() && !line.contains(' ') {
                return Err(source.truncated(number, format!("'{line}' has no time")));
            }
            return Ok(false);
        };
        let time = time.trim();
        if time.is_empty() && source.ends_in(number) && !self.rows.is_empty() {
            return Err(source.truncated(number, format!("'{name}' has no time")));
        }
        let digits = time.trim_end_matches(|last: char| last.is_alphabetic());
        if !digits.starts_with(|first: char| first.is_ascii_digit()) {
            return Ok(false);
        }
        if digits.ends_with('.') {
            return Err(source.truncated(number, format!("the time '{time}' of '{name}' is not complete")));
        }
        let (Ok(figure), Some(unit)) = (digits.parse::<f64>(), unit(&time[digits.len()..])) else { return Ok(false) };
        self.unit = unit.or(self.unit);
        let name = match name.trim().strip_prefix('+') {
            Some(variant) => format!("{} + {}", self.base, variant.trim().trim_matches(['<', '>'])),
            None => {
                self.base = name.trim();
                self.base.to_owned()
            }
        };
        self.rows.push((number, name, figure, unit));
        Ok(true)
    }

    fn finish(self, source: Source<'_>, hints: &Hints) -> Option<Imported> {
        // Without a unit anywhere, the rows are of something else.
        let unit = self.unit?;
        let (cpu, about) = host(self.heading);
        let mut builder = Builder::new(&cpu);
        for (line, name, figure, own) in self.rows {
            let build = format!("read from {}, line {line}: timings\n{about}", source.name);
            let what = What { algorithm: hints.algorithm.clone(), operation: hints.operation, bytes: hints.bytes };
            let name = if builder.has(&name, &what) { format!("{name}, line {line}") } else { name };
            let subject = builder.subject(&name, None, build);
            let seconds = figure * own.unwrap_or(unit);
            let calls = hints.calls.max(1) as f64 / seconds;
            let rate = match hints.bytes {
                0 => Rate::OperationsPerSecond(calls),
                bytes => Rate::BytesPerSecond(calls * bytes as f64),
            };
            if seconds > 0.0 {
                builder.measured(&subject, what, rate);
            }
        }
        builder.finish()
    }
}

/// Seconds of a unit; `None` inside where none is given, outside where it is none of time.
fn unit(text: &str) -> Option<Option<f64>> {
    match text {
        "" => Some(None),
        "s" | "sec" | "seconds" => Some(Some(1.0)),
        "ms" => Some(Some(1e-3)),
        "us" | "µs" => Some(Some(1e-6)),
        _ => None,
    }
}

/// The processor, and what else a block's heading says.
fn host(heading: &str) -> (String, String) {
    let rest = heading.strip_prefix("On ").unwrap_or(heading).trim_end_matches(':');
    let (name, rest) = rest.split_once(',').unwrap_or((rest, ""));
    let rest = rest.trim();
    let rest = rest.strip_prefix("an ").or_else(|| rest.strip_prefix("a ")).unwrap_or(rest);
    let (cpu, software) = rest.split_once(" with ").or_else(|| rest.split_once(',')).unwrap_or((rest, ""));
    let cpu = if cpu.is_empty() { UNKNOWN } else { cpu.trim() };
    (format!("{cpu} ({})", name.trim()), software.trim().to_owned())
}
