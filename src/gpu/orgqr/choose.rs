//! Plans for forming Q (`orgqr`).
//!
//! Candidates: `resident` (the matrix in registers, one launch) and `blocked` (if both candidates are allowed, the
//! part to the right of and below the panels in registers; then one launch of the fused block reflector per panel,
//! from the last to the first, each on the columns from its own on). `blocked` also answers to the name `generic`,
//! because it accepts every shape. `parts`: all reflectors of few matrices act at once (at_once.rs). Few large members
//! with individual sizes are `padded` to one size.

use crate::error::Error;
use crate::gpu::arch::DEFAULT;
use crate::gpu::geqrf::each_choose as geqrf_each;
use crate::gpu::orgqr::at_once;
use crate::gpu::ormqr::{blocked_allowed, blocking, panels, refused};
use crate::gpu::plan::padded;
use crate::gpu::plan::table::{Instance, Q, Q_FEW, Q_STRIP, Q_TEAM};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed, panels_fit, restricted};
use crate::gpu::tall::Task;
use crate::gpu::tall::update::{RowDivisionOptions, rows_should_be_divided, sums_are_small};
use crate::routine::{Dtype, Orgqr};

const FEW: u32 = 1;
const DIVIDE_ROWS: u32 = 2;
const EACH: u32 = 4;
/// Position of the number of these members in `form` ([`padded::few`]).
const NUMBER: u32 = 3;
/// The sums of divided rows take little memory ([`sums_are_small`]).
const SMALL_SUMS: u32 = 32;
/// There are at most several matrices ([`rows_should_be_divided`]).
const SEVERAL: u32 = 64;
/// All reflectors act at once ([`at_once::pays`]).
const AT_ONCE: u32 = 128;

/// The shape has m, n and k; `form` says whether the batch is small ([`underfills_device`],
/// [`rows_should_be_divided`]), or members have individual sizes. A launch of a block reflector has its panel's
/// reflectors, which are in the first columns of the part; a launch that writes Q from registers has none.
impl Planned for Orgqr {
    type Task = Task;

    fn shape(&self, limits: Limits) -> Shape {
        let of = |is: bool, flag: u32| if is { flag } else { 0 };
        let [few, several] = rows_should_be_divided(self.batch, limits);
        let form = of(underfills_device(self.batch, limits), FEW)
            | of(few, DIVIDE_ROWS)
            | of(several, SEVERAL)
            | of(sums_are_small(self.dtype, [self.m, self.n], self.batch), SMALL_SUMS)
            | of(at_once::pays(self, limits), AT_ONCE);
        let form = match self.sizes {
            Some(_) => EACH | padded::few(self.batch) << NUMBER,
            None => form,
        };
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: self.k, form }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Orgqr>, Error> {
        let Shape { dtype, m, n, k, form } = shape;
        if form & EACH != 0 {
            if let Some(plan) = padded::plan(dtype, form >> NUMBER, [m, n], [m, n], DEFAULT.padded.orgqr) {
                return Ok(plan);
            }
            panels_fit(k.min(m).min(n))?;
            let launches = geqrf_each::of_q(dtype, (m, n, k.min(m).min(n)), limits).filter(|_| blocked_allowed());
            let launches = launches.ok_or_else(|| refused("orgqr", m, n))?.into_iter().rev();
            return Ok(Plan::with_tasks("blocked", launches.map(|l| (l, Task::Update))));
        }
        if form & AT_ONCE != 0 && allowed("parts") {
            return Ok(Plan { parts_may_be_refused: restricted(), ..Plan::new("parts", []) });
        }
        let start = |offset: i64| {
            let instance = resident(dtype, m - offset, n - offset, offset > 0, form & FEW != 0, limits)?;
            Some(Launch::on(instance, m - offset, n - offset, offset))
        };
        if let Some(start) = start(0) {
            return Ok(Plan::new("resident", [start]));
        }
        if !blocked_allowed() {
            return Err(refused("orgqr", m, n));
        }
        // If V is read once per tile, a panel's own columns must be one tile, because Q overwrites V there.
        let width = |u: &Instance, rows: i64| {
            i64::from(if rows > i64::from(u.rows) { u.columns.min(u.reflectors) } else { u.reflectors })
        };
        let (few_matrices, small_sums) = (form & DIVIDE_ROWS != 0, form & SMALL_SUMS != 0);
        let several_matrices = form & SEVERAL != 0;
        let divided = Some(RowDivisionOptions { few_matrices, several_matrices, small_sums, in_place: true });
        let mut panels = panels(dtype, (m, n, k), divided, limits, width).ok_or_else(|| refused("orgqr", m, n))?;
        if k == 0 {
            panels.push((blocking(dtype, m, limits).ok_or_else(|| refused("orgqr", m, n))?, 0, 0, Task::Update));
        }
        let small = |offset: i64| offset > 0 && m - offset <= limits.measured().orgqr.finish[dtype];
        let start = panels.iter().filter(|(_, offset, ..)| small(*offset)).find_map(|(_, offset, ..)| start(*offset));
        let end = start.as_ref().map_or(i64::MAX, |s| s.offset);
        let before = panels.into_iter().rev().filter(|(_, offset, ..)| *offset < end);
        let launch = |(u, offset, nb, task)| (Launch::with(u, m - offset, n - offset, offset, nb), task);
        Ok(Plan::with_tasks("blocked", start.map(|l| (l, Task::Whole)).into_iter().chain(before.map(launch))))
    }
}

