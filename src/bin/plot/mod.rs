//! `tephra bench --plot`: charts of result files, as SVG.

mod chart;
mod gantt;
mod scale;
mod svg;

use crate::case::{Case, Shape};
use crate::csv::{self, Record};
use crate::limits::{self, Ceilings};
use crate::operation::Op;
use crate::ops::named;
use crate::result_file;
use chart::{Mark, Panel, Series, Sheet};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tephra_testkit::Dtype;

const TEPHRA: &str = "#c2410c";
const VENDOR: &str = "#475569";
const OTHERS: [&str; 4] = ["#2563eb", "#0f766e", "#7c3aed", "#a16207"];

/// Colour and width of a library's line: Tephra's prominent, the vendor's grey, others thin.
fn look(library: &str) -> (&'static str, f64) {
    match library {
        "tephra" => (TEPHRA, 2.5),
        "cublas" | "lapack" => (VENDOR, 2.0),
        "magma" => (OTHERS[0], 1.5),
        "cusolverdx" | "lapack-threads" => (OTHERS[1], 1.5),
        _ => (OTHERS[2], 1.5),
    }
}

/// Speedups are relative to the fastest of these.
const VENDORS: [&str; 3] = ["cublas", "lapack", "lapack-threads"];

/// A library's name for the user.
fn title_of(library: &str) -> &str {
    match library {
        "tephra" => "Tephra",
        "cublas" => "cuBLAS",
        "lapack" => "LAPACK loop",
        "lapack-threads" => "LAPACK loop, one thread per core",
        "magma" => "MAGMA",
        "cusolverdx" => "cuSolverDx",
        other => other,
    }
}

/// Reads the files and writes the charts into `folder`; returns their paths.
pub fn run(files: &[PathBuf], folder: &Path, ceilings: Option<Ceilings>) -> Result<Vec<PathBuf>, String> {
    let (mut records, mut written) = (Vec::new(), Vec::new());
    let (traces, files): (Vec<_>, Vec<_>) =
        files.iter().partition(|file| file.extension().is_some_and(|extension| extension == "json"));
    for file in files {
        let of_file = csv::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
        // Charts show uniform input only; files with other input have a table of their own.
        records.extend(of_file.into_iter().filter(|r| ["", "uniform"].contains(&r.input.as_str())));
    }
    if !folder.is_dir() {
        return Err(format!("{}: not a folder", folder.display()));
    }
    for file in traces {
        let wrong = |what: String| format!("{}: {what}", file.display());
        let text = std::fs::read_to_string(file).map_err(|e| wrong(e.to_string()))?;
        let title = file.file_stem().unwrap_or_default().to_string_lossy().replace(['-', '_'], " ");
        let chart = gantt::draw(&title, &text).ok_or_else(|| wrong("not a trace of tephra bench".into()))?;
        let path = folder.join(file.with_extension("svg").file_name().unwrap_or_default());
        result_file::replace(&path, chart.as_bytes()).map_err(|e| format!("{}: {e}", path.display()))?;
        written.push(path);
    }
    for (device, op) in subjects(&records) {
        let subject = Subject {
            device: &device,
            op,
            ceilings: ceilings.or_else(|| Ceilings::of_device(&device)),
            records: latest(
                records.iter().filter(|r| r.op == op.column() && [&device, ""].contains(&r.device.as_str())),
            ),
        };
        for (name, sheet) in subject.sheets() {
            let path = folder.join(format!("{}-{}-{name}.svg", op.name, slug(&device)));
            result_file::replace(&path, sheet.draw().as_bytes()).map_err(|e| format!("{}: {e}", path.display()))?;
            written.push(path);
        }
    }
    if written.is_empty() {
        return Err(
            "no row of these files can be drawn: charts show geqrf of uniform n x n, m x 16 and m x 32 matrices".into(),
        );
    }
    Ok(written)
}

/// The (device, operation) pairs to draw. Rows without a device, from other programs, are added to every device's
/// charts.
fn subjects(records: &[Record]) -> BTreeSet<(String, Op)> {
    let op = |r: &Record| [named("geqrf")].into_iter().find(|op| op.column() == r.op);
    let named: BTreeSet<_> =
        records.iter().filter(|r| !r.device.is_empty()).filter_map(|r| Some((r.device.clone(), op(r)?))).collect();
    if named.is_empty() { records.iter().filter_map(|r| Some((String::new(), op(r)?))).collect() } else { named }
}

