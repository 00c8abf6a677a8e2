//! `cublas?trsmBatched` and `cublas?trsmBatched_64`. Errors are reported by the status only.

use super::prototype::{Size, prototype};
use super::serve::{self, Modes};
use crate::backend::Runtime;
use crate::error::Error;
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cublas;
use crate::routine::{Alpha, Operand, Operation, Routine, Stream, Trsm, Verdict};
use tephra_vendor::types::*;

tephra_vendor::trsm_batched!(prototype $ export_cublas_trsm_batched in trsm<Size>:);

impl<S: Size> Call<S> {
    fn problem(&self, alpha: Alpha) -> Result<Trsm, Error> {
        Ok(Trsm {
            dtype: self.dtype,
            side: cublas::side(self.side)?,
            uplo: cublas::uplo(self.uplo)?,
            trans: cublas::trans(self.trans)?,
            diag: cublas::diag(self.diag)?,
            m: self.m.into(),
            n: self.n.into(),
            alpha,
            a: Operand::Pointers(self.a),
            lda: self.lda.into(),
            b: Operand::Pointers(self.b),
            ldb: self.ldb.into(),
            sizes: None,
            batch: self.batch.into(),
        })
    }
}

impl<S: Size> serve::Call for Call<S> {
    const SCALARS: bool = true;

    fn check(&self) -> Result<Verdict, Error> {
        self.problem(Alpha::Device(self.alpha))?.check()
    }

    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, modes: Modes) -> Result<(), Error> {
        let alpha = unsafe { modes.scalars.read(self.dtype, self.alpha) };
        unsafe {
            call::run(self.name, runtime, &Operation::Trsm(self.problem(alpha)?), stream, WorkspaceSource::Caller)
        }
    }
}
