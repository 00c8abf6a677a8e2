//! `cublas?geqrfBatched`.
//!
//! Edge cases, as measured with cuBLAS 13.1: the handle is checked first, then `info`, then the sizes in order; `info`
//! is written on success, too; pointer arrays are ignored if there is nothing to do.

use super::prototype::prototype;
use super::serve::{self, Modes, write_info};
use super::status::{Status, valid_pointer};
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call;
use crate::face::native::Positions;
use crate::routine::{Dtype, Geqrf, Math, Operand, Routine, Stream, Verdict};
use std::ptr;
use tephra_vendor::types::*;

/// cuBLAS counts from the first argument after the handle.
const POSITIONS: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Tau, 5), (Arg::BatchCount, 7)];

tephra_vendor::geqrf_batched!(prototype $ export_cublas_geqrf_batched in geqrf:);

impl Call {
    fn problem(&self, math: Math) -> Geqrf {
        Geqrf {
            dtype: self.dtype,
            m: self.m.into(),
            n: self.n.into(),
            a: Operand::Pointers(self.a),
            lda: self.lda.into(),
            sizes: None,
            tau: Operand::Pointers(self.tau),
            batch: self.batch.into(),
            info: ptr::null_mut(),
            math,
        }
    }
}

impl serve::Call for Call {
    fn has_math(&self) -> bool {
        self.dtype == Dtype::S
    }

    fn entry_check(&self) -> Result<(), Status> {
        valid_pointer(self.info)
    }

    fn check(&self) -> Result<Verdict, Error> {
        self.problem(Math::Fp32).check()
    }

    #[inline]
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, modes: Modes) -> Result<(), Error> {
        unsafe { call::geqrf(self.name, runtime, &self.problem(modes.math), stream) }
    }

    unsafe fn finish(&self, result: Result<(), Error>) -> Status {
        unsafe { write_info(self.info, POSITIONS, &result) };
        self.status(result)
    }
}
