//! Copies matrices in one launch; a step of many plans.

use crate::error::Error;
use crate::gpu::args::CopyArgs;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::{COPY, Instance, TRANSPOSE};
use crate::gpu::plan::walk::launch_kernel;
use crate::gpu::plan::{Copy, Launch, ceil_div};

/// Copies in stream order.
///
/// # Safety
/// Unless `queue` is a list, the operands must be device memory as the copy says, and the destination must
/// not overlap the source.
pub unsafe fn copy(c: &Copy, queue: Queue<'_>) -> Result<(), Error> {
    let (instance, blocks) = if c.form.transposes() { by_tiles(c)? } else { by_columns(c)? };
    // SAFETY: the kernels take CopyArgs; operands are the caller's.
    unsafe { launch_kernel(&Launch::on(instance, c.rows, c.columns, 0), blocks, &mut CopyArgs::from(c), queue) }
}

fn by_columns(c: &Copy) -> Result<(&'static Instance, i64), Error> {
    let instance = Instance::plain(COPY, c.dtype)?;
    // A block processes about 64 bytes per thread at a time. If there are more pieces than blocks, blocks
    // loop.
    let elements = c.rows.saturating_mul(c.columns).saturating_mul(c.batch);
    let turn = 64 * i64::from(instance.threads) / c.dtype.bytes() as i64;
    Ok((instance, ceil_div(elements, turn).max(1)))
}

fn by_tiles(c: &Copy) -> Result<(&'static Instance, i64), Error> {
    let instance = Instance::tiles(TRANSPOSE, c.dtype, c.rows.min(c.columns))?;
    let tiles = |size: i64| ceil_div(size, i64::from(instance.rows));
    let all = tiles(c.rows).saturating_mul(tiles(c.columns)).saturating_mul(c.batch);
    Ok((instance, ceil_div(all, i64::from(instance.per_block))))
}
