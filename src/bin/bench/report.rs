//! The output of a run for the user: a table with a line per case, and a summary.

use super::relative;
use crate::case::Case;
use crate::csv::Row;
use crate::limits;
use tephra_testkit::Dtype;
use tephra_testkit::ratios::Ratios;

/// The heading of the table.
pub fn heading(vendor: &str, energy: bool) -> String {
    let plain = format!(
        "{:<24} {:>10} {:>10} {:>7} {:>12} {:>8} {:>9} {:>9}",
        "case",
        "ms",
        "GFLOP/s",
        "limit",
        format!("{vendor} ms"),
        "speedup",
        "residual",
        "orthog."
    );
    let more = ["joules", "uJ/matrix", &format!("{vendor} uJ"), "less", "watts", "idle"];
    if energy { plain + &energy_fields(more.map(Into::into)) } else { plain }
}

fn energy_fields(fields: [String; 6]) -> String {
    let [joules, each, vendor, less, watts, idle] = fields;
    format!(" {joules:>10} {each:>10} {vendor:>12} {less:>8} {watts:>7} {idle:>7}")
}

/// The energy columns of a table line.
fn energy(row: &Row) -> String {
    let Some(consumed) = row.energy else { return String::new() };
    let each = |joules: f64| format!("{:.4}", 1e6 * joules / row.case.shape.batch as f64);
    energy_fields([
        format!("{:.6}", consumed.own.joules),
        each(consumed.own.joules),
        consumed.vendor_joules.map_or("-".into(), each),
        consumed.ratio().map_or("-".into(), |r| format!("{r:.2}x")),
        format!("{:.0}", consumed.own.watts),
        format!("{:.0}", consumed.idle_watts),
    ])
}

/// The table line for one of the library's rows.
pub fn line(row: &Row) -> String {
    let text = |value: Option<f64>, digits: usize| value.map_or("-".into(), |v| format!("{v:.digits$}"));
    let limit = row.efficiency().map_or("-".into(), |e| format!("{:.1}%", 100.0 * e));
    let speedup = row.speedup().map_or("-".into(), |s| format!("{s:.2}x"));
    let input = if row.input == "uniform" { String::new() } else { format!("  {}", row.input) };
    let relative = row.relative.map_or(String::new(), |r| {
        format!("  {:.2}x the reference{}", r.ratio, if r.is_beyond() { ", BEYOND ITS BOUND" } else { "" })
    });
    let verdict = if row.ratios.is_some_and(|r| !within_threshold(&row.case, r)) { "  INACCURATE" } else { "" };
    format!(
        "{:<24} {:>10.4} {:>10.1} {:>7} {:>12} {:>8} {:>9} {:>9}{}{input}{relative}{verdict}",
        row.case.to_string(),
        row.ms,
        limits::gflops(&row.case, row.ms),
        limit,
        text(row.vendor_ms, 4),
        speedup,
        text(row.ratios.map(|r| r[0]), 3),
        text(row.ratios.map(|r| r[1]), 3),
        energy(row),
    )
}

/// Whether residual and orthogonality keep the library's promise: LAPACK's test thresholds, or the bound of TF32. NaN
/// fails.
pub fn within_threshold(case: &Case, [residual, orthogonality]: [f64; 2]) -> bool {
    residual < (case.op.limit)(case) && orthogonality < Ratios::THRESHOLD
}

/// The results of a run.
#[derive(Default)]
pub struct Summary {
    rows: Vec<Row>,
    failures: usize,
}

impl Summary {
    /// Adds one of the library's rows.
    pub fn add(&mut self, row: &Row) {
        self.rows.push(row.clone());
    }

    /// Counts a case without a result.
    pub fn fail(&mut self) {
        self.failures += 1;
    }

    /// Whether all cases ran, and accurately.
    pub fn is_clean(&self) -> bool {
        self.failures == 0 && self.rows.iter().all(|r| r.ratios.is_none_or(|ratios| within_threshold(&r.case, ratios)))
    }