/// Whether a batch leaves so much of a device idle that the time of a single matrix counts, rather than the
/// throughput of a multiprocessor.
pub(crate) fn underfills_device(batch: i64, limits: Limits) -> bool {
    !crate::gpu::plan::batch_invariant() && batch <= limits.measured().orgqr.few * i64::from(limits.multiprocessors)
}

/// The instance with the least padding; among equals, the first.
pub(crate) fn tightest<'a>(
    instances: impl Iterator<Item = &'a Instance>,
    dtype: Dtype,
    m: i64,
    n: i64,
) -> Option<&'a Instance> {
    instances
        .filter(|r| r.dtype == dtype && i64::from(r.rows) >= m && i64::from(r.columns) >= n)
        .min_by_key(|r| u64::from(r.rows) * u64::from(r.columns))
}

/// The instance that forms n columns of Q with m rows in registers. `part`: whether these do not begin at the first
/// row and column.
fn resident(dtype: Dtype, m: i64, n: i64, part: bool, few: bool, limits: Limits) -> Option<&'static Instance> {
    if !limits.native || !allowed("resident") {
        return None;
    }
    // Among kinds with equal padding, the first is the fastest. Kernels with one warp per matrix are for large
    // batches.
    let own = if few { Q_FEW } else { Q_STRIP };
    let whole: &[Instance] = if part { &[] } else { Q };
    tightest(own.iter().chain(Q_TEAM).chain(whole), dtype, m, n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::plan::samples::shapes;
    use crate::gpu::plan::table::LARFB;
    use crate::gpu::tall::update::DividedReflectorKernels;

    #[test]
    fn q_is_written_out_from_its_last_panel_to_its_first() {
        for (dtype, m, n, limits) in shapes().filter(|(_, m, n, _)| n <= m) {
            for (k, form) in [
                (0, 0),
                (1, FEW),
                (n / 2, 0),
                (n, FEW),
                (n, FEW | DIVIDE_ROWS | SEVERAL),
                (n, SEVERAL),
                (n, SMALL_SUMS),
                (n, 0),
            ] {
                let plan = Orgqr::plan(Shape { dtype, m, n, k, form }, limits).unwrap();
                let mut left = k;
                for (i, (s, task)) in plan.tasks().enumerate() {
                    let (nb, from, u) = (s.k, s.offset, s.instance);
                    let (rows, columns) = (i64::from(u.rows), i64::from(u.columns));
                    assert_eq!((s.m, s.n), (m - from, n - from));
                    if task == Task::Whole {
                        assert!(i == 0 && u.dtype == dtype && rows >= s.m && columns >= s.n, "{plan:?}");
                        assert!(from == 0 || from < k, "{plan:?}");
                        left = from;
                        continue;
                    }
                    assert_eq!(from + nb, left, "{plan:?}");
                    if task == Task::DividedUpdate {
                        let own = DividedReflectorKernels::find(dtype, 0, nb, limits).unwrap().apply.columns;
                        let of = &limits.measured().divided;
                        let least = match form {
                            _ if form & DIVIDE_ROWS != 0 => of.alone_rows_of_q[dtype],
                            _ if form & SEVERAL != 0 => of.narrow_rows[dtype],
                            _ if form & SMALL_SUMS != 0 => of.always_rows[dtype],
                            _ => 2048,
                        };
                        assert!(s.m > least && nb <= own.into(), "{plan:?}");
                        left = from;
                        continue;
                    }
                    assert!(u.shared <= limits.shared_per_block && nb <= i64::from(u.reflectors));
                    // Columns that are read again for each tile must not be overwritten by one of several tiles.
                    assert!(s.m <= rows || nb <= columns, "{plan:?}");
                    assert!(u.cluster == 1 || s.m <= rows, "clusters have no chunks: {plan:?}");
                    // A tile has only columns of the panel or none of them. To the right of the last panel there are
                    // no tiles.
                    assert!(left == k || nb % i64::from(u.tile) == 0, "{plan:?}");
                    left = from;
                }
                assert_eq!(left, 0);
            }
        }
    }

    #[test]
    fn small_squares_stay_in_registers() {
        const H: Limits = Limits::HOPPER;
        for dtype in Dtype::ALL {
            for n in 1..=32 {
                assert!(resident(dtype, n, n, false, false, H).is_some(), "{dtype:?} {n}");
            }
        }
    }

    #[test]
    fn a_device_without_tuned_code_writes_q_by_blocks() {
        let limits = Limits { native: false, ..Limits::HOPPER };
        for dtype in Dtype::ALL {
            for n in [1, 8, 64, 128, 512] {
                let plan = Orgqr::plan(Shape { dtype, m: n, n, k: n, form: 0 }, limits).unwrap();
                assert!(plan.launches().count() > 0);
                let portable = |l: &Launch| l.instance.is_of(LARFB) && l.instance.cluster == 1;
                assert!(plan.launches().all(portable), "clusters need the device's own code");
            }
        }
    }

    /// Matrices that fill the device get one warp each where that is faster. In a small batch, warps share a matrix.
    #[test]
    fn few_matrices_are_shared_by_warps() {
        for (dtype, n) in [(Dtype::S, 100), (Dtype::S, 128), (Dtype::D, 64), (Dtype::D, 100)] {
            let warps = |few| resident(dtype, n, n, false, few, Limits::HOPPER).unwrap().warps;
            assert!(warps(false) == 1 && warps(true) > 1, "{dtype:?} {n}");
        }
        assert!(underfills_device(100, Limits::HOPPER) && !underfills_device(1000, Limits::HOPPER));
    }
}
