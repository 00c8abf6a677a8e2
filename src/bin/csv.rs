//! Result files: one row per library and case. The first eight columns are fixed; readers find the others by name.

use crate::bench::relative::Relative;
use crate::case::{Case, Options, Shape};
use crate::energy::{Energy, Kind};
use crate::limits::{self, Ceilings};
use crate::ops;
use crate::result_file;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use tephra_testkit::Dtype;

/// The columns, in order. Empty means unknown or not applicable.
pub const COLUMNS: [&str; 29] = [
    "library",                    // tephra, cublas, lapack, ...
    "precision",                  // s d c z
    "op",                    // qr = geqrf, qrq = explicit Q and R, lu = getrf, lunp = getrf_nopiv, else the routine
    "m",                     //
    "n",                     //
    "batch",                 //
    "ms",                    // median time of one call
    "gflops",                // by LAPACK's count
    "lda",                   //
    "gbs",                   // GB/s, counting one read and one write
    "efficiency",            // T_limit / T, 1 = no kernel can be faster
    "repeats",               // timed calls behind the median
    "vendor_ms",             // the compared library in the same run
    "speedup",               // vendor_ms / ms
    "ratio_residual",        // ||R - Q^H A||_1 / (m ||A||_1 eps) or the operation's own, worst of the sampled matrices
    "ratio_orthogonality",   // ||I - Q^H Q||_1 / (m eps), where Q is made
    "vendor_ratio_residual", //
    "vendor_ratio_orthogonality", //
    "input",                 // how the matrices were made; class:N one matrix in N, the others uniform
    "backend",               // cuda, cpu
    "device",                //
    "version",               // of the library, with the hash of its kernels
    "nrhs",                  // right-hand sides, where they are not the columns
    "k",                     // reflectors
    "variant",               // the letters of the transpositions, or of uplo
    "options",               // right-hand sides and the like, of operations that have them
    "relative",              // ms over the reference's: one column fewer, uniform data, or as many members of one size
    "bound",                 // the most that `relative` should be
    "plan",                  // how the library ran the shape (quoted)
];

/// The additional columns of files with energy.
pub const ENERGY_COLUMNS: [&str; 8] = [
    "joules",        // of one call: mean power times its duration, without restoring its input
    "joules_matrix", // of one member
    "vendor_joules", // the compared library in the same run
    "energy_ratio",  // vendor_joules / joules
    "watts",         // mean power of the repeated calls
    "idle_watts",    // of the device before the run
    "restoring",     // share of the measured energy that went into restoring the input, and is not in joules
    "energy_by",     // counter (of energy) or power (samples of power)
];

/// The header of a file.
fn header(energy: bool) -> String {
    let more: &[&str] = if energy { &ENERGY_COLUMNS } else { &[] };
    [&COLUMNS, more].concat().join(",")
}

/// The values of a measurement in [`ENERGY_COLUMNS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyUse {
    pub own: Energy,
    pub vendor_joules: Option<f64>,
    pub idle_watts: f64,
    pub kind: Kind,
}

impl EnergyUse {
    /// How many times less energy than the compared library; `None` also if all that could be measured was restoring.
    pub fn ratio(&self) -> Option<f64> {
        let seen = |joules: &f64| *joules > 0.0;
        Some(self.vendor_joules.filter(seen)? / Some(self.own.joules).filter(seen)?)
    }

    fn fields(&self, batch: usize) -> [String; ENERGY_COLUMNS.len()] {
        let joules = |value: f64| format!("{value:.6e}");
        [
            joules(self.own.joules),
            joules(self.own.joules / batch as f64),
            self.vendor_joules.map_or(String::new(), joules),
            number(self.ratio(), 4),
            number(Some(self.own.watts), 1),
            number(Some(self.idle_watts), 1),
            number(Some(self.own.restoring), 3),
            self.kind.name().into(),
        ]
    }
}

