//! Inverses from a Cholesky factorisation.

use super::check::{Verdict, not_null};
use super::potrf::check_triangle;
use super::{Bounds, Dtype, Operand, PotrfSizes, Routine, Shape, Uplo, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?potri`: A(i)^-1 in place, from the factor that `potrf` left in A.
///
/// The inverse is Hermitian. Its triangle `uplo` overwrites the factor; the other triangle is neither read nor written.
/// If the factor has an exact zero on its diagonal, there is no inverse and A is left unchanged.
#[derive(Clone, Copy, Debug)]
pub struct Potri {
    /// Element type.
    pub dtype: Dtype,
    /// Triangle of the factor.
    pub uplo: Uplo,
    /// Order of A, >= 0.
    pub n: i64,
    /// The factors; overwritten by the inverses.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, n).
    pub lda: i64,
    /// Per-member sizes. If those of a member are invalid, only its code is written: -2 or -4 if n or lda is the first
    /// invalid one.
    pub sizes: Option<PotrfSizes>,
    /// One status code per matrix, in the backend's memory: 0, or j if the j-th diagonal element of the factor, counted
    /// from 1, is the first that is exactly zero. NULL if not wanted.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
}

impl Routine for Potri {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["potri_vbatched"] } else { &["potri", "potri_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(PotrfSizes::NULL);
        Some(Potri { sizes, ..*self })
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

    #[inline]
    fn bounds(&self) -> Option<Bounds> {
        Some(self.sizes?.bounds(self.n))
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Potri { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Potri { uplo, n, lda, batch, .. } = self;
        write!(f, " --uplo {uplo} --n {n} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda}") } else { Ok(()) }
    }

    /// A matrix of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, info, work) = (shape.operand(0), std::ptr::null_mut(), Workspace::NONE);
        Potri { dtype, uplo: Uplo::Lower, n, a, lda: n.max(1), sizes: None, info, batch, work }
    }
}
