//! Least squares for matrices of any rank.

use super::check::{Verdict, at_least, at_most, check_input_stride, check_output_stride, jpvt_extent, not_null};
use super::extent::Extent;
use super::trsm::Trsm;
use super::{Dtype, Operand, Routine, Shape, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?gelsy`: the minimum-norm solution of min |B(i) - A(i) X(i)| in the 2-norm, for A of any rank.
///
/// The rank is the order of the largest leading triangle of R (A P = Q R) whose estimated condition number is below 1 /
/// rcond; the rest of R is taken as zero. X is in rows 0..n of B, which has max(m, n) rows. If the rank is n, the sum
/// of squares of rows n..m of a column is that of its residual. The contents of A are destroyed.
#[derive(Clone, Copy, Debug)]
pub struct Gelsy {
    /// Element type.
    pub dtype: Dtype,
    /// Rows of A, >= 0.
    pub m: i64,
    /// Columns of A, >= 0.
    pub n: i64,
    /// Right-hand sides, >= 0. If there are none, the rank is still computed.
    pub nrhs: i64,
    /// The matrices; overwritten.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m).
    pub lda: i64,
    /// Right-hand sides in, solutions out.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, m, n).
    pub ldb: i64,
    /// n C ints each, with the same meaning as in [`super::Geqp3`].
    pub jpvt: Operand,
    /// Reciprocal of the condition number bound. If negative, max(m, n) times the type's machine epsilon.
    pub rcond: f64,
    /// The rank of each matrix, in the backend's memory. NULL if not wanted.
    pub rank: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
}

impl Gelsy {
    /// The effective `rcond`, which is not negative.
    pub fn effective_rcond(&self) -> f64 {
        let eps = match self.dtype {
            Dtype::S | Dtype::C => f64::from(f32::EPSILON),
            Dtype::D | Dtype::Z => f64::EPSILON,
        };
        if self.rcond < 0.0 { eps * self.m.max(self.n) as f64 } else { self.rcond }
    }

    /// With no equations the minimum-norm solution is zero; this sets it.
    pub(crate) fn zero_solution(&self) -> Option<Trsm> {
        let rows = self.n;
        (self.m == 0).then(|| Trsm::set_zero(self.dtype, [rows, self.nrhs], self.b, self.ldb, self.batch))
    }

    /// Without right-hand sides B is empty and may be NULL. A stands in for it, so that kernels can load its pointer.
    pub(crate) fn without_rhs(&self) -> Option<Gelsy> {
        (self.nrhs == 0).then_some(Gelsy { b: self.a, ..*self })
    }
}

impl Routine for Gelsy {
    fn names(&self) -> &'static [&'static str] {
        &["gelsy"]
    }

    /// As for `gels`: with no equations the minimum-norm solution is zero, and setting it counts as work; with no
    /// unknowns there is none.
    fn check(&self) -> Result<Verdict, Error> {
        at_least(self.m, 0, Arg::M)?;
        at_most(self.n, i32::MAX.into(), Arg::N)?; // column numbers are ints
        at_least(self.nrhs, 0, Arg::Nrhs)?;
        let others = || {
            at_least(self.lda, self.m.max(1), Arg::Lda)?;
            check_output_stride(&self.a, self.m, self.batch, Arg::StrideA)?;
            let rows = self.m.max(self.n);
            at_least(self.ldb, rows.max(1), Arg::Ldb)?;
            match self.nrhs {
                0 => check_input_stride(&self.b, self.batch, Arg::StrideB)?,
                _ => check_output_stride(&self.b, rows, self.batch, Arg::StrideB)?,
            }
            check_output_stride(&self.jpvt, self.n, self.batch, Arg::StrideJpvt)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let verdict = Verdict::quick_return_if(self.batch == 0 || self.n == 0 || (self.m == 0 && self.nrhs == 0));
        let (m, n, nrhs) = ((self.m, Arg::M), (self.n, Arg::N), (self.nrhs, Arg::Nrhs));
        let (rows, element, batch) = (if self.m < self.n { n } else { m }, self.dtype.bytes(), self.batch);
        let (lda, ldb) = ((self.lda, Arg::Lda), (self.ldb, Arg::Ldb));
        verdict.after(others).check_extents([
            Extent { operand: &self.a, element, rows: m, columns: n, ld: lda, stride: Arg::StrideA, batch },
            Extent { operand: &self.b, element, rows, columns: nrhs, ld: ldb, stride: Arg::StrideB, batch },
            jpvt_extent(&self.jpvt, if self.m == 0 { (0, Arg::N) } else { n }, batch),
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, self.m > 0, Arg::A)?;
        not_null(&self.b, self.nrhs > 0, Arg::B)?;
        not_null(&self.jpvt, self.m > 0, Arg::Jpvt)
    }

    /// The ranks. They are set to 0 if there is nothing to do.
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
        let (a, b, jpvt) = (shape.operand(0), shape.operand(1), shape.operand(2));
        let (lda, ldb) = (shape.ld(), m.max(n).max(1));
        let (nrhs, rank, work) = (shape.extra.k.unwrap_or(1), std::ptr::null_mut(), Workspace::NONE);
        Gelsy { dtype, m, n, nrhs, a, lda, b, ldb, jpvt, rcond: -1.0, rank, batch, work }
    }
}
