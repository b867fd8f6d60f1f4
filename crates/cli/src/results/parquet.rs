//! Apache Parquet files of flat tables, uncompressed: what every reader of the format understands.
//!
//! A library for it costs more time to build than the rest of the command. What is written here is described in the format's
//! own documents: README.md, parquet.thrift, Encodings.md (PLAIN, and RLE for what is there and what is null), and Apache
//! Thrift's compact protocol for the headers.

/// A column: one value a row, or none.
pub enum Column {
    /// Text in UTF-8.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Integer(Vec<Option<i64>>),
    /// Numbers.
    Number(Vec<Option<f64>>),
}

/// A file of columns of the same length.
pub fn file(columns: &[(&str, Column)]) -> Vec<u8> {
    let rows = columns.first().map_or(0, |(_, column)| column.rows());
    let mut file = MAGIC.to_vec();
    let mut groups = List::new(STRUCT);
    for first in (0..rows).step_by(ROWS_OF_A_GROUP) {
        let range = first..rows.min(first + ROWS_OF_A_GROUP);
        let begin = file.len();
        let mut chunks = List::new(STRUCT);
        for (name, column) in columns {
            let place = file.len();
            file.extend(page(column, range.clone()));
            chunks.push(&chunk(name, column, range.len(), place, file.len() - place));
        }
        let mut group = Struct::new();
        group.list(1, chunks);
        group.integer(2, I64, file.len() - begin);
        group.integer(3, I64, range.len());
        groups.push(&group.end());
    }
    let mut footer = Struct::new();
    footer.integer(1, I32, 1);
    footer.list(2, schema(columns));
    footer.integer(3, I64, rows);
    footer.list(4, groups);
    footer.text(6, concat!("speedwell version ", env!("CARGO_PKG_VERSION")));
    let footer = footer.end();
    file.extend(&footer);
    file.extend((footer.len() as u32).to_le_bytes());
    file.extend(MAGIC);
    file
}

const MAGIC: &[u8; 4] = b"PAR1";

/// A page must stay below 2³¹ bytes.
const ROWS_OF_A_GROUP: usize = 1 << 20;

// Numbers of parquet.thrift.
const OPTIONAL: usize = 1;
const UTF8: usize = 0;
const DATA_PAGE: usize = 0;
const UNCOMPRESSED: usize = 0;
const PLAIN: usize = 0;
const RLE: usize = 3;

impl Column {
    fn rows(&self) -> usize {
        match self {
            Column::Text(values) => values.len(),
            Column::Integer(values) => values.len(),
            Column::Number(values) => values.len(),
        }
    }

    /// INT64, DOUBLE or BYTE_ARRAY.
    fn kind(&self) -> usize {
        match self {
            Column::Integer(_) => 2,
            Column::Number(_) => 5,
            Column::Text(_) => 6,
        }
    }
}

/// The root, which has all columns as its children, and then these.
fn schema(columns: &[(&str, Column)]) -> List {
    let mut elements = List::new(STRUCT);
    let mut root = Struct::new();
    root.text(4, "schema");
    root.integer(5, I32, columns.len());
    elements.push(&root.end());
    for (name, column) in columns {
        let mut element = Struct::new();
        element.integer(1, I32, column.kind());
        element.integer(3, I32, OPTIONAL);
        element.text(4, name);
        if let Column::Text(_) = column {
            element.integer(6, I32, UTF8);
        }
        elements.push(&element.end());
    }
    elements
}

/// Where a column's page is and what is in it.
fn chunk(name: &str, column: &Column, rows: usize, place: usize, bytes: usize) -> Vec<u8> {
    let mut data = Struct::new();
    data.integer(1, I32, column.kind());
    let mut encodings = List::new(I32);
    [PLAIN, RLE].iter().for_each(|encoding| encodings.push(&zigzag(*encoding)));
    data.list(2, encodings);
    let mut path = List::new(BINARY);
    path.push(&binary(name.as_bytes()));
    data.list(3, path);
    data.integer(4, I32, UNCOMPRESSED);
    data.integer(5, I64, rows);
    data.integer(6, I64, bytes);
    data.integer(7, I64, bytes);
    data.integer(9, I64, place);
    let mut chunk = Struct::new();
    chunk.integer(2, I64, place);
    chunk.structure(3, &data.end());
    chunk.end()
}

