//! `cublas?getrfBatched`.
//!
//! Edge cases, as measured with cuBLAS 13.1: bad sizes are reported by the status only. No code is written then, nor if
//! there is nothing to do. If `info` is NULL, cuBLAS faults on the device; here no codes are written.

use super::prototype::prototype;
use super::serve::{self, Modes};
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::routine::{Getrf, Operand, Operation, Routine, Stream, Verdict};
use tephra_vendor::types::*;

tephra_vendor::getrf_batched!(prototype $ export_cublas_getrf_batched in getrf:);

/// Arrays of n interchanges per matrix, without gaps. The stride is at least 1 even for n = 0, as 0 would be a bad
/// argument.
pub(super) fn interchanges(pivots: Pivots, n: Int) -> Operand {
    Operand::Strided { base: pivots.cast(), stride: n.max(1).into() }
}

impl Call {
    fn problem(&self) -> Getrf {
        let (n, a) = (self.n.into(), (Operand::Pointers(self.a), self.lda.into()));
        let ipiv = (!self.pivots.is_null()).then(|| interchanges(self.pivots, self.n));
        Getrf { info: self.dev_info, ..Getrf::of(self.dtype, (n, n), a, ipiv, self.batch.into()) }
    }
}

impl serve::Call for Call {
    const NAMES: &'static [(Arg, &'static str)] = &[(Arg::M, "n")];

    fn check(&self) -> Result<Verdict, Error> {
        self.problem().check()
    }

    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, _: Modes) -> Result<(), Error> {
        unsafe { call::run(self.name, runtime, &Operation::Getrf(self.problem()), stream, WorkspaceSource::Library) }
    }
}
