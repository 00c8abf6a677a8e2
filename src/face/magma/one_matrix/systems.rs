//! LU and Cholesky of a single matrix, and systems of equations from their factors. Interchanges and codes are in host
//! memory.

use super::{DEFAULT_STREAM, Raw, conclude, one};
use crate::backend;
use crate::backend::Runtime;
use crate::error::{Arg, Error, Fault};
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cblas;
use crate::face::magma::int::MagmaInt;
use crate::face::native::Positions;
use crate::routine::{Dtype, Getrf, Getrs, Operation, Potrf, Potrs, Routine, SmallPivots, Verdict, Workspace};
use std::ffi::c_int;
use std::ptr::null_mut;

const GETRF: &Positions = &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Ipiv, 5)];
const POTRF: &Positions = &[(Arg::Uplo, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4)];
const GETRS: &Positions = &[
    (Arg::Trans, 1),
    (Arg::N, 2),
    (Arg::Nrhs, 3),
    (Arg::A, 4),
    (Arg::Lda, 5),
    (Arg::Ipiv, 6),
    (Arg::B, 7),
    (Arg::Ldb, 8),
];
const POTRS: &Positions =
    &[(Arg::Uplo, 1), (Arg::N, 2), (Arg::Nrhs, 3), (Arg::A, 4), (Arg::Lda, 5), (Arg::B, 6), (Arg::Ldb, 7)];

/// A matrix in device memory, and the call's code in host memory.
#[derive(Clone, Copy, Debug)]
pub struct MatrixCall {
    /// The exported function.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// The matrix.
    pub a: Raw,
    /// Leading dimension.
    pub lda: c_int,
    /// One code.
    pub info: *mut c_int,
}

/// Right-hand sides in device memory, which are overwritten by the solutions.
#[derive(Clone, Copy, Debug)]
pub struct RightHandSides {
    /// Columns.
    pub nrhs: c_int,
    /// The matrix B.
    pub b: Raw,
    /// Leading dimension.
    pub ldb: c_int,
}

/// Integers in host memory that a call copies from or to the device.
struct Integers {
    host: *mut c_int,
    count: usize,
}

impl Integers {
    fn bytes(&self) -> usize {
        self.count * size_of::<c_int>()
    }

    unsafe fn copy(&self, runtime: &dyn Runtime, to: Raw, from: Raw) -> Result<(), Error> {
        let bytes = self.bytes();
        if bytes == 0 {
            return Ok(());
        }
        unsafe { runtime.copy_2d_async(to, bytes, from, bytes, bytes, 1, DEFAULT_STREAM) }
    }
}

/// Calls `run` with memory on the device for a code and for integers, which it reads or (`writes`) writes. Waits, and
/// returns the code.
unsafe fn with_integers(
    integers: &Integers,
    writes: bool,
    run: impl FnOnce(&dyn Runtime, *mut c_int, Raw) -> Result<(), Error>,
) -> Result<c_int, Error> {
    let runtime = backend::current()?;
    let code = runtime.alloc_async(size_of::<c_int>() + integers.bytes(), DEFAULT_STREAM)?;
    let device_integers = code.wrapping_byte_add(size_of::<c_int>());
    let mut host_code: c_int = 0;
    let done = unsafe {
        let before = if writes { Ok(()) } else { integers.copy(runtime, device_integers, integers.host.cast()) };
        let ran = before.and_then(|()| runtime.memset_async(code, 0, size_of::<c_int>(), DEFAULT_STREAM));
        let ran = ran.and_then(|()| run(runtime, code.cast(), device_integers));
        let copied =
            if writes { ran.and_then(|()| integers.copy(runtime, integers.host.cast(), device_integers)) } else { ran };
        let size = size_of::<c_int>();
        copied.and_then(|()| {
            runtime.copy_2d_async((&raw mut host_code).cast(), size, code, size, size, 1, DEFAULT_STREAM)
        })
    };
    let freed = unsafe { runtime.free_async(code, DEFAULT_STREAM) };
    let finished = unsafe { runtime.stream_synchronize(DEFAULT_STREAM) };
    done.and(freed).and(finished).map(|()| host_code)
}

/// Checks a problem, and that its operands are not NULL. Returns whether there is anything to do.
fn has_work(p: &impl Routine) -> Result<bool, Error> {
    let has_work = p.check()? == Verdict::Go;
    if has_work {
        p.refuse_nulls()?;
    }
    Ok(has_work)
}

/// Returns the code of a call and stores it in `info`. A positive code is returned, too.
unsafe fn conclude_with_code(
    call: &MatrixCall,
    positions: &Positions,
    result: Result<c_int, Error>,
) -> Result<MagmaInt, Error> {
    match result {
        Ok(code @ 1..) => {
            if let Some(info) = unsafe { call.info.as_mut() } {
                *info = code;
            }
            Ok(MagmaInt(code))
        }
        result => unsafe { conclude(call.name, positions, call.info, result.map(|_| ())) },
    }
}

