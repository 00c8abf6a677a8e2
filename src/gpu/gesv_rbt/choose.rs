//! Plans for systems of equations without pivoting: one launch applies the butterflies U and V to A and B, then come
//! the factorisation, the solution, and a launch that applies V to the solution.

use crate::error::Error;
use crate::gpu::plan::table::{BUTTERFLY, Instance};
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape};
use crate::routine::GesvRbt;

/// What a launch applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// U and V to A and B.
    #[default]
    ToSystem,
    /// V to the solution.
    ToSolution,
}

/// The shape has the order and the number of right-hand sides.
impl Planned for GesvRbt {
    type Task = Task;

    const UNIT: &'static str = "parts of 4 x 4";

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.n, n: self.nrhs, k: 0, form: 0 }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<GesvRbt>, Error> {
        let Shape { dtype, m: n, n: nrhs, .. } = shape;
        if n > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        let instance = Instance::plain(BUTTERFLY, dtype)?;
        let mut plan = Plan::<GesvRbt>::new("parts", [Launch::on(instance, n, nrhs, 0)]);
        plan.sub(|p, to| to.operation(&p.factorisation()));
        plan.sub(|p, to| to.operation(&p.solution()));
        plan.launch_for(Task::ToSolution, Launch::on(instance, n, nrhs, 0));
        Ok(plan)
    }

    fn words(&self, l: &Launch, task: Task) -> String {
        match task {
            Task::ToSolution => format!("V Y, {} right-hand side(s)", l.n),
            Task::ToSystem => format!("U^T A V of order {}, U^T B of {} right-hand side(s)", l.m, l.n),
        }
    }
}
