//! `cublas?geqrfBatched`, for both shared objects.
//!
//! What cuBLAS 13.1 answers at its edges, measured: the handle is looked at first, then `info`, then the sizes in
//! order; `info` is written on success too; pointer arrays are not looked at when there is nothing to do.

use super::handle::RawHandle;
use super::serve::{self, Modes, host_info, status};
use super::status::{Status, valid_pointer};
use crate::backend::Runtime;
use crate::error::{Arg, Error};
use crate::face::call;
use crate::face::native::Positions;
use crate::routine::{Dtype, Geqrf, Math, Operand, Routine, Stream, Verdict};
use std::ffi::{c_int, c_void};
use std::ptr;

/// cuBLAS counts from the first argument after the handle.
const POSITIONS: &Positions =
    &[(Arg::M, 1), (Arg::N, 2), (Arg::A, 3), (Arg::Lda, 4), (Arg::Tau, 5), (Arg::BatchCount, 7)];

/// `cublas?geqrfBatched` as C declares it, with the matrices' type erased.
pub type Function = unsafe extern "C" fn(
    RawHandle,
    c_int,
    c_int,
    *const *mut c_void,
    c_int,
    *const *mut c_void,
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
    /// Rows.
    pub m: c_int,
    /// Columns.
    pub n: c_int,
    /// Device array of device pointers to the matrices.
    pub a: *const *mut c_void,
    /// Leading dimension.
    pub lda: c_int,
    /// Device array of device pointers to the scalar factors.
    pub tau: *const *mut c_void,
    /// Host integer: 0, or -i for the i-th argument.
    pub info: *mut c_int,
    /// Number of matrices.
    pub batch: c_int,
}

impl Call {
    fn problem(&self, math: Math) -> Geqrf {
        Geqrf {
            dtype: self.dtype,
            m: self.m.into(),
            n: self.n.into(),
            a: Operand::Pointers(self.a),
            lda: self.lda.into(),
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
        self.problem(Math::Fp32).check()
    }

    #[inline]
    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, modes: Modes) -> Result<(), Error> {
        unsafe { call::geqrf(self.name, runtime, &self.problem(modes.math), stream) }
    }

    unsafe fn finish(&self, result: Result<(), Error>) -> Status {
        unsafe { *self.info = host_info(POSITIONS, &result) };
        status(self.name, result)
    }

    unsafe fn call_vendor(&self, address: *mut c_void) -> Status {
        let function = unsafe { std::mem::transmute::<*mut c_void, Function>(address) };
        unsafe { function(self.handle, self.m, self.n, self.a, self.lda, self.tau, self.info, self.batch) }
    }
}

/// The four exported names; `$serve` is [`serve::serve`] or [`serve::serve_foreign`].
#[macro_export]
macro_rules! export_cublas_geqrf_batched {
    ($serve:path) => {
        $crate::export_cublas_geqrf_batched! { $serve:
            cublasSgeqrfBatched, c"cublasSgeqrfBatched", S;
            cublasDgeqrfBatched, c"cublasDgeqrfBatched", D;
            cublasCgeqrfBatched, c"cublasCgeqrfBatched", C;
            cublasZgeqrfBatched, c"cublasZgeqrfBatched", Z;
        }
    };
    ($serve:path: $($name:ident, $c_name:literal, $dtype:ident;)*) => { $crate::entry! {$(
        fn $name(
            handle: $crate::face::cublas::RawHandle,
            m: std::ffi::c_int,
            n: std::ffi::c_int,
            a: *const *mut std::ffi::c_void,
            lda: std::ffi::c_int,
            tau: *const *mut std::ffi::c_void,
            info: *mut std::ffi::c_int,
            batch: std::ffi::c_int,
        ) -> $crate::face::cublas::Status {
            use $crate::face::{cublas::geqrf::Call, process::{CUBLAS, Symbol}};
            static VENDOR: Symbol = Symbol::new(CUBLAS, $c_name);
            let (name, dtype) = (stringify!($name), $crate::Dtype::$dtype);
            let call = Call { name, dtype, handle, m, n, a, lda, tau, info, batch };
            Ok($serve(&call, || VENDOR.get()))
        }
    )*}};
}
