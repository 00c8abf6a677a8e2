//! `cusolverDn?getrf`, `?getrs`, `cusolverDnXgetrf`, `Xgetrs` and their buffer size queries: LU of a single matrix.
//! Edge cases are those of [`super::geqrf`]. The type-generic functions (`X...`) have 64-bit interchanges.

use super::bad_argument::{ArgumentSign, report_bad_argument};
use super::geqrf::{dtype, write_buffer_size, write_buffer_sizes};
use super::prototype::call;
use super::q::one;
use super::serve;
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call::{self as calls, WorkspaceSource};
use crate::face::constants::cublas;
use crate::face::native::Positions;
use crate::gpu::arch::VENDORS;
use crate::routine::{Dtype, Getrf, Getrs, Operation, Routine, SmallPivots, Stream, Verdict, Workspace};
use std::ptr::null_mut;
use tephra_vendor::types::*;

const GETRF: &Positions = &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Ipiv, 6)];
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

tephra_vendor::cusolver_getrf_buffer_size!(call FactorSize);
tephra_vendor::cusolver_getrf!(call Factor);
tephra_vendor::cusolver_getrs!(call Solve);
tephra_vendor::cusolver_x_getrf_buffer_size!(call FactorSizeX);
tephra_vendor::cusolver_x_getrf!(call FactorX);
tephra_vendor::cusolver_x_getrs!(call SolveX);

/// The factorisation, without pivoting if `ipiv` is NULL.
fn factorisation(dtype: Dtype, [m, n, lda]: [i64; 3], [a, ipiv]: [Raw; 2], info: Codes) -> Getrf {
    let (sizes, pivoting, small) = (None, !ipiv.is_null(), SmallPivots::KEEP);
    let (a, ipiv, batch, work) = (one(a), one(ipiv), 1, Workspace::NONE);
    Getrf { dtype, m, n, a, lda, sizes, pivoting, small, ipiv, info, batch, work }
}

fn system(dtype: Dtype, trans: Int, sizes: [i64; 4], [a, ipiv, b]: [Raw; 3]) -> Result<Getrs, Error> {
    let ([n, nrhs, lda, ldb], trans) = (sizes, cublas::trans(trans)?);
    let (a, ipiv, b, info) = (one(a), one(ipiv), one(b), null_mut());
    Ok(Getrs { dtype, trans, n, nrhs, a, lda, ipiv, b, ldb, sizes: None, info, batch: 1, work: Workspace::NONE })
}

unsafe fn factor(name: &str, runtime: &dyn Runtime, p: Getrf, stream: Stream) -> Result<(), Error> {
    let result = unsafe { calls::run(name, runtime, &Operation::Getrf(p), stream, WorkspaceSource::Library) };
    if result.is_err() || p.m == 0 || p.n == 0 {
        unsafe { report_bad_argument(runtime, stream, (p.info, 1), (GETRF, ArgumentSign::Minus), &result)? };
    }
    result
}

unsafe fn solve(
    name: &str,
    runtime: &dyn Runtime,
    p: Result<Getrs, Error>,
    info: Codes,
    stream: Stream,
) -> Result<(), Error> {
    let run = |p| unsafe { calls::run(name, runtime, &Operation::Getrs(p), stream, WorkspaceSource::Library) };
    let result = p.and_then(run);
    unsafe { report_bad_argument(runtime, stream, (info, 1), (GETRS, ArgumentSign::Minus), &result)? };
    result
}

/// Whether the call is valid and not empty. Otherwise the interchanges must not be accessed, and their count may be
/// invalid.
fn has_work(p: &impl Routine) -> bool {
    matches!(p.check(), Ok(Verdict::Go)) && p.refuse_nulls().is_ok()
}

