//! Systems of equations from an LU factorisation.

use super::check::{Verdict, at_least, check_input_stride, check_output_stride, ipiv_extent, not_null};
use super::extent::Extent;
use super::{Bounds, Dtype, Operand, Routine, Shape, SolveSizes, Trans, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?getrs`: B(i) := op(A(i))^-1 B(i), from the factors that `getrf` left in A.
///
/// Zeros on the diagonal of U are not detected; the result is whatever the division yields. Members of A and of ipiv
/// may repeat.
#[derive(Clone, Copy, Debug)]
pub struct Getrs {
    /// Element type.
    pub dtype: Dtype,
    /// op.
    pub trans: Trans,
    /// Order of A, >= 0.
    pub n: i64,
    /// Right-hand sides, >= 0.
    pub nrhs: i64,
    /// The factors.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, n).
    pub lda: i64,
    /// n row interchanges each, as `getrf` returns them. NULL if there were none.
    pub ipiv: Operand,
    /// Right-hand sides in, solutions out.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, n).
    pub ldb: i64,
    /// Per-member sizes. If those of a member are invalid, only its code is written: -2, -3, -5 or -8 if n, nrhs, lda
    /// or ldb is the first invalid one.
    pub sizes: Option<SolveSizes>,
    /// One status code per matrix, in the backend's memory, for variable-size batches. NULL if not wanted.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
}

impl Routine for Getrs {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["getrs_vbatched"] } else { &["getrs", "getrs_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(SolveSizes::NULL);
        Some(Getrs { sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            SolveSizes::check((self.n, self.nrhs), self.batch)?;
            return Ok(Verdict::quick_return_if(self.n == 0 || self.nrhs == 0 || self.batch == 0));
        }
        at_least(self.n, 0, Arg::N)?;
        at_least(self.nrhs, 0, Arg::Nrhs)?;
        let others = || {
            at_least(self.lda, self.n.max(1), Arg::Lda)?;
            check_input_stride(&self.a, self.batch, Arg::StrideA)?;
            check_input_stride(&self.ipiv, self.batch, Arg::StrideIpiv)?;
            at_least(self.ldb, self.n.max(1), Arg::Ldb)?;
            check_output_stride(&self.b, if self.nrhs > 0 { self.n } else { 0 }, self.batch, Arg::StrideB)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let (n, nrhs, lda, ldb) =
            ((self.n, Arg::N), (self.nrhs, Arg::Nrhs), (self.lda, Arg::Lda), (self.ldb, Arg::Ldb));
        let (element, batch) = (self.dtype.bytes(), self.batch);
        Verdict::quick_return_if(self.n == 0 || self.nrhs == 0 || batch == 0).after(others).check_extents([
            Extent { operand: &self.a, element, rows: n, columns: n, ld: lda, stride: Arg::StrideA, batch },
            ipiv_extent(&self.ipiv, n, batch),
            Extent { operand: &self.b, element, rows: n, columns: nrhs, ld: ldb, stride: Arg::StrideB, batch },
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.b, true, Arg::B)
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    #[inline]
    fn bounds(&self) -> Option<Bounds> {
        Some(self.sizes?.bounds((self.n, self.nrhs), [-2, -3, -5, -8]))
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Getrs { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Getrs { trans, n, nrhs, lda, ldb, batch, .. } = self;
        write!(f, " --trans {trans} --n {n} --nrhs {nrhs} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda} --ldb {ldb}") } else { Ok(()) }
    }

    /// A system of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, ipiv, b, ld) = (shape.operand(0), shape.operand(1), shape.operand(2), n.max(1));
        let (trans, nrhs) = (shape.extra.trans.unwrap_or(Trans::N), shape.extra.k.unwrap_or(1));
        let (sizes, info, work) = (None, std::ptr::null_mut(), Workspace::NONE);
        Getrs { dtype, trans, n, nrhs, a, lda: ld, ipiv, b, ldb: ld, sizes, info, batch, work }
    }
}
