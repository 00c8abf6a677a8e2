//! Shapes, forced plan paths, verdicts and summary lines.

use crate::library::Backend;
use crate::ratios::Ratios;
use crate::scalar::worst;
use crate::{Library, Result};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{PoisonError, RwLock};

/// The tile sizes whose edges [`shapes`] covers.
pub const TILES: [usize; 5] = [4, 8, 16, 32, 64];

/// The shapes of the correctness sweeps: small sizes, both sides of every tile edge (square, one row more, and taller,
/// because a square real matrix cannot reveal a missing last reflector), tall and wide ones.
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
    shapes.extend([
        (12, 3),
        (30, 2),
        (60, 4),
        (120, 3),
        (250, 4),
        (500, 2),
        (100, 7),
        (257, 16),
        (300, 33),
        (600, 5),
        (1100, 20),
        (5, 17),
        (20, 50),
        (31, 100),
    ]);
    shapes.extend([(2, 100), (5, 300), (8, 40), (12, 200), (16, 131), (13, 65)]);
    shapes.extend([(2049, 3), (2049, 20), (2500, 32), (5003, 13), (4096, 32), (8190, 25), (16_384, 9)]);
    shapes.extend([(9001, 27), (20_000, 5), (17_001, 12)]);
    shapes.sort_unstable();
    shapes.dedup();
    shapes
}

/// The plan candidates of a backend, by the names that `tephra_set_plan` takes.
pub const fn paths(backend: Backend) -> &'static [&'static str] {
    match backend {
        Backend::Cpu => &["interleaved", "unblocked", "blocked"],
        Backend::Cuda => &["resident", "blocked", "generic"],
    }
}

/// Few members with individual sizes, whatever these are, are padded to one size, for which the other plans are.
pub const PADDED: &str = "padded,resident,blocked,generic,thin,tree,fused,parts,tiles,lanes";

/// [`paths`] for batches whose members have individual sizes.
pub const fn paths_of_members(backend: Backend) -> &'static [&'static str] {
    match backend {
        Backend::Cpu => paths(backend),
        Backend::Cuda => &["resident", "blocked", "generic", PADDED],
    }
}

static PLAN: RwLock<()> = RwLock::new(());

thread_local! {
    /// Whether this thread is inside [`with_plan`] or [`without_forced_plan`], where its own calls must not wait for
    /// the lock.
    static HOLDS_PLAN_LOCK: Cell<bool> = const { Cell::new(false) };
}

/// Marks this thread as a holder of the plan lock until it is dropped.
struct PlanLockMark;

impl PlanLockMark {
    fn set() -> PlanLockMark {
        HOLDS_PLAN_LOCK.set(true);
        PlanLockMark
    }
}

impl Drop for PlanLockMark {
    fn drop(&mut self) {
        HOLDS_PLAN_LOCK.set(false);
    }
}

/// Runs `body` with only the named plan candidate allowed. The setting is process-wide, so every test that calls the
/// library and may run concurrently must go through this function or [`without_forced_plan`]. It must not be nested.
pub fn with_plan<R>(library: &Library, path: &str, body: impl FnOnce() -> R) -> Result<R> {
    alone(|| library.set_plan(Some(path)), body, || library.set_plan(None))
}

/// Runs `body` with plans that ignore the batch count and, if one is named, with only that candidate allowed. The rules
/// of [`with_plan`] apply.
pub fn batch_invariantly<R>(library: &Library, path: Option<&str>, body: impl FnOnce() -> R) -> Result<R> {
    let set = |on, path| library.set_batch_invariant(on).and_then(|()| library.set_plan(path));
    alone(|| set(true, path), body, || set(false, None))
}

fn alone<R>(
    set: impl FnOnce() -> Result<()>,
    body: impl FnOnce() -> R,
    reset: impl FnOnce() -> Result<()>,
) -> Result<R> {
    assert!(!HOLDS_PLAN_LOCK.get(), "a forced plan inside a call or another one");
    let _alone = PLAN.write().unwrap_or_else(PoisonError::into_inner);
    set()?;
    let inside = PlanLockMark::set();
    let result = catch_unwind(AssertUnwindSafe(body));
    drop(inside);
    reset()?;
    Ok(result.unwrap_or_else(|panic| resume_unwind(panic)))
}

/// Runs `body` while no other thread forces a plan. Nested calls do not lock again, since that could deadlock.
pub fn without_forced_plan<R>(body: impl FnOnce() -> R) -> R {
    if HOLDS_PLAN_LOCK.get() {
        return body();
    }
    let _shared = PLAN.read().unwrap_or_else(PoisonError::into_inner);
    let _inside = PlanLockMark::set();
    body()
}

/// Ratios up to this value are not compared with a reference's: a tenth of LAPACK's threshold, more for small matrices.
///
/// In a small matrix, a single rounding in one reflector is a ratio of that size, so on one input two correct
/// implementations often differ by more than a factor of 2, in either direction. The comparison of means over many
/// shapes, see [`Summary::mean_excess`], needs no such floor.
pub fn floor(m: usize) -> f64 {
    Ratios::THRESHOLD / 10.0 + 8.0 / m.max(1) as f64
}

