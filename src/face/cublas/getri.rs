//! `cublas?getriBatched`.
//!
//! Edge cases, as measured with cuBLAS 13.1, are those of `cublas?getrfBatched`. The C of a singular matrix, which its
//! code reports, is all NaN here; in cuBLAS, which divides by the zero pivot, it is mostly NaN and infinities.

use super::getrf::interchanges;
use super::prototype::prototype;
use super::serve::{self, Modes};
use crate::backend::Runtime;
use crate::error::Error;
use crate::face::call::{self, WorkspaceSource};
use crate::routine::{Getri, Operand, Operation, Routine, Stream, Verdict, Workspace};
use tephra_vendor::types::*;

tephra_vendor::getri_batched!(prototype $ export_cublas_getri_batched in getri:);

impl Call {
    fn problem(&self) -> Getri {
        Getri {
            dtype: self.dtype,
            n: self.n.into(),
            a: Operand::Pointers(self.a),
            lda: self.lda.into(),
            ipiv: interchanges(self.pivots, self.n),
            c: Operand::Pointers(self.c),
            ldc: self.ldc.into(),
            sizes: None,
            info: self.dev_info,
            batch: self.batch.into(),
            work: Workspace::NONE,
        }
    }
}

impl serve::Call for Call {
    fn check(&self) -> Result<Verdict, Error> {
        self.problem().check()
    }

    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, _: Modes) -> Result<(), Error> {
        unsafe { call::run(self.name, runtime, &Operation::Getri(self.problem()), stream, WorkspaceSource::Library) }
    }
}
