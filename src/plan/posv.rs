//! Plans for systems of equations with a positive definite matrix: the factorisation, then the solution.

use super::{Limits, Plan, Planned, Shape};
use crate::backend::cuda::Launches;
use crate::error::Error;
use crate::routine::{Posv, Uplo};

/// The bit of `form`: the upper triangle.
const UPPER: u32 = 1;

/// Order and right-hand sides, of which there may be none.
impl Planned for Posv {
    fn shape(&self, _: Limits) -> Shape {
        let form = if self.uplo == Uplo::Upper { UPPER } else { 0 };
        Shape { dtype: self.dtype, m: self.n, n: self.nrhs, k: 0, form }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Posv>, Error> {
        let mut plan = Plan::<Posv>::new("parts", []);
        plan.sub(|p, to| to.operation(&p.factorisation()));
        if shape.n > 0 {
            plan.sub(|p, to| to.operation(&p.solution()));
        }
        Ok(plan)
    }
}

impl Launches for Posv {}