/// One measurement. `NAN` and empty strings are written as empty fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub library: String,
    pub case: Case,
    pub ms: f64,
    pub repeats: usize,
    pub ceilings: Option<Ceilings>,
    pub vendor_ms: Option<f64>,
    /// Residual and orthogonality, in LAPACK's test ratios.
    pub ratios: Option<[f64; 2]>,
    pub vendor_ratios: Option<[f64; 2]>,
    pub input: String,
    pub backend: String,
    pub device: String,
    pub version: String,
    pub relative: Option<Relative>,
    pub energy: Option<EnergyUse>,
    pub plan: String,
}

impl Row {
    /// `T_limit / T`, if the device's ceilings are known.
    pub fn efficiency(&self) -> Option<f64> {
        self.ceilings.map(|c| c.limit_ms(&self.case) / self.ms)
    }

    /// How many times faster than the compared library.
    pub fn speedup(&self) -> Option<f64> {
        self.vendor_ms.map(|v| v / self.ms)
    }

    /// The row as one CSV line without the newline; `energy` adds the energy columns.
    pub fn line(&self, energy: bool) -> String {
        let Shape { m, n, batch } = self.case.shape;
        let pair = |r: Option<[f64; 2]>, i: usize| number(r.map(|r| r[i]), 3);
        let fields: [String; COLUMNS.len()] = [
            self.library.clone(),
            self.case.dtype.letter().to_string(),
            self.case.op.column().into(),
            m.to_string(),
            n.to_string(),
            batch.to_string(),
            number(Some(self.ms), 6),
            number(Some(limits::gflops(&self.case, self.ms)), 3),
            self.case.lda.to_string(),
            number(Some(limits::gbs(&self.case, self.ms)), 3),
            number(self.efficiency(), 5),
            self.repeats.to_string(),
            number(self.vendor_ms, 6),
            number(self.speedup(), 4),
            pair(self.ratios, 0),
            pair(self.ratios, 1),
            pair(self.vendor_ratios, 0),
            pair(self.vendor_ratios, 1),
            self.input.clone(),
            self.backend.clone(),
            self.device.clone(),
            self.version.clone(),
            self.case.options.nrhs.to_string(),
            self.case.options.k.to_string(),
            (self.case.op.variant)(&self.case),
            options(&self.case),
            number(self.relative.map(|r| r.ratio), 4),
            number(self.relative.map(|r| r.bound), 1),
            self.plan.clone(),
        ];
        let more = match (energy, self.energy) {
            (false, _) => vec![],
            (true, None) => vec![String::new(); ENERGY_COLUMNS.len()],
            (true, Some(consumed)) => consumed.fields(batch).to_vec(),
        };
        fields.iter().chain(&more).map(|f| quoted(f)).collect::<Vec<_>>().join(",")
    }
}

/// The options as text, or empty if they are a factorisation's defaults.
fn options(case: &Case) -> String {
    if case.options == Options::default() { String::new() } else { case.options.to_string() }
}

fn number(value: Option<f64>, digits: usize) -> String {
    match value {
        Some(v) if v.is_finite() => format!("{v:.digits$}"),
        Some(v) if v.is_infinite() => "inf".into(), // an unbounded ratio must not look like a missing one
        Some(_) => "nan".into(),
        None => String::new(),
    }
}

/// A field as it is written in a file.
pub fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.into() }
}

/// Splits a CSV line into fields and removes the quotes.
pub fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut inside = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let field = fields.last_mut().expect("never empty");
        match c {
            '"' if inside && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' => inside = !inside,
            ',' if !inside => fields.push(String::new()),
            _ => field.push(c),
        }
    }
    fields
}

/// A row as read back, with what charts and `--append` need, from our files or any with the same first eight columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub library: String,
    pub dtype: Dtype,
    pub op: String,
    pub shape: Shape,
    pub ms: f64,
    pub gflops: f64,
    /// Absent in files with the eight fixed columns only.
    pub lda: Option<usize>,
    pub efficiency: Option<f64>,
    pub device: String,
    pub options: String,
    pub input: String,
}

/// Opens a file for reading, but no device or pipe, because some of those never end.
pub fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}

