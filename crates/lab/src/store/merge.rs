//! Taking over the runs of another store.

use std::path::Path;

use super::{Store, StoreError};

/// What came of a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Runs that were taken over.
    pub added: usize,
    /// Runs that were here already.
    pub known: usize,
}

impl Store {
    /// Takes over the runs of another store that are not here yet. They get numbers of their own.
    ///
    /// # Errors
    /// Those of opening the other one, and those of writing: nothing is then taken over.
    pub fn merge(&mut self, other: &Path) -> Result<Merged, StoreError> {
        let theirs = Store::open(other)?.runs()?.len();
        let attach = |store: &Store| {
            let address = other.to_string_lossy();
            store.connection.execute("ATTACH DATABASE ?1 AS other", [&address])
        };
        attach(self).map_err(|error| StoreError::of(other, error))?;
        let merged = self.change(|connection| {
            connection.execute_batch(MERGE)?;
            connection.query_row("SELECT count(*) FROM temp.moved_runs", [], |row| row.get(0))
        });
        // What is left over if this fails goes with the connection.
        let _ = self
            .connection
            .execute_batch("DROP TABLE IF EXISTS temp.moved_runs; DROP TABLE IF EXISTS temp.moved_cells;");
        let _ = self.connection.execute("DETACH DATABASE other", []);
        let added: usize = merged?;
        Ok(Merged { added, known: theirs - added })
    }
}

const MERGE: &str = "
    INSERT OR IGNORE INTO main.hosts (document) SELECT document FROM other.hosts;
    INSERT OR IGNORE INTO main.subjects (document) SELECT document FROM other.subjects;

    CREATE TEMP TABLE moved_runs AS
        SELECT id AS old, identity, 0 AS new FROM other.runs WHERE identity NOT IN (SELECT identity FROM main.runs);
    INSERT INTO main.runs (identity, title, experiment, host, circumstances, threads, baseline, noise_floor, written, complete)
        SELECT r.identity, title, experiment, mine.id, circumstances, threads, baseline, noise_floor, written, complete
        FROM other.runs r JOIN temp.moved_runs m ON m.old = r.id
            JOIN other.hosts theirs ON theirs.id = r.host JOIN main.hosts mine ON mine.document = theirs.document
        ORDER BY r.id;
    UPDATE temp.moved_runs SET new = (SELECT id FROM main.runs WHERE main.runs.identity = moved_runs.identity);
    INSERT INTO main.entrants (run, position, subject)
        SELECT m.new, position, mine.id FROM other.entrants e JOIN temp.moved_runs m ON m.old = e.run
            JOIN other.subjects theirs ON theirs.id = e.subject JOIN main.subjects mine ON mine.document = theirs.document;

    INSERT INTO main.cells (run, algorithm, operation, bytes, messages, whole, noise_floor, complete)
        SELECT m.new, algorithm, operation, bytes, messages, whole, noise_floor, complete
        FROM other.cells c JOIN temp.moved_runs m ON m.old = c.run ORDER BY c.id;
    CREATE TEMP TABLE moved_cells AS
        SELECT theirs.id AS old, mine.id AS new FROM other.cells theirs JOIN temp.moved_runs m ON m.old = theirs.run
            JOIN main.cells mine ON mine.run = m.new AND mine.algorithm = theirs.algorithm
                AND mine.operation = theirs.operation AND mine.bytes = theirs.bytes
                AND mine.messages = theirs.messages AND mine.whole = theirs.whole;
    CREATE INDEX temp.moved_cells_by_old ON moved_cells (old);

    INSERT INTO main.results SELECT m.new, subject, kernel, bytes_per_second, operations_per_second, interval_low,
            interval_high, cycles_per_byte, ns_per_call, limit_fraction, samples, outliers_low, outliers_high
        FROM other.results r JOIN temp.moved_cells m ON m.old = r.cell ORDER BY r.rowid;
    INSERT INTO main.ratios SELECT m.new, subject, versus, ratio, interval_low, interval_high, verdict, noise_floor
        FROM other.ratios r JOIN temp.moved_cells m ON m.old = r.cell ORDER BY r.rowid;
    INSERT INTO main.limits SELECT m.new, what, ns_per_call, bytes_per_second, cycles_per_byte
        FROM other.limits r JOIN temp.moved_cells m ON m.old = r.cell ORDER BY r.rowid;
    INSERT INTO main.skips SELECT m.new, subject, why
        FROM other.skips r JOIN temp.moved_cells m ON m.old = r.cell ORDER BY r.rowid;
    INSERT INTO main.samples SELECT m.new, subject, ns_per_call
        FROM other.samples r JOIN temp.moved_cells m ON m.old = r.cell ORDER BY r.rowid;
";
