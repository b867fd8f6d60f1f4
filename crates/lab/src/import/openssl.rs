//! Tables of `openssl speed`, from 0.9.x to 4.x: throughput by size, and operations a second of public keys.
//!
//! Read off the format strings of their output: figures of throughput are `%.2fk` in thousands of bytes a second, or
//! without the `k` in bytes if they are below ten thousand; times are `%.6fs`, rates `%.1f`.

use super::builder::{Builder, Rate, UNKNOWN, What};
use super::{ImportError, Imported, Source, labels};

/// Reads every such table of a text into one document.
pub fn read(source: Source<'_>) -> Result<Option<Imported>, ImportError> {
    let mut reader = Reader {
        source,
        builder: Builder::new(UNKNOWN),
        table: None,
        subject: None,
        heading: None,
        version: None,
        build: Vec::new(),
    };
    for (number, line) in source.lines() {
        reader.line(number, line)?;
    }
    reader.leave_table()?;
    name_host(&mut reader.builder);
    Ok(reader.builder.finish())
}

struct Reader<'a> {
    source: Source<'a>,
    builder: Builder,
    table: Option<Table<'a>>,
    /// Whose rows these are, as long as nothing says otherwise.
    subject: Option<String>,
    /// The last line that is neither the program's nor a row.
    heading: Option<&'a str>,
    version: Option<&'a str>,
    /// What the program says of its build.
    build: Vec<&'a str>,
}

/// A table that is being read.
struct Table<'a> {
    /// The line of its head.
    line: usize,
    columns: Columns<'a>,
    rows: usize,
    /// The line of the last row.
    last: usize,
}

enum Columns<'a> {
    Sizes(Vec<usize>),
    Operations(Vec<&'a str>),
}

impl<'a> Reader<'a> {
    fn line(&mut self, number: usize, line: &'a str) -> Result<(), ImportError> {
        if let Some(columns) = Columns::parse(line) {
            self.leave_table()?;
            self.table = Some(Table { line: number, columns, rows: 0, last: number });
            return Ok(());
        }
        if self.chatter(line) {
            return self.leave_table();
        }
        if self.row(number, line)? || line.is_empty() {
            return Ok(());
        }
        self.cut_label(number, line)?;
        self.leave_table()?;
        (self.heading, self.subject, self.version) = (Some(line), None, None);
        self.build.clear();
        Ok(())
    }

    /// Takes the line in as a row of the table, if it is one.
    fn row(&mut self, number: usize, line: &'a str) -> Result<bool, ImportError> {
        let Some(table) = &mut self.table else { return Ok(false) };
        let (label, figures) = table.columns.split(line);
        if figures.is_empty() {
            return Ok(false);
        }
        let cut = |what: String| self.source.truncated(number, what);
        let (wanted, found) = (table.columns.figures(), figures.len());
        if label.is_empty() {
            return Ok(false);
        }
        if found < wanted {
            return Err(cut(format!("the row of '{label}' has {found} of {wanted} figures")));
        }
        if found > wanted {
            return Err(self.source.malformed(
                number,
                format!("the row of '{label}' has {found} figures, where the head in line {} has {wanted}", table.line),
            ));
        }
        (table.rows, table.last) = (table.rows + 1, number);
        let ends = self.source.ends_in(number);
        let broken = |text: &str| cut(format!("the figure '{text}' of '{label}' is not complete"));
        let mut rows: Vec<(What, Rate)> = Vec::new();
        match &table.columns {
            Columns::Sizes(sizes) => {
                let thousands = figures.iter().any(|figure| figure.ends_with('k'));
                for (bytes, figure) in sizes.iter().zip(&figures) {
                    let cut_k = ends && thousands && !figure.ends_with('k');
                    let rate = throughput(figure).filter(|_| !cut_k).ok_or_else(|| broken(figure))?;
                    rows.push((labels::throughput(label, *bytes), Rate::BytesPerSecond(rate)));
                }
            }
            Columns::Operations(operations) => {
                let (times, rates) = figures.split_at(operations.len());
                for ((operation, time), rate) in operations.iter().zip(times).zip(rates) {
                    let seconds = time.strip_suffix('s').and_then(decimal).ok_or_else(|| broken(time))?;
                    let rate = decimal(rate).ok_or_else(|| broken(rate))?;
                    let Some(operation) = labels::operation(operation) else {
                        let name = labels::public_key(label);
                        self.builder
                            .note(format!("line {number}: {name} {operation}: not an operation of the laboratory"));
                        continue;
                    };
                    let rate = if rate > 0.0 || seconds == 0.0 { rate } else { seconds.recip() };
                    let what = What { algorithm: labels::public_key(label), operation, bytes: 0 };
                    rows.push((what, Rate::OperationsPerSecond(rate)));
                }
            }
        }
        for (what, rate) in rows {
            self.add(number, what, rate);
        }
        Ok(true)
    }

    fn add(&mut self, line: usize, what: What, rate: Rate) {
        let (Rate::BytesPerSecond(figure) | Rate::OperationsPerSecond(figure)) = rate;
        // What was left out of the run stands as 0 in the table.
        if figure == 0.0 {
            return;
        }
        let subject = match self.subject.take() {
            Some(subject) if !self.builder.has(&subject, &what) => subject,
            _ => self.new_subject(line, &what),
        };
        self.builder.measured(&subject, what, rate);
        self.subject = Some(subject);
    }

