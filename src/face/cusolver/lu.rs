//! `cusolverDn?getrf`, `?getrs`, `cusolverDnXgetrf`, `Xgetrs` and their buffer size queries: LU of a single matrix.
//! Edge cases are those of [`super::geqrf`]. The type-generic functions (`X...`) have 64-bit interchanges.

use super::geqrf::{dtype, one_element, size_of_any};
use super::prototype::call;
use super::q::one;
use super::serve;
use super::tell::{Sign, tell};
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call::{self as calls, Scratch};
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
fn factors(dtype: Dtype, [m, n, lda]: [i64; 3], [a, ipiv]: [Raw; 2], info: Codes) -> Getrf {
    let (sizes, pivoting, small) = (None, !ipiv.is_null(), SmallPivots::STAY);
    let (a, ipiv, batch, work) = (one(a), one(ipiv), 1, Workspace::NONE);
    Getrf { dtype, m, n, a, lda, sizes, pivoting, small, ipiv, info, batch, work }
}

fn system(dtype: Dtype, trans: Int, sizes: [i64; 4], [a, ipiv, b]: [Raw; 3]) -> Result<Getrs, Error> {
    let ([n, nrhs, lda, ldb], trans) = (sizes, cublas::trans(trans)?);
    let (a, ipiv, b, info) = (one(a), one(ipiv), one(b), null_mut());
    Ok(Getrs { dtype, trans, n, nrhs, a, lda, ipiv, b, ldb, sizes: None, info, batch: 1, work: Workspace::NONE })
}

unsafe fn factor(name: &str, runtime: &dyn Runtime, p: Getrf, stream: Stream) -> Result<(), Error> {
    let result = unsafe { calls::run(name, runtime, &Operation::Getrf(p), stream, Scratch::Ours) };
    if result.is_err() || p.m == 0 || p.n == 0 {
        unsafe { tell(runtime, stream, (p.info, 1), (GETRF, Sign::Minus), &result)? };
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
    let run = |p| unsafe { calls::run(name, runtime, &Operation::Getrs(p), stream, Scratch::Ours) };
    let result = p.and_then(run);
    unsafe { tell(runtime, stream, (info, 1), (GETRS, Sign::Minus), &result)? };
    result
}

/// Whether the call is valid and not empty. Otherwise the interchanges must not be accessed, and their count may be
/// invalid.
fn goes_on(p: &impl Routine) -> bool {
    matches!(p.check(), Ok(Verdict::Go)) && p.refuse_nulls().is_ok()
}

/// Runs with a temporary array of `count` 32-bit interchanges, which are copied from the caller's 64-bit ones `told`
/// before the run or, with `back`, to them after it.
unsafe fn with_interchanges(
    runtime: &dyn Runtime,
    stream: Stream,
    (told, count): (Raw, i64),
    back: bool,
    run: impl FnOnce(Raw) -> Result<(), Error>,
) -> Result<(), Error> {
    const WIDE: usize = size_of::<i64>();
    const NARROW: usize = size_of::<Int>();
    if told.is_null() || count <= 0 {
        return run(told);
    }
    let count = count as usize;
    let own = runtime.scratch(count * NARROW, stream)?;
    // Integers are little-endian, so a strided copy of the low halves converts them. SAFETY: both arrays have `count`
    // elements.
    let copy = |to, wide, from, other| unsafe { runtime.copy_2d_async(to, wide, from, other, NARROW, count, stream) };
    let before = if back { Ok(()) } else { copy(own, NARROW, told, WIDE) };
    let done = before.and_then(|()| run(own)).and_then(|()| match back {
        true => {
            // SAFETY: as above.
            unsafe { runtime.memset_async(told, 0, count * WIDE, stream)? };
            copy(told, WIDE, own, NARROW)
        }
        false => Ok(()),
    });
    done.and(unsafe { runtime.scratch_free(own, stream) })
}

impl serve::Call for Factor {
    fn is_vendors(&self) -> bool {
        (VENDORS.getrf)(self.dtype, [self.m, self.n].map(Into::into))
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let sizes = [self.m, self.n, self.lda].map(Into::into);
        let p = factors(self.dtype, sizes, [self.a, self.ipiv.cast()], self.dev_info);
        unsafe { factor(self.name, runtime, p, stream) }
    }
}

impl serve::Call for FactorX {
    fn is_vendors(&self) -> bool {
        dtype([self.type_a, self.compute]).is_ok_and(|dtype| (VENDORS.getrf)(dtype, [self.m, self.n]))
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let dtype = dtype([self.type_a, self.compute])?;
        let &FactorX { m, n, lda, a, ipiv, dev_info, .. } = self;
        let p = factors(dtype, [m, n, lda], [a, ipiv], dev_info);
        let count = if goes_on(&p) { m.min(n) } else { 0 };
        let run = |ipiv| unsafe { factor(self.name, runtime, Getrf { ipiv: one(ipiv), ..p }, stream) };
        unsafe { with_interchanges(runtime, stream, (ipiv, count), true, run) }
    }
}

impl serve::Call for Solve {
    fn is_vendors(&self) -> bool {
        (VENDORS.solve)(self.dtype, self.n.into())
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let &Solve { dtype, trans, n, nrhs, a, lda, ipiv, b, ldb, dev_info, .. } = self;
        let p = system(dtype, trans, [n, nrhs, lda, ldb].map(Into::into), [a, ipiv.cast(), b]);
        unsafe { solve(self.name, runtime, p, dev_info, stream) }
    }
}

impl serve::Call for SolveX {
    fn is_vendors(&self) -> bool {
        dtype([self.type_a, self.type_b]).is_ok_and(|dtype| (VENDORS.solve)(dtype, self.n))
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let dtype = dtype([self.type_a, self.type_b])?;
        let &SolveX { trans, n, nrhs, a, lda, ipiv, b, ldb, dev_info, .. } = self;
        let p = system(dtype, trans, [n, nrhs, lda, ldb], [a, ipiv, b]);
        let count = if p.as_ref().is_ok_and(goes_on) { n } else { 0 };
        let run = |ipiv| {
            let p = p.map(|p| Getrs { ipiv: one(ipiv), ..p });
            unsafe { solve(self.name, runtime, p, dev_info, stream) }
        };
        unsafe { with_interchanges(runtime, stream, (ipiv, count), false, run) }
    }
}

impl serve::Call for FactorSize {
    fn is_vendors(&self) -> bool {
        true
    }
    unsafe fn run(&self, _: &dyn Runtime, _: Stream) -> Result<(), Error> {
        unsafe { one_element(self.lwork, 1) }
    }
}

impl serve::Call for FactorSizeX {
    fn is_vendors(&self) -> bool {
        true
    }
    unsafe fn run(&self, _: &dyn Runtime, _: Stream) -> Result<(), Error> {
        unsafe { size_of_any(dtype([self.type_a, self.compute])?, self.device_bytes, self.host_bytes) }
    }
}