/// The header, then which rows have a value, then the values.
fn page(column: &Column, range: std::ops::Range<usize>) -> Vec<u8> {
    let rows = range.len();
    let mut levels = Vec::new();
    let mut values = Vec::new();
    match column {
        Column::Text(column) => encode(&column[range], &mut levels, |text| {
            values.extend((text.len() as u32).to_le_bytes());
            values.extend(text.as_bytes());
        }),
        Column::Integer(column) => encode(&column[range], &mut levels, |value| values.extend(value.to_le_bytes())),
        Column::Number(column) => encode(&column[range], &mut levels, |value| values.extend(value.to_le_bytes())),
    }
    let bytes = 4 + levels.len() + values.len();
    let mut data = Struct::new();
    data.integer(1, I32, rows);
    data.integer(2, I32, PLAIN);
    data.integer(3, I32, RLE);
    data.integer(4, I32, RLE);
    let mut header = Struct::new();
    header.integer(1, I32, DATA_PAGE);
    header.integer(2, I32, bytes);
    header.integer(3, I32, bytes);
    header.structure(5, &data.end());
    let mut page = header.end();
    page.extend((levels.len() as u32).to_le_bytes());
    page.extend(levels);
    page.extend(values);
    page
}

/// Runs of rows with and without a value: twice the length of a run, then one byte that is 1 where there are values.
fn encode<T>(values: &[Option<T>], levels: &mut Vec<u8>, mut put: impl FnMut(&T)) {
    for run in values.chunk_by(|one, next| one.is_some() == next.is_some()) {
        levels.extend(varint(run.len() as u64 * 2));
        levels.push(run[0].is_some().into());
        run.iter().flatten().for_each(&mut put);
    }
}

// Thrift's compact protocol: the kinds of fields and elements.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// Fields in the order of their numbers, each with how much larger its number is than the one before.
struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

impl Struct {
    fn new() -> Struct {
        Struct { bytes: Vec::new(), last: 0 }
    }

    fn field(&mut self, number: u8, kind: u8, value: &[u8]) {
        self.bytes.push((number - self.last) << 4 | kind);
        self.bytes.extend(value);
        self.last = number;
    }

    fn integer(&mut self, number: u8, kind: u8, value: usize) {
        self.field(number, kind, &zigzag(value));
    }

    fn text(&mut self, number: u8, text: &str) {
        self.field(number, BINARY, &binary(text.as_bytes()));
    }

    fn list(&mut self, number: u8, list: List) {
        self.field(number, LIST, &list.end());
    }

    fn structure(&mut self, number: u8, value: &[u8]) {
        self.field(number, STRUCT, value);
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

struct List {
    kind: u8,
    length: usize,
    bytes: Vec<u8>,
}

impl List {
    fn new(kind: u8) -> List {
        List { kind, length: 0, bytes: Vec::new() }
    }

    fn push(&mut self, element: &[u8]) {
        self.length += 1;
        self.bytes.extend(element);
    }

    fn end(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if self.length < 15 {
            bytes.push((self.length as u8) << 4 | self.kind);
        } else {
            bytes.push(0xf0 | self.kind);
            bytes.extend(varint(self.length as u64));
        }
        bytes.extend(self.bytes);
        bytes
    }
}

fn binary(bytes: &[u8]) -> Vec<u8> {
    [varint(bytes.len() as u64), bytes.to_vec()].concat()
}

/// A signed number that is not negative.
fn zigzag(value: usize) -> Vec<u8> {
    varint(value as u64 * 2)
}

/// Seven bits a byte, the lowest first; the highest bit says that there are more.
fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any value of the compact protocol.
    #[derive(Debug, PartialEq)]
    enum Any {
        Number(u64),
        Bytes(Vec<u8>),
        List(Vec<Any>),
        Struct(Vec<(u8, Any)>),
    }

    /// Reads the protocol as its document says, without a thought of the writer.
    struct Reader<'a>(&'a [u8]);

    impl Reader<'_> {
        fn byte(&mut self) -> u8 {
            let byte = self.0[0];
            self.0 = &self.0[1..];
            byte
        }

        fn varint(&mut self) -> u64 {
            let mut value = 0;
            for place in 0.. {
                let byte = self.byte();
                value |= u64::from(byte & 0x7f) << (7 * place);
                if byte < 0x80 {
                    break;
                }
            }
            value
        }

