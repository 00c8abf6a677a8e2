//! Plans for batched QR.
//!
//! Candidates, in order (the first two change places for large matrices): `resident` (the matrix in registers, one
//! launch), `blocked` (panels of nb columns, each followed by one fused update of the columns to its right; LAPACK
//! geqrf's loop), `generic` (one launch that works in global memory and takes everything).

use super::allowed;
use super::table::{GENERIC, KERNELS, KernelId, Plain, RESIDENT, Resident, UPDATE, Update};
use crate::error::Error;
use crate::problem::Dtype;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;

/// One kernel launch of a plan, over the whole batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What runs.
    pub kernel: KernelId,
    /// Threads of a block.
    pub threads: u32,
    /// Dynamic shared memory of a block, bytes.
    pub shared: u32,
    /// Matrices of a block.
    pub per_block: u32,
    /// Column tiles of a matrix, the most blocks that can share it.
    pub tiles: i64,
    /// Rows of the sub-block it works on, which starts at (`offset`, `offset`).
    pub m: i64,
    /// Columns of it.
    pub n: i64,
    /// First row and column.
    pub offset: i64,
    /// Update: reflectors of its panel.
    pub k: i64,
}

/// What a device can hold, as far as plans depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Shared memory of a block, opted in, bytes.
    pub shared_per_block: u32,
}

impl Limits {
    /// sm_90's.
    pub const HOPPER: Limits = Limits { shared_per_block: 227 * 1024 };
}

/// How a shape is factored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The candidate that accepted.
    pub candidate: &'static str,
    /// Launches, in stream order.
    pub steps: Vec<Step>,
}

impl Plan {
    /// The plan in words, a line per launch.
    pub fn describe(&self) -> String {
        let mut text = format!("{}, {} launch(es), no workspace\n", self.candidate, self.steps.len());
        for s in &self.steps {
            let name = KERNELS[s.kernel].name.to_str().unwrap_or("?");
            let _ = write!(text, "  {name}: {} x {} at ({o}, {o})", s.m, s.n, o = s.offset);
            if s.k > 0 {
                let _ = write!(text, ", panel of {}, {} tiles", s.k, s.tiles);
            }
            let _ = writeln!(text, "; {} threads, {} matrices a block", s.threads, s.per_block);
        }
        text
    }
}

/// A candidate: the launches of an m x n factorisation, or `None` where it declines.
type Candidate = fn(Dtype, i64, i64, Limits) -> Option<Vec<Step>>;

