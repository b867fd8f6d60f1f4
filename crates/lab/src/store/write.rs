//! Writing runs: as they are measured, cell by cell, or whole.

use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, params};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Store, StoreError};
use crate::case::{Case, Operation};
use crate::host::Host;
use crate::result::{Comparison, LimitRow, Measurement, Report, Samples};

/// The fields of a host that say something of a run, and not of the machine.
const CIRCUMSTANCES: &[&str] =
    &["pinned_to", "frequency_before", "frequency_after", "cycles", "clock_resolution", "started"];

impl Store {
    /// Begins a run, of which the report has the host and the subjects. `experiment` is the text that describes it, by which
    /// it can be gone on with.
    ///
    /// # Errors
    /// Those of writing: [`StoreError::ReadOnly`], [`StoreError::Full`], [`StoreError::Busy`].
    pub fn begin(&mut self, head: &Report, experiment: Option<&str>) -> Result<i64, StoreError> {
        self.change(|connection| begin(connection, head, experiment))
    }

    /// Keeps the rows of one case, instead of those that the run may have of it already.
    ///
    /// # Errors
    /// Those of writing: the cell is then not in the store, and everything before it is.
    pub fn keep(&mut self, run: i64, case: &Case, part: &Report) -> Result<(), StoreError> {
        self.change(|connection| keep(connection, run, case, part))
    }

    /// Ends a run, with what is known only then: the frequency afterwards, the noise floor, whether all was measured.
    ///
    /// # Errors
    /// Those of writing.
    pub fn finish(&mut self, run: i64, report: &Report) -> Result<(), StoreError> {
        self.change(|connection| finish(connection, run, report))
    }

    /// Keeps a whole report.
    ///
    /// # Errors
    /// Those of writing: nothing of it is then in the store.
    pub fn save(&mut self, report: &Report) -> Result<i64, StoreError> {
        self.change(|connection| {
            let run = begin(connection, report, None)?;
            for (case, part) in parts(report) {
                keep(connection, run, &case, &part)?;
            }
            finish(connection, run, report)?;
            Ok(run)
        })
    }

    /// Forgets a run, with machines and subjects that no other run has.
    ///
    /// # Errors
    /// [`StoreError::NoRun`], and those of writing.
    pub fn delete(&mut self, run: i64) -> Result<(), StoreError> {
        let deleted = self.change(|connection| {
            let deleted = connection.execute("DELETE FROM runs WHERE id = ?1", [run])?;
            connection.execute("DELETE FROM hosts WHERE id NOT IN (SELECT host FROM runs)", [])?;
            connection.execute("DELETE FROM subjects WHERE id NOT IN (SELECT subject FROM entrants)", [])?;
            Ok(deleted)
        })?;
        if deleted == 0 {
            return Err(StoreError::NoRun { path: self.path.clone(), run: run.to_string() });
        }
        Ok(())
    }
}

fn begin(connection: &Connection, head: &Report, experiment: Option<&str>) -> rusqlite::Result<i64> {
    let (host, circumstances) = documents(&head.host);
    connection.execute("INSERT OR IGNORE INTO hosts (document) VALUES (?1)", [&host])?;
    connection.execute(
        "INSERT INTO runs (identity, title, experiment, host, circumstances, threads, baseline, noise_floor, written, complete)
         VALUES (lower(hex(randomblob(16))), ?1, ?2, (SELECT id FROM hosts WHERE document = ?3), ?4, ?5, ?6, NULL, ?7, 0)",
        params![head.title, experiment, host, circumstances, head.threads, head.baseline, now()],
    )?;
    let run = connection.last_insert_rowid();
    for (position, facts) in head.subjects.iter().enumerate() {
        let document = Value::Object(document(facts)).to_string();
        connection.execute("INSERT OR IGNORE INTO subjects (document) VALUES (?1)", [&document])?;
        connection.execute(
            "INSERT INTO entrants (run, position, subject) VALUES (?1, ?2, (SELECT id FROM subjects WHERE document = ?3))",
            params![run, position, document],
        )?;
    }
    Ok(run)
}

fn finish(connection: &Connection, run: i64, report: &Report) -> rusqlite::Result<()> {
    let (_, circumstances) = documents(&report.host);
    connection.execute(
        "UPDATE runs SET circumstances = ?2, noise_floor = ?3, written = ?4, complete = ?5 WHERE id = ?1",
        params![run, circumstances, report.noise_floor, now(), report.complete],
    )?;
    Ok(())
}