/// The last row of each library and shape: later files and later rows supersede earlier ones.
fn latest<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<&'a Record> {
    let mut by_case = BTreeMap::new();
    for r in records {
        by_case.insert((r.library.clone(), r.dtype, r.shape), r);
    }
    by_case.into_values().collect()
}

/// A device's name in the form used in file names.
fn slug(device: &str) -> String {
    let name = device.trim_start_matches("NVIDIA ").to_lowercase();
    let dashed: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let words: Vec<&str> = dashed.split('-').filter(|w| w.len() > 1).take(4).collect();
    if words.is_empty() { "device".into() } else { words.join("-") }
}

/// The rows of one operation on one device.
struct Subject<'a> {
    device: &'a str,
    op: Op,
    ceilings: Option<Ceilings>,
    records: Vec<&'a Record>,
}

/// Which rows a sheet shows, and which size is its x axis.
#[derive(Clone, Copy)]
enum Family {
    Square,
    Tall,
}

impl Family {
    /// The x value of a shape, if it belongs to this family.
    fn x(self, s: Shape) -> Option<f64> {
        match self {
            Family::Square => (s.m == s.n).then_some(s.n as f64),
            Family::Tall => (s.n == 16 || s.n == 32).then_some(s.m as f64).filter(|_| s.m >= 2 * s.n),
        }
    }

    fn axis(self) -> &'static str {
        match self {
            Family::Square => "matrix size n (n x n)",
            Family::Tall => "rows m",
        }
    }
}

