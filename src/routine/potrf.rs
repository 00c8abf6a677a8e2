//! Cholesky factorisation.

use super::check::{Verdict, at_least, check_output_stride, not_null};
use super::extent::Extent;
use super::{Dtype, Operand, PotrfSizes, Routine, Shape, Uplo, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?potrf`: A(i) = L(i) L(i)^H or U(i)^H U(i) in place, for Hermitian (real: symmetric) positive
/// definite A.
///
/// The factor overwrites A's triangle `uplo`; the other triangle is neither read nor written. Imaginary parts of A's
/// diagonal are ignored; those of the factor's are zero. The factorisation stops at the first pivot (updated diagonal
/// element) that is not positive, which includes NaN. If its index is j, counted from 1, A then holds the factor of the
/// leading minor of order j - 1 and the pivot at (j, j); the rest of the triangle is unspecified, as in LAPACK.
#[derive(Clone, Copy, Debug)]
pub struct Potrf {
    /// Element type.
    pub dtype: Dtype,
    /// Triangle of A.
    pub uplo: Uplo,
    /// Order of A, >= 0.
    pub n: i64,
    /// The matrices; overwritten by their factors.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, n).
    pub lda: i64,
    /// Per-member sizes. If those of a member are invalid, only its code is written: -2 or -4 if n or lda is the first
    /// invalid one.
    pub sizes: Option<PotrfSizes>,
    /// One status code per matrix, in the backend's memory: 0, or j if the leading minor of order j is the first that
    /// is not positive definite. NULL if not wanted.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
}

/// The checks that potrf and potri share: those of a square matrix that is overwritten in place.
pub(super) fn check_triangle(dtype: Dtype, n: i64, a: &Operand, lda: i64, batch: i64) -> Result<Verdict, Error> {
    at_least(n, 0, Arg::N)?;
    let others = || {
        at_least(lda, n.max(1), Arg::Lda)?;
        check_output_stride(a, n, batch, Arg::StrideA)?;
        at_least(batch, 0, Arg::BatchCount)
    };
    let (n, ld) = ((n, Arg::N), (lda, Arg::Lda));
    Verdict::quick_return_if(n.0 == 0 || batch == 0).after(others).check_extents([Extent {
        operand: a,
        element: dtype.bytes(),
        rows: n,
        columns: n,
        ld,
        stride: Arg::StrideA,
        batch,
    }])
}

impl Routine for Potrf {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["potrf_vbatched"] } else { &["potrf", "potrf_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(PotrfSizes::NULL);
        Some(Potrf { sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            return PotrfSizes::check(self.n, self.batch);
        }
        check_triangle(self.dtype, self.n, &self.a, self.lda, self.batch)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        not_null(&self.a, true, Arg::A)
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Potrf { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Potrf { uplo, n, lda, batch, .. } = self;
        write!(f, " --uplo {uplo} --n {n} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda}") } else { Ok(()) }
    }

    /// A matrix of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, info, work) = (shape.operand(0), std::ptr::null_mut(), Workspace::NONE);
        Potrf { dtype, uplo: Uplo::Lower, n, a, lda: n.max(1), sizes: None, info, batch, work }
    }
}
