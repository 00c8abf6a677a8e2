//! Systems of equations with a positive definite matrix.

use super::check::{Verdict, not_null};
use super::potrf::Potrf;
use super::potrs::Potrs;
use super::potrs::{CODES, System};
use super::{Bounds, Dtype, Operand, PotrfSizes, Routine, Shape, SolveSizes, Uplo, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?posv`: solves A(i) X(i) = B(i) for Hermitian positive definite A.
///
/// A is left as by `potrf`; X overwrites B. If A is not positive definite, X is not computed.
#[derive(Clone, Copy, Debug)]
pub struct Posv {
    /// Element type.
    pub dtype: Dtype,
    /// Triangle of A.
    pub uplo: Uplo,
    /// Order of A, >= 0.
    pub n: i64,
    /// Right-hand sides, >= 0.
    pub nrhs: i64,
    /// The matrices; overwritten by their factors.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, n).
    pub lda: i64,
    /// Right-hand sides in, solutions out.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, n).
    pub ldb: i64,
    /// Per-member sizes, as for [`Potrs::sizes`].
    pub sizes: Option<SolveSizes>,
    /// One status code per matrix, as for `potrf`. NULL if not wanted.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
}

impl Posv {
    /// The Cholesky factorisation, the first step.
    pub fn factorisation(&self) -> Potrf {
        let &Posv { dtype, uplo, n, a, lda, info, batch, work, .. } = self;
        let sizes = self.sizes.map(|SolveSizes { n, lda, .. }| PotrfSizes { n, lda });
        Potrf { dtype, uplo, n, a, lda, sizes, info, batch, work }
    }

    /// The solve with the factors, the second step.
    pub fn solution(&self) -> Potrs {
        let &Posv { dtype, uplo, n, nrhs, a, lda, b, ldb, sizes, batch, work, .. } = self;
        Potrs { dtype, uplo, n, nrhs, a, lda, b, ldb, sizes, info: std::ptr::null_mut(), batch, work }
    }

    /// See [`crate::Operation::reduced`].
    pub(crate) fn reduced(&self) -> Option<Potrf> {
        // In a variable-size batch the per-member nrhs must be validated even if its maximum is 0.
        (self.nrhs == 0 && self.sizes.is_none()).then(|| self.factorisation())
    }
}

impl Routine for Posv {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["posv_vbatched"] } else { &["posv", "posv_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(SolveSizes::NULL);
        Some(Posv { sizes, ..*self })
    }

    /// Without right-hand sides A is still factored, as in LAPACK.
    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            SolveSizes::check((self.n, self.nrhs), self.batch)?;
            return Ok(Verdict::quick_return_if(self.n == 0 || self.batch == 0));
        }
        let Posv { dtype, n, nrhs, a, lda, b, ldb, batch, .. } = self;
        let (a, b) = ((a, *lda), (b, *ldb));
        System { dtype: *dtype, n: *n, nrhs: *nrhs, a, factored: true, b, batch: *batch }.check(false)
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.b, self.nrhs > 0, Arg::B)
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    #[inline]
    fn bounds(&self) -> Option<Bounds> {
        Some(self.sizes?.bounds((self.n, self.nrhs), CODES))
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Posv { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Posv { uplo, n, nrhs, lda, ldb, batch, .. } = self;
        write!(f, " --uplo {uplo} --n {n} --nrhs {nrhs} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda} --ldb {ldb}") } else { Ok(()) }
    }

    /// A system of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, b, ld) = (shape.operand(0), shape.operand(1), n.max(1));
        let (nrhs, sizes, info, work) = (shape.extra.k.unwrap_or(1), None, std::ptr::null_mut(), Workspace::NONE);
        Posv { dtype, uplo: Uplo::Lower, n, nrhs, a, lda: ld, b, ldb: ld, sizes, info, batch, work }
    }
}
