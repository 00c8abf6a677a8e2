//! Triangular solves on the device.

use crate::error::Error;
use crate::gpu::args::{Extent, StripsArgs, TrsmArgs, TrsmEachArgs};
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::TRSM_STRIPS;
use crate::gpu::plan::walk::{Call, Launches, MAX_LOOPING_BLOCKS, in_one_launch, launch_kernel};
use crate::gpu::plan::{Launch, ceil_div};
use crate::gpu::trsm::blocked;
use crate::routine::canonical::Canonical;
use crate::routine::{Side, Trsm, TrsmSizes};

impl Launches for Trsm {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        if call.plan.candidate == "halves" {
            return blocked::walk(self, call.queue);
        }
        call.walk(|l| {
            if l.instance.is_of(TRSM_STRIPS) {
                return strips(&[*self], l, call.queue);
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

/// Solves with one triangle, or with both of a factorisation, on strips of right-hand sides.
pub fn strips(triangles: &[Trsm], l: &Launch, queue: Queue<'_>) -> Result<(), Error> {
    let mut args = StripsArgs::new(triangles, l);
    let blocks = in_one_launch(triangles[0].batch.saturating_mul(args.tiles()))?;
    // SAFETY: the kernel takes StripsArgs; its operands are the caller's.
    unsafe { launch_kernel(l, blocks, &mut args, queue) }
}
