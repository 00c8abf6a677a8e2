//! QR of one matrix, and its Q.

use std::ffi::{c_int, c_void};
use tephra_core::face::magma::MagmaInt;
use tephra_core::face::magma::one_matrix::{
    GeqrfCall, HostWork, OrgqrCall, OrmqrCall, block_size, geqrf, geqrf2, orgqr, ormqr, ormqr2,
};
use tephra_core::{Dtype, entry};

macro_rules! one_matrix {
    ($($dtype:ident: $geqrf2:ident, $geqrf:ident, $nb:ident, $orgqr:ident, $ormqr:ident, $ormqr2:ident;)*) => { entry! {$(
        fn $geqrf2(
            m: c_int, n: c_int, a: *mut c_void, lda: c_int, tau: *mut c_void, info: *mut c_int,
        ) -> MagmaInt {
            geqrf2(&GeqrfCall { name: stringify!($geqrf2), dtype: Dtype::$dtype, m, n, a, lda, tau, info })
        }

        fn $geqrf(
            m: c_int, n: c_int, a: *mut c_void, lda: c_int, tau: *mut c_void, t: *mut c_void, info: *mut c_int,
        ) -> MagmaInt {
            geqrf(&GeqrfCall { name: stringify!($geqrf), dtype: Dtype::$dtype, m, n, a, lda, tau, info }, t)
        }

        fn $nb(m: c_int, n: c_int) -> MagmaInt { Ok(MagmaInt(block_size(Dtype::$dtype, m, n))) }

        fn $orgqr(
            m: c_int, n: c_int, k: c_int, a: *mut c_void, lda: c_int, tau: *mut c_void, _t: *mut c_void, _nb: c_int,
            info: *mut c_int,
        ) -> MagmaInt {
            orgqr(&OrgqrCall { name: stringify!($orgqr), dtype: Dtype::$dtype, m, n, k, a, lda, tau, info })
        }

        fn $ormqr(
            side: c_int, trans: c_int, m: c_int, n: c_int, k: c_int, a: *mut c_void, lda: c_int, tau: *mut c_void,
            c: *mut c_void, ldc: c_int, work: *mut c_void, lwork: c_int, _t: *mut c_void, nb: c_int, info: *mut c_int,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($ormqr), Dtype::$dtype);
            let call = OrmqrCall { name, dtype, side, trans, m, n, k, a, lda, tau, c, ldc, info };
            ormqr(&call, HostWork { work, lwork, nb })
        }

        fn $ormqr2(
            side: c_int, trans: c_int, m: c_int, n: c_int, k: c_int, a: *mut c_void, lda: c_int, tau: *mut c_void,
            c: *mut c_void, ldc: c_int, _v: *const c_void, ldv: c_int, info: *mut c_int,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($ormqr2), Dtype::$dtype);
            ormqr2(&OrmqrCall { name, dtype, side, trans, m, n, k, a, lda, tau, c, ldc, info }, ldv)
        }
    )*}};
}

one_matrix! {
    S: magma_sgeqrf2_gpu, magma_sgeqrf_gpu, magma_get_sgeqrf_nb, magma_sorgqr_gpu, magma_sormqr_gpu,
       magma_sormqr2_gpu;
    D: magma_dgeqrf2_gpu, magma_dgeqrf_gpu, magma_get_dgeqrf_nb, magma_dorgqr_gpu, magma_dormqr_gpu,
       magma_dormqr2_gpu;
    C: magma_cgeqrf2_gpu, magma_cgeqrf_gpu, magma_get_cgeqrf_nb, magma_cungqr_gpu, magma_cunmqr_gpu,
       magma_cunmqr2_gpu;
    Z: magma_zgeqrf2_gpu, magma_zgeqrf_gpu, magma_get_zgeqrf_nb, magma_zungqr_gpu, magma_zunmqr_gpu,
       magma_zunmqr2_gpu;
}
