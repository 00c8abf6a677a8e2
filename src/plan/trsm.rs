//! Plans for batched triangular solves.
//!
//! One kernel solves T X = alpha B with T lower triangular; what a caller asks for becomes that form by strides (see
//! [`Canonical`]), so a plan only chooses an instance: how many right-hand sides a tile has, and the fewest registers
//! that hold all rows. Taller problems go through the largest instance in rounds.

use super::table::{Instance, TRSM};
use super::{Launch, Limits, Plan, Planned, Shape, batch_invariant, ceil_div};
use crate::error::Error;
use crate::routine::{Diag, Dtype, Side, Trans, Trsm, Uplo};

/// Where the elements of the canonical problem T X = B are: T(i, j) at `a0 + i ars + j acs` of a member of A, B(i, j)
/// at `b0 + i brs + j bcs` of a member of B, in elements. Unknowns of an upper triangle are counted from the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// Place of T(0, 0).
    pub a0: i64,
    /// From a row of T to the next.
    pub ars: i64,
    /// From a column of T to the next.
    pub acs: i64,
    /// Place of B(0, 0).
    pub b0: i64,
    /// From a row of B to the next.
    pub brs: i64,
    /// From a right-hand side to the next.
    pub bcs: i64,
    /// Unknowns.
    pub order: i64,
    /// Right-hand sides.
    pub nrhs: i64,
    /// Whether T's elements are conjugated.
    pub conj: bool,
    /// Whether T's diagonal is ones.
    pub unit: bool,
}

impl Canonical {
    /// The canonical form of `p`: X op(A) = B is op(A)^T X^T = B^T.
    pub fn of(p: &Trsm) -> Canonical {
        let left = p.side == Side::Left;
        let (order, nrhs) = if left { (p.m, p.n) } else { (p.n, p.m) };
        let (mut ars, mut acs) = if left == (p.trans == Trans::N) { (1, p.lda) } else { (p.lda, 1) };
        let (mut brs, bcs) = if left { (1, p.ldb) } else { (p.ldb, 1) };
        let lower = ((p.uplo == Uplo::Lower) == (p.trans == Trans::N)) == left;
        let (mut a0, mut b0) = (0, 0);
        if !lower {
            (a0, b0) = ((order - 1) * (ars + acs), (order - 1) * brs);
            (ars, acs, brs) = (-ars, -acs, -brs);
        }
        let conj = p.trans == Trans::C && p.dtype.is_complex();
        Canonical { a0, ars, acs, b0, brs, bcs, order, nrhs, conj, unit: p.diag == Diag::Unit }
    }
}

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
    use crate::routine::{Alpha, Operand};
    use crate::scalar::C64;

    fn problem(side: Side, uplo: Uplo, trans: Trans, m: i64, n: i64) -> Trsm {
        let nowhere = Operand::Strided { base: std::ptr::null_mut(), stride: 0 };
        let order = if side == Side::Left { m } else { n };
        let (lda, ldb) = (order + 2, m + 1);
        let alpha = Alpha::Host(C64 { re: 1.0, im: 0.0 });
        let diag = Diag::NonUnit;
        Trsm { dtype: Dtype::Z, side, uplo, trans, diag, m, n, alpha, a: nowhere, lda, b: nowhere, ldb, batch: 1 }
    }

    /// Every element of op(A)'s triangle and of B must be where the canonical form says, and nothing else may be read.
    #[test]
    fn strides_name_the_triangle() {
        for side in [Side::Left, Side::Right] {
            for uplo in [Uplo::Upper, Uplo::Lower] {
                for trans in [Trans::N, Trans::T, Trans::C] {
                    for (m, n) in [(1, 1), (5, 3), (3, 5)] {
                        let p = problem(side, uplo, trans, m, n);
                        check(&p, &Canonical::of(&p));
                    }
                }
            }
        }
    }

    fn check(p: &Trsm, c: &Canonical) {
        // the canonical unknown i is unknown u(i) of the caller
        let reversed = c.brs < 0;
        let u = |i: i64| if reversed { c.order - 1 - i } else { i };
        for i in 0..c.order {
            for j in 0..=i {
                let place = c.a0 + i * c.ars + j * c.acs;
                let (row, col) = (place % p.lda, place / p.lda);
                assert!(if p.uplo == Uplo::Upper { row <= col } else { row >= col }, "{p:?}: T({i}, {j})");
                // op(A) X = B couples equation u(i) with unknown u(j); X op(A) = B has op(A)^T there
                let transposed = (p.trans != Trans::N) != (p.side == Side::Right);
                let (r, s) = if transposed { (u(j), u(i)) } else { (u(i), u(j)) };
                assert_eq!((row, col), (r, s), "{p:?}: T({i}, {j})");
            }
            for j in 0..c.nrhs {
                let (r, s) = if p.side == Side::Left { (u(i), j) } else { (j, u(i)) };
                assert_eq!(c.b0 + i * c.brs + j * c.bcs, r + s * p.ldb);
            }
        }
        assert_eq!(c.conj, p.trans == Trans::C);
    }

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
