//! Systems of equations without pivoting, after random butterfly transforms.

use super::check::{Matrix, Verdict, at_least, check_matrices, not_null};
use super::getrf::Getrf;
use super::getrs::Getrs;
use super::{Dtype, Operand, Routine, Shape, Trans, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched MAGMA `?gesv_rbt`: solves A(i) X(i) = B(i) through the factors of U^T A(i) V, which is factored without
/// pivoting. U and V are butterflies of depth 2 whose entries are the same in every call
/// (`kernels/getrf/butterfly.cuh`).
///
/// On exit A holds those factors, and X overwrites B. If a pivot is exactly zero, X is not computed.
#[derive(Clone, Copy, Debug)]
pub struct GesvRbt {
    /// Element type.
    pub dtype: Dtype,
    /// Order of A, >= 0.
    pub n: i64,
    /// Right-hand sides, >= 0. If there are none, nothing is done.
    pub nrhs: i64,
    /// The matrices; overwritten by the factors.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, n).
    pub lda: i64,
    /// Right-hand sides in, solutions out.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, n).
    pub ldb: i64,
    /// One status code per matrix, as for `getrf`. NULL if not wanted.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
}

impl GesvRbt {
    /// The factorisation of the transformed A.
    pub fn factorisation(&self) -> Getrf {
        let &GesvRbt { dtype, n, a, lda, info, batch, .. } = self;
        Getrf { info, ..Getrf::of(dtype, (n, n), (a, lda), None, batch) }
    }

    /// The solve with its factors.
    pub fn solution(&self) -> Getrs {
        let &GesvRbt { dtype, n, nrhs, a, lda, b, ldb, batch, .. } = self;
        let (ipiv, sizes, info, work) = (Operand::NULL, None, std::ptr::null_mut(), Workspace::NONE);
        Getrs { dtype, trans: Trans::N, n, nrhs, a, lda, ipiv, b, ldb, sizes, info, batch, work }
    }
}

impl Routine for GesvRbt {
    fn names(&self) -> &'static [&'static str] {
        &["gesv_rbt"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        at_least(self.n, 0, Arg::N)?;
        at_least(self.nrhs, 0, Arg::Nrhs)?;
        let (rows, stride) = ((self.n, Arg::N), Arg::StrideA);
        let a = Matrix { operand: &self.a, rows, columns: rows, ld: (self.lda, Arg::Lda), stride, written: true };
        let (columns, stride) = ((self.nrhs, Arg::Nrhs), Arg::StrideB);
        let b = Matrix { operand: &self.b, rows, columns, ld: (self.ldb, Arg::Ldb), stride, written: true };
        check_matrices(self.dtype, [a, b], self.batch, self.n == 0 || self.nrhs == 0)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.b, true, Arg::B)
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let GesvRbt { n, nrhs, lda, ldb, batch, .. } = self;
        write!(f, " --n {n} --nrhs {nrhs} --batch {batch} --lda {lda} --ldb {ldb}")
    }

    /// A system of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, b, ld, info) = (shape.operand(0), shape.operand(1), n.max(1), std::ptr::null_mut());
        GesvRbt { dtype, n, nrhs: shape.extra.k.unwrap_or(1), a, lda: ld, b, ldb: ld, info, batch }
    }
}
