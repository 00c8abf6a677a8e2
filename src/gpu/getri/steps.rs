//! Inverses on the device.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::data_movement::identity_each::Identity;
use crate::gpu::getri::{Strips, Task, factors, interchanged, inverses, lanes};
use crate::gpu::plan::parts::diagonals::invert_diagonals;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::walk::{Call, Launches, blocks_per_matrix, in_one_launch, launch_kernel};
use crate::gpu::plan::{Launch, ceil_div};
use crate::routine::{Getri, GetriSizes, Inv, Operand};

/// Declared in `kernels/getrf/args.cuh`, where `lanes` is padding, and in `kernels/getrf/grid_inverse.cuh`.
#[repr(C)]
struct InverseArgs {
    a: DeviceOperand,
    c: DeviceOperand,
    ipiv: DeviceOperand,
    info: *mut i32,
    lda: i64,
    ldc: i64,
    batch: i64,
    n: i32,
    lanes: i32,
}

/// Declared in `kernels/getrf/identity.cuh`.
#[repr(C)]
struct IdentityArgs {
    a: DeviceOperand,
    ipiv: DeviceOperand,
    c: DeviceOperand,
    info: *mut i32,
    lda: i64,
    ldc: i64,
    batch: i64,
    n: i32,
    strips: i32,
}

/// Declared in `kernels/getrf/strip_inverse.cuh`.
#[repr(C)]
struct StripInverseArgs {
    a: DeviceOperand,
    c: DeviceOperand,
    ipiv: DeviceOperand,
    inverses: DeviceOperand,
    info: *mut i32,
    lda: i64,
    ldc: i64,
    batch: i64,
    n: i32,
    strips: i32,
    slots: i32,
    at_once: i32,
    composed: i32,
    pad: i32,
}

/// Launches one block per strip of columns.
fn by_strips(p: &Getri, l: &Launch, call: &Call<Getri>) -> Result<(), Error> {
    let given = call.plan.tasks().any(|(_, task)| task == Task::InvertDiagonals);
    let strips = Strips::of(p, l, given, call.plan.limits)?;
    let Strips { factors: (a, lda), interchanges, composed, inverses, layout } = strips;
    let strips = ceil_div(l.n, i64::from(l.instance.columns));
    let &Getri { c, ldc, info, batch, .. } = p;
    let mut args = StripInverseArgs {
        a: a.into(),
        c: c.into(),
        ipiv: interchanges.into(),
        inverses: inverses.map_or(DeviceOperand::NONE, Into::into),
        info,
        lda,
        ldc,
        batch,
        // Orders whose factors fit in shared memory are small.
        n: l.n as i32,
        strips: strips as i32,
        slots: layout.slots as i32,
        at_once: layout.at_once as i32,
        composed: composed.into(),
        pad: 0,
    };
    // SAFETY: the kernel takes StripInverseArgs; the operands are the caller's, or in the caller's workspace.
    unsafe { launch_kernel(l, in_one_launch(batch.saturating_mul(strips))?, &mut args, call.queue) }
}

impl Launches for Getri {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk_tasks(|l, task| {
            let &Getri { a, lda, ipiv, c, ldc, info, batch, .. } = self;
            if task == Task::Invert {
                return small(l, (a, lda), ipiv.into(), (c, ldc), info, batch, call.queue);
            }
            if task == Task::InvertDiagonals {
                return invert_diagonals(l, factors(self)?, inverses(self)?, None, batch, call.queue);
            }
            if task == Task::InvertByStrips {
                return by_strips(self, l, &call);
            }
            if let Some(GetriSizes { lda, ldc, .. }) = self.sizes {
                let orders = self.work.p.cast();
                let identity = Identity { a: (a, lda), to: (c, ldc), orders, info, batch, leave: false };
                // SAFETY: the operands are the caller's, the orders in the caller's workspace.
                return unsafe { identity.launch(l, call.queue) };
            }
            let (a, lda) = factors(self)?;
            // A warp writes one column at a time.
            let strips = blocks_per_matrix(batch, ceil_div(l.n, i64::from(l.instance.threads) / 32));
            let ipiv = if interchanged(l) { ipiv.into() } else { DeviceOperand::NONE };
            let (a, c, n) = (a.into(), c.into(), l.n as i32);
            let mut args = IdentityArgs { a, ipiv, c, info, lda, ldc, batch, n, strips: strips as i32 };
            // SAFETY: the kernel takes IdentityArgs; the operands are the caller's, or in the caller's workspace.
            unsafe { launch_kernel(l, in_one_launch(batch.saturating_mul(strips))?, &mut args, call.queue) }
        })
    }
}

impl Launches for Inv {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let &Inv { a, lda, c, ldc, info, batch, .. } = self;
            small(l, (a, lda), DeviceOperand::NONE, (c, ldc), info, batch, call.queue)
        })
    }
}

/// Inverts in registers: a row per lane, or a grid of lanes.
fn small(
    l: &Launch,
    (a, lda): (Operand, i64),
    ipiv: DeviceOperand,
    (c, ldc): (Operand, i64),
    info: *mut i32,
    batch: i64,
    queue: Queue<'_>,
) -> Result<(), Error> {
    let blocks = in_one_launch(ceil_div(batch, i64::from(l.per_block)))?;
    let (n, lanes) = (l.n as i32, lanes(l) as i32);
    let mut args = InverseArgs { a: a.into(), c: c.into(), ipiv, info, lda, ldc, batch, n, lanes };
    // SAFETY: the kernels take InverseArgs, or GridInverseArgs; the operands are the caller's.
    unsafe { launch_kernel(l, blocks, &mut args, queue) }
}
