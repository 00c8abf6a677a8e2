//! Inverses from an LU factorisation.

use super::check::{Verdict, at_least};
use super::inv::Inverse;
use super::{Bounds, Dtype, GetriSizes, Operand, Routine, Shape, Workspace, sizes};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?getri`: C(i) := A(i)^-1, from the factors that `getrf` left in A.
///
/// C may be A itself (same operand and leading dimension), for inversion in place. If U has an exact zero on its
/// diagonal, there is no inverse, and C is set to NaN throughout, also in place.
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
    /// n row interchanges each, as `getrf` returns them. NULL if there were none.
    pub ipiv: Operand,
    /// Receives the inverses.
    pub c: Operand,
    /// Leading dimension of C, >= max(1, n).
    pub ldc: i64,
    /// Per-member sizes. C must not be A then. If the sizes of a member are invalid, only its code is written: -1, -3
    /// or -6 if n, lda or ldc is the first invalid one.
    pub sizes: Option<GetriSizes>,
    /// One status code per matrix, in the backend's memory: 0, or j if the j-th diagonal element of U is the first that
    /// is exactly zero. NULL if not wanted.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
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
        if self.sizes.is_some() { &["getri_vbatched"] } else { &["getri", "getri_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(GetriSizes::NULL);
        Some(Getri { sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            at_least(self.n, 0, Arg::MaxN)?;
            sizes::check_batch_count(self.batch)?;
            return Ok(Verdict::quick_return_if(self.n == 0 || self.batch == 0));
        }
        self.inverse().check()
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        self.inverse().refuse_nulls()?;
        // The variable-size kernels write C before they read A.
        if self.sizes.is_some() && self.a == self.c { Err(Arg::C.into()) } else { Ok(()) }
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
        Some(Getri { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.sizes {
            Some(_) => write!(f, " --n {} --batch {}", self.n, self.batch),
            None => self.inverse().arguments(f),
        }
    }

    /// A matrix of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, ipiv, c, ld) = (shape.operand(0), shape.operand(1), shape.operand(2), n.max(1));
        let (info, work) = (std::ptr::null_mut(), Workspace::NONE);
        Getri { dtype, n, a, lda: ld, ipiv, c, ldc: ld, sizes: None, info, batch, work }
    }
}
