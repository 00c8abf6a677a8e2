//! Inverses from an LU factorisation.

use super::check::Verdict;
use super::inv::Inverse;
use super::{Dtype, Operand, Operation, Routine, Shape, Workspace};
use crate::error::Error;
use std::fmt::{self, Formatter};

/// Batched LAPACK `?getri`: C(i) := A(i)^-1, from what `getrf` left of A.
///
/// C may be A itself (same operand and leading dimension): in place. Where U has an exact zero on its diagonal, there
/// is no inverse, and C is NaN throughout, in place, too.
#[derive(Clone, Copy, Debug)]
pub struct Getri {
    /// Element type.
    pub dtype: Dtype,
    /// Order of A, >= 0.
    pub n: i64,
    /// The factors.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, n).
    pub lda: i64,
    /// n row interchanges each, as `getrf` gives them; NULL: there were none.
    pub ipiv: Operand,
    /// Receives the inverses.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, n).
    pub ldc: i64,
    /// One per matrix, in the backend's memory: 0, or j when U's j-th diagonal element is the first that is exactly zero.
    /// NULL: not told.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Scratch memory.
    pub work: Workspace,
}

impl Getri {
    /// Whether C is A itself.
    pub fn in_place(&self) -> bool {
        self.inverse().in_place()
    }

    fn inverse(&self) -> Inverse<'_> {
        let Getri { dtype, n, a, lda, ipiv, c, ldc, batch, .. } = self;
        Inverse { dtype: *dtype, n: *n, a: (a, *lda), ipiv: Some(ipiv), c: (c, *ldc), batch: *batch }
    }
}

impl Routine for Getri {
    fn names(&self) -> &'static [&'static str] {
        &["getri"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        self.inverse().check()
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.inverse().refuse_nulls()
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Operation> {
        Some(Operation::Getri(Getri { work, ..*self }))
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.inverse().arguments(f)
    }

    /// Of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, ipiv, c, ld) = (Operand::NOWHERE, Operand::NOWHERE, Operand::NOWHERE, n.max(1));
        let (info, work) = (std::ptr::null_mut(), Workspace::NONE);
        Getri { dtype, n, a, lda: ld, ipiv, c, ldc: ld, info, batch, work }
    }
}
