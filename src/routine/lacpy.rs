//! Copies of matrices, or of one triangle.

use super::check::{Matrix, Verdict, at_least, check_matrices, not_null};
use super::{Assign, Dtype, Operand, Part, Routine, Shape, Source};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?lacpy`: B(i) := A(i), either all of it or a triangle with the diagonal.
///
/// The rest of A is not read, and the rest of B not written. B may be identical to A, but must not overlap it
/// otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Lacpy {
    /// Element type.
    pub dtype: Dtype,
    /// The part to copy.
    pub uplo: Part,
    /// Rows, >= 0.
    pub m: i64,
    /// Columns, >= 0.
    pub n: i64,
    /// The matrices.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m).
    pub lda: i64,
    /// Receives the copies.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, m).
    pub ldb: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Lacpy {
    /// The backend operation that implements it.
    pub fn assign(&self) -> Assign {
        let &Lacpy { dtype, uplo: part, m, n, a, lda, b: to, ldb: ld, batch } = self;
        Assign { dtype, part, m, n, source: Source::Matrices(a, lda), to, ld, sizes: None, batch }
    }
}

impl Routine for Lacpy {
    fn names(&self) -> &'static [&'static str] {
        &["lacpy"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        let (rows, columns) = ((self.m, Arg::M), (self.n, Arg::N));
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let (ld, stride) = ((self.lda, Arg::Lda), Arg::StrideA);
        let a = Matrix { operand: &self.a, rows, columns, ld, stride, written: false };
        let (ld, stride) = ((self.ldb, Arg::Ldb), Arg::StrideB);
        let b = Matrix { operand: &self.b, rows, columns, ld, stride, written: true };
        check_matrices(self.dtype, [a, b], self.batch, self.m == 0 || self.n == 0)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.b, true, Arg::B)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Lacpy { uplo, m, n, lda, ldb, batch, .. } = self;
        write!(f, " --uplo {uplo} --m {m} --n {n} --batch {batch} --lda {lda} --ldb {ldb}")
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (a, b, ld) = (shape.operand(0), shape.operand(1), shape.ld());
        Lacpy { dtype, uplo: Part::Full, m, n, a, lda: ld, b, ldb: ld, batch }
    }
}
