//! One operation on behalf of any ABI: check, trace, refuse NULL, run.

use super::trace;
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::routine::check::{self, Verdict};
use crate::routine::{Alpha, Gels, Geqrf, Operand, Operation, Orgqr, QPart, Qr, Side, Stream, Trsm, Workspace};
use crate::routine::{Diag, Trans, Uplo};
use crate::scalar::C64;

/// Checks `p` and runs it on `runtime` for the exported function `name`: [`run`] for the one operation whose calls are
/// so short that the way through a general [`Operation`] would show.
///
/// A NULL operand is refused only when there is work: with a zero size it is legal in every ABI that we serve.
///
/// # Safety
/// As [`crate::geqrf`].
#[inline]
pub unsafe fn geqrf(name: &str, runtime: &dyn Runtime, p: &Geqrf, stream: Stream) -> Result<(), Error> {
    let verdict = check::geqrf(p)?;
    if trace::enabled() {
        trace::operation(name, runtime, &Operation::Geqrf(*p), verdict);
    }
    if verdict == Verdict::QuickReturn {
        return Ok(());
    }
    refuse_null(&p.a, Arg::A)?;
    refuse_null(&p.tau, Arg::Tau)?;
    unsafe { runtime.geqrf(p, stream) }
}

/// Checks `op` and runs it on `runtime` for the exported function `name`; as [`geqrf`].
///
/// # Safety
/// The operands and the workspace must describe memory that the runtime can reach, sized as the operation says.
pub unsafe fn run(name: &str, runtime: &dyn Runtime, op: &Operation, stream: Stream) -> Result<(), Error> {
    if begin(name, runtime, op)? == Verdict::QuickReturn {
        return Ok(());
    }
    if let Some(work) = workspace_of(op) {
        let needed = runtime.workspace(op)?;
        if work.bytes < needed {
            return Err(Arg::Lwork.into());
        }
        if needed > 0 && (work.p.is_null() || !(work.p as usize).is_multiple_of(Workspace::ALIGNMENT)) {
            return Err(Arg::Work.into());
        }
    }
    unsafe { reduced(runtime, op, stream) }
}

/// As [`run`] for an ABI whose callers bring no workspace: it is taken for the time of the call, in stream order.
///
/// # Safety
/// As [`run`].
pub unsafe fn run_with_scratch(
    name: &str,
    runtime: &dyn Runtime,
    mut op: Operation,
    stream: Stream,
) -> Result<(), Error> {
    if begin(name, runtime, &op)? == Verdict::QuickReturn {
        return Ok(());
    }
    let bytes = runtime.workspace(&op)?;
    if bytes == 0 {
        return unsafe { reduced(runtime, &op, stream) };
    }
    let scratch = runtime.scratch(bytes, stream)?;
    match &mut op {
        Operation::Qr(p) => p.work = Workspace { p: scratch, bytes },
        Operation::Gels(p) => p.work = Workspace { p: scratch, bytes },
        _ => {}
    }
    let done = unsafe { reduced(runtime, &op, stream) };
    let freed = unsafe { runtime.scratch_free(scratch, stream) };
    done.and(freed)
}

/// The part before any memory is touched.
fn begin(name: &str, runtime: &dyn Runtime, op: &Operation) -> Result<Verdict, Error> {
    let verdict = check::operation(op)?;
    if trace::enabled() {
        trace::operation(name, runtime, op, verdict);
    }
    if verdict == Verdict::Go {
        refuse_nulls(op)?;
    }
    Ok(verdict)
}

fn workspace_of(op: &Operation) -> Option<Workspace> {
    match op {
        Operation::Qr(p) => Some(p.work),
        Operation::Gels(p) => Some(p.work),
        _ => None,
    }
}

fn refuse_null(operand: &Operand, arg: Arg) -> Result<(), Error> {
    if check::is_null(operand) { Err(arg.into()) } else { Ok(()) }
}

