//! Inverses of triangular matrices.

use super::check::{Matrix, Verdict, at_least, check_matrices, not_null};
use super::{Diag, Dtype, Operand, Routine, Shape, Uplo};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?trtri`: A(i) := A(i)^-1 in place, where A is triangular.
///
/// The other triangle and a unit diagonal are neither read nor written. A matrix with an exact zero on its diagonal is
/// left unchanged.
#[derive(Clone, Copy, Debug)]
pub struct Trtri {
    /// Element type.
    pub dtype: Dtype,
    /// Triangle of A.
    pub uplo: Uplo,
    /// Diagonal of A.
    pub diag: Diag,
    /// Order, >= 0.
    pub n: i64,
    /// The triangles.
    pub a: Operand,
    /// Leading dimension, >= max(1, n).
    pub lda: i64,
    /// One status code per matrix, in the backend's memory: 0, or j if the j-th diagonal element is the first that is
    /// exactly zero. NULL if not wanted.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Routine for Trtri {
    fn names(&self) -> &'static [&'static str] {
        &["trtri"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        at_least(self.n, 0, Arg::N)?;
        let (n, ld) = ((self.n, Arg::N), (self.lda, Arg::Lda));
        let a = Matrix { operand: &self.a, rows: n, columns: n, ld, stride: Arg::StrideA, written: true };
        check_matrices(self.dtype, [a], self.batch, self.n == 0)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, true, Arg::A)
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Trtri { uplo, diag, n, lda, batch, .. } = self;
        write!(f, " --uplo {uplo} --diag {diag} --n {n} --batch {batch} --lda {lda}")
    }

    /// A matrix of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (uplo, diag, a, info) = (Uplo::Upper, Diag::NonUnit, shape.operand(0), std::ptr::null_mut());
        Trtri { dtype, uplo, diag, n, a, lda: n.max(1), info, batch }
    }
}
