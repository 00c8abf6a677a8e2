//! Triangular solves on the device.

use crate::error::Error;
use crate::gpu::args::{Extent, StripsArgs, TrsmArgs, TrsmEachArgs};
use crate::gpu::plan::padded;
use crate::gpu::plan::padded::{Matrices, Padded};
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::TRSM_STRIPS;
use crate::gpu::plan::walk::{Call, Launches, MAX_LOOPING_BLOCKS, in_one_launch, launch_kernel};
use crate::gpu::plan::{Launch, ceil_div};
use crate::gpu::trsm::blocked;
use crate::routine::canonical::Canonical;
use crate::routine::{Bounds, Diag, Operand, Side, Trsm, TrsmSizes, Uplo};

impl Launches for Trsm {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if call.plan.candidate == "halves" {
            return blocked::walk(self, call.queue);
        }
        if call.plan.candidate == "padded" {
            return padded::walk(self, call.queue);
        }
        call.walk(|l| {
            if l.instance.is_of(TRSM_STRIPS) {
                return strips(&[*self], [0; 2], l, call.queue);
            }
            let tiles = ceil_div(l.n, i64::from(l.instance.columns));
            let blocks = ceil_div(self.batch.saturating_mul(tiles), i64::from(l.instance.per_block));
            let Some(TrsmSizes { m, n, lda, ldb }) = self.sizes else {
                let mut args = TrsmArgs::new(self, &Canonical::of(self), tiles);
                // SAFETY: the kernel takes TrsmArgs; its operands are the caller's.
                return unsafe { launch_kernel(l, blocks, &mut args, call.queue) };
            };
            let p = Trsm { lda: 0, ldb: 0, ..*self };
            let (rows, columns) = (Extent::new(m, self.m), Extent::new(n, self.n));
            let extents = if self.side == Side::Left { [rows, columns] } else { [columns, rows] };
            let mut args = TrsmEachArgs::new(&p, &Canonical::of(&p), tiles, extents, [lda, ldb]);
            // SAFETY: this kernel takes TrsmEachArgs; its operands are the caller's.
            unsafe { launch_kernel(l, blocks.min(MAX_LOOPING_BLOCKS), &mut args, call.queue) }
        })
    }
}

impl Padded for Trsm {
    fn matrices(&self) -> [Option<Matrices>; 3] {
        let TrsmSizes { m, n, lda, ldb } = self.sizes.unwrap_or(TrsmSizes::NULL);
        let (order, most) = if self.side == Side::Left { (m, self.m) } else { (n, self.n) };
        let b = Matrices::of(self.b, [self.m, self.n], [m, n, ldb], true);
        let a = triangle(self.a, most, [order, lda], (self.uplo, self.diag));
        [Some(a), Some(b), None]
    }

    fn size_bounds(&self) -> Option<Bounds> {
        Some(self.sizes?.bounds(self.side, [self.m, self.n]))
    }

    fn on_copies(&self, [(a, lda), (b, ldb), _]: [(Operand, i64); 3], batch: i64) -> Trsm {
        Trsm { a, lda, b, ldb, batch, sizes: None, ..*self }
    }
}

/// Triangles of these orders.
pub fn triangle(
    operand: Operand,
    most: i64,
    [order, leading]: [*const i32; 2],
    (uplo, diag): (Uplo, Diag),
) -> Matrices {
    let squares = Matrices::of(operand, [most, most], [order, order, leading], false);
    Matrices { triangle: Some((uplo, diag)), ..squares }
}

/// Solves with one triangle, or with both of a factorisation, on strips of right-hand sides. `first`: the elements of
/// each member of A and of B that precede them.
pub fn strips(triangles: &[Trsm], first: [i64; 2], l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
    let mut args = StripsArgs::new(triangles, first, l);
    let blocks = in_one_launch(triangles[0].batch.saturating_mul(args.tiles()))?;
    // SAFETY: the kernel takes StripsArgs; its operands are the caller's.
    unsafe { launch_kernel(l, blocks, &mut args, queue) }
}
