//! Reading runs.

use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row, Rows};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Store, StoreError};
use crate::case::{Case, Operation};
use crate::host::Host;
use crate::result::{Comparison, LimitRow, Measurement, Report, Samples, Skipped};
use crate::statistics::{Outliers, median};
use crate::subjects::Facts;

/// What a list says of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// Its number in this store.
    pub id: i64,
    /// By which it is known in every store.
    pub identity: String,
    /// The name of the experiment.
    pub title: Option<String>,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// When the last of its cells was written.
    pub written: u64,
    /// The processor's brand string.
    pub cpu: String,
    /// By which measurements of the same kind of machine are known.
    pub fingerprint: String,
    /// The names of the subjects, in their order.
    pub subjects: Vec<String>,
    /// How many threads worked at the same time.
    pub threads: usize,
    /// Cases that were measured.
    pub cells: usize,
    /// Whether these are all.
    pub complete: bool,
}

impl Store {
    /// All runs, the oldest first.
    ///
    /// # Errors
    /// Those of reading.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        let mut runs = self.rows(
            "SELECT runs.id, identity, title, started, written, hosts.cpu, hosts.fingerprint, threads, complete,
                    (SELECT count(*) FROM cells WHERE run = runs.id)
             FROM runs JOIN hosts ON hosts.id = runs.host ORDER BY runs.id",
            None,
            |row| {
                Ok(Run {
                    id: row.get(0)?,
                    identity: row.get(1)?,
                    title: row.get(2)?,
                    started: row.get::<_, Option<u64>>(3)?.unwrap_or(0),
                    written: row.get(4)?,
                    cpu: row.get::<_, Option<String>>(5)?.unwrap_or_default(),
                    fingerprint: row.get::<_, Option<String>>(6)?.unwrap_or_default(),
                    subjects: Vec::new(),
                    threads: row.get(7)?,
                    complete: row.get(8)?,
                    cells: row.get(9)?,
                })
            },
        )?;
        for run in &mut runs {
            run.subjects = self.facts(run.id)?.into_iter().map(|facts| facts.name).collect();
        }
        Ok(runs)
    }

    /// The number of a run that is named by its number, by the beginning of its identity (eight characters or more), or as
    /// `latest`.
    ///
    /// # Errors
    /// [`StoreError::NoRun`], and those of reading.
    pub fn find(&self, name: &str) -> Result<i64, StoreError> {
        let found = self.connection.query_row(
            "SELECT id FROM runs WHERE (?1 = 'latest') OR id = CAST(?1 AS INTEGER) AND ?1 NOT GLOB '*[^0-9]*'
                 OR length(?1) >= 8 AND substr(identity, 1, length(?1)) = lower(?1) ORDER BY id DESC LIMIT 1",
            [name],
            |row| row.get(0),
        );
        let missing = || StoreError::NoRun { path: self.path.clone(), run: name.to_owned() };
        found.optional().map_err(|error| self.error(error))?.ok_or_else(missing)
    }

    /// The report of a run, with what every round took. One that was killed has the cells that it finished.
    ///
    /// # Errors
    /// [`StoreError::NoRun`], [`StoreError::Damaged`], and those of reading.
    pub fn load(&self, run: i64) -> Result<Report, StoreError> {
        // One look at everything, while others write.
        let transaction = self.connection.unchecked_transaction().map_err(|error| self.error(error))?;
        let mut report = self.head(run)?;
        let results = "kernel, bytes_per_second, operations_per_second, interval_low, interval_high, cycles_per_byte,
                       ns_per_call, limit_fraction, samples, outliers_low, outliers_high";
        report.results = self.cell_rows(run, "results", &format!("subject, {results}"), measurement)?;
        let ratios = "subject, versus, ratio, interval_low, interval_high, verdict, noise_floor";
        report.ratios = self.cell_rows(run, "ratios", ratios, comparison)?;
        report.limits = self.cell_rows(run, "limits", "what, ns_per_call, bytes_per_second, cycles_per_byte", limit)?;
        report.samples = self.cell_rows(run, "samples", "subject, ns_per_call", samples)?;
        for row in self.cell_rows(run, "skips", "subject, why", skip)? {
            report.add_skip(&row, row.bytes[0]);
        }
        if report.noise_floor.is_none() {
            let floors = "SELECT noise_floor FROM cells WHERE run = ?1 AND noise_floor IS NOT NULL";
            let mut floors: Vec<f64> = self.rows(floors, Some(run), |row| row.get(0))?;
            report.noise_floor = (!floors.is_empty()).then(|| median(&mut floors));
        }
        report.fit_lines();
        drop(transaction);
        Ok(report)
    }

    /// The cases of a run that were measured to their end.
    ///
    /// # Errors
    /// Those of reading.
    pub fn finished_cases(&self, run: i64) -> Result<Vec<Case>, StoreError> {
        let select =
            "SELECT algorithm, operation, bytes, messages, whole FROM cells WHERE run = ?1 AND complete ORDER BY id";
        self.rows(select, Some(run), case)
    }

    /// The latest run of this experiment on this kind of machine with so many threads that is not complete.
    ///
    /// # Errors
    /// Those of reading.
    pub fn unfinished(&self, experiment: &str, fingerprint: &str, threads: usize) -> Result<Option<i64>, StoreError> {
        let select = "SELECT runs.id FROM runs JOIN hosts ON hosts.id = runs.host
                      WHERE experiment = ?1 AND hosts.fingerprint = ?2 AND threads = ?3 AND NOT complete
                      ORDER BY runs.id DESC LIMIT 1";
        let found =
            self.connection.query_row(select, rusqlite::params![experiment, fingerprint, threads], |row| row.get(0));
        found.optional().map_err(|error| self.error(error))
    }

    /// The text of the experiment that a run belongs to, if it came from one.
    ///
    /// # Errors
    /// [`StoreError::NoRun`], and those of reading.
    pub fn experiment(&self, run: i64) -> Result<Option<String>, StoreError> {
        let found = self.rows("SELECT experiment FROM runs WHERE id = ?1", Some(run), |row| row.get(0))?;
        found.into_iter().next().ok_or_else(|| StoreError::NoRun { path: self.path.clone(), run: run.to_string() })
    }

    fn head(&self, run: i64) -> Result<Report, StoreError> {
        type Head = (String, String, Option<String>, usize, Option<String>, Option<f64>, bool);
        let select = "SELECT hosts.document, circumstances, title, threads, baseline, noise_floor, complete
                      FROM runs JOIN hosts ON hosts.id = runs.host WHERE runs.id = ?1";
        let heads: Vec<Head> = self.rows(select, Some(run), |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?))
        })?;
        let (machine, circumstances, title, threads, baseline, noise_floor, complete) = heads
            .into_iter()
            .next()
            .ok_or_else(|| StoreError::NoRun { path: self.path.clone(), run: run.to_string() })?;
        let mut host: Map<String, Value> = self.parsed(&machine, run)?;
        host.extend(self.parsed::<Map<String, Value>>(&circumstances, run)?);
        let host: Host = self.parsed(&Value::Object(host).to_string(), run)?;
        Ok(Report { title, threads, baseline, noise_floor, complete, ..Report::new(host, self.facts(run)?) })
    }

    fn facts(&self, run: i64) -> Result<Vec<Facts>, StoreError> {
        let select = "SELECT document FROM entrants JOIN subjects ON subjects.id = entrants.subject
                      WHERE run = ?1 ORDER BY position";
        let documents: Vec<String> = self.rows(select, Some(run), |row| row.get(0))?;
        documents.iter().map(|document| self.parsed(document, run)).collect()
    }

    fn parsed<T: DeserializeOwned>(&self, document: &str, run: i64) -> Result<T, StoreError> {
        let damaged = |error| StoreError::Damaged { path: self.path.clone(), what: format!("run {run}: {error}") };
        serde_json::from_str(document).map_err(damaged)
    }

    /// The rows of a table that belongs to cells: first the columns that are asked for, then those of the case.
    fn cell_rows<T>(
        &self,
        run: i64,
        table: &str,
        columns: &str,
        read: impl Fn(&Row<'_>, Case) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let columns: Vec<String> = columns.split(',').map(|column| format!("{table}.{}", column.trim())).collect();
        let select = format!(
            "SELECT algorithm, operation, bytes, messages, whole, {} FROM {table} JOIN cells ON cells.id = {table}.cell
             WHERE run = ?1 ORDER BY cells.id, {table}.rowid",
            columns.join(", ")
        );
        self.rows(&select, Some(run), |row| read(row, case(row)?))
    }

    fn rows<T>(
        &self,
        select: &str,
        run: Option<i64>,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut all = || {
            let mut statement = self.connection.prepare(select)?;
            let rows: Rows<'_> = statement.query(rusqlite::params_from_iter(run))?;
            rows.mapped(&mut read).collect::<rusqlite::Result<Vec<T>>>()
        };
        all().map_err(|error| match error {
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..) => {
                StoreError::Damaged { path: self.path.clone(), what: error.to_string() }
            }
            error => self.error(error),
        })
    }
}

