//! The file of all timings: a row per case and plan.

use crate::case::{Case, Shape};
use crate::operation::Op;
use crate::ops;
use crate::{csv, limits, result_file};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use tephra_testkit::Dtype;

/// The first eight columns are those of all result files.
const COLUMNS: &str = "library,precision,op,m,n,batch,ms,gflops,plan,repeats,device,version";
/// The columns of files that are not for geqrf alone; `k` is the inner size of products.
const WITH_TERMS: &str = "library,precision,op,m,n,batch,ms,gflops,plan,repeats,device,version,k";

/// The time of a plan. Slow plans are timed only once.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub case: Case,
    /// The text that selects the plan.
    pub plan: String,
    pub ms: f64,
    pub repeats: usize,
}

impl Record {
    /// All rows of a file.
    pub fn read(path: &Path) -> io::Result<Vec<Record>> {
        records(&io::read_to_string(csv::open(path)?)?)
    }
}

fn records(text: &str) -> io::Result<Vec<Record>> {
    let mut lines = text.lines().enumerate();
    let header = lines.next().map(|(_, header)| header).filter(|header| [COLUMNS, WITH_TERMS].contains(header));
    let what = "its columns are not those of tephra tune";
    let columns = header.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, what))?.split(',').count();
    lines.map(|(i, line)| parse(line, columns).ok_or_else(|| csv::not_a_row(i, line))).collect()
}

fn parse(line: &str, columns: usize) -> Option<Record> {
    let fields = csv::split(line);
    if fields.len() != columns {
        return None;
    }
    let mut letter = fields.get(1)?.chars();
    let dtype = letter.next().and_then(Dtype::from_letter)?;
    let number = |i: usize| fields.get(i)?.parse::<usize>().ok();
    let (name, ms) = (fields.get(2)?, fields.get(6)?.parse().ok()?);
    let op = ops::all().iter().find(|op| op.tuned && name == op.column())?;
    let shape = Shape { m: number(3)?, n: number(4)?, batch: number(5)? };
    let mut case = Case::packed(op, dtype, shape);
    if op.has("k") {
        case.options.k = number(12)?;
        case = case.with_packed_columns();
    }
    Some(Record { case, plan: fields.get(8)?.clone(), ms, repeats: number(9)? })
}

/// Inner size of a product; 0 for all other operations.
pub fn terms(case: &Case) -> usize {
    if case.op.has("k") { case.options.k } else { 0 }
}

/// The file being written. Each row is written at once, so that an interrupted run keeps what it has measured.
pub struct Writer {
    file: File,
    device: String,
    version: String,
    terms: bool,
}

impl Writer {
    /// Opens the file to append to, or creates it; also returns its rows.
    pub fn open(path: &Path, op: Op, device: &str, version: &str) -> io::Result<(Writer, Vec<Record>)> {
        let text = if path.is_file() { io::read_to_string(csv::open(path)?)? } else { String::new() };
        let (text, mut terms) = (result_file::complete_lines(&text), op.name != "geqrf");
        let done = if path.is_file() { records(text)? } else { vec![] };
        let has_rows = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0);
        let file = if !has_rows {
            let first = if terms { WITH_TERMS } else { COLUMNS };
            result_file::replace(path, format!("{first}\n").as_bytes())?
        } else {
            let has = text.lines().next() == Some(WITH_TERMS);
            if terms && !has {
                let what = "it holds geqrf alone; write to a new file";
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
            terms = has;
            result_file::extend(path)?
        };
        Ok((Writer { file, device: device.to_owned(), version: version.to_owned(), terms }, done))
    }

    /// Adds a row.
    pub fn row(&mut self, r: &Record) -> io::Result<()> {
        let Case { op, dtype, shape: Shape { m, n, batch }, .. } = r.case;
        let (gflops, ms, repeats) = (limits::gflops(&r.case, r.ms), r.ms, r.repeats);
        let (letter, op) = (dtype.letter(), op.column());
        let [plan, device, version] = [&r.plan, &self.device, &self.version].map(|field| csv::quoted(field));
        let terms = if self.terms { format!(",{}", terms(&r.case)) } else { String::new() };
        let line = format!(
            "tephra,{letter},{op},{m},{n},{batch},{ms:.6},{gflops:.3},{plan},{repeats},{device},{version}{terms}\n"
        );
        self.file.write_all(line.as_bytes()) // one write, so that an interruption leaves whole lines in most cases
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Options;
    use crate::ops::named;

    #[test]
    fn a_file_is_continued() {
        let path = std::env::temp_dir().join(format!("tephra-tune-{}.csv", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let case = Case::packed(named("geqrf"), Dtype::Z, Shape { m: 9, n: 8, batch: 100 });
        let record = |plan: &str| Record { case, plan: plan.into(), ms: 0.125, repeats: 3 };
        for plan in ["blocked=32/96", "generic"] {
            let (mut writer, done) = Writer::open(&path, named("geqrf"), "a device", "1.0").unwrap();
            assert_eq!(done.len(), usize::from(plan == "generic"));
            writer.row(&record(plan)).unwrap();
        }
        assert_eq!(Record::read(&path).unwrap(), [record("blocked=32/96"), record("generic")]);
        // The last line of an interrupted run is measured again.
        let whole = std::fs::read_to_string(&path).unwrap();
        for left in [1, 4, 30] {
            std::fs::write(&path, &whole[..whole.len() - left]).unwrap();
            let (mut writer, done) = Writer::open(&path, named("geqrf"), "a device", "1.0").unwrap();
            assert_eq!(done, [record("blocked=32/96")]);
            writer.row(&record("generic")).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        }
        std::fs::write(&path, whole.replace(",1.0\ntephra", ",1tephra")).unwrap();
        let refused = Writer::open(&path, named("geqrf"), "", "").err().unwrap().to_string();
        assert!(refused.starts_with("line 2 is not a row"), "{refused}");
        std::fs::write(&path, whole).unwrap();
        assert!(Writer::open(&path, named("potrf"), "", "").is_err(), "it has no column for terms");
        std::fs::remove_file(&path).unwrap();
        let product = Case::packed(named("gemm"), Dtype::S, Shape { m: 9, n: 8, batch: 100 });
        let product = Case { options: Options { k: 5, ..product.options }, ..product }.with_packed_columns();
        let cases = [product, Case::packed(named("potrf"), Dtype::S, Shape { m: 9, n: 9, batch: 100 })];
        let records = cases.map(|case| Record { case, ..record("tiles=x") });
        for record in &records {
            Writer::open(&path, record.case.op, "a device", "1.0").unwrap().0.row(record).unwrap();
        }
        assert_eq!(Record::read(&path).unwrap(), records);
        std::fs::write(&path, "library,precision\n").unwrap();
        assert!(Writer::open(&path, named("geqrf"), "", "").is_err(), "another kind of file is not continued");
        std::fs::remove_file(path).unwrap();
    }
}
