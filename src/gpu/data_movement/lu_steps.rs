//! Steps of MAGMA's LU that are not routines of their own: one launch each.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::driver::registry::launch_kernel;
use crate::gpu::plan::parts::MOST_BLOCKS;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::{EXCHANGE_COLUMNS, Instance, MERGE_CODES, PERMUTE_ROWS, SHIFT_POINTERS};
use crate::gpu::plan::{Launch, ceil_div};
use crate::routine::{ExchangeColumns, PanelStep, PermuteRows};
use std::ffi::c_void;

// Arguments as kernels/auxiliary/panel.cuh declares them.

#[repr(C)]
struct ExchangeColumnsArgs {
    a: DeviceOperand,
    ipiv: DeviceOperand,
    lda: i64,
    batch: i64,
    rows: i64,
    first: i64,
    count: i64,
    backwards: i32,
    pad: i32,
}

#[repr(C)]
struct PermuteRowsArgs {
    from: DeviceOperand,
    to: DeviceOperand,
    order: DeviceOperand,
    from0: i64,
    to0: i64,
    ld_from: i64,
    ld_to: i64,
    batch: i64,
    n: i64,
    rows: i32,
    columns: i32,
}

#[repr(C)]
struct ShiftPointersArgs {
    out: *mut *mut c_void,
    array: *mut *mut c_void,
    bytes: i64,
    batch: i64,
}

#[repr(C)]
struct MergeCodesArgs {
    codes: *mut i32,
    own: *const i32,
    batch: i64,
    step: i32,
    pad: i32,
}

/// See [`crate::backend::Runtime::panel`].
pub unsafe fn run(step: &PanelStep, queue: Queue<'_>) -> Result<(), Error> {
    // SAFETY: each kernel gets its own arguments; the operands are the caller's.
    unsafe {
        match *step {
            PanelStep::ExchangeColumns(ref p) => exchange_columns(p, queue),
            PanelStep::PermuteRows(ref p) => permute_rows(p, queue),
            PanelStep::Blocks(ref p) => super::blocks::run(p, queue),
            PanelStep::ShiftPointers { out, array, bytes, batch } => {
                let instance = &SHIFT_POINTERS[0];
                launch(instance, each(instance, batch), &mut ShiftPointersArgs { out, array, bytes, batch }, queue)
            }
            PanelStep::MergeCodes { codes, own, step, batch } => {
                let instance = &MERGE_CODES[0];
                launch(instance, each(instance, batch), &mut MergeCodesArgs { codes, own, batch, step, pad: 0 }, queue)
            }
        }
    }
}

/// Blocks for one thread per member.
fn each(instance: &Instance, batch: i64) -> i64 {
    ceil_div(batch, instance.threads.into())
}

unsafe fn launch<A>(instance: &'static Instance, blocks: i64, args: &mut A, queue: Queue<'_>) -> Result<(), Error> {
    // SAFETY: forwarded from the caller.
    unsafe { launch_kernel(&Launch::on(instance, 0, 0, 0), blocks.min(MOST_BLOCKS), args, queue) }
}

unsafe fn exchange_columns(p: &ExchangeColumns, queue: Queue<'_>) -> Result<(), Error> {
    let instance = Instance::plain(EXCHANGE_COLUMNS, p.dtype)?;
    let mut args = ExchangeColumnsArgs {
        a: p.a.into(),
        ipiv: p.ipiv.into(),
        lda: p.lda,
        batch: p.batch,
        rows: p.rows,
        first: p.first - 1,
        count: p.count(),
        backwards: (p.last < p.first).into(),
        pad: 0,
    };
    let blocks = p.batch.saturating_mul(ceil_div(p.rows, instance.threads.into()));
    unsafe { launch(instance, blocks, &mut args, queue) }
}

unsafe fn permute_rows(p: &PermuteRows, queue: Queue<'_>) -> Result<(), Error> {
    let instance = Instance::plain(PERMUTE_ROWS, p.dtype)?;
    if p.rows > instance.rows.into() {
        return Err(Error::Internal("more rows than the kernel has room for".into()));
    }
    let columns = (i64::from(instance.rows) * i64::from(instance.columns) / p.rows).min(p.n);
    let mut args = PermuteRowsArgs {
        from: p.from.matrices.into(),
        to: p.to.matrices.into(),
        order: p.order.into(),
        from0: p.from.first,
        to0: p.to.first,
        ld_from: p.from.ld,
        ld_to: p.to.ld,
        batch: p.batch,
        n: p.n,
        // Neither exceeds what the instance holds.
        rows: p.rows as i32,
        columns: columns as i32,
    };
    let blocks = p.batch.saturating_mul(ceil_div(p.n, columns));
    unsafe { launch(instance, blocks, &mut args, queue) }
}
