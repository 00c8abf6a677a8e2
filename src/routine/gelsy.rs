//! Least squares of matrices of any rank.

use super::check::{Verdict, apart, at_least, column_choice, not_null};
use super::extent::Extent;
use super::trsm::Trsm;
use super::{Dtype, Operand, Routine, Shape, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?gelsy`: of all X(i) that minimise the 2-norms of B(i) - A(i) X(i), the shortest; A of any rank.
///
/// The rank is the order of the largest leading triangle of R, A P = Q R, with an estimated condition below 1 / rcond: what is
/// outside of it counts as zero. X in rows 0..n of B, which has max(m, n) rows; where the rank is n, the sum of squares of a column's
/// rows n..m is its residual's. A is left without use.
#[derive(Clone, Copy, Debug)]
pub struct Gelsy {
    /// Element type.
    pub dtype: Dtype,
    /// Rows of A, >= 0.
    pub m: i64,
    /// Columns of A, >= 0.
    pub n: i64,
    /// Right-hand sides, >= 0; without any the rank is told all the same.
    pub nrhs: i64,
    /// The matrices; overwritten.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m).
    pub lda: i64,
    /// Right-hand sides in, solutions out.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, m, n).
    pub ldb: i64,
    /// n C ints each, as [`super::Geqp3`] has them.
    pub jpvt: Operand,
    /// Below zero: max(m, n) times the type's eps.
    pub rcond: f64,
    /// One per matrix, in the backend's memory: its rank. NULL: not told.
    pub rank: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Scratch memory.
    pub work: Workspace,
}

impl Gelsy {
    /// The reciprocal of the bound of conditions, at least zero.
    pub fn bound(&self) -> f64 {
        let eps = match self.dtype {
            Dtype::S | Dtype::C => f64::from(f32::EPSILON),
            Dtype::D | Dtype::Z => f64::EPSILON,
        };
        if self.rcond < 0.0 { eps * self.m.max(self.n) as f64 } else { self.rcond }
    }

    /// Without equations the shortest of all X is zero.
    pub(crate) fn zero(&self) -> Option<Trsm> {
        let rows = self.n;
        (self.m == 0).then(|| Trsm::zero(self.dtype, [rows, self.nrhs], self.b, self.ldb, self.batch))
    }

    /// Without right-hand sides B is empty, and may be missing; A stands in for it, so that a kernel may load its pointer.
    pub(crate) fn alone(&self) -> Option<Gelsy> {
        (self.nrhs == 0).then_some(Gelsy { b: self.a, ..*self })
    }
}

impl Routine for Gelsy {
    fn names(&self) -> &'static [&'static str] {
        &["gelsy"]
    }

    /// As `gels`: without equations the shortest solution is zero, which is work; without unknowns there is none.
    fn check(&self) -> Result<Verdict, Error> {
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        at_least(self.nrhs, 0, Arg::Nrhs)?;
        at_least(self.lda, self.m.max(1), Arg::Lda)?;
        apart(&self.a, self.m, self.batch, Arg::StrideA)?;
        let rows = self.m.max(self.n);
        at_least(self.ldb, rows.max(1), Arg::Ldb)?;
        apart(&self.b, if self.nrhs > 0 { rows } else { 0 }, self.batch, Arg::StrideB)?;
        apart(&self.jpvt, self.n, self.batch, Arg::StrideJpvt)?;
        at_least(self.batch, 0, Arg::BatchCount)?;
        let verdict = Verdict::unless(self.batch == 0 || self.n == 0 || (self.m == 0 && self.nrhs == 0));
        let (m, n, nrhs) = ((self.m, Arg::M), (self.n, Arg::N), (self.nrhs, Arg::Nrhs));
        let (rows, element, batch) = (if self.m < self.n { n } else { m }, self.dtype.bytes(), self.batch);
        let (lda, ldb) = ((self.lda, Arg::Lda), (self.ldb, Arg::Ldb));
        verdict.within([
            Extent { operand: &self.a, element, rows: m, columns: n, ld: lda, stride: Arg::StrideA, batch },
            Extent { operand: &self.b, element, rows, columns: nrhs, ld: ldb, stride: Arg::StrideB, batch },
            column_choice(&self.jpvt, if self.m == 0 { (0, Arg::N) } else { n }, batch),
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, self.m > 0, Arg::A)?;
        not_null(&self.b, self.nrhs > 0, Arg::B)?;
        not_null(&self.jpvt, self.m > 0, Arg::Jpvt)
    }

    /// The ranks, which are 0 where there is nothing to do.
    fn info(&self) -> *mut i32 {
        self.rank
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Gelsy { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Gelsy { m, n, nrhs, lda, ldb, batch, .. } = self;
        write!(f, " --m {m} --n {n} --nrhs {nrhs} --batch {batch} --lda {lda} --ldb {ldb}")
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (nowhere, lda, ldb) = (Operand::NOWHERE, shape.ld(), m.max(n).max(1));
        let (nrhs, rank, work) = (shape.told.k.unwrap_or(1), std::ptr::null_mut(), Workspace::NONE);
        Gelsy { dtype, m, n, nrhs, a: nowhere, lda, b: nowhere, ldb, jpvt: nowhere, rcond: -1.0, rank, batch, work }
    }
}
