//! Plans for systems of equations.
//!
//! Candidates: `resident` (A and B in registers, one launch) and `parts`, which takes everything: the factorisation, then
//! the solution.

use crate::error::Error;
use crate::gpu::orgqr::tightest;
use crate::gpu::plan::table::GESV_SMALL;
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed};
use crate::routine::{Gesv, Getrs, Trans};

/// Order and right-hand sides, of which there may be none.
impl Planned for Gesv {
    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.n, n: self.nrhs, k: 0, form: 0 }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Gesv>, Error> {
        let Shape { dtype, m: n, n: nrhs, .. } = shape;
        // A list that does not name it is about other operations' plans, or about the parts'.
        let small = tightest(GESV_SMALL.iter(), dtype, n, nrhs).filter(|_| nrhs > 0 && limits.native);
        if let Some(small) = small.filter(|_| allowed("resident")) {
            return Ok(Plan::new("resident", [Launch::on(small, n, nrhs, 0)]));
        }
        let mut plan = Plan::<Gesv>::new("parts", []);
        plan.sub(|p, to| to.operation(&p.factorisation()));
        if nrhs > 0 {
            plan.sub(|p, to| to.operation(&solution(p)));
        }
        Ok(plan)
    }

    fn words(&self, l: &Launch) -> String {
        format!("order {}, {} right-hand side(s)", l.m, l.n)
    }
}

fn solution(p: &Gesv) -> Getrs {
    let &Gesv { dtype, n, nrhs, a, lda, ipiv, b, ldb, batch, work, .. } = p;
    Getrs { dtype, trans: Trans::N, n, nrhs, a, lda, ipiv, b, ldb, batch, work }
}
