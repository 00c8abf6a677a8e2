//! Triangular solves on the device.

use super::args::TrsmArgs;
use super::walk::{Call, Launches, go};
use crate::error::Error;
use crate::plan::ceil_div;
use crate::routine::Trsm;
use crate::routine::canonical::Canonical;

impl Launches for Trsm {
    fn walk(&self, call: Call<Self>) -> Result<(), Error> {
        call.walk(|l| {
            let tiles = ceil_div(l.n, i64::from(l.instance.columns));
            let blocks = ceil_div(self.batch.saturating_mul(tiles), i64::from(l.instance.per_block));
            let mut args = TrsmArgs::new(self, &Canonical::of(self), tiles);
            // SAFETY: the kernel takes TrsmArgs; its operands are the caller's.
            unsafe { go(l, blocks, &mut args, call.stream) }
        })
    }
}
