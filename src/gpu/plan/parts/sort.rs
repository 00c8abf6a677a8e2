//! Members sorted by falling size, so that the launch for each class of sizes finds its members side by side: blocks
//! without work would cost up to half as much again between those with work (results/h200/members_by_order.csv).

use crate::error::Error;
use crate::gpu::arch::DEFAULT;
use crate::gpu::args::DeviceOperand;
use crate::gpu::driver::pool::Scratch;
use crate::gpu::driver::registry::launch_kernel;
use crate::gpu::plan::queue::Queue;
use crate::gpu::plan::table::{Instance, RETURN_INFO, SORT_EACH};
use crate::gpu::plan::{Launch, ceil_div};
use crate::routine::{Dtype, Operand};
use std::ffi::c_void;
use std::ptr::null_mut;

/// More members are not sorted, because the kernel's indices are ints.
const MOST: i64 = 1 << 30;

/// The members of a factorisation: arrays in device memory, with one element per member.
#[derive(Clone, Copy)]
pub struct Members {
    /// Element type.
    pub dtype: Dtype,
    /// Upper bounds on rows and columns.
    pub most: [i64; 2],
    /// Rows, columns and leading dimensions. NULL columns: squares.
    pub sizes: [*const i32; 3],
    /// The matrices, and what else a member has (tau, pivots) with the bytes of an element; it may be null.
    pub operands: [(Operand, usize); 2],
    /// Status codes, or NULL.
    pub info: *mut i32,
    /// Number of members.
    pub batch: i64,
}

/// Declared in `kernels/auxiliary/sort_each.cuh`.
#[repr(C)]
struct SortEachArgs {
    from: [DeviceOperand; 2],
    to: [*mut *mut c_void; 2],
    bytes: [i64; 2],
    rows: *const i32,
    columns: *const i32,
    leading: *const i32,
    sorted: [*mut i32; 3],
    order: *mut i32,
    batch: i64,
    most: i32,
    shift: i32,
}

/// Declared in `kernels/auxiliary/sort_each.cuh`.
#[repr(C)]
struct ReturnInfoArgs {
    sorted: *const i32,
    order: *const i32,
    info: *mut i32,
    batch: i64,
}

impl Members {
    /// Whether sorting takes less time than it saves: see [`crate::gpu::arch::Sorted`] for `least`.
    fn are_worth_sorting(&self, least: i64) -> bool {
        let of = &DEFAULT.sorted;
        if self.larger() > of.largest || self.batch > MOST {
            return false;
        }
        let [rows, columns] = self.most;
        let bytes = rows * columns * self.batch * self.dtype.bytes() as i64; // far below 2^63
        bytes >= if self.batch < of.members { of.any_number } else { least }
    }

    fn larger(&self) -> i64 {
        self.most[0].max(self.most[1])
    }

    /// Runs a factorisation on the members in falling order where that pays, otherwise in the caller's order. `least`:
    /// the bytes from which it does.
    pub fn sorted(
        self,
        least: i64,
        queue: Queue<'_>,
        run: impl FnOnce(&Members) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if !self.are_worth_sorting(least) {
            return run(&self);
        }
        let count = self.batch as usize;
        let (pointers, ints) = (count * size_of::<*mut c_void>(), count * size_of::<i32>());
        let scratch = Scratch::take(2 * pointers + 5 * ints, queue)?;
        let to = [0, 1].map(|k| scratch.p.wrapping_byte_add(k * pointers).cast::<*mut c_void>());
        let int = |k: usize| scratch.p.wrapping_byte_add(2 * pointers + k * ints).cast::<i32>();
        let (sorted, order, info) = ([int(0), int(1), int(2)], int(3), int(4));

        let mut members = Members { info: if self.info.is_null() { null_mut() } else { info }, ..self };
        let mut args = SortEachArgs {
            from: self.operands.map(|(operand, _)| operand.into()),
            to,
            bytes: self.operands.map(|(_, bytes)| bytes as i64),
            rows: self.sizes[0],
            columns: self.sizes[1],
            leading: self.sizes[2],
            sorted,
            order,
            batch: self.batch,
            most: self.larger() as i32,
            shift: shift(self.larger()),
        };
        for ((operand, _), to) in members.operands.iter_mut().zip(&mut args.to) {
            if operand.is_null() {
                *to = null_mut();
            } else {
                *operand = Operand::Pointers(*to);
            }
        }
        for (size, sorted) in members.sizes.iter_mut().zip(sorted).filter(|(size, _)| !size.is_null()) {
            *size = sorted;
        }
        let steps = || {
            launch(&SORT_EACH[0], SORT_EACH[0].rows, self.batch, &mut args, queue)?;
            run(&members)?;
            if self.info.is_null() {
                return Ok(());
            }
            let mut args = ReturnInfoArgs { sorted: info, order, info: self.info, batch: self.batch };
            launch(&RETURN_INFO[0], RETURN_INFO[0].threads, self.batch, &mut args, queue)
        };
        scratch.give_back(steps())
    }
}

/// Launches a kernel whose blocks each have `share` members.
fn launch<A>(instance: &'static Instance, share: u32, batch: i64, args: &mut A, queue: Queue<'_>) -> Result<(), Error> {
    // SAFETY: only `Members::sorted` calls this, with the kernel's own arguments: the caller's arrays, and scratch
    // memory with room for them.
    unsafe { launch_kernel(&Launch::on(instance, batch, 1, 0), ceil_div(batch, share.into()), args, queue) }
}

/// The sizes of a bin, as a power of two, for bins that hold all sizes up to `most`.
fn shift(most: i64) -> i32 {
    let bins: i64 = SORT_EACH[0].columns.into();
    (0..).find(|shift| bins << shift >= most).unwrap_or(0)
}
