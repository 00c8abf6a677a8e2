//! Triangular systems with one right-hand side.

use super::check::{Matrix, Verdict, at_least, check_matrices, not_null, spacing};
use super::trsm::Trsm;
use super::{Alpha, Diag, Dtype, Operand, Routine, Shape, Side, Trans, TrsvSizes, Uplo, sizes};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched BLAS `?trsv`: x(i) := op(A(i))^-1 x(i).
///
/// The other triangle of A is not read. Zeros on the diagonal are not detected; the result is whatever the division
/// yields. Members of A may repeat.
///
/// In a variable-size batch, members whose sizes are invalid are left untouched.
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
    /// Distance between consecutive elements of x, not 0. If negative, x starts with its last element.
    pub incx: i64,
    /// Per-member orders, leading dimensions and increments.
    pub sizes: Option<TrsvSizes>,
    /// Number of systems, >= 0.
    pub batch: i64,
}

impl Trsv {
    /// The same system as a trsm, with x as the only column of B. The increment of x is not carried over.
    #[inline]
    pub fn system(&self) -> Trsm {
        let &Trsv { dtype, uplo, trans, diag, n, a, lda, x: b, batch, .. } = self;
        let (side, alpha, sizes) = (Side::Left, Alpha::host(1.0), None);
        Trsm { dtype, side, uplo, trans, diag, m: n, n: 1, alpha, a, lda, b, ldb: n, sizes, batch }
    }
}

impl Routine for Trsv {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["trsv_vbatched"] } else { &["trsv", "trsv_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(TrsvSizes::NULL);
        Some(Trsv { sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            at_least(self.n, 0, Arg::MaxN)?;
            sizes::check_batch_count(self.batch)?;
            return Ok(Verdict::quick_return_if(self.n == 0 || self.batch == 0));
        }
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
        check_matrices(self.dtype, [a, x], self.batch, self.n == 0)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.x, true, Arg::X)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Trsv { uplo, trans, diag, n, lda, incx, batch, .. } = self;
        write!(f, " --uplo {uplo} --trans {trans} --diag {diag} --n {n} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda} --incx {incx}") } else { Ok(()) }
    }

    /// A system of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, extra, .. } = shape;
        let (uplo, trans, diag) = (Uplo::Upper, extra.trans.unwrap_or(Trans::N), Diag::NonUnit);
        let (a, x, sizes) = (shape.operand(0), shape.operand(1), None);
        Trsv { dtype, uplo, trans, diag, n, a, lda: n.max(1), x, incx: 1, sizes, batch }
    }
}
