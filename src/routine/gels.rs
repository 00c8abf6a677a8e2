//! Least squares.

use super::check::{Verdict, at_least, check_input_stride, check_output_stride, not_null};
use super::extent::Extent;
use super::trsm::Trsm;
use super::{Bounds, Dtype, GelsSizes, Operand, Routine, Shape, Trans, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?gels`: least-squares or minimum-norm solutions of op(A(i)) X(i) = B(i), where A has full rank.
///
/// op N, m >= n: minimises |B - A X|. X is in rows 0..n of B. Rows n..m hold the rest of the transformed right-hand
/// sides, whose sum of squares is that of the residual. A holds its QR factors. op N, m < n: the minimum-norm solution
/// X is in rows 0..n. op T or C (C for complex types): the same for A^H. B has max(m, n) rows.
#[derive(Clone, Copy, Debug)]
pub struct Gels {
    /// Element type.
    pub dtype: Dtype,
    /// N, or the (conjugate) transpose.
    pub trans: Trans,
    /// Rows of A, >= 0.
    pub m: i64,
    /// Columns of A, >= 0.
    pub n: i64,
    /// Right-hand sides, >= 0.
    pub nrhs: i64,
    /// The matrices; overwritten.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, m).
    pub lda: i64,
    /// Right-hand sides in, solutions out.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, m, n).
    pub ldb: i64,
    /// Per-member sizes; each member is solved according to its own shape. If the sizes of a member are invalid, only
    /// its code is written: -2, -3, -4, -6 or -8 if m, n, nrhs, lda or ldb is the first invalid one.
    pub sizes: Option<GelsSizes>,
    /// One status code per matrix, in the backend's memory: 0, or i if the i-th diagonal element of R is exactly zero,
    /// so that the matrix does not have full rank. (LAPACK does not compute X then; here X is whatever the computation
    /// yields, or not finite.) NULL if not wanted.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
}

impl Gels {
    /// Rows of X: the number of columns of op(A).
    pub fn solution_rows(&self) -> i64 {
        if self.trans == Trans::N { self.n } else { self.m }
    }

    /// With no equations the minimum-norm solution is zero; this sets it.
    pub(crate) fn zero_solution(&self) -> Option<Trsm> {
        let rows = self.solution_rows();
        (self.sizes.is_none() && (self.m == 0 || self.n == 0))
            .then(|| Trsm::set_zero(self.dtype, [rows, self.nrhs], self.b, self.ldb, self.batch))
    }

    /// Without right-hand sides B is empty and may be NULL. A stands in for it, so that kernels can load its pointer.
    pub(crate) fn without_rhs(&self) -> Option<Gels> {
        (self.sizes.is_none() && self.nrhs == 0).then_some(Gels { b: self.a, ..*self })
    }
}

impl Routine for Gels {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["gels_vbatched"] } else { &["gels", "gels_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(GelsSizes::NULL);
        Some(Gels { sizes, ..*self })
    }

    /// Refuses the plain transpose of complex matrices, as LAPACK does.
    ///
    /// Without right-hand sides A is still factored and its code set, as in cuBLAS. With no equations the minimum-norm
    /// solution is zero, and setting it counts as work; with no unknowns there is no work, and B is its own residual.
    fn check(&self) -> Result<Verdict, Error> {
        if self.dtype.is_complex() && self.trans == Trans::T {
            return Err(Arg::Trans.into());
        }
        let empty = self.m.min(self.n) == 0;
        let verdict =
            Verdict::quick_return_if(self.batch == 0 || self.solution_rows() == 0 || (empty && self.nrhs == 0));
        if self.sizes.is_some() {
            GelsSizes::check([self.m, self.n, self.nrhs], self.batch)?;
            return Ok(verdict);
        }
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
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
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let (m, n, nrhs) = ((self.m, Arg::M), (self.n, Arg::N), (self.nrhs, Arg::Nrhs));
        let (rows, element, batch) = (if self.m < self.n { n } else { m }, self.dtype.bytes(), self.batch);
        let (lda, ldb) = ((self.lda, Arg::Lda), (self.ldb, Arg::Ldb));
        verdict.after(others).check_extents([
            Extent { operand: &self.a, element, rows: m, columns: n, ld: lda, stride: Arg::StrideA, batch },
            Extent { operand: &self.b, element, rows, columns: nrhs, ld: ldb, stride: Arg::StrideB, batch },
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        not_null(&self.a, self.m.min(self.n) > 0, Arg::A)?;
        not_null(&self.b, self.nrhs > 0, Arg::B)
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    #[inline]
    fn bounds(&self) -> Option<Bounds> {
        Some(self.sizes?.bounds([self.m, self.n, self.nrhs]))
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Gels { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Gels { trans, m, n, nrhs, lda, ldb, batch, .. } = self;
        write!(f, " --trans {trans} --m {m} --n {n} --nrhs {nrhs} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda} --ldb {ldb}") } else { Ok(()) }
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (a, b, lda, ldb) = (shape.operand(0), shape.operand(1), shape.ld(), m.max(n).max(1));
        let (trans, sizes) = (shape.extra.trans.unwrap_or(Trans::N), None);
        let (info, work) = (std::ptr::null_mut(), Workspace::NONE);
        Gels { dtype, trans, m, n, nrhs: shape.extra.k.unwrap_or(1), a, lda, b, ldb, sizes, info, batch, work }
    }
}
