//! `magma_?set_pointer`: fills an array with the addresses of a batch's matrices, or of blocks inside them.

use super::Pointers;
use super::int::bad_argument;
use super::queue::{RawQueue, stream_of};
use crate::backend;
use crate::error::{Arg, Error};
use std::ffi::{c_int, c_void};

/// The arguments, in their order after `out` and `base`.
#[derive(Clone, Copy, Debug)]
pub struct SetPointer {
    /// Array in the backend's memory that receives the addresses.
    pub out: Pointers,
    /// Start of the first member.
    pub base: *mut c_void,
    /// Bytes of an element.
    pub element: usize,
    /// Leading dimension of the members.
    pub lda: c_int,
    /// Row of the element to point to.
    pub row: c_int,
    /// Its column.
    pub column: c_int,
    /// Stride between members, in elements.
    pub stride: c_int,
    /// Number of members.
    pub batch: c_int,
}

/// Fills the array, in queue order. It returns nothing, so a NULL array is only reported on stderr.
///
/// # Safety
/// `out` is NULL or holds `batch` pointers; `queue` is NULL or a live queue. The addresses themselves are not
/// dereferenced.
pub unsafe fn set_pointer(name: &str, call: &SetPointer, queue: RawQueue) -> Result<(), Error> {
    if call.batch < 1 {
        return Ok(());
    }
    if call.out.is_null() {
        bad_argument(name, &Arg::Pointer.into(), 1);
        return Ok(());
    }
    // The offset in elements fits into 64 bits; in bytes it may not. An offset that cannot exist is an error even if
    // the address would not be used.
    let [element, lda, row, column] = [call.element as i64, call.lda.into(), call.row.into(), call.column.into()];
    let Some(offset) = (column * lda + row).checked_mul(element) else {
        bad_argument(name, &Arg::N.into(), 5);
        return Ok(());
    };
    let stride = i64::from(call.stride) * element;
    unsafe {
        backend::current()?.set_pointers(call.out, call.base, offset, stride, call.batch.into(), stream_of(queue))
    }
}