impl Subject<'_> {
    fn sheets(&self) -> Vec<(&'static str, Sheet)> {
        let mut sheets = Vec::new();
        for (family, name, efficiency_name, words) in [
            (Family::Square, "square", "square-efficiency", "square matrices"),
            (Family::Tall, "tall", "tall-efficiency", "m x 16 and m x 32"),
        ] {
            let title = format!("Batched QR ({}) of {words}, {}", self.op.name, self.device_title());
            let limit = |p, s: Shape| self.limit_gflops(p, s);
            sheets.extend(
                self.sheet(family, &title, "GFLOP/s", thousands, &|r| Some(r.gflops), &limit).map(|s| (name, s)),
            );
            let title = format!("Share of the hardware limit: {words}, {}", self.device_title());
            let share = |r: &Record| Some(r.gflops / self.limit_gflops(r.dtype, r.shape)?);
            let sheet = self.sheet(family, &title, "T_limit / T", percent, &share, &|_, _| None);
            sheets.extend(sheet.map(|s| (efficiency_name, s)));
        }
        sheets.extend(self.speedups().map(|s| ("speedup", s)));
        sheets
    }

    fn device_title(&self) -> &str {
        if self.device.is_empty() { "unnamed device" } else { self.device }
    }

    fn limit_gflops(&self, dtype: Dtype, shape: Shape) -> Option<f64> {
        let case = Case::packed(self.op, dtype, shape);
        self.ceilings.map(|c| limits::gflops(&case, c.limit_ms(&case)))
    }

    /// One panel per precision with a line per library, and the hardware limit if requested and known.
    fn sheet(
        &self,
        family: Family,
        title: &str,
        y_label: &str,
        y_text: fn(f64) -> String,
        y: &dyn Fn(&Record) -> Option<f64>,
        limit: &dyn Fn(Dtype, Shape) -> Option<f64>,
    ) -> Option<Sheet> {
        let mut panels = Vec::new();
        for dtype in Dtype::ALL {
            let rows: Vec<&Record> = self.records.iter().copied().filter(|r| r.dtype == dtype).collect();
            let mut series = lines(family, &rows, y);
            if series.is_empty() {
                continue;
            }
            series.extend(limit_line(family, dtype, &rows, limit));
            panels.push(Panel { title: dtype_title(dtype).into(), x_label: family.axis(), series });
        }
        let mut notes = vec![self.note(family)];
        notes.extend(self.ceilings.map(|_| LIMIT_NOTE.into()));
        finish(title, notes, y_label, y_text, None, panels)
    }

    /// Speedups over the vendor, with all precisions in one panel per family.
    fn speedups(&self) -> Option<Sheet> {
        let mut panels = Vec::new();
        for (family, title) in [(Family::Square, "square"), (Family::Tall, "m x 32")] {
            let mut series = Vec::new();
            for (dtype, color) in Dtype::ALL.into_iter().zip([OTHERS[0], TEPHRA, OTHERS[1], OTHERS[2]]) {
                let ours = self.records.iter().filter(|r| r.library == "tephra" && r.dtype == dtype);
                let mut rows = main_batch(family, ours.copied());
                rows.retain(|r| matches!(family, Family::Square) || r.shape.n == 32);
                for rows in by_batch(&rows) {
                    let points = points(family, &rows, &|r| Some(self.vendor_ms(r)? / r.ms));
                    let name = dtype_title(dtype).to_string();
                    series.push(Series { name, color, dash: "", width: 2.0, mark: Mark::Filled, points });
                }
            }
            series.retain(|s| !s.points.is_empty());
            if !series.is_empty() {
                panels.push(Panel { title: title.into(), x_label: family.axis(), series });
            }
        }
        let title = format!("Batched QR: times faster than {}, {}", self.vendor_title(), self.device_title());
        let times = |v: f64| format!("{v}x");
        finish(&title, vec![self.note(Family::Square)], "speedup", times, Some(1.0), panels)
    }

    fn vendor_title(&self) -> &'static str {
        if self.records.iter().any(|r| r.library == "cublas") { "cuBLAS" } else { "a LAPACK loop" }
    }

    fn vendor_ms(&self, ours: &Record) -> Option<f64> {
        let same = |r: &&&Record| r.dtype == ours.dtype && r.shape == ours.shape;
        let rivals = self.records.iter().filter(same).filter(|r| VENDORS.contains(&r.library.as_str()));
        rivals.map(|r| r.ms).reduce(f64::min)
    }

    /// A note with the batch counts of the lines.
    fn note(&self, family: Family) -> String {
        let mut largest: BTreeMap<usize, usize> = BTreeMap::new();
        for r in main_batch(family, self.records.iter().copied()) {
            let size = largest.entry(r.shape.batch).or_default();
            *size = (*size).max(r.shape.m);
        }
        let parts: Vec<String> =
            largest.iter().rev().map(|(b, size)| format!("{} to {size}", thousands(*b as f64))).collect();
        let lines = match family {
            Family::Square => "",
            Family::Tall => " Solid: n = 32, dashed: n = 16.",
        };
        let batches = parts.join(", ");
        format!(
            "Batch: {batches}; a line joins one batch.{lines} Medians, uniform(-1, 1) data; GFLOP/s by LAPACK's count."
        )
    }
}

/// The explanation of the limit, at the foot of a chart that shows it.
const LIMIT_NOTE: &str = "T_limit, the hardware limit: the longer of reading and writing all matrices once at copy speed \
                          and LAPACK's operations at the multiply-add peak.";

fn dtype_title(p: Dtype) -> &'static str {
    match p {
        Dtype::S => "s (FP32)",
        Dtype::D => "d (FP64)",
        Dtype::C => "c (complex FP32)",
        Dtype::Z => "z (complex FP64)",
    }
}

/// The rows that form the lines: those with the smallest batch count of each size; larger counts are drawn as dots.
fn main_batch<'a>(family: Family, rows: impl Iterator<Item = &'a Record>) -> Vec<&'a Record> {
    let rows: Vec<&Record> = rows.filter(|r| family.x(r.shape).is_some()).collect();
    let smallest = |r: &Record| {
        let same = rows.iter().filter(|o| (o.shape.m, o.shape.n) == (r.shape.m, r.shape.n));
        same.map(|o| o.shape.batch).min()
    };
    rows.iter().copied().filter(|r| Some(r.shape.batch) == smallest(r)).collect()
}

