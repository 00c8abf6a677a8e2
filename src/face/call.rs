//! One operation on behalf of any ABI: check, trace, refuse NULL, run.

use super::trace;
use crate::backend::Runtime;
use crate::error::{Arg, Error, Fault};
use crate::routine::{Geqrf, Operation, Routine, Stream, Verdict, Workspace, extent};

/// Checks `p` and runs it on `runtime` for the exported function `name`: [`run`] for the one operation whose calls are
/// so short that the way through a general [`Operation`] would show.
///
/// # Safety
/// As [`crate::geqrf`].
#[inline]
pub unsafe fn geqrf(name: &str, runtime: &dyn Runtime, p: &Geqrf, stream: Stream) -> Result<(), Error> {
    let verdict = p.check()?;
    if trace::enabled() {
        trace::operation(name, runtime, &Operation::Geqrf(*p), verdict);
    }
    if verdict == Verdict::QuickReturn {
        return Ok(());
    }
    p.refuse_nulls()?;
    unsafe { runtime.geqrf(p, stream) }
}

/// Checks `op` and runs it on `runtime` for the exported function `name`; as [`geqrf`].
///
/// # Safety
/// The operands and the workspace must describe memory that the runtime can reach, sized as the operation says.
pub unsafe fn run(name: &str, runtime: &dyn Runtime, op: &Operation, stream: Stream) -> Result<(), Error> {
    if begin(name, runtime, op)? == Verdict::QuickReturn {
        return unsafe { clear_codes(runtime, op, stream) };
    }
    if let Some(work) = op.work() {
        let needed = runtime.workspace(op)?;
        if work.bytes < needed {
            let fault = Fault::Below(work.bytes as i64, needed as i64);
            return Err(Error::BadArgument(Arg::Lwork, fault));
        }
        if needed > 0 && (work.p.is_null() || !(work.p as usize).is_multiple_of(Workspace::ALIGNMENT)) {
            return Err(Arg::Work.into());
        }
    }
    unsafe { reduced(runtime, op, stream) }
}

/// As [`run`] for an ABI whose callers bring no workspace: it is taken for the time of the call, in stream order. With nothing to
/// do it leaves codes alone, as cuBLAS and MAGMA do.
///
/// # Safety
/// As [`run`].
pub unsafe fn run_with_scratch(name: &str, runtime: &dyn Runtime, op: &Operation, stream: Stream) -> Result<(), Error> {
    if begin(name, runtime, op)? == Verdict::QuickReturn {
        return Ok(());
    }
    let bytes = runtime.workspace(op)?;
    if bytes == 0 {
        return unsafe { reduced(runtime, op, stream) };
    }
    let scratch = runtime.scratch(bytes, stream)?;
    let with_scratch = op.with_work(Workspace { p: scratch, bytes });
    let done = unsafe { reduced(runtime, with_scratch.as_ref().unwrap_or(op), stream) };
    let freed = unsafe { runtime.scratch_free(scratch, stream) };
    done.and(freed)
}

/// The part before any memory is touched.
fn begin(name: &str, runtime: &dyn Runtime, op: &Operation) -> Result<Verdict, Error> {
    let verdict = op.check()?;
    if trace::enabled() {
        trace::operation(name, runtime, op, verdict);
    }
    if verdict == Verdict::Go {
        op.refuse_nulls()?;
    }
    Ok(verdict)
}

/// Sets the operation's codes to 0: no matrix is at fault.
///
/// # Safety
/// As [`run`].
pub unsafe fn clear_codes(runtime: &dyn Runtime, op: &Operation, stream: Stream) -> Result<(), Error> {
    if op.info().is_null() {
        return Ok(());
    }
    let bytes = extent::bytes(size_of::<i32>() as i64, 1, op.batch(), 1, 0).ok_or(Arg::BatchCount)?;
    unsafe { runtime.memset_async(op.info().cast(), 0, bytes, stream) }
}

/// Runs the operation, or what is left of it.
#[inline]
unsafe fn reduced(runtime: &dyn Runtime, op: &Operation, stream: Stream) -> Result<(), Error> {
    let Some(left) = op.reduced() else { return unsafe { runtime.run(op, stream) } };
    // What sets no codes cannot fail for a matrix.
    if left.info().is_null() {
        unsafe { clear_codes(runtime, op, stream)? };
    }
    unsafe { runtime.run(&left, stream) }
}
