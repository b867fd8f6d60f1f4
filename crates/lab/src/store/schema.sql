-- The store of Speedwell's laboratory, version 1 (PRAGMA user_version). Times are nanoseconds, moments are seconds since 1970.

-- Machines. A document is what `speedwell speed --json` says of the host, without what changes from run to run.
CREATE TABLE hosts (
    id INTEGER PRIMARY KEY,
    document TEXT NOT NULL UNIQUE,
    fingerprint TEXT AS (json_extract(document, '$.fingerprint')),
    cpu TEXT AS (json_extract(document, '$.cpu')),
    microarchitecture TEXT AS (json_extract(document, '$.microarchitecture')),
    microcode TEXT AS (json_extract(document, '$.microcode')),
    kernel TEXT AS (json_extract(document, '$.kernel')),
    frequency_policy TEXT AS (json_extract(document, '$.frequency_policy')),
    memory INTEGER AS (json_extract(document, '$.memory'))
) STRICT;

-- What was measured, with the facts of its build.
CREATE TABLE subjects (
    id INTEGER PRIMARY KEY,
    document TEXT NOT NULL UNIQUE,
    name TEXT AS (json_extract(document, '$.name')),
    version TEXT AS (json_extract(document, '$.version')),
    build TEXT AS (json_extract(document, '$.build')),
    compiler TEXT AS (json_extract(document, '$.compiler')),
    flags TEXT AS (json_extract(document, '$.flags')),
    file TEXT AS (json_extract(document, '$.file')),
    sha256 TEXT AS (json_extract(document, '$.sha256'))
) STRICT;

CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The same run in two stores has the same.
    identity TEXT NOT NULL UNIQUE,
    title TEXT,
    -- The text of the experiment's file.
    experiment TEXT,
    host INTEGER NOT NULL REFERENCES hosts,
    -- The part of the host's document that changes from run to run: when, on which core, at which frequency.
    circumstances TEXT NOT NULL,
    started INTEGER AS (json_extract(circumstances, '$.started')),
    threads INTEGER NOT NULL,
    baseline TEXT,
    noise_floor REAL,
    -- When the last of its cells was written.
    written INTEGER NOT NULL,
    complete INTEGER NOT NULL
) STRICT;

-- The subjects of a run, in their order. The rows below name them as the run does.
CREATE TABLE entrants (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    position INTEGER NOT NULL,
    subject INTEGER NOT NULL REFERENCES subjects,
    PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;

-- A case of a run that was measured, wholly or (complete = 0) until something ended the run.
CREATE TABLE cells (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    algorithm TEXT NOT NULL,
    operation TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    whole INTEGER NOT NULL,
    noise_floor REAL,
    complete INTEGER NOT NULL,
    UNIQUE (run, algorithm, operation, bytes, messages, whole)
) STRICT;

CREATE TABLE results (
    cell INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
    subject TEXT NOT NULL,
    kernel TEXT,
    bytes_per_second REAL,
    operations_per_second REAL,
    interval_low REAL,
    interval_high REAL,
    cycles_per_byte REAL,
    ns_per_call REAL NOT NULL,
    limit_fraction REAL,
    samples INTEGER NOT NULL,
    outliers_low INTEGER NOT NULL,
    outliers_high INTEGER NOT NULL
) STRICT;

CREATE TABLE ratios (
    cell INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
    subject TEXT NOT NULL,
    versus TEXT NOT NULL,
    ratio REAL NOT NULL,
    interval_low REAL,
    interval_high REAL,
    verdict TEXT NOT NULL,
    noise_floor REAL
) STRICT;

CREATE TABLE limits (
    cell INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
    what TEXT NOT NULL,
    ns_per_call REAL NOT NULL,
    bytes_per_second REAL,
    cycles_per_byte REAL
) STRICT;

CREATE TABLE skips (
    cell INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
    subject TEXT NOT NULL,
    why TEXT NOT NULL
) STRICT;

-- What every round took: numbers of eight bytes (IEEE 754, little-endian), in the order of the rounds.
CREATE TABLE samples (
    cell INTEGER NOT NULL REFERENCES cells ON DELETE CASCADE,
    subject TEXT NOT NULL,
    ns_per_call BLOB NOT NULL
) STRICT;

CREATE INDEX results_by_cell ON results (cell);
CREATE INDEX ratios_by_cell ON ratios (cell);
CREATE INDEX limits_by_cell ON limits (cell);
CREATE INDEX skips_by_cell ON skips (cell);
CREATE INDEX samples_by_cell ON samples (cell);

-- For whoever looks with another program: every figure with its run and machine.
CREATE VIEW figures AS
    SELECT runs.id AS run, runs.title, hosts.cpu, cells.algorithm, cells.operation, cells.bytes, cells.messages, cells.whole,
           runs.threads, results.subject, results.kernel, results.bytes_per_second, results.operations_per_second,
           results.interval_low, results.interval_high, results.ns_per_call, results.cycles_per_byte
    FROM results JOIN cells ON cells.id = results.cell JOIN runs ON runs.id = cells.run JOIN hosts ON hosts.id = runs.host;
