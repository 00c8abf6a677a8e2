//! Least squares on the device: the launches around the factorisation, or the single fused launch.

use crate::error::Error;
use crate::gpu::args::GelsArgs;
use crate::gpu::gels;
use crate::gpu::gels::Task;
use crate::gpu::plan::ceil_div;
use crate::gpu::plan::walk::{Call, Launches, in_one_launch, launch_kernel};
use crate::routine::Gels;

impl Launches for Gels {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk_tasks(|l, task| {
            if self.sizes.is_some() {
                // SAFETY: the operands are the caller's, or in the caller's workspace.
                return unsafe { gels::each::launch(self, l, task, call.queue) };
            }
            // Where a warp has a matrix.
            let of_warps = || ceil_div(self.batch, i64::from(l.instance.threads) / 32);
            let on_factors =
                || Ok::<_, Error>(GelsArgs::on(self, gels::factored(self)?, gels::shifts(self)?, (l.m, l.n)));
            let (blocks, mut args) = match task {
                Task::Prepare => {
                    let copy = if self.m < self.n { Some(gels::factored(self)?.0) } else { None };
                    (self.batch, GelsArgs::prepare(self, copy, l.offset, l.offset + l.m))
                }
                Task::Scale => (of_warps(), on_factors()?.rows(0, l.offset)),
                Task::Finish => (of_warps(), on_factors()?.rows(l.offset, l.m).solution(self.solution_rows())),
                Task::Solve => {
                    (in_one_launch(ceil_div(self.batch, i64::from(l.instance.per_block)))?, GelsArgs::from(self))
                }
            };
            // SAFETY: the kernels take GelsArgs; operands are the caller's, or in the caller's workspace.
            unsafe { launch_kernel(l, blocks, &mut args, call.queue) }
        })
    }
}
