//! Products with diagonal matrices.

use super::check::{Matrix, Verdict, at_least, check_matrices, not_null, spacing};
use super::{Dtype, Operand, Routine, Shape, Side};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched cuBLAS `?dgmm`: C(i) := diag(x(i)) A(i), or A(i) diag(x(i)).
///
/// C may be A itself with the same leading dimension; otherwise it must not overlap A or x.
#[derive(Clone, Copy, Debug)]
pub struct Dgmm {
    /// Element type.
    pub dtype: Dtype,
    /// Side of the diagonal matrix.
    pub side: Side,
    /// Rows, >= 0.
    pub m: i64,
    /// Columns, >= 0.
    pub n: i64,
    /// The matrices.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m).
    pub lda: i64,
    /// The diagonals: m (Left) or n (Right) elements.
    pub x: Operand,
    /// Distance between consecutive elements of x. If negative, x starts with its last element; if 0, all elements are
    /// the first.
    pub incx: i64,
    /// Receives the products.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, m).
    pub ldc: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Routine for Dgmm {
    fn names(&self) -> &'static [&'static str] {
        &["dgmm"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        let (rows, columns) = ((self.m, Arg::M), (self.n, Arg::N));
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let (ld, stride) = ((self.lda, Arg::Lda), Arg::StrideA);
        let a = Matrix { operand: &self.a, rows, columns, ld, stride, written: false };
        let (ld, length) = ((spacing(self.incx), Arg::Incx), self.side.order(self.m, self.n));
        let x =
            Matrix { operand: &self.x, rows: (1, length.1), columns: length, ld, stride: Arg::StrideX, written: false };
        let (ld, stride) = ((self.ldc, Arg::Ldc), Arg::StrideC);
        let c = Matrix { operand: &self.c, rows, columns, ld, stride, written: true };
        check_matrices(self.dtype, [a, x, c], self.batch, self.m == 0 || self.n == 0)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.x, true, Arg::X)?;
        not_null(&self.c, true, Arg::C)?;
        let in_place = self.lda == self.ldc && self.a.coincides(&self.c, self.batch);
        if self.a.starts_at(&self.c) && !in_place { Err(Arg::A.into()) } else { Ok(()) }
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Dgmm { side, m, n, lda, incx, ldc, batch, .. } = self;
        write!(f, " --side {side} --m {m} --n {n} --batch {batch} --lda {lda} --incx {incx} --ldc {ldc}")
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (a, x, c, ld) = (shape.operand(0), shape.operand(1), shape.operand(2), shape.ld());
        Dgmm { dtype, side: Side::Left, m, n, a, lda: ld, x, incx: 1, c, ldc: ld, batch }
    }
}
