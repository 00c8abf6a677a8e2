//! `cublas?dgmm` and `cublas?dgmm_64`, for a single matrix. Errors are reported by the status only.

use super::prototype::{Size, prototype};
use super::serve::{self, Modes};
use crate::backend::Runtime;
use crate::error::Error;
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cublas;
use crate::routine::{Dgmm, Operand, Operation, Routine, Stream, Verdict};
use tephra_vendor::types::*;

tephra_vendor::dgmm!(prototype $ export_cublas_dgmm in dgmm<Size>:);

impl<S: Size> Call<S> {
    fn problem(&self) -> Result<Dgmm, Error> {
        let matrix = |base| Operand::Strided { base, stride: 0 };
        Ok(Dgmm {
            dtype: self.dtype,
            side: cublas::side(self.side)?,
            m: self.m.into(),
            n: self.n.into(),
            a: matrix(self.a),
            lda: self.lda.into(),
            x: matrix(self.x),
            incx: self.incx.into(),
            c: matrix(self.c),
            ldc: self.ldc.into(),
            batch: 1,
        })
    }
}

impl<S: Size> serve::Call for Call<S> {
    fn check(&self) -> Result<Verdict, Error> {
        self.problem()?.check()
    }

    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, _: Modes) -> Result<(), Error> {
        unsafe { call::run(self.name, runtime, &Operation::Dgmm(self.problem()?), stream, WorkspaceSource::Caller) }
    }
}