fn keep(connection: &Connection, run: i64, case: &Case, part: &Report) -> rusqlite::Result<()> {
    let Case { algorithm, operation, bytes, messages, whole, secret: _ } = case;
    let operation = operation.name();
    connection.execute(
        "DELETE FROM cells WHERE run = ?1 AND algorithm = ?2 AND operation = ?3 AND bytes = ?4 AND messages = ?5 AND whole = ?6",
        params![run, algorithm, operation, bytes, messages, whole],
    )?;
    connection.execute(
        "INSERT INTO cells (run, algorithm, operation, bytes, messages, whole, noise_floor, complete)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![run, algorithm, operation, bytes, messages, whole, part.noise_floor, part.complete],
    )?;
    let cell = connection.last_insert_rowid();
    part.results.iter().try_for_each(|row| keep_result(connection, cell, row))?;
    part.ratios.iter().try_for_each(|row| keep_ratio(connection, cell, row))?;
    part.limits.iter().try_for_each(|row| keep_limit(connection, cell, row))?;
    for row in &part.skipped {
        connection.execute(
            "INSERT INTO skips (cell, subject, why) VALUES (?1, ?2, ?3)",
            params![cell, row.subject, row.why],
        )?;
    }
    for Samples { subject, ns_per_call, .. } in &part.samples {
        let blob: Vec<u8> = ns_per_call.iter().flat_map(|time| time.to_le_bytes()).collect();
        connection.execute(
            "INSERT INTO samples (cell, subject, ns_per_call) VALUES (?1, ?2, ?3)",
            params![cell, subject, blob],
        )?;
    }
    connection.execute("UPDATE runs SET written = ?2 WHERE id = ?1", params![run, now()])?;
    Ok(())
}

// The rows are taken apart by all their fields: whoever adds one is told here that the store has no column for it.

fn keep_result(connection: &Connection, cell: i64, row: &Measurement) -> rusqlite::Result<()> {
    let Measurement {
        algorithm: _,
        operation: _,
        bytes: _,
        messages: _,
        whole: _,
        subject,
        kernel,
        bytes_per_second,
        operations_per_second,
        interval: [low, high],
        cycles_per_byte,
        ns_per_call,
        limit_fraction,
        samples,
        outliers,
    } = row;
    connection.execute(
        "INSERT INTO results VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        params![
            cell,
            subject,
            kernel,
            bytes_per_second,
            operations_per_second,
            low,
            high,
            cycles_per_byte,
            ns_per_call,
            limit_fraction,
            samples,
            outliers.low,
            outliers.high
        ],
    )?;
    Ok(())
}

fn keep_ratio(connection: &Connection, cell: i64, row: &Comparison) -> rusqlite::Result<()> {
    let Comparison {
        algorithm: _,
        operation: _,
        bytes: _,
        messages: _,
        whole: _,
        subject,
        versus,
        ratio,
        interval: [low, high],
        verdict,
        noise_floor,
    } = row;
    connection.execute(
        "INSERT INTO ratios VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![cell, subject, versus, ratio, low, high, verdict.to_string(), noise_floor],
    )?;
    Ok(())
}

fn keep_limit(connection: &Connection, cell: i64, row: &LimitRow) -> rusqlite::Result<()> {
    let LimitRow { algorithm: _, operation: _, bytes: _, what, ns_per_call, bytes_per_second, cycles_per_byte } = row;
    connection.execute(
        "INSERT INTO limits VALUES (?1, ?2, ?3, ?4, ?5)",
        params![cell, what, ns_per_call, bytes_per_second, cycles_per_byte],
    )?;
    Ok(())
}

/// A host as two documents: the machine, and the circumstances of the run.
fn documents(host: &Host) -> (String, String) {
    let (circumstances, machine): (Map<String, Value>, Map<String, Value>) =
        document(host).into_iter().partition(|(name, _)| CIRCUMSTANCES.contains(&name.as_str()));
    (Value::Object(machine).to_string(), Value::Object(circumstances).to_string())
}

/// The fields of whatever is written as an object.
fn document(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// A report taken apart into its cases, in the order in which they occur.
fn parts(report: &Report) -> Vec<(Case, Report)> {
    let mut parts = Parts { head: Report::new(report.host.clone(), Vec::new()), parts: Vec::new() };
    for row in &report.results {
        parts.of(&row.algorithm, row.operation, row.bytes, Some((row.messages, row.whole))).results.push(row.clone());
    }
    for row in &report.ratios {
        parts.of(&row.algorithm, row.operation, row.bytes, Some((row.messages, row.whole))).ratios.push(row.clone());
    }
    for row in &report.samples {
        parts.of(&row.algorithm, row.operation, row.bytes, Some((row.messages, row.whole))).samples.push(row.clone());
    }
    for row in &report.limits {
        parts.of(&row.algorithm, row.operation, row.bytes, None).limits.push(row.clone());
    }
    for row in &report.skipped {
        for bytes in &row.bytes {
            parts.of(&row.algorithm, row.operation, *bytes, None).add_skip(row, *bytes);
        }
    }
    parts.parts
}

struct Parts {
    head: Report,
    parts: Vec<(Case, Report)>,
}

impl Parts {
    /// The part of a case. Rows that do not tell how many messages and how much of the operation go to the first case of
    /// the others.
    fn of(&mut self, algorithm: &str, operation: Operation, bytes: usize, more: Option<(usize, bool)>) -> &mut Report {
        let same = |case: &Case| {
            (case.algorithm.as_str(), case.operation, case.bytes) == (algorithm, operation, bytes)
                && more.is_none_or(|more| more == (case.messages, case.whole))
        };
        let place = self.parts.iter().position(|(case, _)| same(case)).unwrap_or_else(|| {
            let (messages, whole) = more.unwrap_or((1, false));
            let case = Case { messages, whole, ..Case::new(algorithm, operation, bytes) };
            self.parts.push((case, self.head.clone()));
            self.parts.len() - 1
        });
        &mut self.parts[place].1
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