/// The first columns that follow those of the case.
const AFTER_CASE: usize = 5;

fn case(row: &Row<'_>) -> rusqlite::Result<Case> {
    let algorithm: String = row.get(0)?;
    let operation: Operation = word(row, 1)?;
    let (messages, whole) = (row.get(3)?, row.get(4)?);
    Ok(Case { messages, whole, ..Case::new(&algorithm, operation, row.get(2)?) })
}

/// A value that is written as one word.
fn word<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_value(Value::String(text))
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}

/// SQLite knows no NaN and keeps NULL in its place.
fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<f64> {
    Ok(row.get::<_, Option<f64>>(column)?.unwrap_or(f64::NAN))
}

fn measurement(row: &Row<'_>, case: Case) -> rusqlite::Result<Measurement> {
    let at = |number: usize| AFTER_CASE + number;
    Ok(Measurement {
        algorithm: case.algorithm,
        operation: case.operation,
        bytes: case.bytes,
        messages: case.messages,
        whole: case.whole,
        subject: row.get(at(0))?,
        kernel: row.get(at(1))?,
        bytes_per_second: row.get(at(2))?,
        operations_per_second: row.get(at(3))?,
        interval: [number(row, at(4))?, number(row, at(5))?],
        cycles_per_byte: row.get(at(6))?,
        ns_per_call: row.get(at(7))?,
        limit_fraction: row.get(at(8))?,
        samples: row.get(at(9))?,
        outliers: Outliers { low: row.get(at(10))?, high: row.get(at(11))? },
    })
}

