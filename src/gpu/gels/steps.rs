//! Least squares on the device: the launches around the factorisation, or the single fused launch.

use crate::error::Error;
use crate::gpu::args::GelsArgs;
use crate::gpu::gels;
use crate::gpu::plan::ceil_div;
use crate::gpu::plan::table::{GELS_FINISH, GELS_PREPARE, GELS_SCALE};
use crate::gpu::plan::walk::{Call, Launches, in_one_launch, launch_kernel};
use crate::routine::Gels;

impl Launches for Gels {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            if self.sizes.is_some() {
                // SAFETY: the operands are the caller's, or in the caller's workspace.
                return unsafe { gels::each::launch(self, l, call.queue) };
            }
            let (blocks, mut args) = if l.instance.is_of(GELS_PREPARE) {
                let copy = if self.m < self.n { Some(gels::factored(self)?.0) } else { None };
                (self.batch, GelsArgs::prepare(self, copy, l.offset, l.offset + l.m))
            } else if l.instance.is_of(GELS_SCALE) {
                // One warp per matrix.
                let blocks = ceil_div(self.batch, i64::from(l.instance.threads) / 32);
                (blocks, GelsArgs::on(self, gels::factored(self)?, gels::shifts(self)?, (l.m, l.n)).rows(0, l.offset))
            } else if l.instance.is_of(GELS_FINISH) {
                let blocks = ceil_div(self.batch, i64::from(l.instance.threads) / 32);
                let args = GelsArgs::on(self, gels::factored(self)?, gels::shifts(self)?, (l.m, l.n));
                (blocks, args.rows(l.offset, l.m).solution(self.solution_rows()))
            } else {
                let blocks = in_one_launch(ceil_div(self.batch, i64::from(l.instance.per_block)))?;
                (blocks, GelsArgs::from(self))
            };
            // SAFETY: the kernels take GelsArgs; operands are the caller's, or in the caller's workspace.
            unsafe { launch_kernel(l, blocks, &mut args, call.queue) }
        })
    }
}
