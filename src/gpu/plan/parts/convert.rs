//! Converts between 16-bit elements and FP32, in one launch.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::driver::registry::launch_kernel;
use crate::gpu::plan::parts::MOST_BLOCKS;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::{NARROW, WIDEN};
use crate::gpu::plan::{Convert, Launch, ceil_div};
use crate::routine::{Operand, Part, Storage};

/// Declared in `kernels/auxiliary/convert.cuh`.
#[repr(C)]
struct ConvertArgs {
    half: DeviceOperand,
    single: DeviceOperand,
    ld_half: i64,
    ld_single: i64,
    batch: i64,
    rows: i64,
    columns: i64,
    part: i32,
    bfloat: i32,
}

/// Converts in stream order.
///
/// # Safety
/// Unless `queue` is a list, the operands must be device memory as `c` describes.
pub unsafe fn convert(c: &Convert, queue: Queue<'_>) -> Result<(), Error> {
    let instance = if c.widen { &WIDEN[0] } else { &NARROW[0] };
    let Convert { half: (half, ld_half), single: (single, ld_single), .. } = *c;
    let (rows, columns, batch) = joined(c);
    // A block processes this many elements at a time, from one column or from several.
    let turn = i64::from(instance.rows);
    let columns_at_once = (turn / ceil_div(rows, 8).saturating_mul(8)).max(1);
    let turns = ceil_div(rows, turn).saturating_mul(ceil_div(columns, columns_at_once));
    let (part, bfloat) = (c.part as i32, (c.storage == Storage::Bf16).into());
    let (half, single) = (half.into(), single.into());
    let mut args = ConvertArgs { half, single, ld_half, ld_single, batch, rows, columns, part, bfloat };
    let blocks = batch.saturating_mul(turns).min(MOST_BLOCKS);
    // SAFETY: the kernels take ConvertArgs; the operands are the caller's.
    unsafe { launch_kernel(&Launch::on(instance, c.rows, c.columns, 0), blocks, &mut args, queue) }
}

/// Rows, columns and members, after merging: a matrix without gaps becomes one column, and members without
/// gaps between them become one member.
fn joined(c: &Convert) -> (i64, i64, i64) {
    let Convert { half, single, part, rows, columns, batch, .. } = *c;
    if part != Part::Full || half.1 != rows || single.1 != rows {
        return (rows, columns, batch);
    }
    // The copies are known to fit the address space, so the product cannot overflow.
    let elements = rows * columns;
    let gapless = |operand| matches!(operand, Operand::Strided { stride, .. } if stride == elements);
    if gapless(half.0) && gapless(single.0) { (elements * batch, 1, 1) } else { (elements, 1, batch) }
}
