//! Triangular solves.

use std::ffi::c_int;
use tephra_core::face::magma::trsm::{Call, trsm, trsm_and_wait, trsm_out_of_place};
use tephra_core::face::magma::{Pointers, RawQueue};
use tephra_core::routine::Alpha;
use tephra_core::scalar::{C32, C64};
use tephra_core::{Dtype, entry};

macro_rules! trsm_batched {
    ($($ty:ty: $dtype:ident: $($name:ident $trsm:ident),*;)*) => { entry! {$($(
        fn $name(
            side: c_int, uplo: c_int, trans: c_int, diag: c_int, m: c_int, n: c_int, alpha: $ty, a: Pointers, lda: c_int,
            b: Pointers, ldb: c_int, batch: c_int, queue: RawQueue,
        ) {
            let (name, dtype, flags) = (stringify!($name), Dtype::$dtype, [side, uplo, trans, diag]);
            let alpha = Alpha::host(alpha);
            $trsm(&Call { name, dtype, flags, m, n, alpha, a, lda, b, ldb, batch, queue })
        }
    )*)*}};
}

trsm_batched! {
    f32: S: magmablas_strsm_batched trsm, magmablas_strsm_inv_batched trsm_and_wait;
    f64: D: magmablas_dtrsm_batched trsm, magmablas_dtrsm_inv_batched trsm_and_wait;
    C32: C: magmablas_ctrsm_batched trsm, magmablas_ctrsm_inv_batched trsm_and_wait;
    C64: Z: magmablas_ztrsm_batched trsm, magmablas_ztrsm_inv_batched trsm_and_wait;
}

macro_rules! trsm_out_of_place {
    ($($ty:ty: $dtype:ident: $name:ident;)*) => { entry! {$(
        fn $name(
            side: c_int, uplo: c_int, trans: c_int, diag: c_int, _flag: c_int, m: c_int, n: c_int, alpha: $ty,
            a: Pointers, lda: c_int, b: Pointers, ldb: c_int, x: Pointers, ldx: c_int, _inv: Pointers,
            _inv_length: c_int, _a_work: Pointers, _b_work: Pointers, _x_work: Pointers, _inv_work: Pointers,
            _reset: c_int, batch: c_int, queue: RawQueue,
        ) {
            let (name, dtype, flags) = (stringify!($name), Dtype::$dtype, [side, uplo, trans, diag]);
            let alpha = Alpha::host(alpha);
            trsm_out_of_place(&Call { name, dtype, flags, m, n, alpha, a, lda, b, ldb, batch, queue }, x, ldx)
        }
    )*}};
}

trsm_out_of_place! {
    f32: S: magmablas_strsm_inv_outofplace_batched;
    f64: D: magmablas_dtrsm_inv_outofplace_batched;
    C32: C: magmablas_ctrsm_inv_outofplace_batched;
    C64: Z: magmablas_ztrsm_inv_outofplace_batched;
}
