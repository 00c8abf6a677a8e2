//! `cusolverDn?potrfBatched`, `cusolverDn?potrsBatched`.
//!
//! Edge cases, as measured with cuSOLVER 12.0.4: a bad argument is reported by the status and by the first code on the
//! device, as its number counted without the handle; potrf sets the other codes to 0. Both reject a batch count of 0,
//! and potrf then writes no code. In Tephra the codes of empty matrices are 0, potrs accepts any number of right-hand
//! sides, and a NaN on the diagonal counts as not positive definite.

use super::bad_argument::{ArgumentSign, report_bad_argument};
use super::prototype::call;
use super::serve;
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call::{self as calls, WorkspaceSource};
use crate::face::constants::cublas;
use crate::face::native::Positions;
use crate::routine::{Operand, Operation, Potrf, Potrs, Stream, Workspace};
use tephra_vendor::types::*;

const POTRF: &Positions = &[(Arg::Uplo, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::BatchCount, 6)];
const POTRS: &Positions = &[
    (Arg::Uplo, 1),
    (Arg::N, 2),
    (Arg::Nrhs, 3),
    (Arg::A, 4),
    (Arg::Lda, 5),
    (Arg::B, 6),
    (Arg::Ldb, 7),
    (Arg::BatchCount, 9),
];

tephra_vendor::cusolver_potrf_batched!(call Factor);

impl serve::Call for Factor {
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let problem = cublas::uplo(self.uplo).and_then(|uplo| {
            let &Factor { dtype, n, lda, dev_info: info, batch, .. } = self;
            let (n, lda, batch) = (n.into(), lda.into(), nonzero_batch(batch)?);
            Ok(Potrf {
                dtype,
                uplo,
                n,
                a: Operand::Pointers(self.a),
                lda,
                sizes: None,
                info,
                batch,
                work: Workspace::NONE,
            })
        });
        let run = |p| unsafe { calls::run(self.name, runtime, &Operation::Potrf(p), stream, WorkspaceSource::Library) };
        let result = problem.and_then(run);
        if self.batch > 0 && (result.is_err() || self.n == 0) {
            unsafe {
                report_bad_argument(runtime, stream, (self.dev_info, self.batch), (POTRF, ArgumentSign::Plus), &result)?
            };
        }
        result
    }
}

tephra_vendor::cusolver_potrs_batched!(call Solve);

impl serve::Call for Solve {
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream) -> Result<(), Error> {
        let problem = cublas::uplo(self.uplo).map(|uplo| {
            let &Solve { dtype, n, nrhs, lda, ldb, batch, .. } = self;
            let (n, nrhs, lda, ldb) = (n.into(), nrhs.into(), lda.into(), ldb.into());
            let (a, b) = (Operand::Pointers(self.a), Operand::Pointers(self.b));
            let (sizes, info, batch, work) = (None, std::ptr::null_mut(), batch.into(), Workspace::NONE);
            Potrs { dtype, uplo, n, nrhs, a, lda, b, ldb, sizes, info, batch, work }
        });
        let run = |p| {
            unsafe { calls::run(self.name, runtime, &Operation::Potrs(p), stream, WorkspaceSource::Library)? };
            nonzero_batch(self.batch).map(|_| ())
        };
        let result = problem.and_then(run);
        unsafe { report_bad_argument(runtime, stream, (self.dev_info, 1), (POTRS, ArgumentSign::Plus), &result)? };
        result
    }
}

fn nonzero_batch(batch: Int) -> Result<i64, Error> {
    if batch < 1 { Err(Arg::BatchCount.into()) } else { Ok(batch.into()) }
}
