//! QR factorisation with column pivoting.

use super::check::{Verdict, at_least, at_most, check_output_stride, jpvt_extent, not_null, tau_extent};
use super::extent::Extent;
use super::{Bounds, Dtype, Operand, Routine, Shape, Sizes, Workspace};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched QR with column pivoting, LAPACK `?geqp3`: A(i) P(i) = Q(i) R(i) in place.
///
/// On exit A holds R on and above the diagonal and the vectors of the reflectors below it; `tau` holds their scalar
/// factors. Each pivot is the first of the columns whose remaining part, below the finished rows of R, has the largest
/// norm; a NaN counts as larger than any number.
#[derive(Clone, Copy, Debug)]
pub struct Geqp3 {
    /// Element type of A and tau.
    pub dtype: Dtype,
    /// Rows, >= 0.
    pub m: i64,
    /// Columns, >= 0.
    pub n: i64,
    /// The matrices, column-major, `lda * n` elements each (rows m..lda are never touched).
    pub a: Operand,
    /// Leading dimension, >= max(1, m).
    pub lda: i64,
    /// Per-member sizes. If those of a member are invalid, only its code is written: -1, -2 or -4 if m, n or lda is the
    /// first invalid one.
    pub sizes: Option<Sizes>,
    /// n C ints each. On entry, columns with a nonzero entry are moved to the front and stay there. On exit, column j
    /// of A P is column `jpvt[j]` of A, counted from 1.
    pub jpvt: Operand,
    /// The scalar factors, `max(1, min(m, n))` elements each.
    pub tau: Operand,
    /// `int[batch]` in the backend's memory: 0, or as for `sizes`. May be NULL.
    pub info: *mut i32,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Workspace.
    pub work: Workspace,
}

impl Routine for Geqp3 {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["geqp3_vbatched"] } else { &["geqp3", "geqp3_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(Sizes::NULL);
        Some(Geqp3 { sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            return Sizes::check((self.m, self.n), self.batch);
        }
        at_least(self.m, 0, Arg::M)?;
        at_most(self.n, i32::MAX.into(), Arg::N)?; // column numbers are ints
        let others = || {
            at_least(self.lda, self.m.max(1), Arg::Lda)?;
            check_output_stride(&self.a, self.m, self.batch, Arg::StrideA)?;
            check_output_stride(&self.jpvt, self.n, self.batch, Arg::StrideJpvt)?;
            check_output_stride(&self.tau, self.m.min(self.n), self.batch, Arg::StrideTau)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        let (m, n, (element, batch)) = ((self.m, Arg::M), (self.n, Arg::N), (self.dtype.bytes(), self.batch));
        let k = if self.m < self.n { m } else { n };
        let ld = (self.lda, Arg::Lda);
        Verdict::quick_return_if(self.m == 0 || self.n == 0 || self.batch == 0).after(others).check_extents([
            Extent { operand: &self.a, element, rows: m, columns: n, ld, stride: Arg::StrideA, batch },
            jpvt_extent(&self.jpvt, n, batch),
            tau_extent(&self.tau, element, k, batch),
        ])
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.jpvt, true, Arg::Jpvt)?;
        not_null(&self.tau, true, Arg::Tau)
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(self.sizes?.bounds((self.m, self.n)))
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Geqp3 { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Geqp3 { m, n, lda, batch, .. } = self;
        write!(f, " --m {m} --n {n} --batch {batch}")?;
        if self.sizes.is_some() { Ok(()) } else { write!(f, " --lda {lda}") }
    }

    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, .. } = shape;
        let (a, jpvt, tau) = (shape.operand(0), shape.operand(1), shape.operand(2));
        let (info, work) = (std::ptr::null_mut(), Workspace::NONE);
        let (lda, sizes) = (shape.ld(), None);
        Geqp3 { dtype, m, n, a, lda, sizes, jpvt, tau, info, batch, work }
    }
}
