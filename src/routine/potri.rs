//! Inverses from a Cholesky factorisation.

use super::check::{Verdict, not_null};
use super::potrf::check_triangle;
use super::{Bounds, Dtype, Operand, PotrfSizes, Routine, Shape, Uplo, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?potri`: A(i)^-1 in place, from what `potrf` left of A.
///
/// The inverse is Hermitian; its triangle `uplo` takes the factor's place, and the other triangle is neither read nor
/// written. Where the factor has an exact zero on its diagonal, there is no inverse and A stays as it is.
#[derive(Clone, Copy, Debug)]
pub struct Potri {
    /// Element type.
    pub dtype: Dtype,
    /// The factor's triangle.
    pub uplo: Uplo,
    /// Order of A, >= 0.
    pub n: i64,
    /// The factors; overwritten by the inverses.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, n).
    pub lda: i64,
    /// Where each member has an order of its own. Of a member whose order or leading dimension is not valid only the code is
    /// written: -2 or -4 if its n or its lda is the first that is not.
    pub sizes: Option<PotrfSizes>,
    /// One per matrix, in the backend's memory: 0, or j when element j, from 1, of the factor's diagonal is the first that is
    /// exactly zero. NULL: not told.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Scratch memory.
    pub work: Workspace,
}

impl Routine for Potri {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["potri_vbatched"] } else { &["potri", "potri_vbatched"] }
    }

    fn called(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(PotrfSizes::NOWHERE);
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

    /// Of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, info, work) = (Operand::NOWHERE, std::ptr::null_mut(), Workspace::NONE);
        Potri { dtype, uplo: Uplo::Lower, n, a, lda: n.max(1), sizes: None, info, batch, work }
    }
}
