//! Adjoints of members with individual sizes, with one block per strip of columns.

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::driver::registry::launch_kernel;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::walk::MAX_LOOPING_BLOCKS;
use crate::gpu::plan::{Launch, ceil_div};
use crate::routine::Operand;

/// Declared in `kernels/auxiliary/adjoint_each.cuh`.
#[repr(C)]
struct AdjointEachArgs {
    from: DeviceOperand,
    to: DeviceOperand,
    rows: *const i32,
    columns: *const i32,
    ld_from: *const i32,
    ld_to: *const i32,
    batch: i64,
    strips: i64,
}

/// Matrices and the destination of their adjoints, both with leading dimensions; the sizes must have been checked.
pub struct Adjoint {
    pub from: (Operand, *const i32),
    pub to: (Operand, *const i32),
    pub rows: *const i32,
    pub columns: *const i32,
    pub batch: i64,
}

impl Adjoint {
    /// Launches the kernel. The launch's columns are those of the largest member.
    ///
    /// # Safety
    /// Unless `queue` is a list, operands and arrays must be device memory, as large as the sizes say.
    pub unsafe fn launch(&self, l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
        let &Adjoint { from: (from, ld_from), to: (to, ld_to), rows, columns, batch } = self;
        let strips = ceil_div(l.n, i64::from(l.instance.columns));
        let (from, to) = (from.into(), to.into());
        let mut args = AdjointEachArgs { from, to, rows, columns, ld_from, ld_to, batch, strips };
        // SAFETY: the kernel takes AdjointEachArgs; the operands are the caller's.
        unsafe { launch_kernel(l, batch.saturating_mul(strips).min(MAX_LOOPING_BLOCKS), &mut args, queue) }
    }
}
