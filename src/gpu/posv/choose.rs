//! Plans for systems with a positive definite matrix.
//!
//! Candidates: `resident` (A and B in registers or shared memory, one launch) and `parts`, which accepts every
//! shape: the factorisation, then the solution.

use crate::error::Error;
use crate::gpu::orgqr::tightest;
use crate::gpu::plan::each::{Each, between_checks, checked};
use crate::gpu::plan::table::{POSV_ROWS, POSV_SMALL, POSV_TEAM};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape, allowed};
use crate::gpu::potrf::{by_rows, team, upper};
use crate::routine::{Posv, SolveSizes};

/// Bit of `form`: members have individual sizes. Another bit is the triangle.
const EACH: u32 = 2;

/// Whether right-hand sides are solved faster next to the factor in a team's shared memory than in a separate
/// launch.
fn together(n: i64, nrhs: i64, limits: Limits) -> bool {
    let (over, single) = limits.measured().posv.together;
    n > over && (nrhs > 1 || n <= single)
}

/// The shape has the order and the number of right-hand sides, which may be zero.
impl Planned for Posv {
    type Task = ();

    fn shape(&self, _: Limits) -> Shape {
        Shape {
            dtype: self.dtype,
            m: self.n,
            n: self.nrhs,
            k: 0,
            form: upper(self.uplo) | if self.sizes.is_some() { EACH } else { 0 },
        }
    }

    fn plan(shape: Shape, limits: Limits) -> Result<Plan<Posv>, Error> {
        let Shape { dtype, m: n, n: nrhs, .. } = shape;
        if shape.form & EACH != 0 {
            return Ok(between_checks([
                |p, to| to.operation(&checked(p).factorisation()),
                |p, to| if p.nrhs > 0 { to.operation(&checked(p).solution()) } else { Ok(()) },
            ]));
        }
        // A list of allowed plans that does not name it may be meant for other operations, or for the parts.
        if nrhs > 0 && limits.native && allowed("resident") {
            let small = tightest(POSV_SMALL.iter(), dtype, n, nrhs).map(|small| Launch::on(small, n, nrhs, 0));
            let team = || team(POSV_TEAM, dtype, (n, nrhs), limits).filter(|_| together(n, nrhs, limits));
            let rows = by_rows(POSV_ROWS, limits.measured().posv.by_rows, dtype, (n, nrhs), limits);
            if let Some(launch) = rows.or(small).or_else(team) {
                return Ok(Plan::new("resident", [launch]));
            }
        }
        let mut plan = Plan::<Posv>::new("parts", []);
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

impl Each for Posv {
    fn with_first(&self, n: *const i32) -> Posv {
        Posv { sizes: self.sizes.map(|sizes| SolveSizes { n, ..sizes }), ..*self }
    }
}
