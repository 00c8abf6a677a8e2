//! `cusolverDn?orgqr`, `?ormqr` (`?ungqr`, `?unmqr`) and their buffer size queries: explicit Q, and its application,
//! for a single matrix. Edge cases are those of [`super::geqrf`].

use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call as calls;
use crate::face::call::WorkspaceSource;
use crate::face::constants::cublas;
use crate::face::cusolver::bad_argument::{ArgumentSign, report_bad_argument};
use crate::face::cusolver::geqrf::write_buffer_size;
use crate::face::cusolver::prototype::call;
use crate::face::cusolver::serve;
use crate::face::native::Positions;
use crate::gpu::arch::VENDORS;
use crate::routine::{Dtype, Operand, Operation, Orgqr, Ormqr, Stream, Trans};
use tephra_vendor::types::*;

const ORGQR: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::K, 3), (Arg::A, 4), (Arg::Lda, 5), (Arg::Tau, 6), (Arg::Lwork, 8)];
const ORMQR: &Positions = &[
    (Arg::Side, 1),
    (Arg::Trans, 2),
    (Arg::M, 3),
    (Arg::N, 4),
    (Arg::K, 5),
    (Arg::A, 6),
    (Arg::Lda, 7),
    (Arg::Tau, 8),
    (Arg::C, 9),
    (Arg::Ldc, 10),
    (Arg::Lwork, 12),
];

tephra_vendor::cusolver_orgqr!(call Generate);
tephra_vendor::cusolver_orgqr_buffer_size!(call GenerateSize);
tephra_vendor::cusolver_ormqr!(call Apply);
tephra_vendor::cusolver_ormqr_buffer_size!(call ApplySize);

/// A single matrix or vector.
pub(super) fn one(base: Raw) -> Operand {
    Operand::Strided { base, stride: 0 }
}

fn generate(dtype: Dtype, sizes: [Int; 4], [a, tau]: [Raw; 2]) -> Orgqr {
    let [m, n, k, lda] = sizes.map(Into::into);
    Orgqr { dtype, m, n, k, a: one(a), lda, sizes: None, tau: one(tau), batch: 1 }
}

fn apply(dtype: Dtype, [side, trans]: [Int; 2], sizes: [Int; 5], places: [Raw; 3]) -> Result<Ormqr, Error> {
    let (side, trans) = (cublas::side(side)?, cublas::trans(trans)?);
    // As in LAPACK, `?unmqr` does not support the plain transpose.
    if dtype.is_complex() && trans == Trans::T {
        return Err(Arg::Trans.into());
    }
    let ([m, n, k, lda, ldc], [a, tau, c]) = (sizes.map(Into::into), places.map(one));
    Ok(Ormqr { dtype, side, trans, m, n, k, a, lda, tau, c, ldc, batch: 1, sizes: None })
}

impl serve::Call for Generate {
    fn prefers_vendor(&self) -> bool {
        (VENDORS.orgqr)(self.dtype, [self.m, self.n, self.k].map(Into::into))
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let p = generate(self.dtype, [self.m, self.n, self.k, self.lda], [self.a, self.tau]);
        let result = unsafe { calls::run(self.name, runtime, &Operation::Orgqr(p), stream, WorkspaceSource::Caller) };
        unsafe { report_bad_argument(runtime, stream, (self.dev_info, 1), (ORGQR, ArgumentSign::Minus), &result)? };
        result
    }
}

impl serve::Call for GenerateSize {
    fn prefers_vendor(&self) -> bool {
        true
    }
    unsafe fn run(&self, _: &dyn Runtime, _: Stream) -> Result<(), Error> {
        unsafe { write_buffer_size(self.lwork, 1) }
    }
}

impl serve::Call for Apply {
    fn prefers_vendor(&self) -> bool {
        (VENDORS.ormqr)(self.dtype, self.side == 0, [self.m, self.n, self.k].map(Into::into))
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let sizes = [self.m, self.n, self.k, self.lda, self.ldc];
        let problem = apply(self.dtype, [self.side, self.trans], sizes, [self.a, self.tau, self.c]);
        let run = |p| unsafe { calls::run(self.name, runtime, &Operation::Ormqr(p), stream, WorkspaceSource::Caller) };
        let result = problem.and_then(run);
        unsafe { report_bad_argument(runtime, stream, (self.dev_info, 1), (ORMQR, ArgumentSign::Minus), &result)? };
        result
    }
}

impl serve::Call for ApplySize {
    fn prefers_vendor(&self) -> bool {
        true
    }
    unsafe fn run(&self, _: &dyn Runtime, _: Stream) -> Result<(), Error> {
        unsafe { write_buffer_size(self.lwork, 1) }
    }
}
