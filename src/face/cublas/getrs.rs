//! `cublas?getrsBatched`.
//!
//! Edge cases, as measured with cuBLAS 13.1: bad sizes are reported as in other routines, but a batch count of 0 or
//! less returns EXECUTION_FAILED with `info` 0. Without rows or right-hand sides it succeeds. It does not check whether
//! `info` is NULL; here that is a bad argument.

use super::getrf::interchanges;
use super::prototype::prototype;
use super::serve::{self, Modes, write_info};
use super::status::{Status, valid_pointer};
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cublas;
use crate::face::native::Positions;
use crate::routine::{Getrs, Operand, Operation, Routine, Stream, Verdict, Workspace};
use tephra_vendor::types::*;

/// The batch count has no number, so `info` stays 0 if it is bad.
const POSITIONS: &Positions =
    &[(Arg::Trans, 1), (Arg::N, 2), (Arg::Nrhs, 3), (Arg::A, 4), (Arg::Lda, 5), (Arg::B, 7), (Arg::Ldb, 8)];

tephra_vendor::getrs_batched!(prototype $ export_cublas_getrs_batched in getrs:);

impl Call {
    fn problem(&self) -> Result<Getrs, Error> {
        Ok(Getrs {
            dtype: self.dtype,
            trans: cublas::trans(self.trans)?,
            n: self.n.into(),
            nrhs: self.nrhs.into(),
            a: Operand::Pointers(self.a),
            lda: self.lda.into(),
            ipiv: interchanges(self.pivots, self.n),
            b: Operand::Pointers(self.b),
            ldb: self.ldb.into(),
            sizes: None,
            info: std::ptr::null_mut(),
            batch: self.batch.into(),
            work: Workspace::NONE,
        })
    }
}

impl serve::Call for Call {
    fn entry_check(&self) -> Result<(), Status> {
        valid_pointer(self.info)
    }

    fn check(&self) -> Result<Verdict, Error> {
        let verdict = self.problem()?.check()?;
        if self.batch == 0 && self.n > 0 && self.nrhs > 0 { Err(Arg::BatchCount.into()) } else { Ok(verdict) }
    }

    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, _: Modes) -> Result<(), Error> {
        self.check()?;
        unsafe { call::run(self.name, runtime, &Operation::Getrs(self.problem()?), stream, WorkspaceSource::Library) }
    }

    unsafe fn finish(&self, result: Result<(), Error>) -> Status {
        unsafe { write_info(self.info, POSITIONS, &result) };
        let bad_batch = result.as_ref().is_err_and(|error| error.argument() == Some(Arg::BatchCount));
        let status = self.status(result);
        if bad_batch { Status::EXECUTION_FAILED } else { status }
    }
}
