//! Forming Q on the device.

use crate::error::Error;
use crate::gpu::args::{LarfbArgs, QArgs};
use crate::gpu::orgqr::at_once;
use crate::gpu::ormqr::each_steps as q_each;
use crate::gpu::ormqr::steps::reflect;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::walk::{Call, Launches, blocks_per_matrix, launch_kernel};
use crate::gpu::plan::{Launch, ceil_div};
use crate::gpu::tall::Task;
use crate::gpu::tall::gram_steps::PendingMembers;
use crate::gpu::tall::update_steps::{Reflector, with_scratch};
use crate::routine::Orgqr;

impl Launches for Orgqr {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if let Some(sizes) = &self.sizes {
            return q_each::orgqr(self, sizes, call);
        }
        if call.plan.candidate == "parts" {
            return at_once::walk(self, call.plan.limits, call.queue);
        }
        let mut args = LarfbArgs::from(self);
        let (limits, queue) = (call.plan.limits, call.queue);
        let mut bytes = 0; // of the sums of panels whose rows are divided
        for (l, _) in call.plan.tasks().filter(|(_, task)| *task == Task::DividedUpdate) {
            bytes = bytes.max(divided(self, l).bytes(limits)?);
        }
        with_scratch(bytes, queue, |sums| {
            // SAFETY: the kernels take these arguments; the operands are the caller's, and the scratch memory
            // suffices for every launch.
            call.walk_tasks(|l, task| unsafe {
                match task {
                    Task::DividedUpdate => {
                        let identity = l.offset + l.k == self.k;
                        divided(self, l).write_q(identity, limits, sums, queue)
                    }
                    Task::Update => panel(self, l, &mut args, queue),
                    Task::Whole | Task::Held | Task::Tree => resident(self, l, queue),
                }
            })
        })
    }
}

/// A panel's reflectors, applied to its own columns and those to their right.
fn divided(p: &Orgqr, l: &Launch) -> Reflector {
    let corner = l.offset * (p.lda + 1);
    Reflector {
        dtype: p.dtype,
        v: p.a,
        ldv: p.lda,
        tau: p.tau,
        c: p.a,
        ldc: p.lda,
        batch: p.batch,
        first: [corner, l.offset, corner],
        m: l.m,
        n: l.n,
        k: l.k,
        adjoint: false,
        zeros: l.k,
        pending: PendingMembers::ALL,
    }
}

/// Launches a kernel that forms Q in registers.
unsafe fn resident(p: &Orgqr, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
    let blocks = ceil_div(p.batch, i64::from(l.instance.per_block));
    // SAFETY: forwarded.
    unsafe { launch_kernel(l, blocks, &mut QArgs::orgqr(p, l.offset), queue) }
}

/// Applies a panel's reflectors to its own columns, which hold them, and to those after them.
unsafe fn panel(p: &Orgqr, l: &Launch, args: &mut LarfbArgs, queue: Queue<'_>) -> Result<(), Error> {
    let corner = l.offset * (p.lda + 1);
    let grain = i64::from(l.instance.tile);
    let own = (ceil_div(l.k, grain) * grain).min(l.n);
    // The columns to the right of the last reflectors are still those of the identity.
    let is_first = l.offset + l.k == p.k;
    let mut part = |first: i64, last: i64, most: i64| {
        args.v0 = corner;
        args.tau0 = l.offset;
        args.c0 = corner + first * p.lda;
        args.n = last - first;
        args.identity = match first {
            _ if is_first => args.n,
            0 => own,
            _ => 0,
        };
        args.diagonal = first;
        args.zeros = l.k as i32;
        // SAFETY: forwarded.
        unsafe { reflect(l, args, p.batch, most, queue) }
    };
    if 0 < own && own < l.n && blocks_per_matrix(p.batch, ceil_div(l.n, i64::from(l.instance.columns))) > 1 {
        // Blocks that share a matrix all read V, so V's columns are overwritten by a second launch.
        part(own, l.n, i64::MAX)?;
        part(0, own, 1)
    } else {
        part(0, l.n, 1)
    }
}
