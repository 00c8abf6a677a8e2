//! Sums of matrices.

use super::check::{Matrix, Verdict, at_least, check_matrices, not_null};
use super::{Alpha, Dtype, Operand, Routine, Shape, Trans};
use crate::error::{Arg, Error};
use crate::scalar::C64;
use std::fmt::{self, Formatter};

/// Batched cuBLAS `?geam`: C(i) := alpha op(A(i)) + beta op(B(i)).
///
/// A matrix whose factor is zero is not read. C may be A if op(A) = A and the leading dimensions are equal, and
/// likewise for B. Otherwise C must not overlap what is read.
#[derive(Clone, Copy, Debug)]
pub struct Geam {
    /// Element type.
    pub dtype: Dtype,
    /// op of A.
    pub trans_a: Trans,
    /// op of B.
    pub trans_b: Trans,
    /// Rows of C, >= 0.
    pub m: i64,
    /// Columns of C, >= 0.
    pub n: i64,
    /// Factor of op(A).
    pub alpha: Alpha,
    /// The matrices A.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m), or max(1, n) if op(A) transposes.
    pub lda: i64,
    /// Factor of op(B).
    pub beta: Alpha,
    /// The matrices B.
    pub b: Operand,
    /// Leading dimension of B, likewise.
    pub ldb: i64,
    /// Receives the sums.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, m).
    pub ldc: i64,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl Geam {
    /// Rows and columns of a stored matrix X for which op(X) is m x n.
    fn stored(&self, trans: Trans) -> [(i64, Arg); 2] {
        let (m, n) = ((self.m, Arg::M), (self.n, Arg::N));
        if trans == Trans::N { [m, n] } else { [n, m] }
    }

    /// Whether C is also an input that is not read element by element, so that writing C would corrupt it.
    fn clobbers(&self, trans: Trans, read: &Operand, ld: i64, factor: Alpha) -> bool {
        let in_place = trans == Trans::N && ld == self.ldc && read.coincides(&self.c, self.batch);
        !factor.is_zero() && read.starts_at(&self.c) && !in_place
    }
}

impl Routine for Geam {
    fn names(&self) -> &'static [&'static str] {
        &["geam"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let [rows, columns] = self.stored(self.trans_a);
        let (ld, stride) = ((self.lda, Arg::Lda), Arg::StrideA);
        let a = Matrix { operand: &self.a, rows, columns, ld, stride, written: false };
        let [rows, columns] = self.stored(self.trans_b);
        let (ld, stride) = ((self.ldb, Arg::Ldb), Arg::StrideB);
        let b = Matrix { operand: &self.b, rows, columns, ld, stride, written: false };
        let ([rows, columns], ld, stride) = (self.stored(Trans::N), (self.ldc, Arg::Ldc), Arg::StrideC);
        let c = Matrix { operand: &self.c, rows, columns, ld, stride, written: true };
        check_matrices(self.dtype, [a, b, c], self.batch, self.m == 0 || self.n == 0)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.alpha.refuse_null(Arg::Alpha)?;
        not_null(&self.a, !self.alpha.is_zero(), Arg::A)?;
        self.beta.refuse_null(Arg::Beta)?;
        not_null(&self.b, !self.beta.is_zero(), Arg::B)?;
        not_null(&self.c, true, Arg::C)?;
        if self.clobbers(self.trans_a, &self.a, self.lda, self.alpha) {
            return Err(Arg::A.into());
        }
        if self.clobbers(self.trans_b, &self.b, self.ldb, self.beta) { Err(Arg::B.into()) } else { Ok(()) }
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Geam { trans_a, trans_b, m, n, lda, ldb, ldc, batch, .. } = self;
        write!(f, " --trans {trans_a} --trans-b {trans_b} --m {m} --n {n} --batch {batch}")?;
        write!(f, " --lda {lda} --ldb {ldb} --ldr {ldc}")
    }

    /// A sum of two matrices, the second not transposed.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, extra, .. } = shape;
        let (one, ld) = (Alpha::Host(C64 { re: 1.0, im: 0.0 }), shape.ld());
        let (a, b, c) = (shape.operand(0), shape.operand(1), shape.operand(2));
        let (trans_a, trans_b, alpha, beta) = (extra.trans.unwrap_or(Trans::N), Trans::N, one, one);
        let lda = if trans_a == Trans::N { ld } else { n.max(1) };
        Geam { dtype, trans_a, trans_b, m, n, alpha, a, lda, beta, b, ldb: ld, c, ldc: ld, batch }
    }
}
