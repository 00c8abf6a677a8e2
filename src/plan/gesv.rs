//! Plans for systems of equations: the factorisation, then the solution.

use super::{Limits, Plan, Planned, Shape};
use crate::backend::cuda::Launches;
use crate::error::Error;
use crate::routine::{Gesv, Getrs, Trans};

/// Order and right-hand sides, of which there may be none.
impl Planned for Gesv {
    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.n, n: self.nrhs, k: 0, form: 0 }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Gesv>, Error> {
        let mut plan = Plan::<Gesv>::new("parts", []);
        plan.sub(|p, to| to.operation(&p.factorisation()));
        if shape.n > 0 {
            plan.sub(|p, to| to.operation(&solution(p)));
        }
        Ok(plan)
    }
}

/// Its plans have no launches of their own.
impl Launches for Gesv {}

fn solution(p: &Gesv) -> Getrs {
    let &Gesv { dtype, n, nrhs, a, lda, ipiv, b, ldb, batch, work, .. } = p;
    Getrs { dtype, trans: Trans::N, n, nrhs, a, lda, ipiv, b, ldb, batch, work }
}
