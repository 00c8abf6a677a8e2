//! Setting a single matrix to constants, and copying one.

use std::ffi::{c_int, c_void};
use tephra_core::face::magma::RawQueue;
use tephra_core::face::magma::assign::{Call, lacpy, laset};
use tephra_core::scalar::{C32, C64, Real, Scalar};
use tephra_core::{Dtype, entry};

fn to_c64<T: Scalar>(x: T) -> C64 {
    C64 { re: x.re().to_f64(), im: x.im().to_f64() }
}

macro_rules! assignments {
    ($($ty:ty: $dtype:ident: $laset:ident $lacpy:ident;)*) => { entry! {$(
        fn $laset(
            uplo: c_int, m: c_int, n: c_int, off: $ty, on: $ty, a: *mut c_void, lda: c_int, queue: RawQueue,
        ) {
            let (name, dtype) = (stringify!($laset), Dtype::$dtype);
            laset(&Call { name, dtype, uplo, m, n, to: (a, lda), queue }, to_c64(off), to_c64(on))
        }

        fn $lacpy(
            uplo: c_int, m: c_int, n: c_int, a: *mut c_void, lda: c_int, b: *mut c_void, ldb: c_int, queue: RawQueue,
        ) {
            let (name, dtype) = (stringify!($lacpy), Dtype::$dtype);
            lacpy(&Call { name, dtype, uplo, m, n, to: (b, ldb), queue }, (a, lda))
        }
    )*}};
}

assignments! {
    f32: S: magmablas_slaset magmablas_slacpy;
    f64: D: magmablas_dlaset magmablas_dlacpy;
    C32: C: magmablas_claset magmablas_clacpy;
    C64: Z: magmablas_zlaset magmablas_zlacpy;
}
