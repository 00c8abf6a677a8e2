//! QR by a loop over cuSOLVER's routine for single matrices: a comparison for large or very tall matrices, for which
//! cuBLAS's batched routine is a poor one.

use super::operands::Operands;
use crate::case::{Case, Shape};
use crate::failure::Failure;
use std::ffi::c_int;
use tephra_testkit::Error;
use tephra_testkit::library::CusolverHandle;
use tephra_testkit::memory::{Kind, Memory};

/// The largest batch for which a loop is a sensible comparison.
const MOST: usize = 100;
/// A matrix is tall if it has more rows than this and at most half as many columns; a single matrix is large from this
/// order on.
const ROWS: usize = 2048;
const ORDER: usize = 1024;

/// Whether the loop is worth timing.
pub fn supports(case: &Case) -> bool {
    let Shape { m, n, batch } = case.shape;
    let (tall, large) = (m > ROWS && m >= 2 * n && batch <= MOST, m.max(n) >= ORDER && batch == 1);
    case.op.name == "geqrf" && (tall || large)
}

/// Factors the batch. The first call, which is not timed, allocates the buffer.
pub fn geqrf(handle: &CusolverHandle, o: &Operands<'_>) -> Result<(), Failure> {
    let Case { shape, dtype, .. } = o.case;
    let sizes = [shape.m as c_int, shape.n as c_int, o.a.ld() as c_int];
    let failed = |code| Failure::from(Error::status("cusolverDn?geqrf", code));
    let elements = handle.geqrf_size(dtype, sizes).map_err(failed)?;
    if o.buffer.get().is_none() {
        let bytes = (elements.max(1) as usize) * dtype.bytes();
        let _ = o.buffer.set(Memory::new(o.machine.library, Kind::Device, bytes)?);
    }
    let work = o.buffer.get().map_or(std::ptr::null_mut(), Memory::pointer);
    for i in 0..shape.batch {
        // SAFETY: member i of the batch, and its tau; the buffer is as large as was asked for and outlives the stream's work.
        let code = unsafe {
            let place = |start: *mut std::ffi::c_void, each: usize| start.byte_add(i * each * dtype.bytes());
            let (a, tau) = (place(o.a.start(), o.case.matrix_elements()), place(o.tau.start(), o.case.k()));
            let info = o.info.pointer().cast::<c_int>().add(i);
            handle.geqrf(dtype, sizes, [a, tau], (work, elements), info)
        };
        if code != 0 {
            return Err(failed(code));
        }
    }
    Ok(())
}