/// The libraries' lines in one precision, Tephra's first.
fn lines(family: Family, rows: &[&Record], y: &dyn Fn(&Record) -> Option<f64>) -> Vec<Series> {
    let mut libraries: Vec<&str> =
        rows.iter().map(|r| r.library.as_str()).collect::<BTreeSet<_>>().into_iter().collect();
    libraries.sort_by_key(|l| *l != "tephra");
    let mut series = Vec::new();
    for library in libraries {
        let (color, width) = look(library);
        let ours: Vec<&Record> = rows.iter().copied().filter(|r| r.library == library).collect();
        let line = main_batch(family, ours.iter().copied());
        let groups: Vec<(&str, Vec<&Record>)> = match family {
            Family::Square => vec![("", line.clone())],
            Family::Tall => [(32, ""), (16, "5 4")]
                .map(|(n, dash)| (dash, line.iter().copied().filter(|r| r.shape.n == n).collect()))
                .to_vec(),
        };
        for (dash, rows) in groups {
            for rows in by_batch(&rows) {
                let name = title_of(library).to_string();
                let mark = if dash.is_empty() { Mark::Filled } else { Mark::Hollow };
                series.push(Series { name, color, dash, width, mark, points: points(family, &rows, y) });
            }
        }
        let larger: Vec<&Record> = ours.iter().copied().filter(|r| !line.contains(r)).collect();
        let name = "larger batch".into();
        series.push(Series { name, color, dash: "", width, mark: Mark::Dots, points: points(family, &larger, y) });
    }
    series.retain(|s| !s.points.is_empty());
    series.sort_by_key(|s| s.mark == Mark::Dots); // their name comes last in the legend
    series
}

/// Groups rows by batch count, because times of different batches do not form one line.
fn by_batch<'a>(rows: &[&'a Record]) -> Vec<Vec<&'a Record>> {
    let mut groups: BTreeMap<usize, Vec<&Record>> = BTreeMap::new();
    for r in rows {
        groups.entry(r.shape.batch).or_default().push(r);
    }
    groups.into_values().collect()
}

fn points(family: Family, rows: &[&Record], y: &dyn Fn(&Record) -> Option<f64>) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = rows.iter().filter_map(|r| Some((family.x(r.shape)?, y(r)?))).collect();
    points.retain(|p| p.1 > 0.0 && p.1.is_finite());
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

/// The hardware limit over the sizes that were measured.
fn limit_line(
    family: Family,
    dtype: Dtype,
    rows: &[&Record],
    limit: &dyn Fn(Dtype, Shape) -> Option<f64>,
) -> Vec<Series> {
    let widths: BTreeSet<usize> = match family {
        Family::Square => BTreeSet::from([0]),
        Family::Tall => rows.iter().map(|r| r.shape.n).filter(|n| [16, 32].contains(n)).collect(),
    };
    let mut series = Vec::new();
    for width in widths {
        let of_width = rows.iter().filter(|r| width == 0 || r.shape.n == width);
        let mut points: Vec<(f64, f64)> =
            of_width.filter_map(|r| Some((family.x(r.shape)?, limit(dtype, r.shape)?))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points.dedup_by(|a, b| a.0 == b.0);
        let name = "hardware limit (memory or vector peak)".into();
        series.push(Series { name, color: "#9aa5b1", dash: "2 4", width: 1.5, mark: Mark::None, points });
    }
    series.retain(|s| !s.points.is_empty());
    series
}

/// Makes a sheet of the panels with common axes.
fn finish(
    title: &str,
    notes: Vec<String>,
    y_label: &str,
    y_text: fn(f64) -> String,
    y_line: Option<f64>,
    panels: Vec<Panel>,
) -> Option<Sheet> {
    let points = || panels.iter().flat_map(|p| &p.series).flat_map(|s| &s.points);
    points().next()?;
    let y_range = scale::round_range(points().map(|p| p.1).chain(y_line))?;
    Some(Sheet { title: title.into(), notes, y_label: y_label.into(), y_range, y_text, y_line, panels })
}

/// 12345 as "12,345"; small values with a decimal.
fn thousands(v: f64) -> String {
    if v < 10.0 && v.fract() != 0.0 {
        return format!("{v:.1}");
    }
    let digits = format!("{v:.0}");
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(c);
    }
    text
}

/// 0.374 as "37 %".
fn percent(v: f64) -> String {
    let v = v * 100.0;
    if v < 0.995 { format!("{v:.1} %") } else { format!("{v:.0} %") }
}

#[cfg(test)]
mod tests;
