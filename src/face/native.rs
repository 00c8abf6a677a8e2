//! Our own API: `tephra_status`, 64-bit sizes, argument positions counted from 1.

use super::guard::record;
use super::{call, trace};
use crate::backend;
use crate::check;
use crate::error::{Arg, Error};
use crate::problem::{Dtype, Geqrf, Operand, Stream};
use std::ffi::{c_char, c_void};
use std::ptr;

/// Values of `tephra_status` above zero.
pub mod status {
    #![allow(missing_docs)] // the names say it; include/tephra.h explains
    pub const NOT_SUPPORTED: i32 = 1;
    pub const NO_DEVICE: i32 = 2;
    pub const OUT_OF_MEMORY: i32 = 3;
    pub const DRIVER_ERROR: i32 = 4;
    pub const INTERNAL_ERROR: i32 = 5;
}

/// The status of an error that is no argument's fault; a bad argument needs its routine's [`position`].
pub fn code(error: &Error) -> i32 {
    match error {
        Error::NotSupported(_) => status::NOT_SUPPORTED,
        Error::NoDevice(_) => status::NO_DEVICE,
        Error::OutOfMemory(_) => status::OUT_OF_MEMORY,
        Error::Driver(_) => status::DRIVER_ERROR,
        Error::Internal(_) | Error::BadArgument(_) => status::INTERNAL_ERROR,
    }
}

/// A prototype's arguments and their positions, counted from 1.
pub type Positions = [(Arg, i32)];

/// Where `arg` stands; 0 if the prototype has no such argument, which is a defect of ours.
pub fn position(positions: &Positions, arg: Arg) -> i32 {
    positions.iter().find(|(a, _)| *a == arg).map_or(0, |&(_, i)| i)
}

/// `tephra_?geqrf_batched`.
pub const GEQRF_BATCHED: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Tau, 5), (Arg::BatchCount, 6)];
/// `tephra_?geqrf_strided_batched`.
pub const GEQRF_STRIDED: &Positions = &[
    (Arg::M, 1),
    (Arg::N, 2),
    (Arg::A, 3),
    (Arg::Lda, 4),
    (Arg::StrideA, 5),
    (Arg::Tau, 6),
    (Arg::StrideTau, 7),
    (Arg::BatchCount, 8),
];
/// `tephra_?geqrf_batched_workspace`.
pub const GEQRF_BATCHED_WORKSPACE: &Positions = &[(Arg::M, 1), (Arg::N, 2), (Arg::Lda, 3), (Arg::BatchCount, 4)];
/// `tephra_?geqrf_strided_batched_workspace`.
pub const GEQRF_STRIDED_WORKSPACE: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::Lda, 3), (Arg::StrideA, 4), (Arg::StrideTau, 5), (Arg::BatchCount, 6)];

/// Turns a result into a `tephra_status`, recording a failure as the thread's last error.
pub fn finish(name: &str, positions: &Positions, result: Result<(), Error>) -> i32 {
    let Err(error) = result else { return 0 };
    record(name, &error);
    match &error {
        Error::BadArgument(arg) => match position(positions, *arg) {
            0 => status::INTERNAL_ERROR,
            i => -i,
        },
        other => code(other),
    }
}

/// Runs one factorisation on the current backend.
///
/// # Safety
/// As [`crate::geqrf`].
pub unsafe fn geqrf(name: &str, positions: &Positions, p: &Geqrf, stream: Stream) -> i32 {
    let result = backend::current().and_then(|runtime| unsafe { call::geqrf(name, runtime, p, stream) });
    finish(name, positions, result)
}

/// Answers a workspace query: our plans need none, so a valid problem needs 0 bytes.
///
/// # Safety
/// `bytes` is NULL or valid for a write.
pub unsafe fn geqrf_workspace(name: &str, positions: &Positions, p: &Geqrf, bytes: *mut usize) -> i32 {
    let result = check::geqrf(p).map(|_| ());
    if result.is_ok() && !bytes.is_null() {
        unsafe { *bytes = 0 };
    }
    finish(name, positions, result)
}

/// A problem of which only the shape matters.
pub fn shape(dtype: Dtype, m: i64, n: i64, lda: i64, batch: i64) -> Geqrf {
    let nowhere = Operand::Pointers(ptr::null());
    Geqrf { dtype, m, n, a: nowhere, lda, tau: nowhere, batch, info: ptr::null_mut() }
}

/// `tephra_explain`: the plan of `op` ("dgeqrf") as text, cut to `size` bytes including the NUL; `needed` receives
/// the size that would hold all of it.
///
/// # Safety
/// `text` must hold `size` bytes; `needed` is NULL or valid for a write.
pub unsafe fn explain(
    op: &str,
    m: i64,
    n: i64,
    batch: i64,
    text: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> Result<(), Error> {
    let dtype = Dtype::ALL.into_iter().find(|d| op.strip_prefix(d.letter()) == Some("geqrf"));
    let dtype = dtype.ok_or_else(|| Error::NotSupported(format!("operation {op:?} (known: [sdcz]geqrf)")))?;
    let p = shape(dtype, m, n, m.max(1), batch);
    let verdict = check::geqrf(&p)?;
    let plan = trace::explain(backend::current()?, &p, verdict)?;
    if !needed.is_null() {
        unsafe { *needed = plan.len() + 1 };
    }
    if !text.is_null() && size > 0 {
        let len = plan.len().min(size - 1);
        unsafe {
            ptr::copy_nonoverlapping(plan.as_ptr(), text.cast(), len);
            *text.add(len) = 0;
        }
    }
    Ok(())
}

/// `tephra_memcpy`: copies in stream order, then waits.
///
/// # Safety
/// Both pointers must be valid for `bytes` in memory that the backend reaches.
pub unsafe fn copy(dst: *mut c_void, src: *const c_void, bytes: usize, stream: Stream) -> Result<(), Error> {
    let runtime = backend::current()?;
    if bytes > 0 {
        unsafe { runtime.copy_2d_async(dst, bytes, src, bytes, bytes, 1, stream)? };
    }
    unsafe { runtime.stream_synchronize(stream) }
}
