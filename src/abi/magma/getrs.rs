//! Systems of equations from an LU factorisation.

use std::ffi::c_int;
use tephra_core::face::magma::getrs::{Call, getrs};
use tephra_core::face::magma::{MagmaInt, Pointers, RawQueue};
use tephra_core::{Dtype, entry};

macro_rules! getrs_batched {
    ($($dtype:ident: $getrs:ident, $getrs_nopiv:ident;)*) => { entry! {$(
        fn $getrs(
            trans: c_int, n: c_int, nrhs: c_int, a: Pointers, lda: c_int, ipiv: Pointers, b: Pointers, ldb: c_int,
            batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, ipiv) = (stringify!($getrs), Dtype::$dtype, Some(ipiv));
            getrs(&Call { name, dtype, trans, n, nrhs, a, lda, ipiv, b, ldb, batch, queue })
        }

        fn $getrs_nopiv(
            trans: c_int, n: c_int, nrhs: c_int, a: Pointers, lda: c_int, b: Pointers, ldb: c_int, _info: *mut c_int,
            batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, ipiv) = (stringify!($getrs_nopiv), Dtype::$dtype, None);
            getrs(&Call { name, dtype, trans, n, nrhs, a, lda, ipiv, b, ldb, batch, queue })
        }
    )*}};
}

getrs_batched! {
    S: magma_sgetrs_batched, magma_sgetrs_nopiv_batched;
    D: magma_dgetrs_batched, magma_dgetrs_nopiv_batched;
    C: magma_cgetrs_batched, magma_cgetrs_nopiv_batched;
    Z: magma_zgetrs_batched, magma_zgetrs_nopiv_batched;
}
