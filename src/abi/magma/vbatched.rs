//! Variable-size batches.

mod assign;
mod blas;
mod blocks;
mod cholesky;
mod products;

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use tephra_core::face::magma::vbatched::{
    Call, GETRF, GETRF_MAX, GETRF_NOPIV, GETRF_NOPIV_EXPERT, GETRF_NOPIV_MAX, GETRF_NOPIV_WORK, GETRF_WORK, getrf,
    getrf_max, getrf_work, nbparam, tolerances,
};
use tephra_core::face::magma::{MagmaInt, Pointers, RawQueue};
use tephra_core::routine::{Sizes, SmallPivots};
use tephra_core::{Dtype, entry};

macro_rules! getrf_vbatched {
    ($($dtype:ident $real:ty: $getrf:ident, $max:ident, $work:ident, $nopiv:ident, $expert:ident, $nopiv_max:ident,
        $nopiv_work:ident, $nbparam:ident;)*
    ) => { entry! {$(
        fn $getrf(
            m: *const c_int, n: *const c_int, a: Pointers, lda: *const c_int, ipiv: Pointers, info: *mut c_int, batch: c_int,
            queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, sizes) = (stringify!($getrf), Dtype::$dtype, Sizes { m, n, lda });
            getrf(&Call { name, dtype, sizes, a, ipiv, small: SmallPivots::KEEP, info, batch, queue }, GETRF)
        }

        fn $max(
            m: *const c_int, n: *const c_int, _minmn: *const c_int, max_m: c_int, max_n: c_int, _max_minmn: c_int,
            _max_mxn: c_int, _nb: c_int, _recnb: c_int, a: Pointers, lda: *const c_int, ipiv: Pointers, _pivinfo: Pointers,
            info: *mut c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, sizes) = (stringify!($max), Dtype::$dtype, Sizes { m, n, lda });
            let call = Call { name, dtype, sizes, a, ipiv, small: SmallPivots::KEEP, info, batch, queue };
            getrf_max(&call, (max_m, max_n), GETRF_MAX)
        }

        fn $work(
            m: *const c_int, n: *const c_int, max_m: c_int, max_n: c_int, _max_minmn: c_int, _max_mxn: c_int, a: Pointers,
            lda: *const c_int, ipiv: Pointers, info: *mut c_int, _work: *mut c_void, lwork: *mut c_int, batch: c_int,
            queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, sizes) = (stringify!($work), Dtype::$dtype, Sizes { m, n, lda });
            let call = Call { name, dtype, sizes, a, ipiv, small: SmallPivots::KEEP, info, batch, queue };
            getrf_work(&call, (max_m, max_n), lwork, GETRF_WORK)
        }

        fn $nopiv(
            m: *const c_int, n: *const c_int, a: Pointers, lda: *const c_int, info: *mut c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, sizes, ipiv) = (stringify!($nopiv), Dtype::$dtype, Sizes { m, n, lda }, null_mut());
            getrf(&Call { name, dtype, sizes, a, ipiv, small: SmallPivots::KEEP, info, batch, queue }, GETRF_NOPIV)
        }

        fn $expert(
            m: *const c_int, n: *const c_int, a: Pointers, lda: *const c_int, each: *const c_void, eps: $real,
            info: *mut c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, sizes, ipiv) = (stringify!($expert), Dtype::$dtype, Sizes { m, n, lda }, null_mut());
            let small = tolerances(each, eps);
            getrf(&Call { name, dtype, sizes, a, ipiv, small, info, batch, queue }, GETRF_NOPIV_EXPERT)
        }

        fn $nopiv_max(
            m: *const c_int, n: *const c_int, _minmn: *const c_int, max_m: c_int, max_n: c_int, _max_minmn: c_int,
            _max_mxn: c_int, _nb: c_int, _recnb: c_int, a: Pointers, lda: *const c_int, each: *const c_void, eps: $real,
            info: *mut c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, sizes, ipiv) = (stringify!($nopiv_max), Dtype::$dtype, Sizes { m, n, lda }, null_mut());
            let call = Call { name, dtype, sizes, a, ipiv, small: tolerances(each, eps), info, batch, queue };
            getrf_max(&call, (max_m, max_n), GETRF_NOPIV_MAX)
        }

        fn $nopiv_work(
            m: *const c_int, n: *const c_int, max_m: c_int, max_n: c_int, _max_minmn: c_int, _max_mxn: c_int, a: Pointers,
            lda: *const c_int, each: *const c_void, eps: $real, info: *mut c_int, _work: *mut c_void,
            lwork: *mut c_int, batch: c_int, queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype, sizes, ipiv) = (stringify!($nopiv_work), Dtype::$dtype, Sizes { m, n, lda }, null_mut());
            let call = Call { name, dtype, sizes, a, ipiv, small: tolerances(each, eps), info, batch, queue };
            getrf_work(&call, (max_m, max_n), lwork, GETRF_NOPIV_WORK)
        }

        fn $nbparam(_max_m: c_int, _max_n: c_int, nb: *mut c_int, recnb: *mut c_int) {
            nbparam(nb, recnb);
            Ok(())
        }
    )*}};
}

getrf_vbatched! {
    S f32: magma_sgetrf_vbatched, magma_sgetrf_vbatched_max_nocheck, magma_sgetrf_vbatched_max_nocheck_work,
        magma_sgetrf_nopiv_vbatched, magma_sgetrf_nopiv_expert_vbatched, magma_sgetrf_nopiv_vbatched_max_nocheck,
        magma_sgetrf_nopiv_vbatched_max_nocheck_work, magma_get_sgetrf_vbatched_nbparam;
    D f64: magma_dgetrf_vbatched, magma_dgetrf_vbatched_max_nocheck, magma_dgetrf_vbatched_max_nocheck_work,
        magma_dgetrf_nopiv_vbatched, magma_dgetrf_nopiv_expert_vbatched, magma_dgetrf_nopiv_vbatched_max_nocheck,
        magma_dgetrf_nopiv_vbatched_max_nocheck_work, magma_get_dgetrf_vbatched_nbparam;
    C f32: magma_cgetrf_vbatched, magma_cgetrf_vbatched_max_nocheck, magma_cgetrf_vbatched_max_nocheck_work,
        magma_cgetrf_nopiv_vbatched, magma_cgetrf_nopiv_expert_vbatched, magma_cgetrf_nopiv_vbatched_max_nocheck,
        magma_cgetrf_nopiv_vbatched_max_nocheck_work, magma_get_cgetrf_vbatched_nbparam;
    Z f64: magma_zgetrf_vbatched, magma_zgetrf_vbatched_max_nocheck, magma_zgetrf_vbatched_max_nocheck_work,
        magma_zgetrf_nopiv_vbatched, magma_zgetrf_nopiv_expert_vbatched, magma_zgetrf_nopiv_vbatched_max_nocheck,
        magma_zgetrf_nopiv_vbatched_max_nocheck_work, magma_get_zgetrf_vbatched_nbparam;
}
