//! QR factorisation.

use super::check::{Verdict, at_least, check_output_stride, not_null, tau_extent};
use super::extent::Extent;
use super::{Dtype, Math, Operand, Routine, Shape, Sizes};
use crate::error::{Arg, Error};
use std::fmt::{self, Formatter};

/// Batched QR, LAPACK `?geqrf`: A(i) = Q(i) R(i) in place.
///
/// On exit A holds R on and above the diagonal and the vectors of the reflectors below it; `tau` holds their scalar
/// factors.
#[derive(Clone, Copy, Debug)]
pub struct Geqrf {
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
    /// The scalar factors, `max(1, min(m, n))` elements each.
    pub tau: Operand,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// `int[batch]` in the backend's memory: 0, or as for `sizes`. May be NULL (cuBLAS has no such array; MAGMA has).
    pub info: *mut i32,
    /// Arithmetic allowed in the trailing updates of the blocked path.
    pub math: Math,
}

impl Geqrf {
    /// The extents of A and tau.
    pub(super) fn extents(&self) -> [Extent<'_>; 2] {
        let (m, n, (element, batch)) = ((self.m, Arg::M), (self.n, Arg::N), (self.dtype.bytes(), self.batch));
        let k = if self.m < self.n { m } else { n };
        let lda = (self.lda, Arg::Lda);
        [
            Extent { operand: &self.a, element, rows: m, columns: n, ld: lda, stride: Arg::StrideA, batch },
            tau_extent(&self.tau, element, k, batch),
        ]
    }
}

impl Routine for Geqrf {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["geqrf_vbatched"] } else { &["geqrf", "geqrf_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(Sizes::NULL);
        Some(Geqrf { sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        if self.sizes.is_some() {
            return Sizes::check((self.m, self.n), self.batch);
        }
        at_least(self.m, 0, Arg::M)?;
        at_least(self.n, 0, Arg::N)?;
        let others = || {
            at_least(self.lda, self.m.max(1), Arg::Lda)?;
            check_output_stride(&self.a, self.m, self.batch, Arg::StrideA)?;
            check_output_stride(&self.tau, self.m.min(self.n), self.batch, Arg::StrideTau)?;
            at_least(self.batch, 0, Arg::BatchCount)
        };
        Verdict::quick_return_if(self.m == 0 || self.n == 0 || self.batch == 0)
            .after(others)
            .check_extents(self.extents())
    }

    #[inline]
    fn refuse_nulls(&self) -> Result<(), Error> {
        self.sizes.map_or(Ok(()), |sizes| sizes.refuse_nulls())?;
        not_null(&self.a, true, Arg::A)?;
        not_null(&self.tau, true, Arg::Tau)
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Geqrf { m, n, lda, batch, .. } = self;
        write!(f, " --m {m} --n {n} --batch {batch}")?;
        if self.sizes.is_none() {
            write!(f, " --lda {lda}")?;
        }
        if self.math == Math::Fp32 { Ok(()) } else { write!(f, " --math {}", self.math.word()) }
    }

    #[inline]
    fn of_shape(shape: &Shape) -> Self {
        let &Shape { dtype, m, n, batch, math, .. } = shape;
        let (a, tau, info) = (shape.operand(0), shape.operand(1), std::ptr::null_mut());
        Geqrf { dtype, m, n, a, lda: shape.ld(), sizes: None, tau, batch, info, math }
    }
}
