//! Batched QR.

use std::ffi::{c_int, c_void};
use tephra_core::face::cublas::geqrf::{Call, serve};
use tephra_core::face::cublas::{RawHandle, Status};
use tephra_core::face::process::{CUBLAS, Symbol};
use tephra_core::{Dtype, entry};

type Array = *const *mut c_void;

macro_rules! geqrf_batched {
    ($($name:ident, $c_name:literal, $dtype:ident;)*) => { entry! {$(
        fn $name(
            handle: RawHandle, m: c_int, n: c_int, a: Array, lda: c_int, tau: Array, info: *mut c_int, batch: c_int,
        ) -> Status {
            static VENDOR: Symbol = Symbol::new(CUBLAS, $c_name);
            let call = Call { name: stringify!($name), dtype: Dtype::$dtype, handle, m, n, a, lda, tau, info, batch };
            Ok(serve(&call, || VENDOR.get()))
        }
    )*}};
}

geqrf_batched! {
    cublasSgeqrfBatched, c"cublasSgeqrfBatched", S;
    cublasDgeqrfBatched, c"cublasDgeqrfBatched", D;
    cublasCgeqrfBatched, c"cublasCgeqrfBatched", C;
    cublasZgeqrfBatched, c"cublasZgeqrfBatched", Z;
}
