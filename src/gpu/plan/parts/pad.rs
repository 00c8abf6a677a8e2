//! Copies of members with individual sizes, padded to one size, and back.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::driver::registry::launch_kernel;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::{Instance, PAD_EACH};
use crate::gpu::plan::walk::MAX_LOOPING_BLOCKS;
use crate::gpu::plan::{Launch, ceil_div};
use crate::routine::{Diag, Dtype, Operand, Uplo};

/// Declared in `kernels/auxiliary/pad_each.cuh`.
#[repr(C)]
struct PadEachArgs {
    each: DeviceOperand,
    padded: DeviceOperand,
    checked: *const i32,
    rows: *const i32,
    rows_too: *const i32,
    columns: *const i32,
    nonzero: *const i32,
    leading: *const i32,
    most_rows: i64,
    most_columns: i64,
    ld: i64,
    batch: i64,
    row_tiles: i64,
    column_tiles: i64,
    back: i32,
    identity: i32,
    triangle: i32,
    unit: i32,
}

/// The members' matrices, and their copies.
#[derive(Clone, Copy)]
pub struct Pad {
    /// Element type.
    pub dtype: Dtype,
    /// The members.
    pub each: Operand,
    /// The copies.
    pub padded: Operand,
    /// Rows, columns and leading dimension of the copies.
    pub most: [i64; 3],
    /// Negative for members without elements.
    pub checked: *const i32,
    /// NULL: one row.
    pub rows: *const i32,
    /// Another bound on the rows, or NULL.
    pub rows_too: *const i32,
    /// NULL: one column.
    pub columns: *const i32,
    /// Increments, of which 0 makes a member invalid; or NULL.
    pub nonzero: *const i32,
    /// Leading dimensions, which may be negative for a single row, whose last element then comes first. NULL for a
    /// single column.
    pub leading: *const i32,
    /// Number of members.
    pub batch: i64,
    /// The triangle that is copied, with its kind of diagonal. The rest of the copies is that of the identity.
    pub triangle: Option<(Uplo, Diag)>,
    /// Whether to copy to the members.
    pub back: bool,
}

impl Pad {
    /// Launches the kernel.
    ///
    /// # Safety
    /// Unless `queue` is a list, operands and arrays must be device memory, as large as the sizes say.
    pub unsafe fn launch(&self, queue: Queue<'_>) -> Result<(), Error> {
        let &Pad { dtype, most: [rows, columns, ld], batch, .. } = self;
        let launch = Launch::on(Instance::plain(PAD_EACH, dtype)?, rows, columns, 0);
        let tiles = |size, tile: u32| ceil_div(size, tile.into());
        let (row_tiles, column_tiles) = (tiles(rows, launch.instance.rows), tiles(columns, launch.instance.columns));
        let mut args = PadEachArgs {
            each: self.each.into(),
            padded: self.padded.into(),
            checked: self.checked,
            rows: self.rows,
            rows_too: self.rows_too,
            columns: self.columns,
            nonzero: self.nonzero,
            leading: self.leading,
            most_rows: rows,
            most_columns: columns,
            ld,
            batch,
            row_tiles,
            column_tiles,
            back: self.back.into(),
            identity: self.triangle.is_some().into(),
            triangle: self.triangle.map_or(0, |(uplo, _)| if uplo == Uplo::Lower { 1 } else { 2 }),
            unit: self.triangle.is_some_and(|(_, diag)| diag == Diag::Unit).into(),
        };
        let blocks = batch.saturating_mul(row_tiles).saturating_mul(column_tiles).min(MAX_LOOPING_BLOCKS);
        // SAFETY: the kernel takes PadEachArgs; the operands are the caller's.
        unsafe { launch_kernel(&launch, blocks, &mut args, queue) }
    }
}
