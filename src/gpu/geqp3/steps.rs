//! QR with column pivoting on the device.

use crate::error::Error;
use crate::gpu::args::{DeviceOperand, SizesArgs};
use crate::gpu::geqp3::{Task, norms};
use crate::gpu::plan::table::GEQP3_GENERIC;
use crate::gpu::plan::walk::{Call, Launches, in_one_launch, launch_kernel};
use crate::gpu::plan::{ceil_div, classes};
use crate::routine::{Geqp3, Sizes};

/// Declared in `kernels/geqp3/args.cuh`.
#[repr(C)]
struct Geqp3Args {
    a: DeviceOperand,
    jpvt: DeviceOperand,
    tau: DeviceOperand,
    norms: DeviceOperand,
    info: *mut i32,
    lda: i64,
    batch: i64,
    step: i64,
    m: i32,
    n: i32,
    sizes: SizesArgs,
    each: i32,
    pad: i32,
}

impl Launches for Geqp3 {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        classes::walk(&call, |l, task, queue| {
            let &Geqp3 { m, n, a, lda, jpvt, tau, info, batch, work, .. } = self;
            let blocks = match task {
                Task::Factor if !l.instance.is_of(GEQP3_GENERIC) => {
                    in_one_launch(ceil_div(batch, i64::from(l.per_block)))?
                }
                Task::Factor | Task::Pivot => batch, // these loop over the batch
                Task::Apply => in_one_launch(batch.saturating_mul(n - (l.offset + 1)))?,
            };
            let norms = if call.plan.candidate == "resident" {
                DeviceOperand::NONE
            } else {
                norms(self)?.operand(0, work).into()
            };
            let (a, jpvt, tau) = (a.into(), jpvt.into(), tau.into());
            let sizes = SizesArgs::new(&self.sizes.unwrap_or(Sizes::NULL), (m, n), (l.over, l.upto));
            // The plan has refused sizes of 2^31 and more.
            let (m, n, each) = (m as i32, n as i32, self.sizes.is_some().into());
            let mut args =
                Geqp3Args { a, jpvt, tau, norms, info, lda, batch, step: l.offset, m, n, sizes, each, pad: 0 };
            // SAFETY: the kernels take Geqp3Args; the operands are the caller's, or in the caller's workspace.
            unsafe { launch_kernel(l, blocks, &mut args, queue) }
        })
    }
}
