//! Addresses and sizes of blocks within members with individual sizes: one launch, with a thread per member.

use crate::error::Error;
use crate::gpu::driver::registry::launch_kernel;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::BLOCKS;
use crate::gpu::plan::walk::MAX_LOOPING_BLOCKS;
use crate::gpu::plan::{Launch, ceil_div};
use crate::routine::{BlocksOfEach, Corner, Remainder};
use std::ffi::c_void;
use std::ptr::{null, null_mut};

// Arguments as kernels/auxiliary/blocks.cuh declares them.

#[repr(C)]
#[derive(Clone, Copy)]
struct BlockArray {
    from: *const *mut c_void,
    to: *mut *mut c_void,
    leading: *const i32,
    row: i32,
    column: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct BlockSize {
    each: *const i32,
    out: *mut i32,
    before: i32,
    most: i32,
}

#[repr(C)]
struct BlocksArgs {
    arrays: [BlockArray; 3],
    sizes: [BlockSize; 3],
    batch: i64,
    array_count: i32,
    size_count: i32,
    element: i32,
    pad: i32,
}

const _: () = assert!(BlocksOfEach::MAX == 3);

/// See [`crate::backend::Runtime::panel`].
///
/// # Safety
/// The arrays must be in device memory, with one number or address per member.
pub unsafe fn run(p: &BlocksOfEach, queue: Queue<'_>) -> Result<(), Error> {
    let nowhere = BlockArray { from: null(), to: null_mut(), leading: null(), row: 0, column: 0 };
    let nothing = BlockSize { each: null(), out: null_mut(), before: 0, most: 0 };
    let (corners, sizes) = (p.corners(), p.sizes());
    let mut args = BlocksArgs {
        arrays: [nowhere; 3],
        sizes: [nothing; 3],
        batch: p.batch,
        array_count: corners.len() as i32,
        size_count: sizes.len() as i32,
        element: p.element as i32,
        pad: 0,
    };
    for (to, &Corner { from, to: out, leading, at: [row, column] }) in args.arrays.iter_mut().zip(corners) {
        *to = BlockArray { from, to: out, leading, row, column };
    }
    for (to, &Remainder { each, out, before, most }) in args.sizes.iter_mut().zip(sizes) {
        *to = BlockSize { each, out, before, most };
    }
    let launch = Launch::on(&BLOCKS[0], p.batch, 1, 0);
    let blocks = ceil_div(p.batch, launch.threads.into()).min(MAX_LOOPING_BLOCKS);
    // SAFETY: the kernel takes BlocksArgs.
    unsafe { launch_kernel(&launch, blocks, &mut args, queue) }
}
