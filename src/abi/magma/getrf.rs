//! LU factorisations.

use std::ffi::c_int;
use tephra_core::face::magma::getrf::{Block, Call, getf2, getrf};
use tephra_core::face::magma::{MagmaInt, Pointers, RawQueue};
use tephra_core::{Dtype, entry};

macro_rules! getrf_batched {
    ($($dtype:ident: $getrf:ident, $getrf_nopiv:ident, $getf2:ident, $getf2_nopiv:ident;)*) => { entry! {$(
        fn $getrf(
            m: c_int, n: c_int, a: Pointers, lda: c_int, ipiv: Pointers, info: *mut c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, ipiv) = (stringify!($getrf), Dtype::$dtype, Some(ipiv));
            getrf(&Call { name, dtype, m, n, a, lda, ipiv, info, batch, queue })
        }

        fn $getrf_nopiv(
            m: c_int, n: c_int, a: Pointers, lda: c_int, info: *mut c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, ipiv) = (stringify!($getrf_nopiv), Dtype::$dtype, None);
            getrf(&Call { name, dtype, m, n, a, lda, ipiv, info, batch, queue })
        }

        fn $getf2(
            m: c_int, n: c_int, a: Pointers, row: c_int, column: c_int, lda: c_int, ipiv: Pointers, _pivinfo: Pointers,
            info: *mut c_int, step: c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, ipiv) = (stringify!($getf2), Dtype::$dtype, Some(ipiv));
            getf2(&Call { name, dtype, m, n, a, lda, ipiv, info, batch, queue }, Block { row, column, step })
        }

        fn $getf2_nopiv(
            m: c_int, n: c_int, a: Pointers, row: c_int, column: c_int, lda: c_int, info: *mut c_int, step: c_int,
            batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, ipiv) = (stringify!($getf2_nopiv), Dtype::$dtype, None);
            getf2(&Call { name, dtype, m, n, a, lda, ipiv, info, batch, queue }, Block { row, column, step })
        }
    )*}};
}

getrf_batched! {
    S: magma_sgetrf_batched, magma_sgetrf_nopiv_batched, magma_sgetf2_batched, magma_sgetf2_nopiv_batched;
    D: magma_dgetrf_batched, magma_dgetrf_nopiv_batched, magma_dgetf2_batched, magma_dgetf2_nopiv_batched;
    C: magma_cgetrf_batched, magma_cgetrf_nopiv_batched, magma_cgetf2_batched, magma_cgetf2_nopiv_batched;
    Z: magma_zgetrf_batched, magma_zgetrf_nopiv_batched, magma_zgetf2_batched, magma_zgetf2_nopiv_batched;
}
