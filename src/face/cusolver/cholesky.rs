//! `cusolverDn?potrf`, `?potrs`, `cusolverDnXpotrf`, `Xpotrs` and their buffer size queries: Cholesky of a single
//! matrix. Edge cases are those of [`super::geqrf`].

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
use crate::routine::{Dtype, Operation, Potrf, Potrs, Stream, Workspace};
use std::ptr::null_mut;
use tephra_vendor::types::*;

const POTRF: &Positions = &[(Arg::Uplo, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4)];
const POTRS: &Positions =
    &[(Arg::Uplo, 1), (Arg::N, 2), (Arg::Nrhs, 3), (Arg::A, 4), (Arg::Lda, 5), (Arg::B, 6), (Arg::Ldb, 7)];

tephra_vendor::cusolver_potrf_buffer_size!(call FactorSize);
tephra_vendor::cusolver_potrf!(call Factor);
tephra_vendor::cusolver_potrs!(call Solve);
tephra_vendor::cusolver_x_potrf_buffer_size!(call FactorSizeX);
tephra_vendor::cusolver_x_potrf!(call FactorX);
tephra_vendor::cusolver_x_potrs!(call SolveX);

/// Factors the matrix. The result is also reported on the device, in `info`.
unsafe fn factor(
    (name, dtype, uplo): (&str, Dtype, Int),
    runtime: &dyn Runtime,
    [n, lda]: [i64; 2],
    (a, info): (Raw, Codes),
    stream: Stream,
) -> Result<(), Error> {
    let problem = cublas::uplo(uplo).map(|uplo| Potrf {
        dtype,
        uplo,
        n,
        a: one(a),
        lda,
        sizes: None,
        info,
        batch: 1,
        work: Workspace::NONE,
    });
    let run = |p| unsafe { calls::run(name, runtime, &Operation::Potrf(p), stream, WorkspaceSource::Library) };
    let result = problem.and_then(run);
    if result.is_err() || n == 0 {
        unsafe { report_bad_argument(runtime, stream, (info, 1), (POTRF, ArgumentSign::Minus), &result)? };
    }
    result
}

unsafe fn solve(
    (name, dtype, uplo): (&str, Dtype, Int),
    runtime: &dyn Runtime,
    [n, nrhs, lda, ldb]: [i64; 4],
    ([a, b], codes): ([Raw; 2], Codes),
    stream: Stream,
) -> Result<(), Error> {
    let problem = cublas::uplo(uplo).map(|uplo| {
        let (a, b, sizes, info, work) = (one(a), one(b), None, null_mut(), Workspace::NONE);
        Potrs { dtype, uplo, n, nrhs, a, lda, b, ldb, sizes, info, batch: 1, work }
    });
    let run = |p| unsafe { calls::run(name, runtime, &Operation::Potrs(p), stream, WorkspaceSource::Library) };
    let result = problem.and_then(run);
    unsafe { report_bad_argument(runtime, stream, (codes, 1), (POTRS, ArgumentSign::Minus), &result)? };
    result
}

impl serve::Call for Factor {
    fn prefers_vendor(&self) -> bool {
        (VENDORS.potrf)(self.dtype, self.n.into())
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let &Factor { name, dtype, uplo, n, a, lda, dev_info, .. } = self;
        unsafe { factor((name, dtype, uplo), runtime, [n, lda].map(Into::into), (a, dev_info), stream) }
    }
}

impl serve::Call for FactorX {
    fn prefers_vendor(&self) -> bool {
        dtype([self.type_a, self.compute]).is_ok_and(|dtype| (VENDORS.potrf)(dtype, self.n))
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let &FactorX { name, uplo, n, a, lda, dev_info, .. } = self;
        let dtype = dtype([self.type_a, self.compute])?;
        unsafe { factor((name, dtype, uplo), runtime, [n, lda], (a, dev_info), stream) }
    }
}

impl serve::Call for Solve {
    fn prefers_vendor(&self) -> bool {
        (VENDORS.solve)(self.dtype, self.n.into())
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let &Solve { name, dtype, uplo, n, nrhs, a, lda, b, ldb, dev_info, .. } = self;
        let sizes = [n, nrhs, lda, ldb].map(Into::into);
        unsafe { solve((name, dtype, uplo), runtime, sizes, ([a, b], dev_info), stream) }
    }
}

impl serve::Call for SolveX {
    fn prefers_vendor(&self) -> bool {
        dtype([self.type_a, self.type_b]).is_ok_and(|dtype| (VENDORS.solve)(dtype, self.n))
    }
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let &SolveX { name, uplo, n, nrhs, a, lda, b, ldb, dev_info, .. } = self;
        let dtype = dtype([self.type_a, self.type_b])?;
        unsafe { solve((name, dtype, uplo), runtime, [n, nrhs, lda, ldb], ([a, b], dev_info), stream) }
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
