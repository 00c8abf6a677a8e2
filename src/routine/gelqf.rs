//! LQ factorisation.

use super::check::Verdict;
use super::{Dtype, Geqrf, Math, Operand, Operation, Routine, Shape, Workspace};
use crate::error::Error;
use std::fmt::{self, Formatter};

/// Batched LQ, LAPACK `?gelqf`: A(i) = L(i) Q(i) in place.
///
/// On exit A holds L on and below the diagonal and the reflectors' vectors, conjugated, in its rows above it; `tau` their
/// scalar factors. That is the conjugate transpose of what `geqrf` leaves of A^H, with the same `tau`.
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
    /// The scalar factors, `max(1, min(m, n))` elements each.
    pub tau: Operand,
    /// Number of matrices, >= 0.
    pub batch: i64,
    /// Scratch memory.
    pub work: Workspace,
}

impl Gelqf {
    /// The QR factorisation of the same matrices: its arguments are LQ's.
    fn qr(&self) -> Geqrf {
        let &Gelqf { dtype, m, n, a, lda, tau, batch, .. } = self;
        Geqrf { dtype, m, n, a, lda, sizes: None, tau, batch, info: std::ptr::null_mut(), math: Math::Fp32 }
    }

    /// The QR factorisation of A^H, which is at `a`.
    pub fn of_adjoint(&self, a: Operand, lda: i64) -> Geqrf {
        Geqrf { m: self.n, n: self.m, a, lda, ..self.qr() }
    }
}

impl Routine for Gelqf {
    fn names(&self) -> &'static [&'static str] {
        &["gelqf"]
    }

    fn check(&self) -> Result<Verdict, Error> {
        self.qr().check()
    }

    fn refuse_nulls(&self) -> Result<(), Error> {
        self.qr().refuse_nulls()
    }

    fn work(&self) -> Option<Workspace> {
        Some(self.work)
    }

    fn with_work(&self, work: Workspace) -> Option<Operation> {
        Some(Operation::Gelqf(Gelqf { work, ..*self }))
    }

    fn arguments(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.qr().arguments(f)
    }

    fn of_shape(shape: &Shape) -> Self {
        let Geqrf { dtype, m, n, a, lda, tau, batch, .. } = Geqrf::of_shape(shape);
        Gelqf { dtype, m, n, a, lda, tau, batch, work: Workspace::NONE }
    }
}
