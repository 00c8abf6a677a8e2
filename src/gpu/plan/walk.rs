//! Runs a routine on the device: looks its plan up and executes the steps in order.

use crate::error::Error;
use crate::gpu::arch;
use crate::gpu::driver;
use crate::gpu::driver::images;
use crate::gpu::driver::{current_device, device};
use crate::gpu::plan;
use crate::gpu::plan::parts::assign;
use crate::gpu::plan::parts::check::check;
use crate::gpu::plan::parts::convert::convert;
use crate::gpu::plan::parts::copy::copy;
use crate::gpu::plan::queue::{List, Queue};
use crate::gpu::plan::run::Run;
use crate::gpu::plan::{Class, Convert, Copy, Form, Launch, Limits, Parts, Plan, Planned, SeparateOperands, Step};
use crate::routine::{Assign, BoundsCheck, Geqrf, Math, Routine};
use once_cell::sync::OnceCell;

pub use crate::gpu::driver::registry::{MAX_BLOCKS, launch_kernel};

/// The most blocks of a launch in which most blocks may find nothing to do; each loops over several jobs
/// instead.
pub const MAX_LOOPING_BLOCKS: i64 = arch::DEFAULT.blocks.most;

/// A call whose plan has been found. Only [`Run::enqueue`] constructs it, so the operands satisfy that
/// function's contract.
pub struct Call<'a, P: Planned> {
    p: &'a P,
    /// The plan.
    pub plan: &'a Plan<P>,
    /// Where launches go.
    pub queue: Queue<'a>,
    /// Operands that a factorisation may have outside of A, if its plan allows that.
    pub separate: &'a SeparateOperands,
}

impl<'a, P: Planned> Call<'a, P> {
    /// A call on some of the members, with the same plan.
    pub fn of(&self, p: &'a P) -> Call<'a, P> {
        Call { p, ..*self }
    }

    /// Executes the steps of the plan; `launch` passes each launch its arguments.
    pub fn walk(&self, mut launch: impl FnMut(&Launch) -> Result<(), Error>) -> Result<(), Error> {
        self.walk_tasks(|l, _| launch(l))
    }

    /// The same for a plan whose launches have different tasks.
    pub fn walk_tasks(&self, mut launch: impl FnMut(&Launch, P::Task) -> Result<(), Error>) -> Result<(), Error> {
        for step in &self.plan.steps {
            match step {
                Step::Launch(l, task) => {
                    if let Some(list) = self.queue.list() {
                        list.step(self.p, l, *task);
                    }
                    launch(l, *task)?;
                }
                Step::Sub(part) => part(self.p, &mut QueueExecutor(self.queue))?,
            }
        }
        Ok(())
    }
}

/// Executes parts on a queue. Only [`Call::walk`] constructs it, so operands are the caller's or lie in the
/// caller's workspace.
struct QueueExecutor<'a>(Queue<'a>);

impl Parts for QueueExecutor<'_> {
    fn operation(&mut self, op: &dyn Run) -> Result<(), Error> {
        // SAFETY: see above.
        unsafe { op.enqueue(self.0) }
    }

    fn copy(&mut self, c: &Copy) -> Result<(), Error> {
        // SAFETY: see above.
        unsafe { copy(c, self.0) }
    }

    fn convert(&mut self, c: &Convert) -> Result<(), Error> {
        // SAFETY: see above.
        unsafe { convert(c, self.0) }
    }

    fn assign(&mut self, p: &Assign) -> Result<(), Error> {
        // SAFETY: see above.
        unsafe { assign::assign(p, self.0) }
    }

    fn check(&mut self, p: &BoundsCheck) -> Result<(), Error> {
        // SAFETY: see above.
        unsafe { check(p, self.0) }
    }

    fn factor(&mut self, p: &Geqrf, separate: &SeparateOperands) -> Result<(), Error> {
        let plan = plan::of(p, current_limits)?;
        if plan.supports_separate_operands() {
            return enqueue(Call { p, plan: &plan, queue: self.0, separate });
        }
        let copy =
            |from, to, rows, columns, form| Copy { dtype: p.dtype, from, to, rows, columns, form, batch: p.batch };
        let place = (p.a, p.lda);
        if let Some(from) = separate.from {
            self.copy(&copy(from, place, p.m, p.n, Form::Whole))?;
        }
        self.operation(p)?;
        match separate.r {
            Some((r, ldr, rows)) => self.copy(&copy(place, (r, ldr), rows, p.n, Form::Triangle)),
            None => Ok(()),
        }
    }
}

/// Walks a plan. In a list, a heading that describes the whole operation is inserted first.
fn enqueue<P: Launches>(call: Call<P>) -> Result<(), Error> {
    let Some(list) = call.queue.list() else { return call.p.walk(call) };
    let (p, plan, begin) = (call.p, call.plan, list.begin());
    p.walk(call)?;
    list.end(begin, p, plan)
}

/// How the launches of a routine's plans get their arguments.
pub trait Launches: Planned + Routine {
    /// Prepares what the launches of a call have in common and walks the plan. The default is for plans
    /// without launches of their own.
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|_| Err(Error::Internal("a launch without arguments".into())))
    }
}

impl<P: Launches> Run for P {
    unsafe fn enqueue(&self, queue: Queue<'_>) -> Result<(), Error> {
        let plan = plan::of(self, current_limits)?;
        if plan.parts_may_be_refused && queue.list().is_none() {
            List::of(self)?; // fails before any part has run if some part has no allowed plan
        }
        enqueue(Call { p: self, plan: &plan, queue, separate: &SeparateOperands::NONE })
    }

    fn workspace(&self) -> Result<usize, Error> {
        self.workspace_under(&*plan::of(self, current_limits)?)
    }

    fn candidates(&self) -> Result<String, Error> {
        let limits = self.limits(current_limits)?;
        Ok(<P as Planned>::candidates(self.shape(limits), limits))
    }
}

/// Fails if `blocks` exceeds the limit of a launch; for kernels that do not loop over matrices.
pub fn in_one_launch(blocks: i64) -> Result<i64, Error> {
    if blocks <= MAX_BLOCKS {
        Ok(blocks)
    } else {
        Err(Error::NotSupported("a batch of 2^31 or more blocks on the device".into()))
    }
}

/// The number of blocks that share a matrix of `rounds` rounds of tiles: one block takes all of them, unless
/// the batch alone would leave multiprocessors idle.
pub fn blocks_per_matrix(batch: i64, rounds: i64) -> i64 {
    (arch::DEFAULT.blocks.enough / batch).clamp(1, rounds)
}

/// The limits of the current device.
pub fn current_limits() -> Result<Limits, Error> {
    limits(current_device()?)
}

/// The limits of a device, queried once per device.
fn limits(number: i32) -> Result<Limits, Error> {
    static LIMITS: [OnceCell<Limits>; 64] = [const { OnceCell::new() }; 64];
    let ask = || {
        let arch = driver::arch(number)?;
        Ok(Limits {
            shared_per_block: device::shared_per_block(number)? as u32,
            arch: arch as u16,
            native: images::is_native(arch),
            class: Class::INVARIANT,
            share: 0,
            math: Math::Fp32,
            multiprocessors: device::multiprocessors(number)? as u16,
        })
    };
    match LIMITS.get(number as usize) {
        Some(cell) => cell.get_or_try_init(ask).copied(),
        None => ask(),
    }
}
