//! Copies and constants: one launch.

use super::args::AssignArgs;
use super::registry::launch;
use crate::error::Error;
use crate::plan::table::ASSIGN;
use crate::routine::{Assign, Stream};

/// Rows of a column that a warp sets at a time; mirrors kernels/auxiliary/assign.cuh.
const TILE: i64 = 256;
/// More blocks than any device runs at a time; each goes on to further columns.
const MAX_BLOCKS: i64 = 1 << 16;

/// See [`crate::backend::Runtime::assign`].
pub unsafe fn assign(p: &Assign, stream: Stream) -> Result<(), Error> {
    let kernel = ASSIGN.iter().find(|k| k.dtype == p.dtype).ok_or(Error::Internal("no assign kernel".into()))?;
    let mut args = AssignArgs::from(p);
    let jobs = p.batch.saturating_mul(p.n).saturating_mul((p.m + TILE - 1) / TILE);
    let warps = i64::from(kernel.threads / 32);
    let blocks = (jobs / warps + i64::from(jobs % warps != 0)).min(MAX_BLOCKS) as u32;
    // SAFETY: the kernel takes AssignArgs; the operands are the caller's.
    unsafe { launch(kernel.kernel, blocks, kernel.threads, 0, &mut [(&raw mut args).cast()], stream) }
}
