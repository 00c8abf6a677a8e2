//! Shapes, forced plan paths, verdicts and summary lines.

use crate::library::Backend;
use crate::ratios::Ratios;
use crate::{Library, Result};
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::sync::{PoisonError, RwLock};

/// Tile sizes whose edges the shapes of [`shapes`] sit on.
pub const TILES: [usize; 5] = [4, 8, 16, 32, 64];

/// The shapes of the correctness sweeps: small sizes, both sides of every tile edge (square, one row more and taller,
/// since a square real matrix cannot show a lost last reflector), tall and wide ones.
pub fn shapes() -> Vec<(usize, usize)> {
    let mut shapes = Vec::new();
    for n in [0, 1, 2, 3, 5] {
        shapes.extend([(n, n), (n + 1, n), (n, n + 2)]);
    }
    for tile in TILES {
        for n in [tile - 1, tile, tile + 1] {
            shapes.extend([(n, n), (n + 1, n)]);
        }
        shapes.extend([(3 * tile + 1, tile), (tile, tile + 3)]);
    }
    shapes.extend([(100, 7), (257, 16), (300, 33), (600, 5), (1100, 20), (5, 17), (20, 50), (31, 100)]);
    shapes.sort_unstable();
    shapes.dedup();
    shapes
}

/// The plan candidates of a backend, in the names of `tephra_set_plan`.
pub const fn paths(backend: Backend) -> &'static [&'static str] {
    match backend {
        Backend::Cpu => &["unblocked", "blocked"],
        Backend::Cuda => &["resident", "blocked", "generic"],
    }
}

static PLAN: RwLock<()> = RwLock::new(());

/// Runs `body` with only the named plan candidate allowed. The setting is the process's, so everything that calls
/// the library from a test that may run beside this one goes through here or [`with_any_plan`].
pub fn with_plan<R>(library: &Library, path: &str, body: impl FnOnce() -> R) -> Result<R> {
    let _alone = PLAN.write().unwrap_or_else(PoisonError::into_inner);
    library.set_plan(Some(path))?;
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
    library.set_plan(None)?;
    Ok(result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
}

/// Runs `body` while nobody forces a plan.
pub fn with_any_plan<R>(body: impl FnOnce() -> R) -> R {
    let _shared = PLAN.read().unwrap_or_else(PoisonError::into_inner);
    body()
}

/// Ratios below this never fail the comparison with a reference: they are rounding noise of a single element in small
/// matrices, where a factor of 2 says nothing. (The threshold of 30 holds regardless.)
pub const FLOOR: f64 = 0.5;

/// The verdict on one matrix: every ratio below LAPACK's threshold, and at most twice the reference's own ratio on
/// the same input where that is above [`FLOOR`] / 2. NaN fails.
pub fn verdict(ours: &Ratios, reference: Option<&Ratios>) -> std::result::Result<(), String> {
    for (index, (name, value)) in ours.named().into_iter().enumerate() {
        if value.is_nan() || value >= Ratios::THRESHOLD {
            return Err(format!("{name} ratio {value:.3} is not below {}", Ratios::THRESHOLD));
        }
        if let Some(reference) = reference {
            let limit = FLOOR.max(2.0 * reference.named()[index].1);
            if value > limit {
                return Err(format!("{name} ratio {value:.3} is above {limit:.3}, twice the reference's own"));
            }
        }
    }
    Ok(())
}

/// What a sweep measured, per key (a precision, a plan path): the worst ratios of ours and of the reference, and the
/// mean of the logarithm of their quotient.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    rows: BTreeMap<String, Row>,
}

#[derive(Clone, Debug, Default)]
struct Row {
    count: usize,
    ours: Ratios,
    reference: Ratios,
    log_quotient: f64,
    compared: usize,
}

impl Summary {
    /// Adds one matrix.
    pub fn add(&mut self, key: &str, ours: &Ratios, reference: Option<&Ratios>) {
        let row = self.rows.entry(key.into()).or_default();
        row.count += 1;
        row.ours = row.ours.worst(*ours);
        let Some(reference) = reference else { return };
        row.reference = row.reference.worst(*reference);
        for ((_, a), (_, b)) in ours.named().into_iter().zip(reference.named()) {
            if a > 0.0 && b > 0.0 {
                row.log_quotient += (a / b).ln();
                row.compared += 1;
            }
        }
    }

    /// Takes another summary in.
    pub fn merge(&mut self, other: Summary) {
        for (key, row) in other.rows {
            let mine = self.rows.entry(key).or_default();
            mine.count += row.count;
            mine.ours = mine.ours.worst(row.ours);
            mine.reference = mine.reference.worst(row.reference);
            mine.log_quotient += row.log_quotient;
            mine.compared += row.compared;
        }
    }

    /// Geometric mean of ours / reference over all ratios of a key; 1 where nothing was compared.
    pub fn mean_quotient(&self, key: &str) -> f64 {
        self.rows.get(key).filter(|r| r.compared > 0).map_or(1.0, |r| (r.log_quotient / r.compared as f64).exp())
    }

    /// The keys.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().map(String::as_str)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (key, row)) in self.rows.iter().enumerate() {
            let (o, r) = (row.ours, row.reference);
            let newline = if i == 0 { "" } else { "\n" };
            write!(
                f,
                "{newline}{key}: {} matrices, max ratios (reference's) residual {:.2} ({:.2}) columnwise {:.2} ({:.2}) \
                 orthogonality {:.2} ({:.2}), mean quotient {:.2}",
                row.count,
                o.residual,
                r.residual,
                o.columnwise,
                r.columnwise,
                o.orthogonality,
                r.orthogonality,
                self.mean_quotient(key)
            )?;
        }
        Ok(())
    }
}

/// Prints a line past the test harness's capture, so that measured figures stand in every log.
pub fn report(line: impl fmt::Display) {
    let mut out = std::io::stdout().lock();
    // A closed pipe is no reason to fail a test.
    let _ = writeln!(out, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratios(residual: f64) -> Ratios {
        Ratios { residual, columnwise: 0.1, orthogonality: 0.1 }
    }

    #[test]
    fn verdicts() {
        assert!(verdict(&ratios(29.0), None).is_ok());
        assert!(verdict(&ratios(30.0), None).is_err());
        assert!(verdict(&ratios(f64::NAN), None).is_err());
        assert!(verdict(&ratios(3.0), Some(&ratios(1.0))).is_err());
        assert!(verdict(&ratios(1.9), Some(&ratios(1.0))).is_ok());
        assert!(verdict(&ratios(0.4), Some(&ratios(0.01))).is_ok());
    }

    #[test]
    fn summary_keeps_nan() {
        let mut s = Summary::default();
        s.add("d", &ratios(f64::NAN), Some(&ratios(1.0)));
        s.add("d", &ratios(2.0), Some(&ratios(1.0)));
        assert!(s.to_string().contains("NaN"));
    }

    #[test]
    fn shapes_have_more_rows_than_columns_at_every_tile_edge() {
        let shapes = shapes();
        for tile in TILES {
            assert!(shapes.iter().any(|&(m, n)| n == tile && m == tile + 1));
        }
        assert!(shapes.contains(&(0, 0)) && shapes.contains(&(20, 50)));
    }
}