    /// The summary, a few lines.
    pub fn text(&self, vendor: &str) -> String {
        let (count, cases) = (self.rows.len(), if self.rows.len() == 1 { "case" } else { "cases" });
        let mut lines = vec![format!("{count} {cases} measured, {} failed", self.failures)];
        let compared: Vec<(&Row, f64)> = self.rows.iter().filter_map(|r| Some((r, r.speedup()?))).collect();
        if let Some(all) = mean(compared.iter().map(|c| c.1)) {
            let of = |d: Dtype| mean(compared.iter().filter(|c| c.0.case.dtype == d).map(|c| c.1));
            let parts: Vec<String> =
                Dtype::ALL.into_iter().filter_map(|d| Some(format!("{} {:.2}x", d.letter(), of(d)?))).collect();
            lines.push(format!("geometric mean of the speedup over {vendor}: {all:.2}x ({})", parts.join(", ")));
            let slower: Vec<String> = compared
                .iter()
                .filter(|c| c.1 < 1.0)
                .map(|(row, speedup)| format!("{} ({speedup:.2}x)", row.case))
                .collect();
            lines.push(match slower.len() {
                0 => format!("no case is slower than {vendor}"),
                count => {
                    let more = if count > 10 { ", ..." } else { "" };
                    let cases = if count == 1 { "case is" } else { "cases are" };
                    format!("{count} {cases} slower than {vendor}: {}{more}", slower[..count.min(10)].join(", "))
                }
            });
        }
        if let Some(less) = mean(self.rows.iter().filter_map(|r| r.energy?.ratio())) {
            lines.push(format!("geometric mean of {vendor}'s energy over the library's: {less:.2}x"));
        }
        let worst = |i: usize| {
            let all = self.rows.iter().filter_map(|r| r.ratios.map(|v| v[i]));
            all.fold(0.0, tephra_testkit::scalar::worst)
        };
        let threshold = Ratios::THRESHOLD;
        lines.push(format!(
            "worst ratios: residual {:.3}, orthogonality {:.3} (LAPACK's testers pass below {threshold})",
            worst(0),
            worst(1)
        ));
        lines.extend(relative::summary(&self.rows));
        lines.join("\n")
    }
}

/// The geometric mean, or `None` without values.
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for v in values {
        sum += v.ln();
        count += 1;
    }
    (count > 0).then(|| (sum / count as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Case, Shape};
    use crate::ops::named;

    fn row(ms: f64, vendor_ms: Option<f64>, residual: f64) -> Row {
        Row {
            library: "tephra".into(),
            case: Case::packed(named("geqrf"), Dtype::D, Shape { m: 8, n: 8, batch: 10 }),
            ms,
            repeats: 5,
            ceilings: None,
            vendor_ms,
            ratios: Some([residual, 0.1]),
            vendor_ratios: None,
            input: String::new(),
            backend: String::new(),
            device: String::new(),
            version: String::new(),
            relative: None,
            energy: None,
            plan: String::new(),
        }
    }

    #[test]
    fn the_summary_names_slow_cases_and_means() {
        let mut summary = Summary::default();
        summary.add(&row(1.0, Some(16.0), 0.5));
        summary.add(&row(2.0, Some(1.0), 0.2));
        summary.add(&row(1.0, None, 0.2));
        let text = summary.text("cuBLAS");
        assert!(text.contains("2.83x"), "sqrt(16 * 0.5): {text}");
        assert!(text.contains("1 case is slower than cuBLAS: dgeqrf 8x8 x 10 (0.50x)"), "{text}");
        assert!(text.contains("residual 0.500"), "{text}");
        assert!(summary.is_clean());
    }

    #[test]
    fn energy_stands_under_its_heading() {
        use crate::csv::EnergyUse;
        use crate::energy::{Energy, Kind};
        let own = Energy { joules: 0.002, watts: 400.0, restoring: 0.0 };
        let consumed = EnergyUse { own, vendor_joules: Some(0.008), idle_watts: 75.0, kind: Kind::Counter };
        let with = Row { energy: Some(consumed), ..row(1.0, Some(16.0), 0.5) };
        let (heading, text) = (heading("cuBLAS", true), line(&with));
        let words: Vec<&str> = text.split_whitespace().rev().take(6).collect();
        assert_eq!(words, ["75", "400", "4.00x", "800.0000", "200.0000", "0.002000"], "of ten matrices");
        assert_eq!(heading.len(), text.trim_end().len(), "{heading}\n{text}");
        let mut summary = Summary::default();
        summary.add(&with);
        assert!(summary.text("cuBLAS").contains("cuBLAS's energy over the library's: 4.00x"));
    }

    #[test]
    fn times_beyond_their_bounds_are_named() {
        use crate::bench::relative::Relative;
        let with = |ratio| Row { relative: Some(Relative { ratio, bound: 1.5 }), ..row(1.0, None, 0.5) };
        let mut summary = Summary::default();
        summary.add(&with(1.5));
        assert!(summary.text("x").contains("1 compared, 0 beyond"), "{}", summary.text("x"));
        summary.add(&with(1.75));
        let text = summary.text("x");
        assert!(text.contains("2 compared, 1 beyond") && text.contains("1.75x (bound 1.5)"), "{text}");
        assert!(line(&with(1.75)).contains("1.75x the reference, BEYOND"), "{}", line(&with(1.75)));
    }

    #[test]
    fn nan_and_failures_are_not_clean() {
        let mut summary = Summary::default();
        summary.add(&row(1.0, None, f64::NAN));
        assert!(!summary.is_clean() && summary.text("x").contains("NaN"));
        assert!(line(&row(1.0, None, f64::NAN)).ends_with("INACCURATE"));
        let mut summary = Summary::default();
        summary.fail();
        assert!(!summary.is_clean());
    }
}