/// The verdict on one matrix of m rows: every ratio must be below LAPACK's threshold and, if it is above the [`floor`],
/// at most twice the reference's ratio on the same input. NaN fails.
pub fn verdict(m: usize, ours: &Ratios, reference: Option<&Ratios>) -> std::result::Result<(), String> {
    below(Ratios::THRESHOLD, ours)?;
    for (index, (name, value)) in ours.named().into_iter().enumerate() {
        if let Some(reference) = reference {
            let limit = floor(m).max(2.0 * reference.named()[index].1);
            if value > limit {
                return Err(format!("{name} ratio {value:.3} is above {limit:.3}, twice the reference's own"));
            }
        }
    }
    Ok(())
}

/// Checks that the residuals are below a limit ([`crate::ratios::residual_limit`]) and the orthogonality below
/// LAPACK's.
pub fn below(residual_limit: f64, ours: &Ratios) -> std::result::Result<(), String> {
    for (name, value) in ours.named() {
        let limit = if name == "orthogonality" { Ratios::THRESHOLD } else { residual_limit };
        if value.is_nan() || value >= limit {
            return Err(format!("{name} ratio {value:.3} is not below {limit}"));
        }
    }
    Ok(())
}

/// The measurements of a sweep by key (say, a precision and a plan path): worst ratios and sums, ours and the
/// reference's.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    rows: BTreeMap<String, Row>,
}

#[derive(Clone, Debug, Default)]
struct Row {
    count: usize,
    /// Worst ratios: (ours, the reference's).
    worst: (Ratios, Ratios),
    /// Sums of the three ratios over the matrices that have a reference: (ours, the reference's).
    sums: [(f64, f64); 3],
    compared: usize,
}

impl Summary {
    /// Adds the measurement of one matrix.
    pub fn add(&mut self, key: &str, ours: &Ratios, reference: Option<&Ratios>) {
        let row = self.rows.entry(key.into()).or_default();
        row.count += 1;
        row.worst.0 = row.worst.0.worst(*ours);
        let Some(reference) = reference else { return };
        row.worst.1 = row.worst.1.worst(*reference);
        row.compared += 1;
        for (sum, ((_, a), (_, b))) in row.sums.iter_mut().zip(ours.named().into_iter().zip(reference.named())) {
            *sum = (sum.0 + a, sum.1 + b);
        }
    }

    /// For each of the three ratios, in the order of [`Ratios::named`]: the largest value over the keys of (our mean) /
    /// (the reference's mean), and its key. Means below 0.05, which exact results with a few roundings have, are raised
    /// to 0.05.
    pub fn mean_excess(&self) -> [(f64, String); 3] {
        std::array::from_fn(|ratio| {
            let mut largest = (0.0, String::new());
            for (key, row) in self.rows.iter().filter(|(_, row)| row.compared > 0) {
                let mean = |sum: f64| worst(sum / row.compared as f64, 0.05);
                let quotient = mean(row.sums[ratio].0) / mean(row.sums[ratio].1);
                if quotient.is_nan() || quotient > largest.0 {
                    largest = (quotient, key.clone());
                    if quotient.is_nan() {
                        break;
                    }
                }
            }
            largest
        })
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (key, row) in &self.rows {
            write!(f, "{separator}{key}: {} matrices, max ratio (reference's)", row.count)?;
            for ((name, ours), (_, theirs)) in row.worst.0.named().into_iter().zip(row.worst.1.named()) {
                write!(f, " {name} {ours:.2} ({theirs:.2})")?;
            }
            separator = "\n";
        }
        Ok(())
    }
}

/// Prints a line past the test harness's capture, so that every log contains the measured figures.
pub fn report(line: impl fmt::Display) {
    let mut out = std::io::stdout().lock();
    // A closed pipe must not fail a test.
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
        assert!(verdict(50, &ratios(29.0), None).is_ok());
        assert!(verdict(50, &ratios(30.0), None).is_err());
        assert!(verdict(50, &ratios(f64::NAN), None).is_err());
        assert!(verdict(50, &ratios(5.0), Some(&ratios(2.0))).is_err());
        assert!(verdict(50, &ratios(5.0), Some(&ratios(2.6))).is_ok());
        assert!(verdict(50, &ratios(3.0), Some(&ratios(0.01))).is_ok());
    }

    #[test]
    fn summary_keeps_nan_and_compares_means() {
        let mut s = Summary::default();
        s.add("d", &ratios(3.0), Some(&ratios(1.0)));
        s.add("d", &ratios(1.0), Some(&ratios(1.0)));
        assert_eq!(s.mean_excess()[0], (2.0, "d".into()));
        assert_eq!(s.mean_excess()[2], (1.0, "d".into()));
        s.add("d", &ratios(f64::NAN), Some(&ratios(1.0)));
        assert!(s.to_string().contains("NaN") && s.mean_excess()[0].0.is_nan());
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
