//! `cublas?getrfBatched`.
//!
//! What cuBLAS 13.1 answers at its edges, measured: bad sizes are told by the status alone, and no code is written then nor
//! when there is nothing to do. Where `info` is NULL cuBLAS faults on the device; here the codes are not told.

use super::prototype::prototype;
use super::serve::{self, Modes};
use crate::backend::Runtime;
use crate::error::Error;
use crate::face::call::{self, Scratch};
use crate::routine::{Getrf, Operand, Operation, Routine, Stream, Verdict};
use tephra_vendor::types::*;

tephra_vendor::getrf_batched!(prototype $ export_cublas_getrf_batched in getrf:);

/// n interchanges each, without gaps. The stride is not 0 for n = 0 either, which would be a bad argument.
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
    fn check(&self) -> Result<Verdict, Error> {
        self.problem().check()
    }

    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, _: Modes) -> Result<(), Error> {
        unsafe { call::run(self.name, runtime, &Operation::Getrf(self.problem()), stream, Scratch::Ours) }
    }
}
