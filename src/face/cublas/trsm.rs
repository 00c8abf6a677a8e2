//! `cublas?trsmBatched` and `cublas?trsmBatched_64`, for both shared objects. Their only answer is the status.

use super::handle::RawHandle;
use super::serve::{self, Modes, Scalars, status};
use super::status::Status;
use crate::backend::Runtime;
use crate::error::Error;
use crate::face::call;
use crate::face::constants::cublas;
use crate::routine::{Alpha, Dtype, Operand, Operation, Routine, Stream, Trsm, Verdict};
use std::ffi::{c_int, c_void};

/// `cublas?trsmBatched` as C declares it, with the matrices' type erased; `Size` is its integer.
pub type Function<Size> = unsafe extern "C" fn(
    RawHandle,
    c_int,
    c_int,
    c_int,
    c_int,
    Size,
    Size,
    *const c_void,
    *const *mut c_void,
    Size,
    *const *mut c_void,
    Size,
    Size,
) -> Status;

/// Integer of a prototype: 32 bits, or 64 in the names ending in `_64`.
pub trait Size: Copy + Into<i64> {}
impl Size for c_int {}
impl Size for i64 {}

/// One call, as it came in.
#[derive(Clone, Copy, Debug)]
pub struct Call<Size> {
    /// The exported function, for messages.
    pub name: &'static str,
    /// Element type.
    pub dtype: Dtype,
    /// The handle.
    pub handle: RawHandle,
    /// `cublasSideMode_t`
    pub side: c_int,
    /// `cublasFillMode_t`
    pub uplo: c_int,
    /// `cublasOperation_t`
    pub trans: c_int,
    /// `cublasDiagType_t`
    pub diag: c_int,
    /// Rows of B.
    pub m: Size,
    /// Columns of B.
    pub n: Size,
    /// One scalar, in host or device memory by the handle's pointer mode.
    pub alpha: *const c_void,
    /// Device array of device pointers to the triangles.
    pub a: *const *mut c_void,
    /// Leading dimension.
    pub lda: Size,
    /// Device array of device pointers to the right-hand sides.
    pub b: *const *mut c_void,
    /// Leading dimension.
    pub ldb: Size,
    /// Number of matrices.
    pub batch: Size,
}

impl<S: Size> Call<S> {
    fn problem(&self, alpha: Alpha) -> Result<Trsm, Error> {
        Ok(Trsm {
            dtype: self.dtype,
            side: cublas::side(self.side)?,
            uplo: cublas::uplo(self.uplo)?,
            trans: cublas::trans(self.trans)?,
            diag: cublas::diag(self.diag)?,
            m: self.m.into(),
            n: self.n.into(),
            alpha,
            a: Operand::Pointers(self.a),
            lda: self.lda.into(),
            b: Operand::Pointers(self.b),
            ldb: self.ldb.into(),
            batch: self.batch.into(),
        })
    }
}

impl<S: Size> serve::Call for Call<S> {
    const SCALARS: bool = true;

    fn name(&self) -> &'static str {
        self.name
    }

    fn handle(&self) -> RawHandle {
        self.handle
    }

    fn entry_check(&self) -> Result<(), Status> {
        Ok(())
    }

    fn check(&self) -> Result<Verdict, Error> {
        self.problem(Alpha::Device(self.alpha))?.check()
    }

    unsafe fn run(&self, runtime: &dyn Runtime, stream: Stream, modes: Modes) -> Result<(), Error> {
        let alpha = match modes.scalars {
            Scalars::Host => unsafe { Alpha::read(self.dtype, self.alpha) },
            Scalars::Device => Alpha::Device(self.alpha),
        };
        unsafe { call::run(self.name, runtime, &Operation::Trsm(self.problem(alpha)?), stream) }
    }

    unsafe fn finish(&self, result: Result<(), Error>) -> Status {
        status(self.name, result)
    }

    unsafe fn call_vendor(&self, address: *mut c_void) -> Status {
        let function = unsafe { std::mem::transmute::<*mut c_void, Function<S>>(address) };
        let Call { handle, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch, .. } = *self;
        unsafe { function(handle, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch) }
    }
}

/// The eight exported names; `$serve` is [`serve::serve`] or [`serve::serve_foreign`].
#[macro_export]
macro_rules! export_cublas_trsm_batched {
    ($serve:path) => {
        $crate::export_cublas_trsm_batched! { $serve:
            cublasStrsmBatched, c"cublasStrsmBatched", S, std::ffi::c_int;
            cublasDtrsmBatched, c"cublasDtrsmBatched", D, std::ffi::c_int;
            cublasCtrsmBatched, c"cublasCtrsmBatched", C, std::ffi::c_int;
            cublasZtrsmBatched, c"cublasZtrsmBatched", Z, std::ffi::c_int;
            cublasStrsmBatched_64, c"cublasStrsmBatched_64", S, i64;
            cublasDtrsmBatched_64, c"cublasDtrsmBatched_64", D, i64;
            cublasCtrsmBatched_64, c"cublasCtrsmBatched_64", C, i64;
            cublasZtrsmBatched_64, c"cublasZtrsmBatched_64", Z, i64;
        }
    };
    ($serve:path: $($name:ident, $c_name:literal, $dtype:ident, $size:ty;)*) => { $crate::entry! {$(
        fn $name(
            handle: $crate::face::cublas::RawHandle,
            side: std::ffi::c_int,
            uplo: std::ffi::c_int,
            trans: std::ffi::c_int,
            diag: std::ffi::c_int,
            m: $size,
            n: $size,
            alpha: *const std::ffi::c_void,
            a: *const *mut std::ffi::c_void,
            lda: $size,
            b: *const *mut std::ffi::c_void,
            ldb: $size,
            batch: $size,
        ) -> $crate::face::cublas::Status {
            use $crate::face::{cublas::trsm::Call, process::{CUBLAS, Symbol}};
            static VENDOR: Symbol = Symbol::new(CUBLAS, $c_name);
            let (name, dtype) = (stringify!($name), $crate::Dtype::$dtype);
            let call = Call { name, dtype, handle, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch };
            Ok($serve(&call, || VENDOR.get()))
        }
    )*}};
}
