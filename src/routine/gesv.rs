//! Systems of equations.

use super::check::{Verdict, at_least, check_output_stride, ipiv_extent, not_null};
use super::extent::Extent;
use super::getrf::Getrf;
use super::getrs::Getrs;
use super::{Bounds, Dtype, Operand, Routine, Shape, Sizes, SolveSizes, Trans, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?gesv`: solves A(i) X(i) = B(i).
///
/// A and ipiv are left as by `getrf`; X overwrites B. If a pivot is exactly zero, X is not computed.
#[derive(Clone, Copy, Debug)]
pub struct Gesv {
    /// Element type.
    pub dtype: Dtype,
    /// Order of A, >= 0.
    pub n: i64,
    /// Right-hand sides, >= 0.
    pub nrhs: i64,
    /// The matrices; overwritten by their factors.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, n).
    pub lda: i64,
    /// Receives n row interchanges each.
    pub ipiv: Operand,
    /// Right-hand sides in, solutions out.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, n).
    pub ldb: i64,
    /// Per-member sizes. If those of a member are invalid, only its code is written: -1, -2, -4 or -7 if n, nrhs, lda
    /// or ldb is the first invalid one.
    pub sizes: Option<SolveSizes>,
    /// One status code per matrix, as for `getrf`. NULL if not wanted.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
}

impl Gesv {
    /// The LU factorisation, the first step.
    pub fn factorisation(&self) -> Getrf {
        let &Gesv { dtype, n, a, lda, ipiv, info, batch, work, .. } = self;
        let sizes = self.sizes.map(|SolveSizes { n, lda, .. }| Sizes { m: n, n, lda });
        Getrf { sizes, info, work, ..Getrf::of(dtype, (n, n), (a, lda), Some(ipiv), batch) }
    }

    /// The solve with the factors, the second step.
    pub fn solution(&self) -> Getrs {
        let &Gesv { dtype, n, nrhs, a, lda, ipiv, b, ldb, sizes, batch, work, .. } = self;
        let (trans, info) = (Trans::N, std::ptr::null_mut());
        Getrs { dtype, trans, n, nrhs, a, lda, ipiv, b, ldb, sizes, info, batch, work }
    }

    /// See [`crate::Operation::reduced`].
    pub(crate) fn reduced(&self) -> Option<Getrf> {
        // In a variable-size batch the per-member nrhs must be validated even if its maximum is 0.
        (self.nrhs == 0 && self.sizes.is_none()).then(|| self.factorisation())
    }
}

impl Routine for Gesv {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["gesv_vbatched"] } else { &["gesv", "gesv_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(SolveSizes::NULL);
        Some(Gesv { sizes, ..*self })
    }

    /// Without right-hand sides A is still factored and its codes set, as in LAPACK.
    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            SolveSizes::check((self.n, self.nrhs), self.batch)?;
            return Ok(Verdict::quick_return_if(self.n == 0 || self.batch == 0));
        }
        at_least(self.n, 0, Arg::N)?;
        at_least(self.nrhs, 0, Arg::Nrhs)?;
        let others = || {
            at_least(self.lda, self.n.max(1), Arg::Lda)?;
            check_output_stride(&self.a, self.n, self.batch, Arg::StrideA)?;
            check_output_stride(&self.ipiv, self.n, self.batch, Arg::StrideIpiv)?;
            at_least(self.ldb, self.n.max(1), Arg::Ldb)?;
            check_output_stride(&self.b, if self.nrhs > 0 { self.n } else { 0 }, self.batch, Arg::StrideB)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let (n, nrhs, lda, ldb) =
            ((self.n, Arg::N), (self.nrhs, Arg::Nrhs), (self.lda, Arg::Lda), (self.ldb, Arg::Ldb));
        let (element, batch) = (self.dtype.bytes(), self.batch);
        Verdict::quick_return_if(self.n == 0 || batch == 0).after(others).check_extents([
            Extent { operand: &self.a, element, rows: n, columns: n, ld: lda, stride: Arg::StrideA, batch },
            ipiv_extent(&self.ipiv, n, batch),
            Extent { operand: &self.b, element, rows: n, columns: nrhs, ld: ldb, stride: Arg::StrideB, batch },
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.ipiv, true, Arg::Ipiv)?;
        not_null(&self.b, self.nrhs > 0, Arg::B)
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    #[inline]
    fn bounds(&self) -> Option<Bounds> {
        Some(self.sizes?.bounds((self.n, self.nrhs), [-1, -2, -4, -7]))
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Gesv { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Gesv { n, nrhs, lda, ldb, batch, .. } = self;
        write!(f, " --n {n} --nrhs {nrhs} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda} --ldb {ldb}") } else { Ok(()) }
    }

    /// A system of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, ipiv, b, ld) = (shape.operand(0), shape.operand(1), shape.operand(2), n.max(1));
        let (nrhs, sizes, info, work) = (shape.extra.k.unwrap_or(1), None, std::ptr::null_mut(), Workspace::NONE);
        Gesv { dtype, n, nrhs, a, lda: ld, ipiv, b, ldb: ld, sizes, info, batch, work }
    }
}
