//! Matrices, or one triangle, set to constants.

use super::check::{Matrix, Verdict, at_least, check_matrices, not_null};
use super::{Alpha, Assign, Dtype, Operand, Part, Routine, Shape, Source};
use crate::error::{Arg, Error};
use crate::scalar::C64;
use std::fmt::{self, Formatter};

/// Batched LAPACK `?laset`: sets A(i), or a triangle of it, to alpha off the diagonal and beta on it.
#[derive(Clone, Copy, Debug)]
pub struct Laset {
    /// Element type.
    pub dtype: Dtype,
    /// The part to set: all, or a triangle with the diagonal.
    pub uplo: Part,
    /// Rows, >= 0.
    pub m: i64,
    /// Columns, >= 0.
    pub n: i64,
    /// Value off the diagonal; a host scalar.
    pub alpha: Alpha,
    /// Value on the diagonal; a host scalar.
    pub beta: Alpha,
    /// The matrices.
    pub a: Operand,
    /// Leading dimension, >= max(1, m).
    pub lda: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Laset {
    /// The backend operation that implements it.
    pub fn assign(&self) -> Assign {
        let &Laset { dtype, uplo: part, m, n, a: to, lda: ld, batch, .. } = self;
        let value = |scalar: Alpha| match scalar {
            Alpha::Host(x) => x,
            Alpha::Device(_) => C64::default(), // refused before
        };
        let source = Source::Constants { off: value(self.alpha), on: value(self.beta) };
        Assign { dtype, part, m, n, source, to, ld, sizes: None, batch }
    }
}

impl Routine for Laset {
    fn names(&self) -> &'static [&'static str] {
        &["laset"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let (rows, columns, ld) = ((self.m, Arg::M), (self.n, Arg::N), (self.lda, Arg::Lda));
        let a = Matrix { operand: &self.a, rows, columns, ld, stride: Arg::StrideA, written: true };
        check_matrices(self.dtype, [a], self.batch, self.m == 0 || self.n == 0)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.alpha.refuse_null(Arg::Alpha)?;
        self.beta.refuse_null(Arg::Beta)?;
        not_null(&self.a, true, Arg::A)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Laset { uplo, m, n, lda, batch, .. } = self;
        write!(f, " --uplo {uplo} --m {m} --n {n} --batch {batch} --lda {lda}")
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (alpha, beta) = (Alpha::Host(C64::default()), Alpha::Host(C64 { re: 1.0, im: 0.0 }));
        Laset { dtype, uplo: Part::Full, m, n, alpha, beta, a: shape.operand(0), lda: shape.ld(), batch }
    }
}
