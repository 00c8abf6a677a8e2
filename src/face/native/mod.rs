//! The native API: `tephra_status`, 64-bit sizes, argument positions counted from 1.

mod explain;
mod positions;

pub use explain::{PlanQuery, candidates, explain};
pub use positions::{Positions, position};

use super::call::{self, WorkspaceSource};
use super::constants::cblas;
use super::grouped::Groups;
use super::guard::{Prototype, record};
use super::math;
use crate::backend;
use crate::error::{Arg, Error, Fault};
use crate::routine::{
    Diag, Dtype, Geqr, Geqrf, Operand, Operation, Part, QPart, Routine, Shape, Side, Storage, Stream, Trans, Uplo,
    Verdict,
};
pub(in crate::face) use positions::by_name;
use std::ffi::{c_int, c_void};

/// The positive values of `tephra_status`.
pub mod status {
    #![allow(missing_docs)] // the names say it; include/tephra.h explains
    pub const NOT_SUPPORTED: i32 = 1;
    pub const NO_DEVICE: i32 = 2;
    pub const OUT_OF_MEMORY: i32 = 3;
    pub const DRIVER_ERROR: i32 = 4;
    pub const INTERNAL_ERROR: i32 = 5;
}

/// The status of an error other than a bad argument, which needs its position instead.
pub fn code(error: &Error) -> i32 {
    match error {
        Error::NotSupported(_) => status::NOT_SUPPORTED,
        Error::NoDevice(_) => status::NO_DEVICE,
        Error::OutOfMemory(_) => status::OUT_OF_MEMORY,
        Error::Driver(_) => status::DRIVER_ERROR,
        Error::Internal(_) | Error::BadArgument(..) => status::INTERNAL_ERROR,
    }
}

/// Turns a result into a `tephra_status`, recording a failure as the thread's last error.
pub fn into_status(name: &str, position: impl FnOnce(Arg) -> i32, result: Result<(), Error>) -> i32 {
    let Err(error) = result else { return 0 };
    record(name, &error);
    match &error {
        Error::BadArgument(arg, _) => match position(*arg) {
            0 => status::INTERNAL_ERROR,
            i => -i,
        },
        other => code(other),
    }
}

/// [`into_status`] for a prototype whose argument names identify the arguments; messages use these names.
fn into_status_by_name(prototype: &Prototype, result: Result<(), Error>) -> i32 {
    if let Err(Error::BadArgument(arg, fault)) = result
        && let place @ 1.. = by_name(prototype, arg)
    {
        record(prototype.name, &fault.message(prototype.arguments[place as usize - 1]));
        return -place;
    }
    into_status(prototype.name, |_| 0, result)
}

/// Runs one factorisation on the current backend.
///
/// # Safety
/// As [`call::run`].
pub unsafe fn geqrf(prototype: &Prototype, p: &Geqrf, stream: Stream) -> i32 {
    let result = backend::current().and_then(|runtime| unsafe { call::geqrf(prototype.name, runtime, p, stream) });
    into_status_by_name(prototype, result)
}

/// Answers the workspace query of the factorisation. No plan needs a workspace, so the size is 0 for any valid problem.
///
/// # Safety
/// `bytes` is NULL or valid for a write.
pub unsafe fn geqrf_workspace(prototype: &Prototype, p: &Geqrf, bytes: *mut usize) -> i32 {
    let result = p.check().map(|_| ());
    if result.is_ok() && !bytes.is_null() {
        unsafe { *bytes = 0 };
    }
    into_status_by_name(prototype, result)
}

/// Runs any operation on the current backend. `op` is an error if one of the option codes is invalid.
///
/// # Safety
/// As [`call::run`].
pub unsafe fn run(prototype: &Prototype, op: Result<Operation, Error>, stream: Stream) -> i32 {
    let result = op
        .and_then(|op| unsafe { call::run(prototype.name, backend::current()?, &op, stream, WorkspaceSource::Caller) });
    into_status_by_name(prototype, result)
}

/// Answers a workspace query for a shape; 0 bytes if the problem is empty.
///
/// # Safety
/// `bytes` is NULL or valid for a write.
pub unsafe fn workspace(prototype: &Prototype, op: Result<Operation, Error>, bytes: *mut usize) -> i32 {
    let needed = op.and_then(|op| match op.check()? {
        Verdict::QuickReturn => Ok(0),
        Verdict::Go => backend::current()?.workspace(&op),
    });
    let result = needed.map(|needed| {
        if !bytes.is_null() {
            unsafe { *bytes = needed };
        }
    });
    into_status_by_name(prototype, result)
}

