//! The table of verdicts: a row per subject, a column per precision.

use std::fmt::Write;
use tephra_testkit::Dtype;
use tephra_testkit::scalar::worst;

/// The outcome of one subject in one precision.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Number of single checks that passed.
    pub passed: usize,
    /// Number of shapes that the forced plan does not support.
    pub declined: usize,
    /// The worst ratio, if ratios were measured.
    pub ratio: Option<f64>,
    /// Messages about the checks that failed.
    pub failures: Vec<String>,
}

impl Tally {
    /// Counts one check.
    pub fn check(&mut self, what: impl FnOnce() -> String, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => self.passed += 1,
            Err(why) => self.failures.push(format!("{}: {why}", what())),
        }
    }

    /// Records a measured ratio.
    pub fn ratio(&mut self, ratio: f64) {
        self.ratio = Some(worst(self.ratio.unwrap_or(0.0), ratio));
    }

    /// The outcome of both.
    pub fn and(mut self, other: Tally) -> Tally {
        self.passed += other.passed;
        self.declined += other.declined;
        other.ratio.into_iter().for_each(|ratio| self.ratio(ratio));
        self.failures.extend(other.failures);
        self
    }

    /// Whether the subject passed; one that checked nothing did not.
    fn is_good(&self) -> bool {
        self.failures.is_empty() && self.passed > 0
    }

    fn cell(&self) -> String {
        match (self.is_good(), self.ratio) {
            (true, Some(ratio)) => format!("PASS {ratio:>5.2}"),
            (true, None) => "PASS".into(),
            (false, _) if self.failures.is_empty() && self.declined > 0 => "declined".into(),
            (false, _) => format!("FAIL {:>5}", self.failures.len()),
        }
    }
}

/// All verdicts.
pub struct Table {
    verbose: bool,
    /// The columns.
    precisions: Vec<Dtype>,
    rows: Vec<(String, Vec<(Dtype, Tally)>)>,
}

impl Table {
    pub fn new(verbose: bool, precisions: &[Dtype]) -> Self {
        Table { verbose, precisions: precisions.into(), rows: Vec::new() }
    }

    /// Enters a subject's tally and prints its failures.
    pub fn enter(&mut self, subject: &str, dtype: Dtype, tally: Tally) {
        let shown = if self.verbose { usize::MAX } else { 5 };
        for failure in tally.failures.iter().take(shown) {
            say!("FAIL {subject}, {}: {failure}", dtype.letter());
        }
        if tally.failures.len() > shown {
            say!("     ... and {} more (--verbose shows them)", tally.failures.len() - shown);
        }
        if self.verbose {
            say!("{subject}, {}: {} passed, {} declined", dtype.letter(), tally.passed, tally.declined);
        }
        match self.rows.iter_mut().find(|(name, _)| name == subject) {
            Some((_, cells)) => cells.push((dtype, tally)),
            None => self.rows.push((subject.into(), vec![(dtype, tally)])),
        }
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let mut text = format!("{:<32}", "");
        let mut put = |part: String| text.push_str(&part);
        for dtype in &self.precisions {
            put(format!(" {:<12}", dtype.letter()));
        }
        put("\n".into());
        for (name, cells) in &self.rows {
            put(format!("{name:<32}"));
            for (_, tally) in cells {
                put(format!(" {:<12}", tally.cell()));
            }
            put("\n".into());
        }
        text.lines().fold(String::new(), |mut all, line| {
            writeln!(all, "{}", line.trim_end()).expect("writing to a string");
            all
        })
    }

    fn tallies(&self) -> impl Iterator<Item = &Tally> {
        self.rows.iter().flat_map(|(_, cells)| cells).map(|(_, tally)| tally)
    }

    /// Whether every subject passed in every precision.
    pub fn passed(&self) -> bool {
        self.tallies().all(Tally::is_good)
    }

    /// The line below the table.
    pub fn verdict(&self) -> String {
        let checks: usize = self.tallies().map(|t| t.passed + t.failures.len()).sum();
        let failures: usize = self.tallies().map(|t| t.failures.len()).sum();
        let unchecked = self.tallies().filter(|t| t.failures.is_empty() && !t.is_good()).count();
        match (self.passed(), unchecked) {
            (true, _) => format!("PASS: {checks} checks"),
            (false, 0) => format!("FAIL: {failures} of {checks} checks"),
            (false, _) => {
                format!("FAIL: {failures} of {checks} checks, and {unchecked} subjects that declined every shape")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_shows_in_cell_and_verdict() {
        let mut good = Tally::default();
        good.check(|| "x".into(), Ok(()));
        good.ratio(0.5);
        let mut bad = good.clone();
        bad.check(|| "8x8".into(), Err("ratio 40".into()));
        let mut table = Table::new(false, &[Dtype::S, Dtype::D]);
        table.enter("first", Dtype::S, good.clone());
        assert!(table.passed() && table.text().contains("PASS  0.50"));
        table.enter("first", Dtype::D, bad);
        assert!(!table.passed() && table.text().contains("FAIL     1"));
        assert_eq!(table.verdict(), "FAIL: 1 of 3 checks");
    }

    #[test]
    fn checking_nothing_is_not_passing() {
        let mut table = Table::new(false, &[Dtype::S]);
        table.enter("first", Dtype::S, Tally::default());
        assert!(!table.passed());
        assert_eq!(table.verdict(), "FAIL: 0 of 0 checks, and 1 subjects that declined every shape");
    }

    #[test]
    fn nan_stays_visible() {
        let mut tally = Tally::default();
        tally.ratio(f64::NAN);
        tally.ratio(0.1);
        assert!(tally.ratio.unwrap().is_nan());
    }
}
