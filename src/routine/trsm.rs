//! Triangular solves.

use super::check::{Verdict, apart, at_least, forward, not_null};
use super::extent::Extent;
use super::{Alpha, Diag, Dtype, Operand, Operation, Routine, Shape, Side, Trans, Uplo};
use crate::error::{Arg, Error};
use crate::scalar::C64;
use std::fmt::{self, Formatter};

/// Batched BLAS `?trsm`: B(i) := alpha op(A(i))^-1 B(i), or alpha B(i) op(A(i))^-1.
///
/// alpha = 0 sets B to zero without reading A. The other triangle of A is not read; a zero on the diagonal gives what
/// the division gives. Members of A may repeat.
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
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Routine for Trsm {
    fn names(&self) -> &'static [&'static str] {
        &["trsm"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let order = self.side.order(self.m, self.n);
        at_least(self.lda, order.0.max(1), Arg::Lda)?;
        forward(&self.a, self.batch, Arg::StrideA)?;
        at_least(self.ldb, self.m.max(1), Arg::Ldb)?;
        apart(&self.b, self.m, self.batch, Arg::StrideB)?;
        at_least(self.batch, 0, Arg::BatchCount)?;
        let (m, n, lda, ldb) = ((self.m, Arg::M), (self.n, Arg::N), (self.lda, Arg::Lda), (self.ldb, Arg::Ldb));
        let (element, batch) = (self.dtype.bytes(), self.batch);
        Verdict::unless(self.m == 0 || self.n == 0 || self.batch == 0).within([
            Extent { operand: &self.a, element, rows: order, columns: order, ld: lda, stride: Arg::StrideA, batch },
            Extent { operand: &self.b, element, rows: m, columns: n, ld: ldb, stride: Arg::StrideB, batch },
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.alpha.refuse_null(Arg::Alpha)?;
        not_null(&self.a, !self.alpha.is_zero(), Arg::A)?;
        not_null(&self.b, true, Arg::B)
    }

    fn reduced(&self) -> Option<Operation> {
        // A is not read, and may be missing; B stands in for it, so that a kernel may load its pointer.
        self.alpha.is_zero().then_some(Operation::Trsm(Trsm { a: self.b, lda: self.ldb, ..*self }))
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Trsm { side, uplo, trans, diag, m, n, lda, ldb, batch, .. } = self;
        write!(f, " --side {side} --uplo {uplo} --trans {trans} --diag {diag}")?;
        write!(f, " --m {m} --n {n} --batch {batch} --lda {lda} --ldb {ldb}")?;
        // alpha changes the time only where it is zero.
        if self.alpha.is_zero() { write!(f, " --alpha 0") } else { Ok(()) }
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (side, uplo, trans, diag) = (Side::Left, Uplo::Upper, Trans::N, Diag::NonUnit);
        let (alpha, a, b, ld) = (Alpha::Host(C64 { re: 1.0, im: 0.0 }), Operand::NOWHERE, Operand::NOWHERE, shape.ld());
        Trsm { dtype, side, uplo, trans, diag, m, n, alpha, a, lda: ld, b, ldb: ld, batch }
    }
}