/// Runs grouped matrix products on the current backend.
///
/// # Safety
/// As [`Groups::run`].
pub unsafe fn run_groups(prototype: &Prototype, groups: &Groups<i64>, stream: Stream) -> i32 {
    into_status_by_name(
        prototype,
        backend::current().and_then(|runtime| unsafe { groups.run(prototype.name, runtime, stream) }),
    )
}

/// Writes the number of elements of T for an m x n matrix to `*tsize`, see [`Geqr`].
///
/// # Safety
/// `tsize` is NULL or valid for a write.
pub unsafe fn geqr_tsize(prototype: &Prototype, dtype: Dtype, m: i64, n: i64, tsize: *mut i64) -> i32 {
    let null = || Err(Error::BadArgument(Arg::Tsize, Fault::Null));
    let result = Geqr::tsize(dtype, m, n).and_then(|elements| if tsize.is_null() { null() } else { Ok(elements) });
    let result = result.map(|elements| unsafe { tsize.write(elements) });
    into_status_by_name(prototype, result)
}

/// A problem of which only the shape matters.
pub fn shape(dtype: Dtype, m: i64, n: i64, lda: i64, batch: i64) -> Geqrf {
    Geqrf { lda, ..Geqrf::of_shape(&Shape { dtype, m, n, batch, math: math::of_thread(), extra: Default::default() }) }
}

/// An operand given by an array of pointers to its members.
pub fn pointers<T>(array: *const *mut T) -> Operand {
    Operand::Pointers(array.cast())
}

/// An operand whose members are `stride` elements apart.
pub fn strided<T>(base: *mut T, stride: i64) -> Operand {
    Operand::Strided { base: base.cast(), stride }
}

/// `TEPHRA_SIDE_*`
pub fn side(number: c_int) -> Result<Side, Error> {
    cblas::side(number)
}

/// `TEPHRA_TRANS_*`
pub fn trans(number: c_int) -> Result<Trans, Error> {
    cblas::trans(number)
}

/// `TEPHRA_TRANS_*` of one of several operands.
pub fn trans_of(number: c_int, arg: Arg) -> Result<Trans, Error> {
    cblas::trans(number).map_err(|_| arg.into())
}

/// `TEPHRA_UPLO_*`
pub fn uplo(number: c_int) -> Result<Uplo, Error> {
    cblas::uplo(number)
}

/// `TEPHRA_UPLO_*`, the full matrix included
pub fn region(number: c_int) -> Result<Part, Error> {
    cblas::region(number)
}

/// `TEPHRA_TRANS_*` of A
pub fn trans_a(number: c_int) -> Result<Trans, Error> {
    cblas::trans(number).map_err(|_| Arg::TransA.into())
}

/// `TEPHRA_TRANS_*` of B
pub fn trans_b(number: c_int) -> Result<Trans, Error> {
    cblas::trans(number).map_err(|_| Arg::TransB.into())
}

/// `TEPHRA_DIAG_*`
pub fn diag(number: c_int) -> Result<Diag, Error> {
    cblas::diag(number)
}

/// `TEPHRA_STORAGE_*`, which are the values of `cudaDataType`
pub fn storage(number: c_int) -> Result<Storage, Error> {
    match number {
        2 => Ok(Storage::Fp16),
        14 => Ok(Storage::Bf16),
        _ => Err(Arg::Storage.into()),
    }
}

/// `TEPHRA_Q_*`
pub fn part(number: c_int) -> Result<QPart, Error> {
    match number {
        0 => Ok(QPart::None),
        1 => Ok(QPart::Thin),
        2 => Ok(QPart::Full),
        _ => Err(Arg::Part.into()),
    }
}

/// `tephra_memcpy`: copies in stream order, then waits. Without bytes the pointers may be NULL.
///
/// # Safety
/// Both pointers must be NULL or valid for `bytes` in memory that the backend reaches.
pub unsafe fn copy(dst: *mut c_void, src: *const c_void, bytes: usize, stream: Stream) -> Result<(), Error> {
    let runtime = backend::current()?;
    if bytes > 0 {
        unsafe { runtime.copy_2d_async(dst, bytes, src, bytes, bytes, 1, stream)? };
    }
    unsafe { runtime.stream_synchronize(stream) }
}
