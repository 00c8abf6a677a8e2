//! Plans for the solution of systems by their LU factors: row exchanges and two triangular solves.

use super::{Limits, Parts, Plan, Planned, Shape};
use crate::backend::cuda::Launches;
use crate::error::Error;
use crate::routine::{Alpha, Diag, Getrs, Laswp, Side, Trans, Trsm, Uplo};
use crate::scalar::C64;

/// The bit of `form`: rows were exchanged.
const EXCHANGED: u32 = 1;
/// op(A) is not A.
const TRANSPOSED: u32 = 2;

/// Sizes: the plan is the same for all.
impl Planned for Getrs {
    /// Every device runs the parts.
    fn limits(&self, _: impl FnOnce() -> Result<Limits, Error>) -> Result<Limits, Error> {
        Ok(Limits::NONE)
    }

    fn shape(&self, _: Limits) -> Shape {
        let exchanged = if self.ipiv.is_null() { 0 } else { EXCHANGED };
        let transposed = if self.trans == Trans::N { 0 } else { TRANSPOSED };
        Shape { dtype: self.dtype, m: self.n, n: self.nrhs, k: 0, form: exchanged | transposed }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Getrs>, Error> {
        type Part = fn(&Getrs, &mut dyn Parts) -> Result<(), Error>;
        let (lower, upper): (Part, Part) =
            (|p, to| to.operation(&triangle(p, Uplo::Lower)), |p, to| to.operation(&triangle(p, Uplo::Upper)));
        let exchange: Part = |p, to| to.operation(&exchange(p));
        let mut plan = Plan::new("parts", []);
        let mut parts = vec![lower, upper];
        if shape.form & EXCHANGED != 0 {
            parts.insert(0, exchange);
        }
        if shape.form & TRANSPOSED != 0 {
            parts.reverse();
        }
        parts.into_iter().for_each(|part| plan.sub(part));
        Ok(plan)
    }
}

/// Its plans have no launches of their own.
impl Launches for Getrs {}

/// L has a diagonal of ones.
fn triangle(p: &Getrs, uplo: Uplo) -> Trsm {
    let &Getrs { dtype, trans, n, nrhs, a, lda, b, ldb, batch, .. } = p;
    let diag = if uplo == Uplo::Lower { Diag::Unit } else { Diag::NonUnit };
    let alpha = Alpha::Host(C64 { re: 1.0, im: 0.0 });
    Trsm { dtype, side: Side::Left, uplo, trans, diag, m: n, n: nrhs, alpha, a, lda, b, ldb, batch }
}

/// The exchanges of the factorisation, or for op(A) = A^T those taken back.
fn exchange(p: &Getrs) -> Laswp {
    let &Getrs { dtype, trans, n, nrhs, ipiv, b, ldb, batch, .. } = p;
    Laswp { dtype, n: nrhs, a: b, lda: ldb, k1: 1, k2: n, ipiv, incx: if trans == Trans::N { 1 } else { -1 }, batch }
}