/// NULL operands that have elements, in the order of the arguments.
fn refuse_nulls(op: &Operation) -> Result<(), Error> {
    let each = |operands: &[(&Operand, Arg, bool)]| {
        operands.iter().filter(|o| o.2).try_for_each(|(operand, arg, _)| refuse_null(operand, *arg))
    };
    match op {
        Operation::Geqrf(p) => each(&[(&p.a, Arg::A, true), (&p.tau, Arg::Tau, true)]),
        Operation::Orgqr(p) => each(&[(&p.a, Arg::A, true), (&p.tau, Arg::Tau, p.k > 0)]),
        Operation::Ormqr(p) => each(&[(&p.a, Arg::A, true), (&p.tau, Arg::Tau, true), (&p.c, Arg::C, true)]),
        Operation::Qr(p) => {
            each(&[(&p.a, Arg::A, p.n > 0), (&p.q, Arg::Q, p.part != QPart::None), (&p.r, Arg::R, p.n > 0)])
        }
        Operation::Gels(p) => each(&[(&p.a, Arg::A, p.m.min(p.n) > 0), (&p.b, Arg::B, p.nrhs > 0)]),
        Operation::Trsm(p) => {
            if matches!(p.alpha, Alpha::Device(place) if place.is_null()) {
                return Err(Arg::Alpha.into());
            }
            each(&[(&p.a, Arg::A, !p.alpha.is_zero()), (&p.b, Arg::B, true)])
        }
        Operation::Larft(p) => each(&[(&p.v, Arg::V, true), (&p.tau, Arg::Tau, true), (&p.t, Arg::T, true)]),
        Operation::Larfb(p) => each(&[(&p.v, Arg::V, true), (&p.t, Arg::T, true), (&p.c, Arg::C, true)]),
    }
}

/// Runs the operation, shapes without a factorisation as what is left of them: so no backend needs to know those.
unsafe fn reduced(runtime: &dyn Runtime, op: &Operation, stream: Stream) -> Result<(), Error> {
    match op {
        Operation::Qr(p) if p.n == 0 => unsafe { runtime.run(&Operation::Orgqr(identity(p)), stream) },
        Operation::Gels(p) if p.m == 0 || p.n == 0 => unsafe { no_equations(runtime, p, stream) },
        // B is empty, and may be missing; A stands in for it, so that a kernel may load its pointer.
        Operation::Gels(p) if p.nrhs == 0 => unsafe { runtime.run(&Operation::Gels(Gels { b: p.a, ..*p }), stream) },
        // A is not read, and may be missing; B stands in for it, so that a kernel may load its pointer.
        Operation::Trsm(p) if p.alpha.is_zero() => unsafe {
            runtime.run(&Operation::Trsm(Trsm { a: p.b, lda: p.ldb, ..*p }), stream)
        },
        _ => unsafe { runtime.run(op, stream) },
    }
}

/// The full Q of a matrix without columns.
fn identity(p: &Qr) -> Orgqr {
    Orgqr { dtype: p.dtype, m: p.m, n: p.m, k: 0, a: p.q, lda: p.ldq, tau: p.q, batch: p.batch }
}

/// Least squares without equations: the shortest of all X is zero, in the rows of B that hold it.
unsafe fn no_equations(runtime: &dyn Runtime, p: &Gels, stream: Stream) -> Result<(), Error> {
    if !p.info.is_null() {
        unsafe { runtime.memset_async(p.info.cast(), 0, p.batch as usize * size_of::<i32>(), stream)? };
    }
    let zero = Trsm {
        dtype: p.dtype,
        side: Side::Left,
        uplo: Uplo::Upper,
        trans: Trans::N,
        diag: Diag::NonUnit,
        m: check::solution_rows(p),
        n: p.nrhs,
        alpha: Alpha::Host(C64::default()),
        a: p.b,
        lda: p.ldb,
        b: p.b,
        ldb: p.ldb,
        batch: p.batch,
    };
    unsafe { runtime.run(&Operation::Trsm(zero), stream) }
}
