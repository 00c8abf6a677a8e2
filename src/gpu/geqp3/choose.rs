//! Plans for QR with column pivoting: one launch.
//!
//! Candidates, in order: `resident` (small matrices in registers, a column a lane; others in the shared memory of a block) and
//! `generic`, which works in global memory, and takes everything. Only that needs a workspace: for norms of columns.

use crate::error::Error;
use crate::gpu::orgqr::tightest;
use crate::gpu::plan::table::{GEQP3_BLOCK, GEQP3_GENERIC, GEQP3_LANE, Instance};
use crate::gpu::plan::work::Arrays;
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed};
use crate::routine::{Dtype, Geqp3};

/// Sizes m and n.
impl Planned for Geqp3 {
    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: 0, form: 0 }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Geqp3>, Error> {
        let Shape { dtype, m, n, .. } = shape;
        if m.max(n) > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        if let Some(launch) = resident(dtype, m, n, limits).filter(|_| allowed("resident")) {
            return Ok(Plan::new("resident", [launch]));
        }
        if allowed("generic") {
            let launch = Launch::on(Instance::plain(GEQP3_GENERIC, dtype)?, m, n, 0);
            return Ok(Plan { workspace: |p| Ok(norms(p)?.bytes), ..Plan::new("generic", [launch]) });
        }
        Err(Error::NotSupported(format!("no allowed plan factors {m} x {n} matrices with column pivoting")))
    }

    fn words(&self, l: &Launch) -> String {
        format!("{} x {}, columns pivoted", l.m, l.n)
    }
}

/// The tightest lanes; else the block with the fewest warps of which a multiprocessor holds two, or that fits at all.
fn resident(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Option<Launch> {
    if !limits.native {
        return None;
    }
    if let Some(lanes) = tightest(GEQP3_LANE.iter(), dtype, m, n) {
        return Some(Launch::on(lanes, m, n, 0));
    }
    let fits = |most: u32| {
        let of_type = GEQP3_BLOCK.iter().filter(|i| i.dtype == dtype && i64::from(i.columns) >= n);
        of_type.filter(move |i| i.shared_for(&[m, n]) <= most)
    };
    let two = fits(limits.shared_by(2)).min_by_key(|i| i.warps);
    let block = two.or_else(|| fits(limits.whole()).max_by_key(|i| i.warps))?;
    Some(Launch::on(block, m, n, 0).holding(block.shared_for(&[m, n])))
}

/// The workspace of the generic plan: two real numbers for each column.
pub(crate) fn norms(p: &Geqp3) -> Result<Arrays<1>, Error> {
    Arrays::new(p, [if p.dtype.is_complex() { p.n } else { p.n.saturating_mul(2) }])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(dtype: Dtype, m: i64, n: i64, limits: Limits) -> Plan<Geqp3> {
        Geqp3::plan(Shape { dtype, m, n, k: 0, form: 0 }, limits).unwrap()
    }

    #[test]
    fn what_a_block_holds_is_resident() {
        for dtype in Dtype::ALL {
            for (m, n) in [(1, 1), (8, 8), (32, 32), (33, 8), (8, 33), (100, 100), (400, 16)] {
                let plan = plan(dtype, m, n, Limits::HOPPER);
                assert_eq!(plan.candidate, "resident", "{dtype:?} {m} x {n}");
                let launch = plan.launches().next().unwrap();
                let lanes = launch.instance.is_of(GEQP3_LANE);
                assert_eq!(lanes, m.max(n) <= 32, "{dtype:?} {m} x {n}");
                assert!(lanes || i64::from(launch.shared) == m * n * dtype.bytes() as i64);
                assert!(launch.shared <= Limits::HOPPER.shared_per_block && i64::from(launch.instance.columns) >= n);
            }
            for (m, n) in [(1, 300), (3000, 100), (2000, 2000)] {
                assert_eq!(plan(dtype, m, n, Limits::HOPPER).candidate, "generic", "{dtype:?} {m} x {n}");
            }
            assert_eq!(plan(dtype, 8, 8, Limits::NONE).candidate, "generic");
        }
    }
}
