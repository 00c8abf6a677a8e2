//! Products with triangles.

use super::check::Verdict;
use super::{Alpha, Diag, Dtype, Operand, Operation, Routine, Shape, Side, Trans, Trsm, Uplo};
use crate::error::Error;
use std::fmt::{self, Formatter};

/// Batched BLAS `?trmm`: B(i) := alpha op(A(i)) B(i), or alpha B(i) op(A(i)), A triangular.
///
/// alpha = 0 sets B to zero without reading A. The other triangle of A is not read. Members of A may repeat.
#[derive(Clone, Copy, Debug)]
pub struct Trmm {
    /// Element type.
    pub dtype: Dtype,
    /// Side of op(A).
    pub side: Side,
    /// Triangle of A.
    pub uplo: Uplo,
    /// op.
    pub trans: Trans,
    /// Diagonal of A.
    pub diag: Diag,
    /// Rows of B, >= 0.
    pub m: i64,
    /// Columns of B, >= 0.
    pub n: i64,
    /// Factor.
    pub alpha: Alpha,
    /// Triangles of order m (Left) or n (Right).
    pub a: Operand,
    /// Leading dimension of A, >= max(1, its order).
    pub lda: i64,
    /// What is multiplied, and receives the products.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, m).
    pub ldb: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Trmm {
    /// The solve that undoes it: its arguments are the same.
    pub fn system(&self) -> Trsm {
        let &Trmm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch } = self;
        Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes: None, batch }
    }
}

impl Routine for Trmm {
    fn names(&self) -> &'static [&'static str] {
        &["trmm"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        self.system().check()
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.system().refuse_nulls()
    }

    fn reduced(&self) -> Option<Operation> {
        self.system().reduced()
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.system().arguments(f)
    }

    fn of_shape(shape: &Shape) -> Self {
        let Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch, .. } = Trsm::of_shape(shape);
        Trmm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch }
    }
}