/// Reads the rows of a result file. Comment lines (`#`) are skipped. A file without a header has the eight fixed
/// columns, and may have more.
pub fn read(path: &Path) -> io::Result<Vec<Record>> {
    records(&io::read_to_string(open(path)?)?)
}

fn records(text: &str) -> io::Result<Vec<Record>> {
    let mut header: Vec<String> = COLUMNS[..8].iter().map(|c| c.to_string()).collect();
    let (mut records, mut has_header) = (Vec::new(), false);
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let fields = split(line.trim_end());
        if fields[0] == COLUMNS[0] {
            (header, has_header) = (fields, true);
            continue;
        }
        let whole = !has_header || fields.len() == header.len();
        records.push(parse(&header, &fields).filter(|_| whole).ok_or_else(|| not_a_row(number, line))?);
    }
    Ok(records)
}

/// The error for a line, with its index from 0.
pub fn not_a_row(index: usize, line: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("line {} is not a row of its columns: {line}", index + 1))
}

fn parse(header: &[String], fields: &[String]) -> Option<Record> {
    let get = |name: &str| {
        let i = header.iter().position(|h| h == name)?;
        fields.get(i).map(String::as_str)
    };
    let mut letter = get("precision")?.chars();
    Some(Record {
        library: get("library")?.into(),
        dtype: letter.next().filter(|_| letter.next().is_none()).and_then(Dtype::from_letter)?,
        op: get("op")?.into(),
        shape: Shape { m: get("m")?.parse().ok()?, n: get("n")?.parse().ok()?, batch: get("batch")?.parse().ok()? },
        ms: get("ms")?.parse().ok()?,
        gflops: get("gflops")?.parse().ok()?,
        lda: get("lda").and_then(|f| f.parse().ok()),
        efficiency: get("efficiency").and_then(|f| f.parse().ok()),
        device: get("device").unwrap_or_default().into(),
        options: get("options").unwrap_or_default().into(),
        input: get("input").unwrap_or_default().into(),
    })
}

/// A result file being written. Each row is written at once, so that an interrupted run keeps what it has measured.
pub struct Writer {
    out: Box<dyn Write>,
    /// Whether the file has [`ENERGY_COLUMNS`].
    energy: bool,
}

/// The key of a row: the case without its options, then the options and the input, which a file has only as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key(Case, String, String);

impl Key {
    pub fn new(case: &Case, input: &str) -> Self {
        Key(Case { options: Options::default(), ..*case }, options(case), input.into())
    }

    fn of_record(record: &Record) -> Option<Self> {
        let op = *ops::all().iter().find(|op| op.column() == record.op)?;
        let packed = Case::packed(op, record.dtype, record.shape);
        let case = Case { lda: record.lda.unwrap_or(packed.lda), options: Options::default(), ..packed };
        Some(Key(case, record.options.clone(), record.input.clone()))
    }
}

/// Measured times in milliseconds.
pub type Times = HashMap<Key, f64>;

impl Writer {
    /// Creates or replaces a file, with or without the energy columns; `-` is standard output.
    pub fn create(path: &Path, energy: bool) -> io::Result<Self> {
        let first = header(energy) + "\n";
        let out: Box<dyn Write> = if path == Path::new("-") {
            let mut out = io::stdout();
            out.write_all(first.as_bytes()).and_then(|()| out.flush())?;
            Box::new(out)
        } else {
            Box::new(result_file::replace(path, first.as_bytes())?)
        };
        Ok(Writer { out, energy })
    }

