//! `cublas?gelsBatched`.
//!
//! Edge cases, as measured with cuBLAS 13.1: bad sizes are reported first (with numbers that do not follow the argument
//! list); then trans other than N, and m < n, are not supported, with `info` 0. Without right-hand sides it still
//! factors and sets `devInfo`; without columns it does nothing.

use super::prototype::prototype;
use super::serve::{self, Modes, write_info};
use super::status::{Status, valid_pointer};
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call::{self, WorkspaceSource};
use crate::face::native::Positions;
use crate::routine::{Gels, Operand, Operation, Routine, Stream, Trans, Verdict, Workspace};
use std::ffi::c_int;
use tephra_vendor::types::*;

/// The numbers of the sizes are measured. cuBLAS does not check A and C; they have their places in its argument list.
const POSITIONS: &Positions = &[
    (Arg::M, 1),
    (Arg::Nrhs, 2),
    (Arg::N, 3),
    (Arg::A, 4),
    (Arg::Lda, 5),
    (Arg::B, 6),
    (Arg::Ldb, 7),
    (Arg::BatchCount, 8),
];

/// `CUBLAS_OP_N`
const OP_N: c_int = 0;

tephra_vendor::gels_batched!(prototype $ export_cublas_gels_batched in gels:);

impl Call {
    fn problem(&self) -> Gels {
        Gels {
            dtype: self.dtype,
            trans: Trans::N,
            m: self.m.into(),
            n: self.n.into(),
            nrhs: self.nrhs.into(),
            a: Operand::Pointers(self.a),
            lda: self.lda.into(),
            b: Operand::Pointers(self.c),
            ldb: self.ldc.into(),
            sizes: None,
            info: self.dev_info,
            batch: self.batch.into(),
            work: Workspace::NONE,
        }
    }
}

impl serve::Call for Call {
    const NAMES: &'static [(Arg, &'static str)] = &[(Arg::B, "c"), (Arg::Ldb, "ldc")];

    fn entry_check(&self) -> Result<(), Status> {
        valid_pointer(self.info)
    }

    fn check(&self) -> Result<Verdict, Error> {
        // cuBLAS checks ldc against m. If m < n, the shape is not supported, whatever ldc is.
        let as_supported = Gels { n: self.problem().n.min(self.m.max(0).into()), ..self.problem() };
        let verdict = as_supported.check()?;
        if self.trans != OP_N {
            return Err(Error::NotSupported(format!("gelsBatched with trans = {}", self.trans)));
        }
        if self.m < self.n {
            return Err(Error::NotSupported(format!("gelsBatched with m = {} < n = {}", self.m, self.n)));
        }
        Ok(verdict)
    }

    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, _: Modes) -> Result<(), Error> {
        self.check()?;
        unsafe { call::run(self.name, runtime, &Operation::Gels(self.problem()), stream, WorkspaceSource::Library) }
    }

    unsafe fn finish(&self, result: Result<(), Error>) -> Status {
        unsafe { write_info(self.info, POSITIONS, &result) };
        if let Err(Error::NotSupported(_)) = result {
            // As cuBLAS does for combinations that it does not support.
            unsafe { *self.info = 0 };
        }
        self.status(result)
    }
}
