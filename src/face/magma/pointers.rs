//! `magma_?set_pointer`: the addresses of a batch's members, or of blocks inside them.

use super::Pointers;
use super::int::bad_argument;
use super::queue::{RawQueue, stream_of};
use crate::backend;
use crate::error::{Arg, Error};
use std::ffi::{c_int, c_void};

/// The arguments, in their order after `out` and `base`.
#[derive(Clone, Copy, Debug)]
pub struct SetPointer {
    /// Array of the backend's memory that receives the addresses.
    pub out: Pointers,
    /// Start of the first member.
    pub base: *mut c_void,
    /// Bytes of an element.
    pub element: usize,
    /// Leading dimension of the members.
    pub lda: c_int,
    /// Row of the element that is pointed to.
    pub row: c_int,
    /// Its column.
    pub column: c_int,
    /// Elements from one member to the next.
    pub stride: c_int,
    /// Number of members.
    pub batch: c_int,
}

/// Fills the array, in the queue's order. It returns nothing, so NULL where addresses should go is only told on stderr.
///
/// # Safety
/// `out` is NULL or holds `batch` pointers; `queue` is NULL or living. The addresses themselves are not followed.
pub unsafe fn set_pointer(name: &str, call: &SetPointer, queue: RawQueue) -> Result<(), Error> {
    if call.batch < 1 {
        return Ok(());
    }
    if call.out.is_null() {
        bad_argument(name, &Arg::Pointer.into(), 1);
        return Ok(());
    }
    // The product of two 32-bit numbers fits 64 bits; in bytes it need not. Addresses of what cannot be are refused, too.
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