        fn value(&mut self, kind: u8) -> Any {
            match kind {
                I32 | I64 => Any::Number(self.varint() / 2),
                BINARY => {
                    let length = self.varint() as usize;
                    Any::Bytes((0..length).map(|_| self.byte()).collect())
                }
                LIST => {
                    let head = self.byte();
                    let length = if head >> 4 == 15 { self.varint() } else { u64::from(head >> 4) };
                    Any::List((0..length).map(|_| self.value(head & 15)).collect())
                }
                STRUCT => {
                    let mut fields = Vec::new();
                    let mut number = 0;
                    loop {
                        let head = self.byte();
                        if head == 0 {
                            return Any::Struct(fields);
                        }
                        number += head >> 4;
                        fields.push((number, self.value(head & 15)));
                    }
                }
                other => panic!("a field of kind {other}"),
            }
        }
    }

    impl Any {
        fn get(&self, path: &[u8]) -> &Any {
            let Some((first, rest)) = path.split_first() else { return self };
            match self {
                Any::Struct(fields) => fields.iter().find(|(number, _)| number == first).unwrap().1.get(rest),
                Any::List(values) => values[usize::from(*first)].get(rest),
                other => panic!("{other:?} has no {first}"),
            }
        }

        fn number(&self, path: &[u8]) -> usize {
            match self.get(path) {
                Any::Number(value) => *value as usize,
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let long = "x".repeat(300);
        let columns = [
            ("name", Column::Text(vec![Some("a".to_owned()), None, None, Some(long.clone())])),
            ("size", Column::Integer(vec![Some(16), Some(-1), Some(1 << 40), None])),
            ("speed", Column::Number(vec![None, Some(0.5), Some(f64::MAX), Some(-0.0)])),
        ];
        let file = file(&columns);
        assert_eq!((&file[..4], &file[file.len() - 4..]), (&MAGIC[..], &MAGIC[..]));
        let [.., a, b, c, d, _, _, _, _] = file[..] else { panic!() };
        let footer = file.len() - 8 - u32::from_le_bytes([a, b, c, d]) as usize;
        let footer = Reader(&file[footer..]).value(STRUCT);
        assert_eq!((footer.number(&[1]), footer.number(&[3])), (1, 4));
        assert_eq!(footer.number(&[2, 0, 5]), 3);
        for (place, (name, kind)) in [("name", 6), ("size", 2), ("speed", 5)].into_iter().enumerate() {
            let place = place as u8;
            assert_eq!(footer.get(&[2, place + 1, 4]), &Any::Bytes(name.into()));
            assert_eq!((footer.number(&[2, place + 1, 1]), footer.number(&[2, place + 1, 3])), (kind, OPTIONAL));
            let chunk = footer.get(&[4, 0, 1, place, 3]);
            assert_eq!(chunk.get(&[3, 0]), &Any::Bytes(name.into()));
            assert_eq!((chunk.number(&[1]), chunk.number(&[5])), (kind, 4));

            let mut reader = Reader(&file[chunk.number(&[9])..]);
            let before = reader.0.len();
            let header = reader.value(STRUCT);
            assert_eq!(before - reader.0.len() + header.number(&[2]), chunk.number(&[7]));
            assert_eq!((header.number(&[5, 1]), header.number(&[3])), (4, header.number(&[2])));
            let page = &reader.0[..header.number(&[3])];
            let levels = 4 + u32::from_le_bytes(page[..4].try_into().unwrap()) as usize;
            let (levels, values) = (&page[4..levels], &page[levels..]);
            match name {
                "name" => {
                    assert_eq!(levels, [2, 1, 4, 0, 2, 1]);
                    assert_eq!(values, [&[1, 0, 0, 0, b'a', 44, 1, 0, 0][..], long.as_bytes()].concat());
                }
                "size" => {
                    assert_eq!(levels, [6, 1, 2, 0]);
                    assert_eq!(values, [16i64, -1, 1 << 40].map(i64::to_le_bytes).concat());
                }
                _ => {
                    assert_eq!(levels, [2, 0, 6, 1]);
                    assert_eq!(values, [0.5f64, f64::MAX, -0.0].map(f64::to_le_bytes).concat());
                }
            }
        }
    }

    #[test]
    fn a_table_without_rows_is_a_file() {
        let file = file(&[("name", Column::Text(Vec::new()))]);
        assert!(file.starts_with(MAGIC) && file.ends_with(MAGIC));
    }
}
