//! LQ factorisation.

use super::check::Verdict;
use super::geqrf::Geqrf;
use super::{Bounds, Dtype, Math, Operand, Routine, Shape, Sizes, Workspace};
use crate::error::Error;
use std::fmt::{self, Formatter};

/// Batched LQ, LAPACK `?gelqf`: A(i) = L(i) Q(i) in place.
///
/// On exit A holds L on and below the diagonal and, in its rows above the diagonal, the conjugated vectors of the
/// reflectors; `tau` holds their scalar factors. This is the conjugate transpose of what `geqrf` leaves of A^H, with
/// the same `tau`.
#[derive(Clone, Copy, Debug)]
pub struct Gelqf {
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
    /// One status code per matrix: 0, or as for `sizes`. NULL if not wanted.
    pub info: *mut i32,
    /// Workspace.
    pub work: Workspace,
}

impl Gelqf {
    /// A QR factorisation with the same arguments, for their checks.
    fn qr(&self) -> Geqrf {
        let &Gelqf { dtype, m, n, a, lda, sizes, tau, batch, info, .. } = self;
        Geqrf { dtype, m, n, a, lda, sizes, tau, batch, info, math: Math::Fp32 }
    }

    /// The QR factorisation of A^H, which is stored at `a`. In a variable-size batch, its columns are contiguous.
    pub fn of_adjoint(&self, a: Operand, lda: i64) -> Geqrf {
        let sizes = self.sizes.map(|Sizes { m, n, .. }| Sizes { m: n, n: m, lda: n });
        Geqrf { m: self.n, n: self.m, a, lda, sizes, info: std::ptr::null_mut(), ..self.qr() }
    }
}

impl Routine for Gelqf {
    fn names(&self) -> &'static [&'static str] {
        if self.sizes.is_some() { &["gelqf_vbatched"] } else { &["gelqf", "gelqf_vbatched"] }
    }

    fn by_name(&self, name: &str) -> Option<Self> {
        let sizes = name.ends_with("_vbatched").then_some(Sizes::NULL);
        Some(Gelqf { sizes, ..*self })
    }

    fn check(&self) -> Result<Verdict, Error> {
        self.qr().check()
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.qr().refuse_nulls()
    }

    fn info(&self) -> *mut i32 {
        self.info
    }

    #[inline]
    fn bounds(&self) -> Option<Bounds> {
        Some(self.sizes?.bounds((self.m, self.n)))
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Self> {
        Some(Gelqf { work, ..*self })
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.qr().arguments(f)
    }

    fn of_shape(shape: &Shape) -> Self {
        let Geqrf { dtype, m, n, a, lda, tau, batch, .. } = Geqrf::of_shape(shape);
        let (sizes, info, work) = (None, std::ptr::null_mut(), Workspace::NONE);
        Gelqf { dtype, m, n, a, lda, sizes, tau, batch, info, work }
    }
}