    /// Opens a file to append to, and also returns the times that it has of `library`. Its header must be ours, unless
    /// the file is new. Rows without energy can be appended to a file with the energy columns, but not the other way
    /// round.
    pub fn append(path: &Path, library: &str, energy: bool) -> io::Result<(Self, Times)> {
        if path == Path::new("-") || !path.is_file() {
            return Ok((Self::create(path, energy)?, Times::new()));
        }
        let text = io::read_to_string(open(path)?)?;
        let text = result_file::complete_lines(&text);
        let Some(first) = text.lines().next() else {
            return Ok((Self::create(path, energy)?, Times::new()));
        };
        let known = [true, false].into_iter().find(|with| first == header(*with));
        let Some(has_energy) = known.filter(|has| *has || !energy) else {
            let why = if known.is_some() { "it has no energy" } else { "its columns differ from this program's" };
            let what = format!("{why}; write to a new file");
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
        };
        let own = records(text)?.into_iter().filter(|r| r.library == library);
        let done = own.filter_map(|r| Some((Key::of_record(&r)?, r.ms))).collect();
        Ok((Writer { out: Box::new(result_file::extend(path)?), energy: has_energy }, done))
    }

    /// Adds a row.
    pub fn row(&mut self, row: &Row) -> io::Result<()> {
        self.put(&row.line(self.energy))
    }

    fn put(&mut self, line: &str) -> io::Result<()> {
        // One write, so that an interruption leaves whole lines in most cases.
        self.out.write_all(format!("{line}\n").as_bytes())?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(library: &str, dtype: Dtype) -> Row {
        Row {
            library: library.into(),
            case: Case::packed(ops::named("geqrf"), dtype, Shape { m: 32, n: 32, batch: 10_000 }),
            ms: 0.125,
            repeats: 50,
            ceilings: Some(Ceilings::H200),
            vendor_ms: Some(1.0),
            ratios: Some([0.25, f64::INFINITY]),
            vendor_ratios: None,
            input: "uniform".into(),
            backend: "cuda".into(),
            device: "NVIDIA H200".into(),
            version: "0.1.0".into(),
            relative: Some(Relative { ratio: 1.25, bound: 1.5 }),
            energy: None,
            plan: "resident(m=32, \"n\"=32)".into(),
        }
    }

    fn temporary(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("tephra-csv-{}-{name}.csv", std::process::id()))
    }

    #[test]
    fn the_first_columns_are_fixed() {
        assert_eq!(COLUMNS[..8].join(","), "library,precision,op,m,n,batch,ms,gflops");
    }

    #[test]
    fn a_row_survives_the_round_trip() {
        let line = row("tephra", Dtype::Z).line(false);
        let fields = split(&line);
        assert_eq!(fields.len(), COLUMNS.len());
        assert_eq!(&fields[..7], ["tephra", "z", "qr", "32", "32", "10000", "0.125000"]);
        let at = |name: &str| &fields[COLUMNS.iter().position(|c| *c == name).unwrap()];
        assert_eq!(at("speedup"), "8.0000");
        assert_eq!(at("ratio_orthogonality"), "inf", "an unbounded ratio must not look like a missing one");
        assert_eq!(at("vendor_ratio_residual"), "");
        assert_eq!((at("relative").as_str(), at("bound").as_str()), ("1.2500", "1.5"));
        assert_eq!(at("plan"), "resident(m=32, \"n\"=32)");
    }

