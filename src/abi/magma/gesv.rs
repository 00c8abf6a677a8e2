//! Systems of equations.

use std::ffi::c_int;
use tephra_core::face::magma::gesv::{Call, gesv, gesv_nopiv, gesv_rbt};
use tephra_core::face::magma::{MagmaInt, Pointers, RawQueue};
use tephra_core::{Dtype, entry};

macro_rules! gesv_batched {
    ($($dtype:ident: $gesv:ident, $gesv_nopiv:ident, $gesv_rbt:ident;)*) => { entry! {$(
        fn $gesv(
            n: c_int, nrhs: c_int, a: Pointers, lda: c_int, ipiv: Pointers, b: Pointers, ldb: c_int, info: *mut c_int,
            batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($gesv), Dtype::$dtype);
            gesv(&Call { name, dtype, n, nrhs, a, lda, b, ldb, info, batch, queue }, ipiv)
        }

        fn $gesv_nopiv(
            n: c_int, nrhs: c_int, a: Pointers, lda: c_int, b: Pointers, ldb: c_int, info: *mut c_int, batch: c_int,
            queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($gesv_nopiv), Dtype::$dtype);
            gesv_nopiv(&Call { name, dtype, n, nrhs, a, lda, b, ldb, info, batch, queue })
        }

        fn $gesv_rbt(
            n: c_int, nrhs: c_int, a: Pointers, lda: c_int, b: Pointers, ldb: c_int, info: *mut c_int, batch: c_int,
            queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($gesv_rbt), Dtype::$dtype);
            gesv_rbt(&Call { name, dtype, n, nrhs, a, lda, b, ldb, info, batch, queue })
        }
    )*}};
}

gesv_batched! {
    S: magma_sgesv_batched, magma_sgesv_nopiv_batched, magma_sgesv_rbt_batched;
    D: magma_dgesv_batched, magma_dgesv_nopiv_batched, magma_dgesv_rbt_batched;
    C: magma_cgesv_batched, magma_cgesv_nopiv_batched, magma_cgesv_rbt_batched;
    Z: magma_zgesv_batched, magma_zgesv_nopiv_batched, magma_zgesv_rbt_batched;
}
