//! Where in the sources an instruction comes from.

use std::collections::BTreeMap;
use std::fs;

use addr2line::Loader;

/// The program's own code in memory, and its debugging information.
pub struct Program {
    loader: Option<Loader>,
    /// Where the program's first page is.
    base: u64,
    end: u64,
}

/// A place in the sources.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The functions, the innermost first: what follows are those that it was inlined into.
    pub functions: Vec<String>,
    /// File and line, the file from the workspace's root on.
    pub line: String,
}

impl Program {
    /// The running program.
    pub fn running() -> Program {
        let path = fs::read_link("/proc/self/exe").unwrap_or_default();
        let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let mut ranges = Vec::new();
        for line in maps.lines().filter(|line| path.to_str().is_some_and(|path| line.ends_with(path))) {
            let bounds = line.split(' ').next().and_then(|range| range.split_once('-'));
            let parse = |text: &str| u64::from_str_radix(text, 16).ok();
            ranges.extend(bounds.and_then(|(start, end)| Some((parse(start)?, parse(end)?))));
        }
        let base = ranges.iter().map(|(start, _)| *start).min().unwrap_or(0);
        let end = ranges.iter().map(|(_, end)| *end).max().unwrap_or(0);
        Program { loader: Loader::new(path).ok(), base, end }
    }

    /// Whether an address of code is in the program itself and not in a library of the system.
    pub fn contains(&self, address: u64) -> bool {
        (self.base..self.end).contains(&address)
    }

    /// An address as the program's file has it, so that it is the same wherever the program is loaded.
    pub fn relative(&self, address: u64) -> u64 {
        if self.contains(address) { address - self.base } else { address }
    }

    /// The place that an instruction was made from.
    pub fn place(&self, address: u64) -> Place {
        let probe = self.relative(address);
        let mut place = Place::default();
        if !self.contains(address) {
            place.line = "a library of the system".to_owned();
            return place;
        }
        let Some(loader) = &self.loader else { return place };
        let mut lines = Vec::new();
        if let Ok(mut frames) = loader.find_frames(probe) {
            while let Ok(Some(frame)) = frames.next() {
                lines.extend(frame.location.and_then(|location| Some((location.file?.to_owned(), location.line?))));
                let name = frame.function.and_then(|name| name.demangle().map(|name| name.into_owned()).ok());
                place.functions.extend(name);
            }
        }
        // Of a function of the standard library that was inlined, the place that calls it says more.
        let own = lines.iter().find(|(file, _)| !is_foreign(file)).or(lines.first());
        place.line = own.map_or_else(String::new, |(file, line)| format!("{}:{line}", shortened(file)));
        if place.functions.is_empty() {
            place
                .functions
                .extend(loader.find_symbol(probe).map(|name| addr2line::demangle_auto(name.into(), None).into_owned()));
        }
        place
    }

    /// How many of these addresses come from each line, in the order of the lines.
    pub fn lines(&self, addresses: impl Iterator<Item = u64>) -> BTreeMap<String, usize> {
        let mut lines = BTreeMap::new();
        for address in addresses {
            *lines.entry(self.place(address).line).or_insert(0) += 1;
        }
        lines
    }
}

/// Whether a source file belongs to the standard library or to another package.
fn is_foreign(file: &str) -> bool {
    ["/library/", "/registry/", "/rustc/"].iter().any(|part| file.contains(part))
}

/// A source file without what differs from machine to machine: from `crates/` or `library/` on, or from its package on.
fn shortened(file: &str) -> &str {
    ["/library/", "/crates/"].iter().find_map(|part| file.find(part).map(|at| &file[at + 1..])).unwrap_or_else(|| {
        file.rsplit_once("/src/").map_or(file, |(package, _)| &file[package.rfind('/').map_or(0, |at| at + 1)..])
    })
}
