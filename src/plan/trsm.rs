//! Plans for batched triangular solves.
//!
//! One kernel solves T X = alpha B with T lower triangular; what a caller asks for becomes that form by strides (see
//! [`Canonical`](crate::routine::canonical::Canonical)), so a plan only chooses an instance: how many right-hand sides a tile has, and the fewest registers
//! that hold all rows. Taller problems go through the largest instance in rounds.

use super::table::{Instance, TRSM};
use super::{Launch, Limits, Plan, Planned, Shape, batch_invariant, ceil_div};
use crate::error::Error;
use crate::routine::{Dtype, Side, Trsm};

/// Sizes: order, right-hand sides, batch up to [`BUSY`] (larger ones are planned alike).
impl Planned for Trsm {
    const UNIT: &'static str = "tiles";

    /// Every device runs the kernels.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        let (order, nrhs) = if self.side == Side::Left { (self.m, self.n) } else { (self.n, self.m) };
        let batch = if batch_invariant() { BUSY } else { self.batch.min(BUSY) };
        Shape { dtype: self.dtype, m: order, n: nrhs, k: batch, form: 0 }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Trsm>, Error> {
        let Shape { dtype, m: order, n: nrhs, k: batch, .. } = shape;
        Ok(Plan::new("trsm", [Launch::on(instance(dtype, order, nrhs, batch)?, order, nrhs, 0)]))
    }

    fn words(&self, l: &Launch) -> String {
        let rounds = ceil_div(l.m, i64::from(l.instance.rows));
        format!("order {}, {} right-hand sides in tiles of {}, {rounds} round(s)", l.m, l.n, l.instance.columns)
    }
}

/// The instance for an order, a number of right-hand sides and a batch (all >= 1): enough rows, but no more than needed,
/// then enough columns, but no more than needed.
pub(super) fn instance(dtype: Dtype, order: i64, nrhs: i64, batch: i64) -> Result<&'static Instance, Error> {
    let widest = TRSM.iter().filter(|t| t.dtype == dtype).map(|t| i64::from(t.columns)).max().unwrap_or(1);
    // Few tiles would leave multiprocessors idle.
    let few = batch.saturating_mul(ceil_div(nrhs, widest)) < BUSY;
    let wanted = if few { nrhs.min(NARROW) } else { nrhs };
    TRSM.iter()
        .filter(|t| t.dtype == dtype && (t.shared > 0 || i64::from(t.rows) >= order))
        .min_by_key(|t| {
            let (rows, cols) = (i64::from(t.rows), i64::from(t.columns));
            let (low, narrow) = (rows < order, cols < wanted);
            (low, if low { -rows } else { rows }, narrow, if narrow { -cols } else { cols })
        })
        .ok_or_else(|| Error::Internal(format!("no kernel solves triangles of order {order}")))
}

/// Columns of the narrow tiles.
const NARROW: i64 = 8;

/// Tiles that keep a large device busy.
const BUSY: i64 = 132;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_fit() {
        for dtype in Dtype::ALL {
            for order in [1, 8, 16, 17, 32, 33, 64, 100, 128, 129, 256, 1000] {
                for (nrhs, batch) in [(1, 1000), (8, 1000), (9, 1), (33, 1000), (600_000, 1)] {
                    let t = instance(dtype, order, nrhs, batch).unwrap();
                    let rows = i64::from(t.rows);
                    assert!(rows >= order || TRSM.iter().all(|x| x.dtype != dtype || x.rows <= t.rows));
                    assert!(rows >= order || t.shared > 0, "small instances take no more rows");
                    assert!(rows < 2 * order.max(8) || rows == 8, "{dtype:?} {order}: {t:?}");
                    assert!(nrhs > 8 || t.columns <= 8);
                    assert!(t.shared <= 99 * 1024, "every device since sm_80 has that much");
                }
            }
        }
    }
}
