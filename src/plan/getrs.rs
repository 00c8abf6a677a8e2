//! Plans for the solution of systems by their LU factors.
//!
//! Candidates: `resident` (the factors in registers, one launch) and `parts`, which takes everything: row exchanges and two
//! triangular solves.

use super::table::{GETRS_SMALL, Instance};
use super::{Launch, Limits, Parts, Plan, Planned, Shape, allowed};
use crate::error::Error;
use crate::routine::{Alpha, Diag, Dtype, Getrs, Laswp, Side, Trans, Trsm, Uplo};
use crate::scalar::C64;

/// The bit of `form`: rows were exchanged.
const EXCHANGED: u32 = 1;
/// op(A) is not A.
const TRANSPOSED: u32 = 2;

/// Order and right-hand sides.
impl Planned for Getrs {
    fn shape(&self, _: Limits) -> Shape {
        let exchanged = if self.ipiv.is_null() { 0 } else { EXCHANGED };
        let transposed = if self.trans == Trans::N { 0 } else { TRANSPOSED };
        Shape { dtype: self.dtype, m: self.n, n: self.nrhs, k: 0, form: exchanged | transposed }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Getrs>, Error> {
        let Shape { dtype, m: n, n: nrhs, .. } = shape;
        // A list that does not name it is about other operations' plans, or about the parts'.
        if let Some(small) = small(dtype, n, nrhs).filter(|_| limits.native && allowed("resident")) {
            return Ok(Plan::new("resident", [Launch::on(small, n, nrhs, 0)]));
        }
        type Part = fn(&Getrs, &mut dyn Parts) -> Result<(), Error>;
        let (lower, upper): (Part, Part) =
            (|p, to| to.operation(&triangle(p, Uplo::Lower)), |p, to| to.operation(&triangle(p, Uplo::Upper)));
        let exchange: Part = |p, to| to.operation(&exchange(p));
        let mut plan = Plan::new("parts", []);
        let mut parts = vec![lower, upper];
        if shape.form & EXCHANGED != 0 {
            parts.insert(0, exchange);
        }
        if shape.form & TRANSPOSED != 0 {
            parts.reverse();
        }
        parts.into_iter().for_each(|part| plan.sub(part));
        Ok(plan)
    }

    fn words(&self, l: &Launch) -> String {
        format!("order {}, {} right-hand side(s) in tiles of {}", l.m, l.n, l.instance.columns)
    }
}

/// Of the instances that hold the fewest rows one whose tile holds all right-hand sides, or else the widest.
fn small(dtype: Dtype, n: i64, nrhs: i64) -> Option<&'static Instance> {
    GETRS_SMALL.iter().filter(|i| i.dtype == dtype && i64::from(i.rows) >= n).min_by_key(|i| {
        let columns = i64::from(i.columns);
        (i.rows, columns < nrhs, if columns < nrhs { -columns } else { columns })
    })
}

/// L has a diagonal of ones.
fn triangle(p: &Getrs, uplo: Uplo) -> Trsm {
    let &Getrs { dtype, trans, n, nrhs, a, lda, b, ldb, batch, .. } = p;
    let diag = if uplo == Uplo::Lower { Diag::Unit } else { Diag::NonUnit };
    let alpha = Alpha::Host(C64 { re: 1.0, im: 0.0 });
    Trsm { dtype, side: Side::Left, uplo, trans, diag, m: n, n: nrhs, alpha, a, lda, b, ldb, batch }
}

/// The exchanges of the factorisation, or for op(A) = A^T those taken back.
fn exchange(p: &Getrs) -> Laswp {
    let &Getrs { dtype, trans, n, nrhs, ipiv, b, ldb, batch, .. } = p;
    Laswp { dtype, n: nrhs, a: b, lda: ldb, k1: 1, k2: n, ipiv, incx: if trans == Trans::N { 1 } else { -1 }, batch }
}
