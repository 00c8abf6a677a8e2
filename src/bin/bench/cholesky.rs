//! Cholesky's calls: the library's, and those of cuSOLVER beside them.

use super::Failure;
use super::operands::Operands;
use crate::case::{Case, Op, Uplo};
use std::ffi::c_int;
use tephra_testkit::Error;
use tephra_testkit::library::{CusolverBatch, CusolverHandle, Library, symbol_name};
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::ops;

/// The triangle in the test kit's type.
pub fn uplo(case: &Case) -> ops::Uplo {
    if case.options.uplo == Uplo::Upper { ops::Uplo::Upper } else { ops::Uplo::Lower }
}

/// Bytes of workspace that the library needs for a case.
pub fn workspace(library: &Library, case: &Case) -> Result<usize, Failure> {
    type Sizes = unsafe extern "C" fn(c_int, i64, i64, i64, *mut usize) -> c_int;
    type OfSystems = unsafe extern "C" fn(c_int, i64, i64, i64, i64, i64, *mut usize) -> c_int;
    let Case { op, dtype, shape, lda, options } = *case;
    let [n, lda, nrhs, ldb, batch] = [shape.n, lda, options.nrhs, options.ldb, shape.batch].map(|x| x as i64);
    let name = symbol_name(&format!("tephra_?{}_batched_workspace", op.lapack()), dtype);
    let (uplo, mut bytes) = (uplo(case).cblas(), 0);
    // SAFETY: the types are those of include/tephra.h.
    let code = unsafe {
        match op {
            Op::Potrs | Op::Posv => library.symbol::<OfSystems>(&name)?(uplo, n, nrhs, lda, ldb, batch, &mut bytes),
            _ => library.symbol::<Sizes>(&name)?(uplo, n, lda, batch, &mut bytes),
        }
    };
    library.status(&name, code)?;
    Ok(bytes)
}

/// Factors what is in A.
pub fn factor(o: &Operands<'_>) -> Result<(), Failure> {
    let library = o.machine.library;
    let work = Memory::new(library, Kind::Device, workspace(library, &Case { op: Op::Potrf, ..o.case })?)?;
    Ok(library.status("tephra_potrf_batched", run(o, Op::Potrf, &work))?)
}

/// The library's answer to the call of the case.
pub fn tephra(o: &Operands<'_>) -> c_int {
    run(o, o.case.op, &o.workspace)
}

fn run(o: &Operands<'_>, op: Op, work: &Memory) -> c_int {
    let Case { shape, dtype, options, .. } = o.case;
    let [n, nrhs, batch] = [shape.n, options.nrhs, shape.batch].map(|x| x as i64);
    let (a, lda, b, ldb) = (o.a.array(), o.a.ld(), o.b.array(), o.b.ld());
    let (info, work, bytes, stream) = (o.info.pointer().cast(), work.pointer(), work.bytes(), o.machine.stream.raw());
    let (uplo, cholesky) = (uplo(&o.case).cblas(), o.machine.library.cholesky(dtype));
    // SAFETY: the operands have the sizes of the case and outlive the stream's work.
    unsafe {
        match op {
            Op::Potrf => (cholesky.potrf)(uplo, n, a, lda, info, batch, work, bytes, stream),
            Op::Potri => (cholesky.potri)(uplo, n, a, lda, info, batch, work, bytes, stream),
            Op::Potrs => (cholesky.potrs)(uplo, n, nrhs, a, lda, b, ldb, batch, work, bytes, stream),
            Op::Posv => (cholesky.posv)(uplo, n, nrhs, a, lda, b, ldb, info, batch, work, bytes, stream),
            _ => unreachable!("{op:?} is not Cholesky's"),
        }
    }
}

/// Whether cuSOLVER has routines for the case, or for its parts.
pub fn cusolver_serves(case: &Case) -> bool {
    match case.op {
        Op::Potrf => true,
        Op::Potrs | Op::Posv => case.options.nrhs == 1,
        _ => false,
    }
}

/// The same by cuSOLVER; posv by two of its routines.
pub fn cusolver(handle: &CusolverHandle, o: &Operands<'_>) -> Result<(), Failure> {
    let Case { op, shape, dtype, .. } = o.case;
    let [n, lda, ldb, batch] = [shape.n as i64, o.a.ld(), o.b.ld(), shape.batch as i64].map(|x| x as c_int);
    let (uplo, codes) = (uplo(&o.case).cublas(), o.info.pointer().cast());
    let p = CusolverBatch { dtype, uplo, n, a: o.a.array(), lda, codes, batch };
    // SAFETY: the operands have the sizes of the case and outlive the stream's work.
    let potrf = || said("potrf", unsafe { handle.potrf(&p) });
    let potrs = || said("potrs", unsafe { handle.potrs(&p, o.b.array(), ldb) });
    match op {
        Op::Potrf => potrf(),
        Op::Potrs => potrs(),
        Op::Posv => potrf().and_then(|()| potrs()),
        _ => unreachable!("see cusolver_serves"),
    }
}

fn said(routine: &str, code: c_int) -> Result<(), Failure> {
    if code == 0 { Ok(()) } else { Err(Error::status(format!("cusolverDn?{routine}Batched"), code).into()) }
}
