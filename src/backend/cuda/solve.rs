//! Batched triangular solves and least squares on the device.

use super::Run;
use super::args::{GelsArgs, TrsmArgs};
use super::driver::current_device;
use super::geqrf::{MAX_BLOCKS, in_one_launch, limits};
use super::registry::launch;
use crate::error::Error;
use crate::plan::gels::{self, Part};
use crate::plan::geqrf::ceil_div;
use crate::plan::table::{GELS_INFO, GELS_PREPARE, Instance};
use crate::plan::trsm::{self, Canonical};
use crate::routine::{Gels, Stream, Trsm};

impl Run for Trsm {
    unsafe fn run(&self, stream: Stream) -> Result<(), Error> {
        let c = Canonical::of(self);
        let t = trsm::cached(self.dtype, c.order, c.nrhs, self.batch)?;
        let tiles = ceil_div(c.nrhs, i64::from(t.columns));
        let mut args = TrsmArgs::new(self, &c, tiles);
        let blocks = ceil_div(self.batch.saturating_mul(tiles), i64::from(t.per_block)).min(MAX_BLOCKS);
        // SAFETY: the kernel takes TrsmArgs; its operands are the caller's.
        unsafe { launch(t.kernel, blocks as u32, t.threads, t.shared, &mut [(&raw mut args).cast()], stream) }
    }

    fn explain(&self) -> Result<String, Error> {
        let c = Canonical::of(self);
        if c.order < 1 || c.nrhs < 1 || self.batch < 1 {
            return Ok("nothing to do\n".into());
        }
        Ok(trsm::describe(trsm::cached(self.dtype, c.order, c.nrhs, self.batch)?, &c))
    }
}

/// The plan of `p` on the current device.
fn gels_plan(p: &Gels) -> Result<gels::Plan, Error> {
    gels::plan(p, limits(current_device()?)?.tuned)
}

impl Run for Gels {
    unsafe fn run(&self, stream: Stream) -> Result<(), Error> {
        let plan = gels_plan(self)?;
        let plain = |table: &'static [Instance]| {
            let found = table.iter().find(|k| k.dtype == self.dtype);
            found.ok_or_else(|| Error::Internal("a kernel of gels is missing".into()))
        };
        for part in plan.parts() {
            let (kernel, threads, per_block, mut args) = match part {
                Part::Run(op) => {
                    // SAFETY: its operands are the caller's, or in the caller's workspace.
                    unsafe { Run::run(&**op, stream)? };
                    continue;
                }
                Part::Fused(tile) => (tile.kernel, tile.threads, i64::from(tile.per_block), GelsArgs::from(self)),
                Part::Prepare { copy, zero, rows } => {
                    let k = plain(GELS_PREPARE)?;
                    (k.kernel, k.threads, 1, GelsArgs::prepare(self, *copy, *zero, *rows))
                }
                Part::Info { r, ldr, n } => {
                    let k = plain(GELS_INFO)?;
                    (k.kernel, k.threads, i64::from(k.threads) / 32, GelsArgs::info(self, *r, *ldr, *n))
                }
            };
            let blocks = match part {
                Part::Fused(_) => in_one_launch(ceil_div(self.batch, per_block))?,
                _ => ceil_div(self.batch, per_block).min(MAX_BLOCKS),
            };
            // SAFETY: the kernels take GelsArgs; operands are the caller's, or in the caller's workspace.
            unsafe { launch(kernel, blocks as u32, threads, 0, &mut [(&raw mut args).cast()], stream)? };
        }
        Ok(())
    }

    fn workspace(&self) -> Result<usize, Error> {
        Ok(gels_plan(self)?.workspace)
    }

    fn explain(&self) -> Result<String, Error> {
        gels_plan(self)?.describe(|op| Run::explain(&**op))
    }
}
