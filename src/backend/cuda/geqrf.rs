//! Batched QR on the device: look the plan up, launch its steps.

use super::Run;
use super::args::{ExtractArgs, GeqrfArgs, LarfbArgs, Outside};
use super::driver::{self, current_device};
use super::registry::{clusters_at_once, launch};
use crate::error::Error;
use crate::plan::geqrf::{Class, Limits, ceil_div};
use crate::plan::select::{self, Kept, cached};
use crate::plan::table::{EXTRACT, NATIVE};
use crate::routine::{Geqrf, GeqrfExtract, Math, Stream};
use cudarc::driver::sys::CUdevice_attribute;
use once_cell::sync::OnceCell;
use std::rc::Rc;

/// Most blocks of a launch; many kernels that could need more loop over the rest, for the others see [`in_one_launch`].
pub const MAX_BLOCKS: i64 = i32::MAX as i64;

/// Refuses what a kernel that does not loop over matrices would need too many blocks for.
pub fn in_one_launch(blocks: i64) -> Result<i64, Error> {
    if blocks <= MAX_BLOCKS {
        Ok(blocks)
    } else {
        Err(Error::NotSupported("a batch of 2^31 or more blocks on the device".into()))
    }
}

/// What the device can hold; asked for once.
pub fn limits(device: i32) -> Result<Limits, Error> {
    static LIMITS: [OnceCell<Limits>; 64] = [const { OnceCell::new() }; 64];
    let ask = || {
        use CUdevice_attribute::*;
        let of = |attribute| driver::attribute(attribute, device);
        let major = of(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = of(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        // Code runs on later devices of its major version.
        let own = |code: &u32| *code / 10 == major as u32 && *code % 10 <= minor as u32;
        Ok(Limits {
            shared_per_block: of(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)? as u32,
            arch: (major * 10 + minor) as u16,
            tuned: NATIVE.iter().any(own),
            class: Class::INVARIANT,
            math: Math::Fp32,
            multiprocessors: of(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u16,
        })
    };
    match LIMITS.get(device as usize) {
        Some(cell) => cell.get_or_try_init(ask).copied(),
        None => ask(),
    }
}

fn current_limits(p: &Geqrf) -> Result<Limits, Error> {
    Ok(limits(current_device()?)?.with_batch(p.m, p.n, p.batch).with_math(p.dtype, p.math))
}

/// The plan of a problem on the current device.
pub fn current_plan(p: &Geqrf) -> Result<Rc<Kept>, Error> {
    cached(p.dtype, p.m, p.n, current_limits(p)?)
}

/// Blocks that share a matrix of so many rounds of tiles: one takes all, unless the batch alone would leave
/// multiprocessors idle.
pub fn sharing(batch: i64, rounds: i64) -> i64 {
    const ENOUGH_BLOCKS: i64 = 512;
    (ENOUGH_BLOCKS / batch).clamp(1, rounds)
}

impl Geqrf {
    /// Factors; `outside`: see there.
    ///
    /// # Safety
    /// As [`Run::run`]; the operands of `outside` are valid, too.
    pub(super) unsafe fn run_outside(&self, outside: &Outside, stream: Stream) -> Result<(), Error> {
        let limits = current_limits(self)?;
        let plan = cached(self.dtype, self.m, self.n, limits)?;
        if self.batch > MAX_BLOCKS {
            for step in plan.steps.iter().filter(|step| step.k == 0) {
                in_one_launch(step.blocks(self.batch, limits.multiprocessors.into()))?;
            }
        }
        let divisions = plan.divisions(self.batch, |step| match step.cluster {
            ..=2 => Ok(step.at_once(limits.multiprocessors.into())),
            _ => clusters_at_once(step.kernel, step.threads, step.shared, step.cluster as u32),
        })?;
        let mut args = GeqrfArgs::try_from(self)?;
        let mut update = LarfbArgs::from(self);
        for ((step, fresh), division) in plan.steps.iter().zip(plan.fresh()).zip(divisions.iter()) {
            let (blocks, mut params) = if step.k > 0 {
                update.m = step.m;
                update.n = step.n - step.k;
                update.k = step.k;
                update.v0 = step.offset * (self.lda + 1);
                update.c0 = update.v0 + step.k * self.lda;
                update.tau0 = step.offset;
                update.tiles = division.1;
                update.outside(outside, fresh, step.offset, step.k);
                (division.0, [(&raw mut update).cast()])
            } else {
                args.place(step.m, step.n, step.offset);
                args.outside(outside, fresh);
                (step.blocks(self.batch, limits.multiprocessors.into()), [(&raw mut args).cast()])
            };
            let blocks = (blocks.min(MAX_BLOCKS / step.cluster) * step.cluster) as u32;
            // SAFETY: the step's kernel takes LarfbArgs or GeqrfArgs; its operands are the caller's.
            unsafe { launch(step.kernel, blocks, step.threads, step.shared, &mut params, stream)? };
            args.info_is_set(); // by the first launch, which is never an update
        }
        Ok(())
    }
}

impl Run for Geqrf {
    unsafe fn run(&self, stream: Stream) -> Result<(), Error> {
        // SAFETY: forwarded.
        unsafe { self.run_outside(&Outside::default(), stream) }
    }

    fn explain(&self) -> Result<String, Error> {
        Ok(current_plan(self)?.describe())
    }

    fn candidates(&self) -> Result<String, Error> {
        Ok(select::list(self.dtype, self.m, self.n, current_limits(self)?))
    }
}

/// See [`crate::backend::Runtime::geqrf_extract`].
pub unsafe fn extract(p: &GeqrfExtract, stream: Stream) -> Result<(), Error> {
    let panels = ceil_div(p.qr.m.min(p.qr.n), p.nb);
    let kernel = EXTRACT.iter().find(|k| k.dtype == p.qr.dtype).ok_or(Error::Internal("no extract kernel".into()))?;
    let blocks = p.qr.batch.saturating_mul(panels).min(MAX_BLOCKS);
    let mut args = ExtractArgs::try_from(p)?;
    let mut params = [(&raw mut args).cast()];
    // SAFETY: the kernel takes ExtractArgs.
    unsafe { launch(kernel.kernel, blocks as u32, kernel.threads, 0, &mut params, stream) }
}