/// `magma_?getrf_gpu`.
///
/// # Safety
/// As MAGMA documents; `ipiv` is a host array of min(m, n) integers.
pub unsafe fn getrf(call: &MatrixCall, [m, n]: [c_int; 2], ipiv: *mut c_int) -> Result<MagmaInt, Error> {
    let &MatrixCall { name, dtype, a, lda, .. } = call;
    let p = Getrf {
        dtype,
        m: m.into(),
        n: n.into(),
        a: one(a),
        lda: lda.into(),
        sizes: None,
        pivoting: true,
        small: SmallPivots::KEEP,
        ipiv: one(ipiv.cast()),
        info: null_mut(),
        batch: 1,
        work: Workspace::NONE,
    };
    let result = has_work(&p).and_then(|has_work| {
        if !has_work {
            return Ok(0);
        }
        let integers = Integers { host: ipiv, count: m.min(n) as usize };
        let run = |runtime: &dyn Runtime, info, ipiv| unsafe {
            let op = Operation::Getrf(Getrf { info, ipiv: one(ipiv), ..p });
            call::run(name, runtime, &op, DEFAULT_STREAM, WorkspaceSource::Library)
        };
        unsafe { with_integers(&integers, true, run) }
    });
    unsafe { conclude_with_code(call, GETRF, result) }
}

/// `magma_?potrf_gpu`.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn potrf(call: &MatrixCall, uplo: c_int, n: c_int) -> Result<MagmaInt, Error> {
    let &MatrixCall { name, dtype, a, lda, .. } = call;
    let result = cblas::uplo(uplo).and_then(|uplo| {
        let (n, a, lda, sizes, info, work) = (n.into(), one(a), lda.into(), None, null_mut(), Workspace::NONE);
        let p = Potrf { dtype, uplo, n, a, lda, sizes, info, batch: 1, work };
        if !has_work(&p)? {
            return Ok(0);
        }
        let run = |runtime: &dyn Runtime, info, _| unsafe {
            call::run(name, runtime, &Operation::Potrf(Potrf { info, ..p }), DEFAULT_STREAM, WorkspaceSource::Library)
        };
        unsafe { with_integers(&Integers { host: null_mut(), count: 0 }, true, run) }
    });
    unsafe { conclude_with_code(call, POTRF, result) }
}

/// `magma_?getrs_gpu`.
///
/// # Safety
/// As MAGMA documents; `ipiv` is a host array of n integers.
pub unsafe fn getrs(
    call: &MatrixCall,
    trans: c_int,
    n: c_int,
    ipiv: *const c_int,
    rhs: &RightHandSides,
) -> Result<MagmaInt, Error> {
    let &MatrixCall { name, dtype, a, lda, .. } = call;
    let result = cblas::trans(trans).and_then(|trans| {
        let p = Getrs {
            dtype,
            trans,
            n: n.into(),
            nrhs: rhs.nrhs.into(),
            a: one(a),
            lda: lda.into(),
            ipiv: one(ipiv.cast_mut().cast()),
            b: one(rhs.b),
            ldb: rhs.ldb.into(),
            sizes: None,
            info: null_mut(),
            batch: 1,
            work: Workspace::NONE,
        };
        if !has_work(&p)? {
            return Ok(0);
        }
        if ipiv.is_null() {
            return Err(Error::BadArgument(Arg::Ipiv, Fault::Null));
        }
        let integers = Integers { host: ipiv.cast_mut(), count: n as usize };
        let run = |runtime: &dyn Runtime, _, ipiv| unsafe {
            let op = Operation::Getrs(Getrs { ipiv: one(ipiv), ..p });
            call::run(name, runtime, &op, DEFAULT_STREAM, WorkspaceSource::Library)
        };
        unsafe { with_integers(&integers, false, run) }
    });
    unsafe { conclude_with_code(call, GETRS, result) }
}

/// `magma_?potrs_gpu`.
///
/// # Safety
/// As MAGMA documents.
pub unsafe fn potrs(call: &MatrixCall, uplo: c_int, n: c_int, rhs: &RightHandSides) -> Result<MagmaInt, Error> {
    let &MatrixCall { name, dtype, a, lda, .. } = call;
    let result = cblas::uplo(uplo).and_then(|uplo| {
        let p = Potrs {
            dtype,
            uplo,
            n: n.into(),
            nrhs: rhs.nrhs.into(),
            a: one(a),
            lda: lda.into(),
            b: one(rhs.b),
            ldb: rhs.ldb.into(),
            sizes: None,
            info: null_mut(),
            batch: 1,
            work: Workspace::NONE,
        };
        if !has_work(&p)? {
            return Ok(0);
        }
        let run = |runtime: &dyn Runtime, _, _: Raw| unsafe {
            call::run(name, runtime, &Operation::Potrs(p), DEFAULT_STREAM, WorkspaceSource::Library)
        };
        unsafe { with_integers(&Integers { host: null_mut(), count: 0 }, true, run) }
    });
    unsafe { conclude_with_code(call, POTRS, result) }
}
