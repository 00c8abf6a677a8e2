//! Plans for LQ factorisations: A^H in the workspace, its QR factorisation there, and its factors' adjoint in A's place.

use crate::error::Error;
use crate::gpu::plan::walk::Launches;
use crate::gpu::plan::work::Arrays;
use crate::gpu::plan::{Copy, Form, Limits, Plan, Planned, Shape};
use crate::routine::{Gelqf, Operand};

/// Sizes m and n: the plan is the same for all.
impl Planned for Gelqf {
    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: 0, form: 0 }
    }

    fn plan(_: Shape, _: Limits) -> Result<Plan<Gelqf>, Error> {
        let mut plan = Plan { workspace: |p| Ok(copies(p)?.bytes), ..Plan::new("parts", []) };
        plan.sub(|p, to| to.copy(&adjoint(p, (p.a, p.lda), adjoint_in_work(p)?, p.m, p.n)));
        plan.sub(|p, to| {
            let (a, lda) = adjoint_in_work(p)?;
            to.operation(&p.of_adjoint(a, lda))
        });
        plan.sub(|p, to| to.copy(&adjoint(p, adjoint_in_work(p)?, (p.a, p.lda), p.n, p.m)));
        Ok(plan)
    }
}

/// Its plans have no launches of their own.
impl Launches for Gelqf {}

/// The workspace: the copies of A^H.
fn copies(p: &Gelqf) -> Result<Arrays<1>, Error> {
    Arrays::new(p, [p.m.saturating_mul(p.n)])
}

/// A^H, and its leading dimension.
fn adjoint_in_work(p: &Gelqf) -> Result<(Operand, i64), Error> {
    Ok((copies(p)?.operand(0, p.work), p.n))
}

fn adjoint(p: &Gelqf, from: (Operand, i64), to: (Operand, i64), rows: i64, columns: i64) -> Copy {
    Copy { dtype: p.dtype, from, to, rows, columns, form: Form::Adjoint, batch: p.batch }
}
