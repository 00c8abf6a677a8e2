//! Products with symmetric and Hermitian matrices.

use super::check::{Matrix, Verdict, at_least, check_matrices, not_null};
use super::{Alpha, Dtype, Operand, Routine, Shape, Side, SymmSizes, Uplo, sizes};
use crate::error::{Arg, Error};
use crate::scalar::C64;
use std::fmt::{self, Formatter};

/// Batched BLAS `?symm` and `?hemm`: C(i) := alpha A(i) B(i) + beta C(i), or alpha B(i) A(i) + beta C(i), where A is
/// symmetric or Hermitian.
///
/// Only one triangle of A is read, and the imaginary parts of a Hermitian A's diagonal are ignored. alpha = 0 leaves A
/// and B unread; beta = 0 leaves C unread. Members of A and B may repeat.
#[derive(Clone, Copy, Debug)]
pub struct Symm {
    /// Element type.
    pub dtype: Dtype,
    /// Whether A is Hermitian, not symmetric. The same for real types.
    pub hermitian: bool,
    /// Side of A.
    pub side: Side,
    /// Triangle of A.
    pub uplo: Uplo,
    /// Rows of B and C, >= 0.
    pub m: i64,
    /// Columns of B and C, >= 0.
    pub n: i64,
    /// Factor of the product.
    pub alpha: Alpha,
    /// Matrices of order m (Left) or n (Right).
    pub a: Operand,
    /// Leading dimension of A, >= max(1, its order).
    pub lda: i64,
    /// The matrices B.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, m).
    pub ldb: i64,
    /// Factor of C's previous value.
    pub beta: Alpha,
    /// The matrices to update.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, m).
    pub ldc: i64,
    /// Per-member sizes. Members whose sizes are invalid are left untouched.
    pub sizes: Option<SymmSizes>,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Routine for Symm {
    fn names(&self) -> &'static [&'static str] {
        match (self.sizes.is_some(), self.hermitian, self.dtype.is_complex()) {
            (true, true, _) => &["hemm_vbatched"],
            (true, false, _) => &["symm_vbatched"],
            (_, true, _) => &["hemm", "symm", "hemm_vbatched", "symm_vbatched"],
            (_, false, true) => &["symm", "hemm", "symm_vbatched", "hemm_vbatched"],
            (_, false, false) => &["symm", "symm_vbatched"],
        }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(SymmSizes::NULL);
        Some(Symm { hermitian: name.starts_with("hemm"), sizes, ..*self })
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
        let (m, n) = ((self.m, Arg::M), (self.n, Arg::N));
        let matrix =
            |operand, (rows, columns), ld, stride, written| Matrix { operand, rows, columns, ld, stride, written };
        let a = matrix(&self.a, (order, order), (self.lda, Arg::Lda), Arg::StrideA, false);
        let b = matrix(&self.b, (m, n), (self.ldb, Arg::Ldb), Arg::StrideB, false);
        let c = matrix(&self.c, (m, n), (self.ldc, Arg::Ldc), Arg::StrideC, true);
        check_matrices(self.dtype, [a, b, c], self.batch, self.m == 0 || self.n == 0)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        self.alpha.refuse_null(Arg::Alpha)?;
        not_null(&self.a, !self.alpha.is_zero(), Arg::A)?;
        not_null(&self.b, !self.alpha.is_zero(), Arg::B)?;
        self.beta.refuse_null(Arg::Beta)?;
        not_null(&self.c, true, Arg::C)
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Symm { side, uplo, m, n, lda, ldb, ldc, batch, .. } = self;
        write!(f, " --side {side} --uplo {uplo} --m {m} --n {n} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda} --ldb {ldb} --ldr {ldc}") } else { Ok(()) }
    }

    /// A product with A on the left.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let [alpha, beta] = [1.0, 0.0].map(|re| Alpha::Host(C64 { re, im: 0.0 }));
        let (a, b, c) = (shape.operand(0), shape.operand(1), shape.operand(2));
        let (ld, side, uplo) = (shape.ld(), Side::Left, Uplo::Lower);
        let (lda, ldb, ldc) = (ld, ld, ld);
        let (hermitian, sizes) = (false, None);
        Symm { dtype, hermitian, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc, sizes, batch }
    }
}
