//! Triangular solves on the device.

use super::args::{StripsArgs, TrsmArgs};
use super::walk::{Call, Launches, go, in_one_launch};
use crate::error::Error;
use crate::plan::table::TRSM_STRIPS;
use crate::plan::{Launch, ceil_div};
use crate::routine::canonical::Canonical;
use crate::routine::{Stream, Trsm};

impl Launches for Trsm {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            if l.instance.is_of(TRSM_STRIPS) {
                return strips(&[*self], l, call.stream);
            }
            let tiles = ceil_div(l.n, i64::from(l.instance.columns));
            let blocks = ceil_div(self.batch.saturating_mul(tiles), i64::from(l.instance.per_block));
            let mut args = TrsmArgs::new(self, &Canonical::of(self), tiles);
            // SAFETY: the kernel takes TrsmArgs; its operands are the caller's.
            unsafe { go(l, blocks, &mut args, call.stream) }
        })
    }
}

/// One triangle, or both of a factorisation, on strips of right-hand sides.
pub fn strips(triangles: &[Trsm], l: &Launch, stream: Stream) -> Result<(), Error> {
    let mut args = StripsArgs::new(triangles, l);
    let blocks = in_one_launch(triangles[0].batch.saturating_mul(args.tiles()))?;
    // SAFETY: the kernel takes StripsArgs; its operands are the caller's.
    unsafe { go(l, blocks, &mut args, stream) }
}
