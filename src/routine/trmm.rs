//! Products with triangular matrices.

use super::check::Verdict;
use super::trsm::Trsm;
use super::{Alpha, Diag, Dtype, Operand, Routine, Shape, Side, Trans, TrsmSizes, Uplo};
use crate::error::Error;
use std::fmt::{self, Formatter};

/// Batched BLAS `?trmm`: B(i) := alpha op(A(i)) B(i), or alpha B(i) op(A(i)), where A is triangular.
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
    /// Matrices to multiply, overwritten by the products.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, m).
    pub ldb: i64,
    /// Per-member sizes. Members whose sizes are invalid are left untouched.
    pub sizes: Option<TrsmSizes>,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Trmm {
    /// The solve with the same arguments.
    #[inline]
    pub fn system(&self) -> Trsm {
        let &Trmm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes, batch } = self;
        Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes, batch }
    }

    /// See [`crate::Operation::reduced`].
    pub(crate) fn reduced(&self) -> Option<Trsm> {
        self.system().reduced()
    }
}

impl Trsm {
    /// The product with the same arguments.
    #[inline]
    pub fn product(&self) -> Trmm {
        let &Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes, batch } = self;
        Trmm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes, batch }
    }
}

impl Routine for Trmm {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["trmm_vbatched"] } else { &["trmm", "trmm_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(TrsmSizes::NULL);
        Some(Trmm { sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        self.system().check()
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.system().refuse_nulls()
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.system().arguments(f)
    }

    fn of_shape(shape: &Shape) -> Self {
        Trsm::of_shape(shape).product()
    }
}
