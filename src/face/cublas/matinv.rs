//! `cublas?matinvBatched`, which is `getrf` and `getri` in one call for small matrices.
//!
//! Edge cases, as measured with cuBLAS 13.1, are those of `cublas?getrfBatched`; an order above 32 is also a bad
//! argument.

use super::prototype::prototype;
use super::serve::{self, Modes};
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::routine::{Inv, Operand, Operation, Routine, Stream, Verdict, Workspace};
use tephra_vendor::types::*;

/// cuBLAS's largest order.
const LARGEST: Int = 32;

tephra_vendor::matinv_batched!(prototype $ export_cublas_matinv_batched in matinv:);

impl Call {
    fn problem(&self) -> Inv {
        Inv {
            dtype: self.dtype,
            n: self.n.into(),
            a: Operand::Pointers(self.a),
            lda: self.lda.into(),
            c: Operand::Pointers(self.c),
            ldc: self.ldc.into(),
            info: self.dev_info,
            batch: self.batch.into(),
            work: Workspace::NONE,
        }
    }
}

impl serve::Call for Call {
    const NAMES: &'static [(Arg, &'static str)] = &[(Arg::C, "Ainv"), (Arg::Ldc, "lda_inv")];

    fn check(&self) -> Result<Verdict, Error> {
        if self.n > LARGEST { Err(Arg::N.into()) } else { self.problem().check() }
    }

    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, _: Modes) -> Result<(), Error> {
        self.check()?;
        unsafe { call::run(self.name, runtime, &Operation::Inv(self.problem()), stream, WorkspaceSource::Library) }
    }
}
