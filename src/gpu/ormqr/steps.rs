//! Applying Q and block reflectors on the device.

use crate::error::Error;
use crate::gpu::args::LarfbArgs;
use crate::gpu::ormqr::Canonical;
use crate::gpu::ormqr::at_once;
use crate::gpu::ormqr::each_steps as q_each;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::LARFB;
use crate::gpu::plan::walk::{Call, Launches, blocks_per_matrix, launch_kernel};
use crate::gpu::plan::{Launch, Planned, ceil_div};
use crate::gpu::tall::Task;
use crate::gpu::tall::gram_steps::PendingMembers;
use crate::gpu::tall::update_steps::{Reflector, with_scratch};
use crate::routine::{Larfb, Ormqr};

/// Launches a block reflector on `args.n` columns; at most `most` blocks share a matrix.
///
/// # Safety
/// See [`launch_kernel`]; the kernel must take LarfbArgs.
pub unsafe fn reflect(l: &Launch, args: &mut LarfbArgs, batch: i64, most: i64, queue: Queue<'_>) -> Result<(), Error> {
    args.m = l.m;
    args.k = l.k;
    // If one launch applies all reflectors and its family has no tiles, it works column by column.
    let tiles = ceil_div(args.n, i64::from(l.instance.columns).max(1));
    // A block of the fused kernel loops over the tiles of a matrix; in other kernels each tile has its own team.
    args.tiles = if l.instance.is_of(LARFB) { blocks_per_matrix(batch, tiles).min(most) } else { tiles };
    let clusters = ceil_div(batch.saturating_mul(args.tiles), i64::from(l.instance.per_block));
    // SAFETY: forwarded.
    unsafe { launch_kernel(l, clusters, args, queue) }
}

/// Walks a plan whose launches take `args`, for which this function sets the offsets. `divided` handles the launches
/// whose rows are divided, and returns `None` for others.
fn apply<P: Planned>(
    c: Canonical,
    mut args: LarfbArgs,
    batch: i64,
    call: &Call<P>,
    divided: impl Fn(&Launch, P::Task) -> Option<Result<(), Error>>,
) -> Result<(), Error> {
    args.adjoint = c.adjoint.into();
    args.transposed = c.transposed.into();
    args.conjugate = c.conjugate.into();
    args.n = c.columns;
    call.walk_tasks(|l, task| {
        if let Some(done) = divided(l, task) {
            return done;
        }
        args.v0 = l.offset * (args.ldv + 1);
        args.tau0 = l.offset;
        args.t0 = l.offset * (args.ldt + 1);
        args.c0 = l.offset * if c.transposed { args.ldc } else { 1 };
        // SAFETY: the plans' kernels take LarfbArgs; the operands are the caller's.
        unsafe { reflect(l, &mut args, batch, i64::MAX, call.queue) }
    })
}

impl Launches for Ormqr {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if let Some(sizes) = &self.sizes {
            return q_each::ormqr(self, sizes, call);
        }
        if call.plan.candidate == "parts" {
            return at_once::walk(self, call.plan.limits, call.queue);
        }
        let c = Canonical::of(self.dtype, self.side, self.trans, self.m, self.n);
        let limits = call.plan.limits;
        let mut bytes = 0; // of the sums of block reflectors whose rows are divided
        for (l, _) in call.plan.tasks().filter(|(_, task)| *task == Task::DividedUpdate) {
            bytes = bytes.max(divided(self, c, l).bytes(limits)?);
        }
        with_scratch(bytes, call.queue, |sums| {
            apply(c, self.into(), self.batch, &call, |l, task| {
                // SAFETY: the operands are the caller's, and the scratch memory suffices for every launch.
                let launch = || unsafe { divided(self, c, l).launch(limits, sums, call.queue) };
                (task == Task::DividedUpdate).then(launch)
            })
        })
    }
}

fn divided(p: &Ormqr, c: Canonical, l: &Launch) -> Reflector {
    Reflector {
        dtype: p.dtype,
        v: p.a,
        ldv: p.lda,
        tau: p.tau,
        c: p.c,
        ldc: p.ldc,
        batch: p.batch,
        first: [l.offset * (p.lda + 1), l.offset, l.offset],
        m: l.m,
        n: l.n,
        k: l.k,
        adjoint: c.adjoint,
        zeros: 0,
        pending: PendingMembers::ALL,
    }
}

impl Launches for Larfb {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        let c = Canonical::of(self.dtype, self.side, self.trans, self.m, self.n);
        apply(c, self.into(), self.batch, &call, |_, ()| None)
    }
}
