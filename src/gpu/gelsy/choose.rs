//! Plans for least squares with matrices of any rank: a launch that scales A and B away from overflow and underflow,
//! QR with column pivoting, and a launch for the rest with one block per matrix.

use crate::error::Error;
use crate::gpu::geqp3::norm_elements;
use crate::gpu::plan::table::{GELS_SCALE, GELSY_SOLVE, Instance};
use crate::gpu::plan::work::Arrays;
use crate::gpu::plan::{Launch, Limits, Plan, Planned, Shape};
use crate::routine::{Gelsy, Geqp3, Operand, Workspace};

/// What a launch does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Scales A and B away from overflow and underflow.
    Scale,
    /// Finds the rank and solves, from the factors.
    #[default]
    Solve,
}

/// The shape has m, n and the number of right-hand sides.
impl Planned for Gelsy {
    type Task = Task;

    fn shape(&self, _: Limits) -> Shape {
        Shape { dtype: self.dtype, m: self.m, n: self.n, k: self.nrhs, form: 0 }
    }

    fn plan(shape: Shape, _: Limits) -> Result<Plan<Gelsy>, Error> {
        let Shape { dtype, m, n, k: nrhs, .. } = shape;
        if m.max(n) > i32::MAX.into() {
            return Err(Error::NotSupported("2^31 or more rows or columns on the device".into()));
        }
        let mut plan = Plan { workspace: |p| Ok(arrays(p)?.bytes), ..Plan::new("parts", []) };
        plan.launch_for(Task::Scale, Launch::on(Instance::plain(GELS_SCALE, dtype)?, m, n, 0));
        plan.sub(|p, to| to.operation(&factoring(p)?));
        plan.launch(Launch { k: nrhs, ..Launch::on(Instance::plain(GELSY_SOLVE, dtype)?, m, n, 0) });
        Ok(plan)
    }

    fn words(&self, l: &Launch, task: Task) -> String {
        match task {
            Task::Scale => format!("A and B scaled where they are near an end of the range, {} x {}", l.m, l.n),
            Task::Solve => format!("rank and {} shortest solution(s) of {} x {}", l.k, l.m, l.n),
        }
    }
}

/// The workspace: tau, vectors for the last launch, two exponents in the space of one element, and norms.
pub(crate) struct WorkspaceParts {
    arrays: Arrays<4>,
    work: Workspace,
}

fn arrays(p: &Gelsy) -> Result<Arrays<4>, Error> {
    // Includes the norms of the pivoted factorisation even if its plan needs none, because that plan is chosen
    // separately.
    Arrays::new(p, [p.m.min(p.n), p.n.saturating_mul(2), 1, norm_elements(p.dtype, p.n)])
}

impl WorkspaceParts {
    pub fn of(p: &Gelsy) -> Result<WorkspaceParts, Error> {
        Ok(WorkspaceParts { arrays: arrays(p)?, work: p.work })
    }
    pub fn tau(&self) -> Operand {
        self.arrays.operand(0, self.work)
    }
    pub fn vectors(&self) -> Operand {
        self.arrays.operand(1, self.work)
    }
    pub fn shifts(&self) -> Operand {
        self.arrays.operand(2, self.work)
    }
}

fn factoring(p: &Gelsy) -> Result<Geqp3, Error> {
    let (parts, &Gelsy { dtype, m, n, a, lda, jpvt, batch, .. }) = (WorkspaceParts::of(p)?, p);
    let norms = match parts.arrays.operand(3, p.work) {
        Operand::Strided { base, .. } => Workspace { p: base, bytes: parts.arrays.bytes_of(3) },
        Operand::Pointers(_) => Workspace::NONE,
    };
    let (tau, info) = (parts.tau(), std::ptr::null_mut());
    Ok(Geqp3 { dtype, m, n, a, lda, sizes: None, jpvt, tau, info, batch, work: norms })
}
