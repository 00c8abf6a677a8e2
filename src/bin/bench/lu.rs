//! LU's calls: the library's, and those of cuBLAS beside them.

use super::Failure;
use super::operands::Operands;
use crate::case::{Case, Op};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_testkit::Error;
use tephra_testkit::library::{CublasHandle, Library, symbol_name};
use tephra_testkit::memory::{Kind, Memory};
use tephra_testkit::ops::Trans;
use tephra_testkit::vendor::Vendor;

type Array = *const *mut c_void;

/// Bytes of workspace that the library needs for a case.
pub fn workspace(library: &Library, case: &Case) -> Result<usize, Failure> {
    type Sizes = unsafe extern "C" fn(i64, i64, i64, i64, *mut usize) -> c_int;
    type OfGesv = unsafe extern "C" fn(i64, i64, i64, i64, i64, *mut usize) -> c_int;
    type OfGetrs = unsafe extern "C" fn(c_int, i64, i64, i64, i64, i64, *mut usize) -> c_int;
    let Case { op, dtype, shape, lda, options } = *case;
    let [m, n, lda, nrhs, ldb, batch] =
        [shape.m, shape.n, lda, options.nrhs, options.ldb, shape.batch].map(|x| x as i64);
    let name = symbol_name(&format!("tephra_?{}_batched_workspace", op.lapack()), dtype);
    let mut bytes = 0;
    // SAFETY: the types are those of include/tephra.h.
    let code = unsafe {
        match op {
            Op::Getrs => library.symbol::<OfGetrs>(&name)?(trans(case).cblas(), n, nrhs, lda, ldb, batch, &mut bytes),
            Op::Gesv => library.symbol::<OfGesv>(&name)?(n, nrhs, lda, ldb, batch, &mut bytes),
            Op::Getri | Op::Inv => library.symbol::<Sizes>(&name)?(n, lda, ldb, batch, &mut bytes),
            _ => library.symbol::<Sizes>(&name)?(m, n, lda, batch, &mut bytes),
        }
    };
    library.status(&name, code)?;
    Ok(bytes)
}

fn trans(case: &Case) -> Trans {
    Trans::ALL[case.options.trans as usize]
}

/// Factors what is in A.
pub fn factor(o: &Operands<'_>) -> Result<(), Failure> {
    let library = o.machine.library;
    let case = Case { op: Op::Getrf, ..o.case };
    let work = Memory::new(library, Kind::Device, workspace(library, &case)?)?;
    Ok(library.status("tephra_getrf_batched", run(o, Op::Getrf, &work))?)
}

/// The library's answer to the call of the case.
pub fn tephra(o: &Operands<'_>) -> c_int {
    run(o, o.case.op, &o.workspace)
}

/// The same without pivoting.
pub fn with_butterflies(o: &Operands<'_>) -> Result<c_int, Failure> {
    type GesvRbt = unsafe extern "C" fn(i64, i64, Array, i64, Array, i64, *mut c_void, i64, *mut c_void) -> c_int;
    let Case { shape, dtype, options, .. } = o.case;
    let [n, nrhs, batch] = [shape.n, options.nrhs, shape.batch].map(|x| x as i64);
    let (info, stream) = (o.info.pointer(), o.machine.stream.raw());
    let name = symbol_name("tephra_?gesv_rbt_batched", dtype);
    // SAFETY: as above; the type is that of include/tephra.h.
    Ok(unsafe {
        let call = o.machine.library.symbol::<GesvRbt>(&name)?;
        call(n, nrhs, o.a.array(), o.a.ld(), o.b.array(), o.b.ld(), info, batch, stream)
    })
}

fn run(o: &Operands<'_>, op: Op, work: &Memory) -> c_int {
    let Case { shape, dtype, options, .. } = o.case;
    let [m, n, nrhs, batch] = [shape.m, shape.n, options.nrhs, shape.batch].map(|x| x as i64);
    let (a, lda, b, ldb, ipiv) = (o.a.array(), o.a.ld(), o.b.array(), o.b.ld(), o.ipiv.array());
    let (info, work, bytes, stream) = (o.info.pointer().cast(), work.pointer(), work.bytes(), o.machine.stream.raw());
    let (trans, lu) = (trans(&o.case).cblas(), o.machine.library.lu(dtype));
    // SAFETY: the operands have the sizes of the case and outlive the stream's work.
    unsafe {
        match op {
            Op::Getrf => (lu.getrf)(m, n, a, lda, ipiv, info, batch, work, bytes, stream),
            Op::GetrfNopiv => (lu.getrf_nopiv)(m, n, a, lda, info, batch, work, bytes, stream),
            Op::Getrs => (lu.getrs)(trans, n, nrhs, a, lda, ipiv, b, ldb, batch, work, bytes, stream),
            Op::Gesv => (lu.gesv)(n, nrhs, a, lda, ipiv, b, ldb, info, batch, work, bytes, stream),
            Op::Getri => (lu.getri)(n, a, lda, ipiv, b, ldb, info, batch, work, bytes, stream),
            Op::Inv => (lu.inv)(n, a, lda, b, ldb, info, batch, work, bytes, stream),
            _ => unreachable!("{op:?} is not LU's"),
        }
    }
}

/// Whether cuBLAS has routines for the case, or for its parts: of square matrices only.
pub fn cublas_serves(case: &Case) -> bool {
    case.op.is_lu() && case.shape.m == case.shape.n
}

/// The largest order that cuBLAS's `matinv` takes.
const MATINV_LARGEST: c_int = 32;

/// The same by cuBLAS; where it has no such routine by two of its routines.
pub fn cublas(handle: &CublasHandle, o: &Operands<'_>) -> Result<(), Failure> {
    let Case { op, shape, dtype, options, .. } = o.case;
    let [n, nrhs, lda, ldb, batch] =
        [shape.n as i64, options.nrhs as i64, o.a.ld(), o.b.ld(), shape.batch as i64].map(|x| x as c_int);
    let (a, b, raw, trans) = (o.a.array(), o.b.array(), handle.raw(), trans(&o.case).cublas());
    let (ipiv, codes, lu) = (o.ipiv.start().cast(), o.info.pointer().cast(), Vendor::get()?.lu(dtype));
    let mut info = 0;
    // SAFETY: the operands have the sizes of the case and outlive the stream's work.
    let getrf = |ipiv| said("getrf", unsafe { (lu.getrf)(raw, n, a, lda, ipiv, codes, batch) });
    let getri = || said("getri", unsafe { (lu.getri)(raw, n, a, lda, ipiv, b, ldb, codes, batch) });
    let mut getrs = || {
        let code = unsafe { (lu.getrs)(raw, trans, n, nrhs, a, lda, ipiv, b, ldb, &mut info, batch) };
        said("getrs", if code != 0 { code } else { info })
    };
    match op {
        Op::Getrf => getrf(ipiv),
        Op::GetrfNopiv => getrf(null_mut()),
        Op::Getrs => getrs(),
        Op::Gesv | Op::GesvRbt => getrf(ipiv).and_then(|()| getrs()),
        Op::Getri => getri(),
        Op::Inv if n <= MATINV_LARGEST => said("matinv", unsafe { (lu.matinv)(raw, n, a, lda, b, ldb, codes, batch) }),
        Op::Inv => getrf(ipiv).and_then(|()| getri()),
        _ => unreachable!("{op:?} is not LU's"),
    }
}

fn said(routine: &str, code: c_int) -> Result<(), Failure> {
    if code == 0 { Ok(()) } else { Err(Error::status(format!("cublas?{routine}Batched (with info)"), code).into()) }
}
