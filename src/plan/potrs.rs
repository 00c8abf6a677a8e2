//! Plans for the solution of systems by their Cholesky factors: two triangular solves.

use super::{Limits, Plan, Planned, Shape};
use crate::backend::cuda::Launches;
use crate::error::Error;
use crate::routine::{Alpha, Diag, Potrs, Side, Trans, Trsm, Uplo};
use crate::scalar::C64;

/// The bit of `form`: the upper triangle.
const UPPER: u32 = 1;

/// Order and right-hand sides.
impl Planned for Potrs {
    fn shape(&self, _: Limits) -> Shape {
        let form = if self.uplo == Uplo::Upper { UPPER } else { 0 };
        Shape { dtype: self.dtype, m: self.n, n: self.nrhs, k: 0, form }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Potrs>, Error> {
        let mut plan = Plan::<Potrs>::new("parts", []);
        if shape.form & UPPER != 0 {
            plan.sub(|p, to| to.operation(&triangle(p, Trans::C)));
            plan.sub(|p, to| to.operation(&triangle(p, Trans::N)));
        } else {
            plan.sub(|p, to| to.operation(&triangle(p, Trans::N)));
            plan.sub(|p, to| to.operation(&triangle(p, Trans::C)));
        }
        Ok(plan)
    }
}

impl Launches for Potrs {}

/// The factor, or its adjoint.
fn triangle(p: &Potrs, trans: Trans) -> Trsm {
    let &Potrs { dtype, uplo, n, nrhs, a, lda, b, ldb, batch, .. } = p;
    let (side, diag, alpha) = (Side::Left, Diag::NonUnit, Alpha::Host(C64 { re: 1.0, im: 0.0 }));
    Trsm { dtype, side, uplo, trans, diag, m: n, n: nrhs, alpha, a, lda, b, ldb, batch }
}
