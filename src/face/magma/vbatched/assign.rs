//! `magmablas_?laset_vbatched` and `magmablas_?lacpy_vbatched`. They return nothing, so a bad argument is only reported
//! on stderr, by its position. Asynchronous; one int per member is allocated from the stream-ordered pool for the
//! duration of the call.

use super::super::Pointers;
use super::super::int::report_at;
use super::super::queue::{RawQueue, stream_of};
use crate::backend;
use crate::error::{Arg, Error, Fault};
use crate::face::guard::Prototype;
use crate::face::native::by_name;
use crate::routine::{Assign, Dtype, Operand, Part, Side, Source, SystemSizes, TrsmSizes};
use crate::scalar::C64;
use std::ffi::c_int;

/// The arguments that both routines share.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Element type.
    pub dtype: Dtype,
    /// `magma_uplo_t`; both triangles include the diagonal.
    pub uplo: c_int,
    /// The maxima of rows and columns.
    pub maxima: [c_int; 2],
    /// Device arrays of rows and columns.
    pub sizes: [*const c_int; 2],
    /// Device arrays of device pointers to the matrices that are written, and of their leading dimensions.
    pub to: (Pointers, *const c_int),
    /// Number of members.
    pub batch: c_int,
}

/// `magmablas_?laset_vbatched`: sets elements off the diagonal to `off`, and those on it to `on`.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn laset(prototype: &Prototype, call: &Call, off: C64, on: C64, queue: RawQueue) -> Result<(), Error> {
    let constants = Source::Constants { off, on };
    let written = [Arg::A, Arg::Lda];
    report_at(prototype.name, |arg| by_name(prototype, arg), unsafe {
        assign(call, (constants, call.to.1), &[], written, queue)
    })
}

/// `magmablas_?lacpy_vbatched`.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn lacpy(
    prototype: &Prototype,
    call: &Call,
    (from, ld): (Pointers, *const c_int),
    queue: RawQueue,
) -> Result<(), Error> {
    let read = [(from.is_null(), Arg::A), (ld.is_null(), Arg::Lda)];
    let source = (Source::Matrices(Operand::Pointers(from), 1), ld);
    report_at(prototype.name, |arg| by_name(prototype, arg), unsafe {
        assign(call, source, &read, [Arg::B, Arg::Ldb], queue)
    })
}

unsafe fn assign(
    call: &Call,
    (source, ld_from): (Source, *const c_int),
    read: &[(bool, Arg)],
    [of_to, of_ld]: [Arg; 2],
    queue: RawQueue,
) -> Result<(), Error> {
    let &Call { dtype, uplo, maxima, sizes: [m, n], to: (to, ld), batch } = call;
    let part = match uplo {
        121 => Part::Upper,
        122 => Part::Lower,
        123 => Part::Full,
        _ => return Err(Arg::Uplo.into()),
    };
    for (size, arg) in [(maxima[0], Arg::MaxM), (maxima[1], Arg::MaxN), (batch, Arg::BatchCount)] {
        if size < 0 {
            return Err(Error::BadArgument(arg, Fault::Below(size.into(), 0)));
        }
    }
    if maxima.contains(&0) || batch == 0 {
        return Ok(());
    }
    let sizes = [(m.is_null(), Arg::M), (n.is_null(), Arg::N)];
    let written = [(to.is_null(), of_to), (ld.is_null(), of_ld)];
    if let Some((_, arg)) = sizes.iter().chain(read).chain(&written).find(|(null, _)| *null) {
        return Err(Error::BadArgument(*arg, Fault::Null));
    }
    let (runtime, stream) = (backend::current()?, unsafe { stream_of(queue) });
    let checked = runtime.alloc_async(batch as usize * size_of::<c_int>(), stream)?.cast::<c_int>();
    // There is no triangular matrix here, so the check of its leading dimension is applied to the destination's, as for
    // side left.
    let system = TrsmSizes { m, n, lda: ld, ldb: ld };
    let copy = Assign {
        dtype,
        part,
        m: maxima[0].into(),
        n: maxima[1].into(),
        source,
        to: Operand::Pointers(to),
        ld: 1,
        sizes: Some(SystemSizes { system, side: Side::Left, ld_from, checked }),
        batch: batch.into(),
    };
    let done = unsafe { runtime.assign(&copy, stream) };
    done.and(unsafe { runtime.free_async(checked.cast(), stream) })
}
