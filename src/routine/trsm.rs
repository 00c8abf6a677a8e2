//! Triangular solves.

use super::check::{Matrix, Verdict, at_least, check_matrices, not_null};
use super::{Alpha, Diag, Dtype, Operand, Routine, Shape, Side, Trans, TrsmSizes, Uplo, sizes};
use crate::error::{Arg, Error};
use crate::scalar::C64;
use std::fmt::{self, Formatter};

/// Batched BLAS `?trsm`: B(i) := alpha op(A(i))^-1 B(i), or alpha B(i) op(A(i))^-1.
///
/// alpha = 0 sets B to zero without reading A. The other triangle of A is not read. Zeros on the diagonal are not
/// detected; the result is whatever the division yields. Members of A may repeat.
///
/// In a variable-size batch, members whose sizes are invalid are left untouched.
#[derive(Clone, Copy, Debug)]
pub struct Trsm {
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
    /// Right-hand sides in, solutions out.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, m).
    pub ldb: i64,
    /// Per-member sizes.
    pub sizes: Option<TrsmSizes>,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Trsm {
    /// The solve with alpha = 0 that sets m x n matrices to zero.
    pub(crate) fn set_zero(dtype: Dtype, [m, n]: [i64; 2], b: Operand, ldb: i64, batch: i64) -> Trsm {
        let (side, uplo, trans, diag) = (Side::Left, Uplo::Upper, Trans::N, Diag::NonUnit);
        let (alpha, a, lda) = (Alpha::Host(C64::default()), b, ldb);
        Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, sizes: None, batch }
    }

    /// See [`crate::Operation::reduced`].
    pub(crate) fn reduced(&self) -> Option<Trsm> {
        // A is not read and may be NULL; B stands in for it, so that kernels can load its pointer.
        self.alpha.is_zero().then_some(Trsm { a: self.b, lda: self.ldb, ..*self })
    }
}

impl Routine for Trsm {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["trsm_vbatched"] } else { &["trsm", "trsm_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(TrsmSizes::NULL);
        Some(Trsm { sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            at_least(self.m, 0, Arg::MaxM)?;
            at_least(self.n, 0, Arg::MaxN)?;
            sizes::check_batch_count(self.batch)?;
            return Ok(Verdict::quick_return_if(self.m == 0 || self.n == 0 || self.batch == 0));
        }
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let order = self.side.order(self.m, self.n);
        let (m, n, lda, ldb) = ((self.m, Arg::M), (self.n, Arg::N), (self.lda, Arg::Lda), (self.ldb, Arg::Ldb));
        let triangles =
            Matrix { operand: &self.a, rows: order, columns: order, ld: lda, stride: Arg::StrideA, written: false };
        let b = Matrix { operand: &self.b, rows: m, columns: n, ld: ldb, stride: Arg::StrideB, written: true };
        check_matrices(self.dtype, [triangles, b], self.batch, self.m == 0 || self.n == 0)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        self.alpha.refuse_null(Arg::Alpha)?;
        not_null(&self.a, !self.alpha.is_zero(), Arg::A)?;
        not_null(&self.b, true, Arg::B)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Trsm { side, uplo, trans, diag, m, n, lda, ldb, batch, .. } = self;
        write!(f, " --side {side} --uplo {uplo} --trans {trans} --diag {diag}")?;
        write!(f, " --m {m} --n {n} --batch {batch}")?;
        if self.sizes.is_none() {
            write!(f, " --lda {lda} --ldb {ldb}")?;
        }
        // alpha affects the run time only if it is zero.
        if self.alpha.is_zero() { write!(f, " --alpha 0") } else { Ok(()) }
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, extra, .. } = shape;
        let trans = extra.trans.unwrap_or(Trans::N);
        let (side, uplo, diag) = (Side::Left, Uplo::Upper, Diag::NonUnit);
        let (alpha, a, b, ld) = (Alpha::Host(C64 { re: 1.0, im: 0.0 }), shape.operand(0), shape.operand(1), shape.ld());
        Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda: ld, b, ldb: ld, sizes: None, batch }
    }
}