    #[test]
    fn resuming_skips_what_is_done_and_keeps_it() {
        let path = temporary("resume");
        let mut w = Writer::create(&path, false).unwrap();
        w.row(&row("tephra", Dtype::D)).unwrap();
        w.row(&row("cublas", Dtype::S)).unwrap();
        drop(w);
        let (mut w, done) = Writer::append(&path, "tephra", false).unwrap();
        let ms = |case: &Case, input: &str| done.get(&Key::new(case, input)).copied();
        let mut case = row("tephra", Dtype::D).case;
        assert_eq!(ms(&case, "uniform"), Some(0.125));
        assert_eq!(ms(&case, "zero"), None, "other input is another case");
        assert_eq!(ms(&row("tephra", Dtype::S).case, "uniform"), None, "only our own rows count as done");
        case.lda += 1;
        assert_eq!(ms(&case, "uniform"), None, "another lda is another case");
        w.row(&row("tephra", Dtype::S)).unwrap();
        drop(w);
        let records = read(&path).unwrap();
        assert_eq!(records.len(), 3);
        assert_eq!(records[0].device, "NVIDIA H200");
        assert!((records[0].efficiency.unwrap() - row("", Dtype::D).efficiency().unwrap()).abs() < 1e-5);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn an_interrupted_row_is_measured_again() {
        let path = temporary("interrupted");
        let lines = [header(false), row("tephra", Dtype::D).line(false), row("tephra", Dtype::S).line(false)];
        let whole = lines.join("\n") + "\n";
        let end = whole.len();
        // In the plan, in an earlier field, before the newline; a line of the header alone stays.
        for (left, known) in [(end - 5, 1), (end - 100, 1), (end - 1, 1), (lines[0].len(), 0), (end, 2)] {
            std::fs::write(&path, &whole[..left]).unwrap();
            let (mut w, done) = Writer::append(&path, "tephra", false).unwrap();
            assert_eq!(done.len(), known, "{left}");
            w.row(&row("tephra", Dtype::C)).unwrap();
            let records = read(&path).unwrap();
            assert_eq!(records.len(), known + 1, "{left}");
            assert_eq!(records[known].dtype, Dtype::C, "{left}");
        }
        // Two rows on one line have too many columns.
        std::fs::write(&path, format!("{}\n{}\n{}{}\n", lines[0], lines[1], &lines[2][..60], lines[1])).unwrap();
        let refused = Writer::append(&path, "tephra", false).err().unwrap().to_string();
        assert!(refused.starts_with("line 3 is not a row of its columns: tephra,s,qr,"), "{refused}");
        assert_eq!(read(&path).unwrap_err().to_string(), refused);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn energy_comes_after_all_other_columns() {
        let own = Energy { joules: 0.5, watts: 400.0, restoring: 0.25 };
        let consumed = EnergyUse { own, vendor_joules: Some(2.0), idle_watts: 75.25, kind: Kind::Counter };
        let with = Row { energy: Some(consumed), ..row("tephra", Dtype::D) };
        assert_eq!(with.line(false), row("tephra", Dtype::D).line(false));
        let fields = split(&with.line(true));
        assert_eq!(fields[..COLUMNS.len()], split(&with.line(false)));
        let more = ["5.000000e-1", "5.000000e-5", "2.000000e0", "4.0000", "400.0", "75.2", "0.250", "counter"];
        assert_eq!(fields[COLUMNS.len()..], more);
        assert_eq!(split(&row("", Dtype::D).line(true)).len(), COLUMNS.len() + ENERGY_COLUMNS.len());
        let nothing = EnergyUse { own: Energy { joules: -0.1, ..own }, ..consumed };
        assert_eq!(nothing.ratio(), None, "less than what can be seen");
    }

    #[test]
    fn files_with_energy_are_continued_as_such() {
        let path = temporary("energy");
        drop(Writer::create(&path, true).unwrap());
        let (mut w, _) = Writer::append(&path, "tephra", false).unwrap();
        w.row(&row("tephra", Dtype::D)).unwrap();
        drop(w);
        assert_eq!(Writer::append(&path, "tephra", true).unwrap().1.len(), 1);
        drop(Writer::create(&path, false).unwrap());
        let refused = Writer::append(&path, "tephra", true).err().unwrap().to_string();
        assert!(refused.contains("no energy"), "{refused}");
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn foreign_files_are_read_by_their_fixed_columns() {
        let path = temporary("foreign");
        std::fs::write(&path, "# a comment\nmagma,s,qr,4,4,10000,0.014304,59.657\n").unwrap();
        let records = read(&path).unwrap();
        assert_eq!((records.len(), records[0].library.as_str(), records[0].lda), (1, "magma", None));
        let refused = Writer::append(&path, "tephra", false).err().unwrap().to_string();
        assert_eq!(refused, "its columns differ from this program's; write to a new file");
        std::fs::write(&path, "tephra,q,qr,4,4,1,1,1\n").unwrap();
        assert!(read(&path).is_err(), "an unknown precision is an error, not a silent skip");
        std::fs::remove_file(path).unwrap();
    }
}
