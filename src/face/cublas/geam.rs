//! `cublas?geam` and `cublas?geam_64`, for a single matrix. Errors are reported by the status only.

use super::prototype::{Size, prototype};
use super::serve::{self, Modes};
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::constants::cublas;
use crate::routine::{Alpha, Geam, Operand, Operation, Routine, Stream, Verdict};
use tephra_vendor::types::*;

tephra_vendor::geam!(prototype $ export_cublas_geam in geam<Size>:);

impl<S: Size> Call<S> {
    fn problem(&self, [alpha, beta]: [Alpha; 2]) -> Result<Geam, Error> {
        let matrix = |base| Operand::Strided { base, stride: 0 };
        Ok(Geam {
            dtype: self.dtype,
            trans_a: cublas::trans(self.trans_a).map_err(|_| Arg::TransA)?,
            trans_b: cublas::trans(self.trans_b).map_err(|_| Arg::TransB)?,
            m: self.m.into(),
            n: self.n.into(),
            alpha,
            a: matrix(self.a),
            lda: self.lda.into(),
            beta,
            b: matrix(self.b),
            ldb: self.ldb.into(),
            c: matrix(self.c),
            ldc: self.ldc.into(),
            batch: 1,
        })
    }
}

impl<S: Size> serve::Call for Call<S> {
    const SCALARS: bool = true;

    fn check(&self) -> Result<Verdict, Error> {
        self.problem([self.alpha, self.beta].map(Alpha::Device))?.check()
    }

    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, modes: Modes) -> Result<(), Error> {
        let scalars = [self.alpha, self.beta].map(|place| unsafe { modes.scalars.read(self.dtype, place) });
        unsafe {
            call::run(self.name, runtime, &Operation::Geam(self.problem(scalars)?), stream, WorkspaceSource::Caller)
        }
    }
}
