//! Inverts the diagonal blocks of triangular factors, by which strips then multiply ([`crate::gpu::plan::strip`]).

use crate::error::Error;
use crate::gpu::args::DeviceOperand;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::strip::order_of_blocks;
use crate::gpu::plan::walk::{in_one_launch, launch_kernel};
use crate::gpu::plan::{Launch, ceil_div};
use crate::routine::{Diag, Operand, Uplo};

/// Declared in `kernels/getrf/diagonal_inverses.cuh`.
#[repr(C)]
struct DiagonalInversesArgs {
    a: DeviceOperand,
    to: DeviceOperand,
    lda: i64,
    batch: i64,
    n: i32,
    blocks: i32,
    cholesky: i32,
    unit: i32,
}

/// Inverts the diagonal blocks of LU factors, or of a Cholesky factor or another triangle of the given form; one per
/// warp.
pub(crate) fn invert_diagonals(
    l: &Launch,
    (a, lda): (Operand, i64),
    to: Operand,
    triangle: Option<(Uplo, Diag)>,
    batch: i64,
    queue: Queue<'_>,
) -> Result<(), Error> {
    let blocks = ceil_div(l.n, order_of_blocks());
    let grid = ceil_div(batch.saturating_mul(blocks), i64::from(l.instance.threads) / 32);
    let cholesky = triangle.map_or(0, |(uplo, _)| if uplo == Uplo::Lower { 1 } else { 2 });
    let unit = triangle.is_some_and(|(_, diag)| diag == Diag::Unit).into();
    // Orders whose factors fit in shared memory are small.
    let (a, to, n, blocks) = (a.into(), to.into(), l.n as i32, blocks as i32);
    let mut args = DiagonalInversesArgs { a, to, lda, batch, n, blocks, cholesky, unit };
    // SAFETY: the kernel takes DiagonalInversesArgs; the operands are the caller's, or in the caller's workspace.
    unsafe { launch_kernel(l, in_one_launch(grid)?, &mut args, queue) }
}