    /// A subject for a row that belongs to none so far: named by the line above, the version, or the file.
    fn new_subject(&mut self, line: usize, what: &What) -> String {
        let version = self.version.map(|version| format!("openssl-{version}"));
        let heading = self.heading.filter(|text| is_heading(text)).map(|text| text.trim_end_matches(':').to_owned());
        let name = heading.or(version).unwrap_or_else(|| self.source.stem().to_owned());
        let free = (1..).map(|turn| if turn == 1 { name.clone() } else { format!("{name}#{turn}") });
        let name = free.into_iter().find(|name| !self.builder.has(name, what)).unwrap_or(name);
        let mut build = vec![format!("read from {}, line {line}: openssl speed", self.source.name)];
        build.extend(self.build.iter().map(|line| (*line).to_owned()));
        self.builder.subject(&name, self.version, build.join("\n"))
    }

    /// A table without rows has lost them.
    fn leave_table(&mut self) -> Result<(), ImportError> {
        match self.table.take() {
            Some(Table { line, rows: 0, .. }) => {
                Err(self.source.truncated(line, "the head of a table is followed by no row"))
            }
            _ => Ok(()),
        }
    }

    /// A last line without figures, right under a row and without an end, is a row that has just begun.
    fn cut_label(&self, number: usize, line: &str) -> Result<(), ImportError> {
        match &self.table {
            Some(table) if self.source.ends_in(number) && table.last + 1 == number => {
                Err(self.source.truncated(number, format!("the row of '{line}' has no figures")))
            }
            _ => Ok(()),
        }
    }

    /// Whether the program itself wrote this line; what it says of its version and build is kept.
    fn chatter(&mut self, line: &'a str) -> bool {
        let version = line.strip_prefix("version:").or_else(|| line.strip_prefix("OpenSSL "));
        let version = version.and_then(|rest| rest.split_whitespace().next());
        if let Some(version) = version.filter(|text| text.starts_with(|first: char| first.is_ascii_digit())) {
            (self.version, self.subject) = (Some(version), None);
            self.build.clear();
            return true;
        }
        let is_build = BUILD.iter().any(|start| line.starts_with(start));
        if is_build {
            self.build.push(line);
        }
        is_build || CHATTER.iter().any(|start| line.starts_with(start))
    }
}

const BUILD: &[&str] = &["built on:", "options:", "compiler:", "platform:", "CPUINFO:", "-D", "-m"];
const CHATTER: &[&str] = &[
    "The 'numbers'",
    "Doing ",
    "You have chosen",
    "available timing options",
    "timing function used",
    "To get the most accurate",
    "program when this",
    "Forked child",
    "Got:",
    "+",
];

impl<'a> Columns<'a> {
    /// The head of a table: `type  16 bytes  64 bytes …`, or operations and then the same a second.
    fn parse(line: &'a str) -> Option<Columns<'a>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(("type", sizes)) = words.split_first().map(|(first, rest)| (*first, rest)) {
            let (pairs, rest) = sizes.as_chunks::<2>();
            let size = |[size, unit]: &[&str; 2]| if *unit == "bytes" { size.parse().ok() } else { None };
            let sizes: Option<Vec<usize>> = pairs.iter().map(size).collect();
            return sizes.filter(|sizes| !sizes.is_empty() && rest.is_empty()).map(Columns::Sizes);
        }
        if words.is_empty() || words.len() % 2 == 1 {
            return None;
        }
        let (operations, rates) = words.split_at(words.len() / 2);
        let known = |word: &&str| *word == "op" || word.ends_with("caps") || labels::operation(word).is_some();
        (operations.iter().all(known) && rates.iter().all(|word| word.ends_with("/s")))
            .then(|| Columns::Operations(operations.to_vec()))
    }

    /// How many figures a row has.
    fn figures(&self) -> usize {
        match self {
            Columns::Sizes(sizes) => sizes.len(),
            Columns::Operations(operations) => 2 * operations.len(),
        }
    }

    /// A row's label and figures, these in order.
    fn split<'b>(&self, line: &'b str) -> (&'b str, Vec<&'b str>) {
        let mut label = line;
        let mut figures = Vec::new();
        while let Some((rest, word)) = label.trim_end().rsplit_once(char::is_whitespace) {
            let digits = word.strip_suffix(['k', 's']).unwrap_or(word);
            let is_figure = digits.starts_with(|first: char| first.is_ascii_digit())
                && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            // Rows of old programs run figures of many digits together with the blank before them; never without one.
            if !is_figure {
                break;
            }
            figures.push(word);
            label = rest;
        }
        figures.reverse();
        (label.trim(), figures)
    }
}

/// Bytes a second; `None` for a figure that has lost its end.
fn throughput(text: &str) -> Option<f64> {
    match text.strip_suffix('k') {
        Some(thousands) => decimal(thousands).map(|figure| figure * 1e3),
        None => decimal(text).filter(|figure| *figure <= 10_000.0),
    }
}

/// A number with digits behind its point.
pub fn decimal(text: &str) -> Option<f64> {
    let (_, behind) = text.split_once('.')?;
    if behind.is_empty() { None } else { text.parse().ok() }
}

/// Whether a line can be the name of a table: no sentence, no command.
fn is_heading(line: &str) -> bool {
    let is_command = line.starts_with(['$', '#', '%']) || line.contains("openssl speed");
    !is_command && !line.ends_with(['.', '!', '?']) && line.chars().count() <= 70
}

/// Where all subjects' names end in `on` and the same words, that is the host.
fn name_host(builder: &mut Builder) {
    let names = builder.subjects();
    let place = |name: &String| name.rsplit_once(" on ").map(|(_, place)| place.to_owned());
    let Some(first) = names.first().and_then(place) else { return };
    if !names.iter().all(|name| place(name).as_ref() == Some(&first)) {
        return;
    }
    for name in &names {
        let short = name.strip_suffix(&format!(" on {first}")).unwrap_or(name);
        builder.rename(name, short);
    }
    builder.host().fingerprint = format!("imported/{first}");
    builder.host().cpu = first;
}
