//! Checks the members' sizes in one launch, with one thread per member.

use crate::error::Error;
use crate::gpu::driver::registry::launch_kernel;
use crate::gpu::plan::parts::MOST_BLOCKS;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::CHECK_SIZES;
use crate::gpu::plan::{Launch, ceil_div};
use crate::routine::BoundsCheck;
use crate::routine::bounds::{Bound, Bounds};
use std::ptr::{null, null_mut};

// Arguments as kernels/auxiliary/check.cuh declares them.

#[repr(C)]
#[derive(Clone, Copy)]
struct BoundArgs {
    each: *const i32,
    least: *const i32,
    most: i32,
    code: i32,
}

#[repr(C)]
struct CheckArgs {
    bounds: [BoundArgs; 8],
    checked: *mut i32,
    info: *mut i32,
    batch: i64,
    count: i32,
    only_wrong: i32,
}

const _: () = assert!(Bounds::MAX == 8);

/// Writes the error codes and the checked sizes that `p` asks for, if any.
///
/// # Safety
/// Unless `queue` is a list, the arrays must be in device memory and have one number per member.
pub unsafe fn check(p: &BoundsCheck, queue: Queue<'_>) -> Result<(), Error> {
    let &BoundsCheck { ref bounds, checked, info, only_wrong, batch } = p;
    if checked.is_none() && info.is_null() {
        return Ok(());
    }
    let checked = checked.unwrap_or(null_mut());
    let none = BoundArgs { each: null(), least: null(), most: 0, code: 0 };
    let (count, only_wrong) = (bounds.all().len() as i32, only_wrong.into());
    let mut args = CheckArgs { bounds: [none; Bounds::MAX], checked, info, batch, count, only_wrong };
    for (to, &Bound { each, least, most, code }) in args.bounds.iter_mut().zip(bounds.all()) {
        // The bound has already been limited to the range of an `int`.
        *to = BoundArgs { each, least, most: most as i32, code };
    }
    let launch = Launch::on(&CHECK_SIZES[0], batch, count.into(), 0);
    let blocks = ceil_div(batch, launch.threads.into()).min(MOST_BLOCKS);
    // SAFETY: the kernel takes CheckArgs; the arrays are the caller's.
    unsafe { launch_kernel(&launch, blocks, &mut args, queue) }
}
