//! Runs one operation on behalf of any ABI: checks it, traces it, rejects NULL operands, and runs it.

use crate::backend::{Kind, Runtime, cpu};
use crate::error::{Arg, Error, Fault};
use crate::face::trace;
use crate::gpu;
use crate::routine::{Geqrf, Operation, Routine, Stream, Verdict, Workspace, extent};

/// Who provides an operation's workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkspaceSource {
    /// The caller. The codes (info) of an empty problem are set to 0.
    Caller,
    /// Tephra, for an ABI without workspace arguments: allocated for the duration of the call, in stream order. The
    /// codes (info) of an empty problem are not written, as in cuBLAS and MAGMA.
    Library,
}

/// Checks `p` and runs it on `runtime` for the exported function `name`. This is [`run`] for the one operation that is
/// so fast that the overhead of a general [`Operation`] would be measurable.
///
/// # Safety
/// As [`run`].
pub unsafe fn geqrf(name: &str, runtime: &dyn Runtime, p: &Geqrf, stream: Stream) -> Result<(), Error> {
    let verdict = p.check()?;
    if trace::enabled() {
        trace::operation(name, runtime, &Operation::Geqrf(*p), verdict);
    }
    if verdict == Verdict::QuickReturn {
        return Ok(());
    }
    p.refuse_nulls()?;
    match runtime.kind() {
        Kind::Cpu => unsafe { cpu::Run::run(p) },
        Kind::Cuda => unsafe { gpu::Run::enqueue(p, stream.into()) },
    }
}

/// Checks `op` and runs it, possibly reduced to a simpler operation, on `runtime` for the exported function `name`.
///
/// # Safety
/// The operands and the workspace must describe memory that the runtime can reach, sized as the operation says.
pub unsafe fn run(
    name: &str,
    runtime: &dyn Runtime,
    op: &Operation,
    stream: Stream,
    workspace: WorkspaceSource,
) -> Result<(), Error> {
    let verdict = op.check()?;
    if trace::enabled() {
        trace::operation(name, runtime, op, verdict);
    }
    if verdict == Verdict::QuickReturn {
        return if workspace == WorkspaceSource::Caller { unsafe { clear_codes(runtime, op, stream) } } else { Ok(()) };
    }
    op.refuse_nulls()?;
    let allocated = match workspace {
        WorkspaceSource::Caller => check_workspace(runtime, op).map(|()| None)?,
        WorkspaceSource::Library => allocate_workspace(runtime, op, stream)?,
    };
    let with_workspace = allocated.and_then(|work| op.with_work(work));
    let whole = with_workspace.as_ref().unwrap_or(op);
    let left = whole.reduced();
    let cleared = match &left {
        // An operation without codes cannot fail for a single matrix, so all codes are 0.
        Some(left) if left.info().is_null() => unsafe { clear_codes(runtime, whole, stream) },
        _ => Ok(()),
    };
    let left = left.as_ref().unwrap_or(whole);
    let done = cleared.and_then(|()| match runtime.kind() {
        Kind::Cpu => unsafe { cpu::of(left).run() },
        Kind::Cuda => unsafe { gpu::of(left).enqueue(stream.into()) },
    });
    match allocated {
        Some(work) => done.and(unsafe { runtime.free_async(work.p, stream) }),
        None => done,
    }
}

/// Loads in advance what the first [`run`] of an operation would load: see [`Runtime::prepare`].
pub fn prepare(runtime: &dyn Runtime, op: &Operation) -> Result<(), Error> {
    match op.check()? {
        Verdict::Go => runtime.prepare(&op.effective()),
        Verdict::QuickReturn => Ok(()),
    }
}

/// Checks that the caller's workspace is large enough and aligned.
fn check_workspace(runtime: &dyn Runtime, op: &Operation) -> Result<(), Error> {
    let Some(work) = op.work() else { return Ok(()) };
    let needed = runtime.workspace(op)?;
    if work.bytes < needed {
        let fault = Fault::Below(work.bytes as i64, needed as i64);
        return Err(Error::BadArgument(Arg::Lwork, fault));
    }
    if needed > 0 && (work.p.is_null() || !(work.p as usize).is_multiple_of(Workspace::ALIGNMENT)) {
        return Err(Arg::Work.into());
    }
    Ok(())
}

/// Allocates the workspace that the operation needs, if any.
fn allocate_workspace(runtime: &dyn Runtime, op: &Operation, stream: Stream) -> Result<Option<Workspace>, Error> {
    match runtime.workspace(op)? {
        0 => Ok(None),
        bytes => Ok(Some(Workspace { p: runtime.alloc_async(bytes, stream)?, bytes })),
    }
}

/// Sets all codes (info) of the operation to 0.
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
