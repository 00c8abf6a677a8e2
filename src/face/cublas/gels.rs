//! `cublas?gelsBatched`, for both shared objects.
//!
//! What cuBLAS 13.1 answers at its edges, measured: bad sizes first (its numbers do not follow its argument list), then
//! trans other than N and m < n are not supported, with `info` 0; without right-hand sides it still factors, and tells
//! `devInfo`; without columns it does nothing.

use super::handle::RawHandle;
use super::serve::{self, Modes, host_info, status};
use super::status::{Status, valid_pointer};
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call;
use crate::face::native::Positions;
use crate::routine::{Dtype, Gels, Operand, Operation, Routine, Stream, Trans, Verdict, Workspace};
use std::ffi::{c_int, c_void};

/// Measured for the sizes; A and C, which cuBLAS does not look at, stand where its list has them.
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

/// `cublas?gelsBatched` as C declares it, with the matrices' type erased.
pub type Function = unsafe extern "C" fn(
    RawHandle,
    c_int,
    c_int,
    c_int,
    c_int,
    *const *mut c_void,
    c_int,
    *const *mut c_void,
    c_int,
    *mut c_int,
    *mut c_int,
    c_int,
) -> Status;

/// One call, as it came in.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The exported function, for messages.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// The handle.
    pub handle: RawHandle,
    /// `cublasOperation_t`
    pub trans: c_int,
    /// Rows of A and C.
    pub m: c_int,
    /// Columns of A.
    pub n: c_int,
    /// Columns of C.
    pub nrhs: c_int,
    /// Device array of device pointers to the matrices.
    pub a: *const *mut c_void,
    /// Leading dimension.
    pub lda: c_int,
    /// Device array of device pointers to the right-hand sides.
    pub c: *const *mut c_void,
    /// Leading dimension.
    pub ldc: c_int,
    /// Host integer: 0, or -i.
    pub info: *mut c_int,
    /// Device array of one code per matrix, or NULL.
    pub dev_info: *mut c_int,
    /// Number of matrices.
    pub batch: c_int,
}

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
            info: self.dev_info,
            batch: self.batch.into(),
            work: Workspace::NONE,
        }
    }
}

impl serve::Call for Call {
    fn name(&self) -> &'static str {
        self.name
    }

    fn handle(&self) -> RawHandle {
        self.handle
    }

    fn entry_check(&self) -> Result<(), Status> {
        valid_pointer(self.info)
    }

    fn check(&self) -> Result<Verdict, Error> {
        // For cuBLAS the rows of C are m: with too few for X the shape is not supported, whatever ldc is.
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
        unsafe { call::run_with_scratch(self.name, runtime, &Operation::Gels(self.problem()), stream) }
    }

    unsafe fn finish(&self, result: Result<(), Error>) -> Status {
        unsafe { *self.info = host_info(POSITIONS, &result) };
        status(self.name, result)
    }

    unsafe fn call_vendor(&self, address: *mut c_void) -> Status {
        let function = unsafe { std::mem::transmute::<*mut c_void, Function>(address) };
        let Call { handle, trans, m, n, nrhs, a, lda, c, ldc, info, dev_info, batch, .. } = *self;
        unsafe { function(handle, trans, m, n, nrhs, a, lda, c, ldc, info, dev_info, batch) }
    }
}

/// The four exported names; `$serve` is [`serve::serve`] or [`serve::serve_foreign`].
#[macro_export]
macro_rules! export_cublas_gels_batched {
    ($serve:path) => {
        $crate::export_cublas_gels_batched! { $serve:
            cublasSgelsBatched, c"cublasSgelsBatched", S;
            cublasDgelsBatched, c"cublasDgelsBatched", D;
            cublasCgelsBatched, c"cublasCgelsBatched", C;
            cublasZgelsBatched, c"cublasZgelsBatched", Z;
        }
    };
    ($serve:path: $($name:ident, $c_name:literal, $dtype:ident;)*) => { $crate::entry! {$(
        fn $name(
            handle: $crate::face::cublas::RawHandle,
            trans: std::ffi::c_int,
            m: std::ffi::c_int,
            n: std::ffi::c_int,
            nrhs: std::ffi::c_int,
            a: *const *mut std::ffi::c_void,
            lda: std::ffi::c_int,
            c: *const *mut std::ffi::c_void,
            ldc: std::ffi::c_int,
            info: *mut std::ffi::c_int,
            dev_info: *mut std::ffi::c_int,
            batch: std::ffi::c_int,
        ) -> $crate::face::cublas::Status {
            use $crate::face::{cublas::gels::Call, process::{CUBLAS, Symbol}};
            static VENDOR: Symbol = Symbol::new(CUBLAS, $c_name);
            let (name, dtype) = (stringify!($name), $crate::Dtype::$dtype);
            let call = Call { name, dtype, handle, trans, m, n, nrhs, a, lda, c, ldc, info, dev_info, batch };
            Ok($serve(&call, || VENDOR.get()))
        }
    )*}};
}
