//! Out-of-place transposition.

use super::check::{Matrix, Verdict, at_least, check_matrices, not_null};
use super::{Dtype, Operand, Routine, Shape, Trans};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched: B(i) := A(i)^T or A(i)^H. B must not overlap A.
#[derive(Clone, Copy, Debug)]
pub struct Transpose {
    /// Element type.
    pub dtype: Dtype,
    /// T or C.
    pub trans: Trans,
    /// Rows of A, >= 0.
    pub m: i64,
    /// Columns of A, >= 0.
    pub n: i64,
    /// The matrices.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m).
    pub lda: i64,
    /// Receives n x m matrices.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, n).
    pub ldb: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Routine for Transpose {
    fn names(&self) -> &'static [&'static str] {
        &["transpose"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.trans == Trans::N {
            return Err(Arg::Trans.into());
        }
        let (m, n) = ((self.m, Arg::M), (self.n, Arg::N));
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let (ld, stride) = ((self.lda, Arg::Lda), Arg::StrideA);
        let a = Matrix { operand: &self.a, rows: m, columns: n, ld, stride, written: false };
        let (ld, stride) = ((self.ldb, Arg::Ldb), Arg::StrideB);
        let b = Matrix { operand: &self.b, rows: n, columns: m, ld, stride, written: true };
        check_matrices(self.dtype, [a, b], self.batch, self.m == 0 || self.n == 0)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.b, true, Arg::B)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Transpose { trans, m, n, lda, ldb, batch, .. } = self;
        write!(f, " --trans {trans} --m {m} --n {n} --batch {batch} --lda {lda} --ldb {ldb}")
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (a, b) = (shape.operand(0), shape.operand(1));
        Transpose { dtype, trans: Trans::T, m, n, a, lda: shape.ld(), b, ldb: n.max(1), batch }
    }
}
