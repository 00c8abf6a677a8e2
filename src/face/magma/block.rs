//! Factorisations of a block inside each matrix, with which MAGMA factors its panels.

use super::Pointers;
use super::queue::{RawQueue, stream_of};
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::routine::{Dtype, PanelStep, extent};
use std::ffi::{c_int, c_void};

/// The position of the block.
#[derive(Clone, Copy, Debug)]
pub struct BlockPosition {
    /// Its first row, >= 0.
    pub row: c_int,
    /// Its first column, >= 0.
    pub column: c_int,
    /// Leading dimension of the matrices.
    pub lda: c_int,
    /// Columns of the block.
    pub n: c_int,
    /// The largest code that its factorisation can return.
    pub max_code: c_int,
    /// The number of columns that were factored before it, which is added to codes.
    pub step: c_int,
}

impl BlockPosition {
    /// The offset of the block in its matrix, in bytes.
    pub fn offset(&self, dtype: Dtype, name: &str) -> Result<i64, Error> {
        let [lda, n, at, from] = [self.lda, self.n, self.row, self.column].map(i64::from);
        // An upper bound of the offset and the extent of the block.
        if extent::bytes(dtype.bytes() as i64, from + n + 1, lda.max(at), 1, 0).is_none() {
            return Err(Arg::Lda.into());
        }
        if self.step < 0 || self.step.checked_add(self.max_code).is_none() {
            return Err(Error::NotSupported(format!("{name} after {} columns", self.step)));
        }
        Ok((from * lda + at) * dtype.bytes() as i64)
    }
}

/// Calls `block` with arrays of pointers that are advanced by the given bytes. If columns were factored before
/// (`step` > 0), it also gets separate codes, which are then merged into `codes`. Both are in scratch memory that is
/// allocated for the duration of the call.
///
/// # Safety
/// The arrays have `batch` pointers, and `codes` is NULL or has `batch` ints.
pub unsafe fn run<const N: usize>(
    runtime: &dyn Runtime,
    queue: RawQueue,
    batch: c_int,
    mut arrays: [Option<(Pointers, i64)>; N],
    (codes, step): (*mut c_int, c_int),
    block: impl FnOnce([Option<Pointers>; N], *mut c_int) -> Result<(), Error>,
) -> Result<(), Error> {
    let (stream, members) = (unsafe { stream_of(queue) }, batch as usize);
    let shifted = arrays.iter().flatten().any(|&(_, bytes)| bytes != 0);
    let merged = step > 0 && !codes.is_null();
    let count = if shifted { arrays.iter().flatten().count() } else { 0 };
    // At most 20 bytes for each of fewer than 2^31 matrices.
    let bytes = members * (count * size_of::<*mut c_void>() + if merged { size_of::<c_int>() } else { 0 });
    if bytes == 0 {
        return block(arrays.map(|array| array.map(|(array, _)| array)), codes);
    }
    let scratch = runtime.alloc_async(bytes, stream)?;
    let run_steps = || {
        let mut next = scratch.cast::<*mut c_void>();
        for (array, bytes) in arrays.iter_mut().flatten().filter(|_| shifted) {
            let step = PanelStep::ShiftPointers { out: next, array: *array, bytes: *bytes, batch: batch.into() };
            // SAFETY: the arrays have that many pointers.
            unsafe { runtime.panel(&step, stream)? };
            *array = next;
            next = next.wrapping_add(members);
        }
        let own = if merged { next.cast() } else { codes };
        block(arrays.map(|array| array.map(|(array, _)| array)), own)?;
        if merged {
            let merge = PanelStep::MergeCodes { codes, own, step, batch: batch.into() };
            // SAFETY: both have that many codes.
            unsafe { runtime.panel(&merge, stream)? };
        }
        Ok(())
    };
    let done = run_steps();
    let freed = unsafe { runtime.free_async(scratch, stream) };
    done.and(freed)
}
