//! Plans for LQ factorisations: A^H is copied to the workspace and factored there by QR, and the adjoint of the
//! result is written to A.

use crate::error::Error;
use crate::gpu::data_movement::adjoint_each::Adjoint;
use crate::gpu::plan::each::{Each, begin_with_checks, checked, write_codes};
use crate::gpu::plan::table::{ADJOINT_EACH, Instance};
use crate::gpu::plan::walk::{Call, Launches};
use crate::gpu::plan::work::{Arrays, members};
use crate::gpu::plan::{Copy, Form, Launch, Limits, Plan, Planned, Shape};
use crate::routine::{Dtype, Gelqf, Operand, Sizes};

/// Bit of `form`: members have individual sizes.
const EACH: u32 = 1;

/// What a launch of members with individual sizes does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Writes A^H to the workspace.
    #[default]
    ToWorkspace,
    /// Writes the adjoint of what is in the workspace to A.
    ToA,
}

/// The shape has m and n, but the plan is the same for all; `form` has the bit above.
impl Planned for Gelqf {
    type Task = Task;

    fn shape(&self, _: Limits) -> Shape {
        let form = if self.sizes.is_some() { EACH } else { 0 };
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: 0, form }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Gelqf>, Error> {
        if shape.form == EACH {
            return each(shape.dtype, shape.m, shape.n);
        }
        let mut plan = Plan { workspace: |p| Ok(copies(p)?.bytes), ..Plan::new("parts", []) };
        plan.sub(|p, to| to.copy(&adjoint(p, (p.a, p.lda), adjoint_in_work(p)?, p.m, p.n)));
        plan.sub(|p, to| {
            let (a, lda) = adjoint_in_work(p)?;
            to.operation(&p.of_adjoint(a, lda))
        });
        plan.sub(|p, to| to.copy(&adjoint(p, adjoint_in_work(p)?, (p.a, p.lda), p.n, p.m)));
        Ok(plan)
    }

    fn words(&self, l: &Launch, task: Task) -> String {
        format!("A^H {} A's place, up to {} x {}", if task == Task::ToA { "to" } else { "from" }, l.m, l.n)
    }
}

/// The same three parts, between checks of the members.
fn each(dtype: Dtype, m: i64, n: i64) -> Result<Plan<Gelqf>, Error> {
    if m.max(n) > i32::MAX.into() {
        return Err(Error::NotSupported("sizes of members of 2^31 or more".into()));
    }
    let instance = Instance::plain(ADJOINT_EACH, dtype)?;
    let mut plan = begin_with_checks();
    plan.workspace = |p| copies_of_each(p).map(|arrays| arrays.bytes);
    plan.launch(Launch::on(instance, m, n, 0));
    plan.sub(|p: &Gelqf, to| to.operation(&checked(p).of_adjoint(copies_of_each(p)?.operand(0, p.work), 1)));
    plan.launch_for(Task::ToA, Launch::on(instance, n, m, 0));
    plan.sub(write_codes);
    Ok(plan)
}

impl Each for Gelqf {
    fn with_first(&self, m: *const i32) -> Gelqf {
        Gelqf { sizes: self.sizes.map(|sizes| Sizes { m, ..sizes }), ..*self }
    }
}

impl Launches for Gelqf {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk_tasks(|l, task| {
            let Sizes { m, n, lda } = checked(self).sizes.unwrap_or(Sizes::NULL);
            let ((a, copy), batch) = (((self.a, lda), (copies_of_each(self)?.operand(0, self.work), n)), self.batch);
            let adjoint = match task {
                Task::ToWorkspace => Adjoint { from: a, to: copy, rows: m, columns: n, batch },
                Task::ToA => Adjoint { from: copy, to: a, rows: n, columns: m, batch },
            };
            // SAFETY: the operands are the caller's, or in the caller's workspace.
            unsafe { adjoint.launch(l, call.queue) }
        })
    }
}

/// The workspace for members with individual sizes: the checked numbers of rows, and the copies of A^H.
fn copies_of_each(p: &Gelqf) -> Result<Arrays<1>, Error> {
    Arrays::after(members(p)?, p, [p.m.saturating_mul(p.n)])
}

/// The workspace: the copies of A^H.
fn copies(p: &Gelqf) -> Result<Arrays<1>, Error> {
    Arrays::new(p, [p.m.saturating_mul(p.n)])
}

/// A^H in the workspace, and its leading dimension.
fn adjoint_in_work(p: &Gelqf) -> Result<(Operand, i64), Error> {
    Ok((copies(p)?.operand(0, p.work), p.n))
}

fn adjoint(p: &Gelqf, from: (Operand, i64), to: (Operand, i64), rows: i64, columns: i64) -> Copy {
    Copy { dtype: p.dtype, from, to, rows, columns, form: Form::Adjoint, batch: p.batch }
}
