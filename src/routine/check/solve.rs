//! Least squares and triangular solves.

use super::{Verdict, apart, at_least, forward};
use crate::error::{Arg, Error};
use crate::routine::extent::Extent;
use crate::routine::{Gels, Side, Trans, Trsm};

/// Rows of X: the columns of op(A).
pub fn solution_rows(p: &Gels) -> i64 {
    if p.trans == Trans::N { p.n } else { p.m }
}

/// LAPACK `?gels`, batched. A complex matrix has no plain transpose there.
///
/// Without right-hand sides A is still factored and its rank told, as cuBLAS does. Without equations the solution of
/// minimum norm is zero, which is work; without unknowns there is none, and B is its own residual.
pub fn gels(p: &Gels) -> Result<Verdict, Error> {
    if p.dtype.is_complex() && p.trans == Trans::T {
        return Err(Arg::Trans.into());
    }
    at_least(p.m, 0, Arg::M)?;
    at_least(p.n, 0, Arg::N)?;
    at_least(p.nrhs, 0, Arg::Nrhs)?;
    at_least(p.lda, p.m.max(1), Arg::Lda)?;
    apart(&p.a, p.m, p.batch, Arg::StrideA)?;
    let rows = p.m.max(p.n);
    at_least(p.ldb, rows.max(1), Arg::Ldb)?;
    apart(&p.b, if p.nrhs > 0 { rows } else { 0 }, p.batch, Arg::StrideB)?;
    at_least(p.batch, 0, Arg::BatchCount)?;
    let empty = p.m.min(p.n) == 0;
    let verdict = Verdict::unless(p.batch == 0 || solution_rows(p) == 0 || (empty && p.nrhs == 0));
    let (m, n, nrhs) = ((p.m, Arg::M), (p.n, Arg::N), (p.nrhs, Arg::Nrhs));
    let (rows, element, batch) = (if p.m < p.n { n } else { m }, p.dtype.bytes(), p.batch);
    let (lda, ldb) = ((p.lda, Arg::Lda), (p.ldb, Arg::Ldb));
    verdict.within([
        Extent { operand: &p.a, element, rows: m, columns: n, ld: lda, stride: Arg::StrideA, batch },
        Extent { operand: &p.b, element, rows, columns: nrhs, ld: ldb, stride: Arg::StrideB, batch },
    ])
}

/// BLAS `?trsm`, batched.
pub fn trsm(p: &Trsm) -> Result<Verdict, Error> {
    at_least(p.m, 0, Arg::M)?;
    at_least(p.n, 0, Arg::N)?;
    let order = if p.side == Side::Left { (p.m, Arg::M) } else { (p.n, Arg::N) };
    at_least(p.lda, order.0.max(1), Arg::Lda)?;
    forward(&p.a, p.batch, Arg::StrideA)?;
    at_least(p.ldb, p.m.max(1), Arg::Ldb)?;
    apart(&p.b, p.m, p.batch, Arg::StrideB)?;
    at_least(p.batch, 0, Arg::BatchCount)?;
    let (m, n, lda, ldb) = ((p.m, Arg::M), (p.n, Arg::N), (p.lda, Arg::Lda), (p.ldb, Arg::Ldb));
    let (element, batch) = (p.dtype.bytes(), p.batch);
    Verdict::unless(p.m == 0 || p.n == 0 || p.batch == 0).within([
        Extent { operand: &p.a, element, rows: order, columns: order, ld: lda, stride: Arg::StrideA, batch },
        Extent { operand: &p.b, element, rows: m, columns: n, ld: ldb, stride: Arg::StrideB, batch },
    ])
}
