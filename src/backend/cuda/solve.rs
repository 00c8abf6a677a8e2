//! Batched triangular solves and least squares on the device.

use super::args::{GelsArgs, TrsmArgs};
use super::driver::current_device;
use super::geqrf::{MAX_BLOCKS, in_one_launch, limits};
use super::registry::launch;
use crate::error::Error;
use crate::plan::gels::{self, Part};
use crate::plan::geqrf::ceil_div;
use crate::plan::table::{GELS_INFO, GELS_PREPARE, Plain};
use crate::plan::trsm::{self, Canonical};
use crate::routine::{Gels, Operation, Stream, Trsm};

/// Launches the plan of `p`; see [`crate::backend::Runtime::run`].
pub unsafe fn trsm(p: &Trsm, stream: Stream) -> Result<(), Error> {
    let c = Canonical::of(p);
    let t = trsm::cached(p.dtype, c.order, c.nrhs, p.batch)?;
    let tiles = ceil_div(c.nrhs, i64::from(t.cols));
    let mut args = TrsmArgs::new(p, &c, tiles);
    let blocks = ceil_div(p.batch.saturating_mul(tiles), i64::from(t.per_block)).min(MAX_BLOCKS);
    // SAFETY: the kernel takes TrsmArgs; its operands are the caller's.
    unsafe { launch(t.kernel, blocks as u32, t.threads, t.shared, &mut [(&raw mut args).cast()], stream) }
}

/// The plan of `p`, for people.
pub fn explain_trsm(p: &Trsm) -> Result<String, Error> {
    let c = Canonical::of(p);
    if c.order < 1 || c.nrhs < 1 || p.batch < 1 {
        return Ok("nothing to do\n".into());
    }
    Ok(trsm::describe(trsm::cached(p.dtype, c.order, c.nrhs, p.batch)?, &c))
}

/// The plan of `p` on the current device.
pub fn gels_plan(p: &Gels) -> Result<gels::Plan, Error> {
    gels::plan(p, limits(current_device()?)?.tuned)
}

/// Bytes of workspace that `p` needs.
pub fn gels_workspace(p: &Gels) -> Result<usize, Error> {
    Ok(gels_plan(p)?.workspace)
}

/// Launches the plan of `p`, whose operations `run` runs; see [`crate::backend::Runtime::run`].
pub unsafe fn gels(
    p: &Gels,
    stream: Stream,
    run: impl Fn(&Operation, Stream) -> Result<(), Error>,
) -> Result<(), Error> {
    let plan = gels_plan(p)?;
    let plain = |table: &'static [Plain]| {
        let found = table.iter().find(|k| k.dtype == p.dtype);
        found.ok_or_else(|| Error::Internal("a kernel of gels is missing".into()))
    };
    for part in plan.parts() {
        let (kernel, threads, per_block, mut args) = match part {
            Part::Run(op) => {
                run(op, stream)?;
                continue;
            }
            Part::Fused(tile) => (tile.kernel, tile.threads, i64::from(tile.per_block), GelsArgs::from(p)),
            Part::Prepare { copy, zero, rows } => {
                let k = plain(GELS_PREPARE)?;
                (k.kernel, k.threads, 1, GelsArgs::prepare(p, *copy, *zero, *rows))
            }
            Part::Info { r, ldr, n } => {
                let k = plain(GELS_INFO)?;
                (k.kernel, k.threads, i64::from(k.threads) / 32, GelsArgs::info(p, *r, *ldr, *n))
            }
        };
        let blocks = match part {
            Part::Fused(_) => in_one_launch(ceil_div(p.batch, per_block))?,
            _ => ceil_div(p.batch, per_block).min(MAX_BLOCKS),
        };
        // SAFETY: the kernels take GelsArgs; operands are the caller's, or in the caller's workspace.
        unsafe { launch(kernel, blocks as u32, threads, 0, &mut [(&raw mut args).cast()], stream)? };
    }
    Ok(())
}
