//! Copies and constants, in one launch.

use crate::error::Error;
use crate::gpu::args::AssignArgs;
use crate::gpu::driver::registry::launch_kernel;
use crate::gpu::plan::parts::MOST_BLOCKS;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::ASSIGN;
use crate::gpu::plan::{Launch, ceil_div};
use crate::routine::Assign;

/// See [`crate::backend::Runtime::assign`].
pub unsafe fn assign(p: &Assign, queue: Queue<'_>) -> Result<(), Error> {
    let kernel = ASSIGN.iter().find(|k| k.dtype == p.dtype).ok_or(Error::Internal("no assign kernel".into()))?;
    let mut args = AssignArgs::from(p);
    // A warp sets this many rows of a column at a time.
    let jobs = p.batch.saturating_mul(p.n).saturating_mul(ceil_div(p.m, kernel.rows.into()));
    let warps = i64::from(kernel.threads / 32);
    let blocks = ceil_div(jobs, warps).min(MOST_BLOCKS);
    // SAFETY: the kernel takes AssignArgs; the operands are the caller's.
    unsafe { launch_kernel(&Launch::on(kernel, p.m, p.n, 0), blocks, &mut args, queue) }
}
