//! Setting matrices to constants, and copying them.

use std::ffi::c_int;
use tephra_core::face::magma::vbatched::assign::{Call, lacpy, laset};
use tephra_core::face::magma::{Pointers, RawQueue};
use tephra_core::scalar::{C32, C64, Real, Scalar};
use tephra_core::{Dtype, entry};

fn to_c64<T: Scalar>(x: T) -> C64 {
    C64 { re: x.re().to_f64(), im: x.im().to_f64() }
}

macro_rules! assignments {
    ($($ty:ty: $dtype:ident: $laset:ident $lacpy:ident;)*) => { entry! {$(
        fn $laset(
            uplo: c_int, max_m: c_int, max_n: c_int, m: *const c_int, n: *const c_int, off: $ty, on: $ty, a: Pointers,
            lda: *const c_int, batch_count: c_int, queue: RawQueue,
        ) {
            let (dtype, maxima, sizes, to, batch) = (Dtype::$dtype, [max_m, max_n], [m, n], (a, lda), batch_count);
            laset(PROTOTYPE, &Call { dtype, uplo, maxima, sizes, to, batch }, to_c64(off), to_c64(on), queue)
        }

        fn $lacpy(
            uplo: c_int, max_m: c_int, max_n: c_int, m: *const c_int, n: *const c_int, a: Pointers, lda: *const c_int,
            b: Pointers, ldb: *const c_int, batch_count: c_int, queue: RawQueue,
        ) {
            let (dtype, maxima, sizes, to, batch) = (Dtype::$dtype, [max_m, max_n], [m, n], (b, ldb), batch_count);
            lacpy(PROTOTYPE, &Call { dtype, uplo, maxima, sizes, to, batch }, (a, lda), queue)
        }
    )*}};
}

assignments! {
    f32: S: magmablas_slaset_vbatched magmablas_slacpy_vbatched;
    f64: D: magmablas_dlaset_vbatched magmablas_dlacpy_vbatched;
    C32: C: magmablas_claset_vbatched magmablas_clacpy_vbatched;
    C64: Z: magmablas_zlaset_vbatched magmablas_zlacpy_vbatched;
}
