//! Plans for systems of equations.
//!
//! Candidates: `resident` (A and B in registers, one launch) and `parts`, which accepts every shape: the
//! factorisation, then the solution.

use crate::error::Error;
use crate::gpu::orgqr::tightest;
use crate::gpu::plan::each::{Each, between_checks, checked};
use crate::gpu::plan::table::GESV_SMALL;
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed};
use crate::routine::{Gesv, SolveSizes};

/// Bit of `form`: members have individual sizes.
const EACH: u32 = 1;

/// The shape has the order and the number of right-hand sides, which may be zero; `form` has the bit above.
impl Planned for Gesv {
    type Task = ();

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.n, n: self.nrhs, k: 0, form: if self.sizes.is_some() { EACH } else { 0 } }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Gesv>, Error> {
        let Shape { dtype, m: n, n: nrhs, .. } = shape;
        if shape.form == EACH {
            return Ok(between_checks([
                |p, to| to.operation(&checked(p).factorisation()),
                |p, to| if p.nrhs > 0 { to.operation(&checked(p).solution()) } else { Ok(()) },
            ]));
        }
        // A list of allowed plans that does not name it may be meant for other operations, or for the parts.
        let small = tightest(GESV_SMALL.iter(), dtype, n, nrhs).filter(|_| nrhs > 0 && limits.native);
        if let Some(small) = small.filter(|_| allowed("resident")) {
            return Ok(Plan::new("resident", [Launch::on(small, n, nrhs, 0)]));
        }
        let mut plan = Plan::<Gesv>::new("parts", []);
        plan.sub(|p, to| to.operation(&p.factorisation()));
        if nrhs > 0 {
            plan.sub(|p, to| to.operation(&p.solution()));
        }
        Ok(plan)
    }

    fn words(&self, l: &Launch, (): ()) -> String {
        format!("order {}, {} right-hand side(s)", l.m, l.n)
    }
}

impl Each for Gesv {
    fn with_first(&self, n: *const i32) -> Gesv {
        Gesv { sizes: self.sizes.map(|sizes| SolveSizes { n, ..sizes }), ..*self }
    }
}