/// The plan of an m x n factorisation (both >= 1).
pub fn plan(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Result<Plan, Error> {
    let mut candidates: [(&'static str, Candidate); 3] =
        [("resident", resident), ("blocked", blocked), ("generic", generic)];
    // The largest register tiles are slower than panels and updates.
    if m.min(n) > finish(dtype) {
        candidates.swap(0, 1);
    }
    for (candidate, steps) in candidates {
        if allowed(candidate)
            && let Some(steps) = steps(dtype, m, n, limits)
        {
            return Ok(Plan { candidate, steps });
        }
    }
    Err(Error::NotSupported(format!("no allowed plan takes {m} x {n}")))
}

/// Plans by shape, and the generation of the allowed candidates that they were made under.
type Cache = (u64, HashMap<(Dtype, i64, i64, Limits), Rc<Plan>>);

thread_local! {
    /// A cache per thread: no lock on the warm path.
    static PLANS: RefCell<Cache> = RefCell::default();
}

/// [`plan`], from this thread's cache.
pub fn cached(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Result<Rc<Plan>, Error> {
    PLANS.with_borrow_mut(|(generation, plans)| {
        let now = super::generation();
        // Shapes without end must not become memory without end.
        if *generation != now || plans.len() >= 4096 {
            plans.clear();
            *generation = now;
        }
        let key = (dtype, m, n, limits);
        if let Some(p) = plans.get(&key) {
            return Ok(p.clone());
        }
        let p = Rc::new(plan(dtype, m, n, limits)?);
        plans.insert(key, p.clone());
        Ok(p)
    })
}

/// a / b rounded up, for a >= 0 and b > 0.
pub(crate) fn ceil_div(a: i64, b: i64) -> i64 {
    a / b + i64::from(a % b != 0)
}

/// The instance that wastes least: register tiles are padded to its full size.
fn fitting(dtype: Dtype, m: i64, n: i64) -> Option<&'static Resident> {
    RESIDENT
        .iter()
        .filter(|r| r.dtype == dtype && i64::from(r.m) >= m && i64::from(r.n) >= n)
        .filter(|r| super::instance_allowed(KERNELS[r.kernel].name.to_str().unwrap_or("")))
        .min_by_key(|r| u64::from(r.m) * u64::from(r.n))
}

fn resident_step(r: &Resident, m: i64, n: i64, offset: i64) -> Step {
    Step { kernel: r.kernel, threads: r.threads, shared: 0, per_block: r.per_block, tiles: 1, m, n, offset, k: 0 }
}

fn generic_step(g: &Plain, m: i64, n: i64, offset: i64) -> Step {
    Step { kernel: g.kernel, threads: g.threads, shared: 0, per_block: 1, tiles: 1, m, n, offset, k: 0 }
}

fn update_step(u: &Update, m: i64, n: i64, offset: i64, k: i64) -> Step {
    let tiles = ceil_div(n - k, i64::from(u.nt));
    Step { kernel: u.kernel, threads: u.threads, shared: u.shared, per_block: 1, tiles, m, n, offset, k }
}

/// The instance that takes an m x n remainder whole. Teams of warps decline m < n: their short formulas are tested on
/// pivot columns only.
fn whole(dtype: Dtype, m: i64, n: i64) -> Option<&'static Resident> {
    fitting(dtype, m, n).filter(|r| m >= n || r.warps == 1)
}

fn resident(dtype: Dtype, m: i64, n: i64, _: Limits) -> Option<Vec<Step>> {
    whole(dtype, m, n).map(|r| vec![resident_step(r, m, n, 0)])
}

fn generic(dtype: Dtype, m: i64, n: i64, _: Limits) -> Option<Vec<Step>> {
    GENERIC.iter().find(|g| g.dtype == dtype).map(|g| vec![generic_step(g, m, n, 0)])
}

/// The update for panels of `rows` rows, of those that the device can run: one that reads them once if there is one, then the widest, then the tightest.
fn blocking(dtype: Dtype, rows: i64, limits: Limits) -> Option<&'static Update> {
    UPDATE.iter().filter(|u| u.dtype == dtype && u.shared <= limits.shared_per_block).max_by_key(|u| {
        let (fits, size) = (i64::from(u.rows) >= rows, i64::from(u.rows));
        (fits, u.nb, if fits { -size } else { size })
    })
}

/// A panel of k columns at (col, col): in registers, or in two halves with an update between, or by the kernel that
/// takes everything.
fn panel(dtype: Dtype, rows: i64, k: i64, col: i64, limits: Limits, steps: &mut Vec<Step>) -> Option<()> {
    if let Some(r) = fitting(dtype, rows, k) {
        steps.push(resident_step(r, rows, k, col));
    } else if k > 8 {
        let half = (k + 1) / 2;
        panel(dtype, rows, half, col, limits, steps)?;
        steps.push(update_step(blocking(dtype, rows, limits)?, rows, k, col, half));
        panel(dtype, rows - half, k - half, col + half, limits, steps)?;
    } else {
        steps.push(generic_step(GENERIC.iter().find(|g| g.dtype == dtype)?, rows, k, col));
    }
    Some(())
}

fn blocked(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Option<Vec<Step>> {
    let k_end = m.min(n);
    let mut steps = vec![];
    let mut col = 0;
    while col < k_end {
        let (rows, cols) = (m - col, n - col);
        // What is left may fit registers whole.
        if col > 0
            && rows.max(cols) <= finish(dtype)
            && let Some(r) = whole(dtype, rows, cols)
        {
            steps.push(resident_step(r, rows, cols, col));
            return Some(steps);
        }
        let u = blocking(dtype, rows, limits)?;
        // Forced on a shape that one panel would hold: still two panels, so that the update runs.
        let nb = if col == 0 && cols <= i64::from(u.nb) { (k_end + 1) / 2 } else { i64::from(u.nb) };
        let k = nb.min(k_end - col);
        panel(dtype, rows, k, col, limits, &mut steps)?;
        if cols > k {
            steps.push(update_step(u, rows, cols, col, k));
        }
        col += k;
    }
    Some(steps)
}

/// Order up to which one resident launch is not slower than panels and updates (measured on an H200).
fn finish(dtype: Dtype) -> i64 {
    match dtype {
        Dtype::S => 128,
        Dtype::D => 96,
        Dtype::C => 112,
        Dtype::Z => 64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every launch order must factor each column once, and only when it has seen every reflector before it.
    fn check(plan: &Plan, m: i64, n: i64) {
        let mut factored = 0; // columns that are done
        let mut seen = vec![0; n as usize]; // reflectors that each column has seen
        for s in &plan.steps {
            assert_eq!(s.m, m - s.offset);
            assert!(s.offset + s.n <= n && s.tiles >= 1);
            let columns = (s.offset + s.k) as usize..(s.offset + s.n) as usize;
            assert!(seen[columns.clone()].iter().all(|x| *x == s.offset), "{m} x {n}: {s:?} of {plan:?}");
            if s.k > 0 {
                assert_eq!(s.offset + s.k, factored);
            } else {
                assert_eq!(s.offset, factored);
                factored += s.n.min(s.m);
            }
            seen[columns].fill(factored);
        }
        assert_eq!(factored, m.min(n));
        assert!(seen[factored as usize..].iter().all(|x| *x == factored), "{m} x {n}: {plan:?}");
    }

    #[test]
    fn every_shape_has_a_complete_plan() {
        let sizes = [1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 128, 129, 200, 513, 1025, 4097];
        // Hopper, Ampere, consumer Blackwell, and what every device has
        for shared in [227, 163, 99, 48] {
            let limits = Limits { shared_per_block: shared * 1024 };
            for dtype in Dtype::ALL {
                for (m, n) in sizes.iter().flat_map(|m| sizes.map(|n| (*m, n))) {
                    check(&plan(dtype, m, n, limits).unwrap(), m, n);
                    check(&Plan { candidate: "", steps: generic(dtype, m, n, limits).unwrap() }, m, n);
                    if let Some(steps) = blocked(dtype, m, n, limits) {
                        assert!(steps.iter().all(|s| s.shared <= limits.shared_per_block));
                        check(&Plan { candidate: "", steps }, m, n);
                    } else {
                        assert!(limits != Limits::HOPPER);
                    }
                }
            }
        }
    }

    #[test]
    fn small_squares_stay_in_registers() {
        for dtype in Dtype::ALL {
            for n in 1..=64 {
                assert_eq!(plan(dtype, n, n, Limits::HOPPER).unwrap().candidate, "resident", "{dtype:?} {n}");
            }
        }
    }

    #[test]
    fn blocked_finishes_in_registers() {
        let p = plan(Dtype::D, 512, 512, Limits::HOPPER).unwrap();
        assert_eq!(p.candidate, "blocked");
        let last = p.steps.last().unwrap();
        assert!(last.k == 0 && last.n == last.m && last.n >= 32, "{last:?}");
    }
}