/// Runs with a temporary array of `count` 32-bit interchanges, which are copied from the caller's 64-bit ones
/// (`caller_ipiv`) before the run or, with `copy_back`, to them after it.
unsafe fn with_interchanges(
    runtime: &dyn Runtime,
    stream: Stream,
    (caller_ipiv, count): (Raw, i64),
    copy_back: bool,
    run: impl FnOnce(Raw) -> Result<(), Error>,
) -> Result<(), Error> {
    const WIDE: usize = size_of::<i64>();
    const NARROW: usize = size_of::<Int>();
    if caller_ipiv.is_null() || count <= 0 {
        return run(caller_ipiv);
    }
    let count = count as usize;
    let narrow_ipiv = runtime.alloc_async(count * NARROW, stream)?;
    // Integers are little-endian, so a strided copy of the low halves converts them. SAFETY: both arrays have `count`
    // elements.
    let copy = |to, wide, from, other| unsafe { runtime.copy_2d_async(to, wide, from, other, NARROW, count, stream) };
    let before = if copy_back { Ok(()) } else { copy(narrow_ipiv, NARROW, caller_ipiv, WIDE) };
    let done = before.and_then(|()| run(narrow_ipiv)).and_then(|()| match copy_back {
        true => {
            // SAFETY: as above.
            unsafe { runtime.memset_async(caller_ipiv, 0, count * WIDE, stream)? };
            copy(caller_ipiv, WIDE, narrow_ipiv, NARROW)
        }
        false => Ok(()),
    });
    done.and(unsafe { runtime.free_async(narrow_ipiv, stream) })
}

impl serve::Call for Factor {
    fn prefers_vendor(&self) -> bool {
        (VENDORS.getrf)(self.dtype, [self.m, self.n].map(Into::into))
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let sizes = [self.m, self.n, self.lda].map(Into::into);
        let p = factorisation(self.dtype, sizes, [self.a, self.ipiv.cast()], self.dev_info);
        unsafe { factor(self.name, runtime, p, stream) }
    }
}

impl serve::Call for FactorX {
    fn prefers_vendor(&self) -> bool {
        dtype([self.type_a, self.compute]).is_ok_and(|dtype| (VENDORS.getrf)(dtype, [self.m, self.n]))
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let dtype = dtype([self.type_a, self.compute])?;
        let &FactorX { m, n, lda, a, ipiv, dev_info, .. } = self;
        let p = factorisation(dtype, [m, n, lda], [a, ipiv], dev_info);
        let count = if has_work(&p) { m.min(n) } else { 0 };
        let run = |ipiv| unsafe { factor(self.name, runtime, Getrf { ipiv: one(ipiv), ..p }, stream) };
        unsafe { with_interchanges(runtime, stream, (ipiv, count), true, run) }
    }
}

impl serve::Call for Solve {
    fn prefers_vendor(&self) -> bool {
        (VENDORS.solve)(self.dtype, self.n.into())
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let &Solve { dtype, trans, n, nrhs, a, lda, ipiv, b, ldb, dev_info, .. } = self;
        let p = system(dtype, trans, [n, nrhs, lda, ldb].map(Into::into), [a, ipiv.cast(), b]);
        unsafe { solve(self.name, runtime, p, dev_info, stream) }
    }
}

impl serve::Call for SolveX {
    fn prefers_vendor(&self) -> bool {
        dtype([self.type_a, self.type_b]).is_ok_and(|dtype| (VENDORS.solve)(dtype, self.n))
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let dtype = dtype([self.type_a, self.type_b])?;
        let &SolveX { trans, n, nrhs, a, lda, ipiv, b, ldb, dev_info, .. } = self;
        let p = system(dtype, trans, [n, nrhs, lda, ldb], [a, ipiv, b]);
        let count = if p.as_ref().is_ok_and(has_work) { n } else { 0 };
        let run = |ipiv| {
            let p = p.map(|p| Getrs { ipiv: one(ipiv), ..p });
            unsafe { solve(self.name, runtime, p, dev_info, stream) }
        };
        unsafe { with_interchanges(runtime, stream, (ipiv, count), false, run) }
    }
}

impl serve::Call for FactorSize {
    fn prefers_vendor(&self) -> bool {
        true
    }
    unsafe fn run(&self, _: &dyn Runtime, _: Stream) -> Result<(), Error> {
        unsafe { write_buffer_size(self.lwork, 1) }
    }
}

impl serve::Call for FactorSizeX {
    fn prefers_vendor(&self) -> bool {
        true
    }
    unsafe fn run(&self, _: &dyn Runtime, _: Stream) -> Result<(), Error> {
        unsafe { write_buffer_sizes(dtype([self.type_a, self.compute])?, self.device_bytes, self.host_bytes) }
    }
}