fn comparison(row: &Row<'_>, case: Case) -> rusqlite::Result<Comparison> {
    let at = |number: usize| AFTER_CASE + number;
    Ok(Comparison {
        algorithm: case.algorithm,
        operation: case.operation,
        bytes: case.bytes,
        messages: case.messages,
        whole: case.whole,
        subject: row.get(at(0))?,
        versus: row.get(at(1))?,
        ratio: row.get(at(2))?,
        interval: [number(row, at(3))?, number(row, at(4))?],
        verdict: word(row, at(5))?,
        noise_floor: number(row, at(6))?,
    })
}

fn limit(row: &Row<'_>, case: Case) -> rusqlite::Result<LimitRow> {
    Ok(LimitRow {
        algorithm: case.algorithm,
        operation: case.operation,
        bytes: case.bytes,
        what: row.get(AFTER_CASE)?,
        ns_per_call: row.get(AFTER_CASE + 1)?,
        bytes_per_second: row.get(AFTER_CASE + 2)?,
        cycles_per_byte: row.get(AFTER_CASE + 3)?,
    })
}

fn samples(row: &Row<'_>, case: Case) -> rusqlite::Result<Samples> {
    let blob: Vec<u8> = row.get(AFTER_CASE + 1)?;
    Ok(Samples {
        algorithm: case.algorithm,
        operation: case.operation,
        bytes: case.bytes,
        messages: case.messages,
        whole: case.whole,
        subject: row.get(AFTER_CASE)?,
        ns_per_call: blob.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect(),
    })
}

fn skip(row: &Row<'_>, case: Case) -> rusqlite::Result<Skipped> {
    Ok(Skipped {
        subject: row.get(AFTER_CASE)?,
        algorithm: case.algorithm,
        operation: case.operation,
        bytes: vec![case.bytes],
        why: row.get(AFTER_CASE + 1)?,
    })
}
