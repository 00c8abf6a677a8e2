//! Systems of equations from a Cholesky factorisation.

use super::check::{Verdict, at_least, check_input_stride, check_output_stride, not_null};
use super::extent::Extent;
use super::{Bounds, Dtype, Operand, Routine, Shape, SolveSizes, Uplo, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched LAPACK `?potrs`: B(i) := A(i)^-1 B(i), from the factor that `potrf` left in A.
///
/// Zeros on the factor's diagonal are not detected; the result is whatever the division yields. The other triangle of A
/// is not read. Members of A may repeat.
#[derive(Clone, Copy, Debug)]
pub struct Potrs {
    /// Element type.
    pub dtype: Dtype,
    /// Triangle of the factor.
    pub uplo: Uplo,
    /// Order of A, >= 0.
    pub n: i64,
    /// Right-hand sides, >= 0.
    pub nrhs: i64,
    /// The factors.
    pub a: Operand,
    /// Leading dimension of A, >= max(1, n).
    pub lda: i64,
    /// Right-hand sides in, solutions out.
    pub b: Operand,
    /// Leading dimension of B, >= max(1, n).
    pub ldb: i64,
    /// Per-member sizes. If those of a member are invalid, only its code is written: -2, -3, -5 or -7 if n, nrhs, lda
    /// or ldb is the first invalid one.
    pub sizes: Option<SolveSizes>,
    /// One status code per matrix, in the backend's memory, for variable-size batches. NULL if not wanted.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
}

/// Minus the positions of n, nrhs, lda and ldb in LAPACK's potrs and posv.
pub const CODES: [i32; 4] = [-2, -3, -5, -7];

/// The operands of potrs and posv, for the checks that both share.
pub(super) struct System<'a> {
    pub dtype: Dtype,
    pub n: i64,
    pub nrhs: i64,
    pub a: (&'a Operand, i64),
    /// Whether A is overwritten, so that its members must not overlap.
    pub factored: bool,
    pub b: (&'a Operand, i64),
    pub batch: i64,
}

impl System<'_> {
    /// `nothing` says that there is no work without right-hand sides.
    pub fn check(&self, nothing: bool) -> Result<Verdict, Error> {
        let &System { dtype, n, nrhs, a: (a, lda), factored, b: (b, ldb), batch } = self;
        at_least(n, 0, Arg::N)?;
        at_least(nrhs, 0, Arg::Nrhs)?;
        let others = || {
            at_least(lda, n.max(1), Arg::Lda)?;
            if factored {
                check_output_stride(a, n, batch, Arg::StrideA)?
            } else {
                check_input_stride(a, batch, Arg::StrideA)?
            }
            at_least(ldb, n.max(1), Arg::Ldb)?;
            check_output_stride(b, if nrhs > 0 { n } else { 0 }, batch, Arg::StrideB)?;
            at_least(batch, 0, Arg::BatchCount)
        };
        let nothing = nothing && nrhs == 0;
        let (n, nrhs, lda, ldb, element) =
            ((n, Arg::N), (nrhs, Arg::Nrhs), (lda, Arg::Lda), (ldb, Arg::Ldb), dtype.bytes());
        Verdict::quick_return_if(n.0 == 0 || nothing || batch == 0).after(others).check_extents([
            Extent { operand: a, element, rows: n, columns: n, ld: lda, stride: Arg::StrideA, batch },
            Extent { operand: b, element, rows: n, columns: nrhs, ld: ldb, stride: Arg::StrideB, batch },
        ])
    }
}

impl Routine for Potrs {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["potrs_vbatched"] } else { &["potrs", "potrs_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(SolveSizes::NULL);
        Some(Potrs { sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            SolveSizes::check((self.n, self.nrhs), self.batch)?;
            return Ok(Verdict::quick_return_if(self.n == 0 || self.nrhs == 0 || self.batch == 0));
        }
        let Potrs { dtype, n, nrhs, a, lda, b, ldb, batch, .. } = self;
        let (a, b) = ((a, *lda), (b, *ldb));
        System { dtype: *dtype, n: *n, nrhs: *nrhs, a, factored: false, b, batch: *batch }.check(true)
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
        Some(self.sizes?.bounds((self.n, self.nrhs), CODES))
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Potrs { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Potrs { uplo, n, nrhs, lda, ldb, batch, .. } = self;
        write!(f, " --uplo {uplo} --n {n} --nrhs {nrhs} --batch {batch}")?;
        if self.sizes.is_none() { write!(f, " --lda {lda} --ldb {ldb}") } else { Ok(()) }
    }

    /// A system of order n.
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, n, batch, .. } = shape;
        let (a, b, ld) = (shape.operand(0), shape.operand(1), n.max(1));
        let (nrhs, sizes, info, work) = (shape.extra.k.unwrap_or(1), None, std::ptr::null_mut(), Workspace::NONE);
        Potrs { dtype, uplo: Uplo::Lower, n, nrhs, a, lda: ld, b, ldb: ld, sizes, info, batch, work }
    }
}
