//! Inverses from a Cholesky factorisation.

use super::check::{Verdict, not_null};
use super::potrf::check_triangle;
use super::{Dtype, Operand, Operation, Routine, Shape, Uplo, Workspace};
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
        &["potri"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        check_triangle(self.dtype, self.n, &self.a, self.lda, self.batch)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        not_null(&self.a, true, Arg::A)
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Operation> {
        Some(Operation::Potri(Potri { work, ..*self }))
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Potri { uplo, n, lda, batch, .. } = self;
        write!(f, " --uplo {uplo} --n {n} --batch {batch} --lda {lda}")
    }

    /// Of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, info, work) = (Operand::NOWHERE, std::ptr::null_mut(), Workspace::NONE);
        Potri { dtype, uplo: Uplo::Lower, n, a, lda: n.max(1), info, batch, work }
    }
}
