//! Triangular systems with one right-hand side.

use super::check::{Matrix, Verdict, at_least, matrices, not_null, spacing};
use super::{Diag, Dtype, Operand, Routine, Shape, Trans, Uplo};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched BLAS `?trsv`: x(i) := op(A(i))^-1 x(i).
///
/// The other triangle of A is not read; a zero on the diagonal gives what the division gives. Members of A may repeat.
#[derive(Clone, Copy, Debug)]
pub struct Trsv {
    /// Element type.
    pub dtype: Dtype,
    /// Triangle of A.
    pub uplo: Uplo,
    /// op.
    pub trans: Trans,
    /// Diagonal of A.
    pub diag: Diag,
    /// Order of A, >= 0.
    pub n: i64,
    /// The triangles.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, n).
    pub lda: i64,
    /// Right-hand sides in, solutions out: n elements.
    pub x: Operand,
    /// From one of their elements to the next, not 0; below zero they begin with the last.
    pub incx: i64,
    /// Number of systems, >= 0.
    pub batch: i64,
}

impl Routine for Trsv {
    fn names(&self) -> &'static [&'static str] {
        &["trsv"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        at_least(self.n, 0, Arg::N)?;
        let n = (self.n, Arg::N);
        let a = Matrix {
            operand: &self.a,
            rows: n,
            columns: n,
            ld: (self.lda, Arg::Lda),
            stride: Arg::StrideA,
            written: false,
        };
        let ld = (if self.incx == 0 { 0 } else { spacing(self.incx) }, Arg::Incx);
        let x = Matrix { operand: &self.x, rows: (1, Arg::N), columns: n, ld, stride: Arg::StrideX, written: true };
        matrices(self.dtype, [a, x], self.batch, self.n == 0)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.x, true, Arg::X)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Trsv { uplo, trans, diag, n, lda, incx, batch, .. } = self;
        write!(f, " --uplo {uplo} --trans {trans} --diag {diag} --n {n} --batch {batch} --lda {lda} --incx {incx}")
    }

    /// Of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, told, .. } = shape;
        let (uplo, trans, diag) = (Uplo::Upper, told.trans.unwrap_or(Trans::N), Diag::NonUnit);
        Trsv { dtype, uplo, trans, diag, n, a: Operand::NOWHERE, lda: n.max(1), x: Operand::NOWHERE, incx: 1, batch }
    }
}
