//! Batched QR on the device: look the plan up, launch its steps.

use super::args::{ExtractArgs, GeqrfArgs};
use super::registry::launch;
use crate::error::Error;
use crate::plan;
use crate::plan::geqrf::{Plan, ceil_div, plan};
use crate::plan::table::EXTRACT;
use crate::problem::{Dtype, Geqrf, GeqrfExtract, Stream};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Most blocks of a launch; kernels that could need more loop over the rest.
const MAX_BLOCKS: i64 = i32::MAX as i64;

/// Blocks that keep a large device busy.
const ENOUGH_BLOCKS: i64 = 512;

type Key = (Dtype, i64, i64);

thread_local! {
    /// Plans by shape, a cache per thread: no lock on the warm path.
    static PLANS: RefCell<(u64, HashMap<Key, Rc<Plan>>)> = RefCell::new((0, HashMap::new()));
}

/// The plan of a shape, from this thread's cache.
pub fn cached_plan(dtype: Dtype, m: i64, n: i64) -> Result<Rc<Plan>, Error> {
    PLANS.with_borrow_mut(|(generation, plans)| {
        let now = plan::generation();
        // Shapes without end must not become memory without end.
        if *generation != now || plans.len() >= 4096 {
            plans.clear();
            *generation = now;
        }
        if let Some(p) = plans.get(&(dtype, m, n)) {
            return Ok(p.clone());
        }
        let p = Rc::new(plan(dtype, m, n)?);
        plans.insert((dtype, m, n), p.clone());
        Ok(p)
    })
}

/// Launches the plan of `p`; see [`crate::backend::Runtime::geqrf`].
pub unsafe fn geqrf(p: &Geqrf, stream: Stream) -> Result<(), Error> {
    let plan = cached_plan(p.dtype, p.m, p.n)?;
    let mut args = GeqrfArgs::from(p);
    for step in &plan.steps {
        args.m = step.m;
        args.n = step.n;
        args.row0 = step.offset;
        args.col0 = step.offset;
        args.k = step.k;
        // A block takes all tiles of a matrix, unless the batch alone would leave multiprocessors idle.
        args.tiles = (ENOUGH_BLOCKS / p.batch).clamp(1, step.tiles);
        // Resident kernels do not loop; 2^31 - 1 blocks hold more matrices than a device has memory for pointers.
        let blocks = ceil_div(p.batch, i64::from(step.per_block)).saturating_mul(args.tiles).min(MAX_BLOCKS);
        let mut params = [(&raw mut args).cast()];
        // SAFETY: the step's kernel takes GeqrfArgs; its operands are the caller's.
        unsafe { launch(step.kernel, blocks as u32, step.threads, step.shared, &mut params, stream)? };
        args.info = std::ptr::null_mut(); // the first launch has set it
    }
    Ok(())
}

/// See [`crate::backend::Runtime::geqrf_extract`].
pub unsafe fn extract(p: &GeqrfExtract, stream: Stream) -> Result<(), Error> {
    let panels = ceil_div(p.qr.m.min(p.qr.n), p.nb);
    let kernel = EXTRACT.iter().find(|k| k.dtype == p.qr.dtype).ok_or(Error::Internal("no extract kernel".into()))?;
    let blocks = p.qr.batch.saturating_mul(panels).min(MAX_BLOCKS);
    let mut args = ExtractArgs::from(p);
    let mut params = [(&raw mut args).cast()];
    // SAFETY: the kernel takes ExtractArgs.
    unsafe { launch(kernel.kernel, blocks as u32, kernel.threads, 0, &mut params, stream) }
}
