//! Routines on a single matrix: QR, its Q and least squares from its factors; LU, Cholesky, and systems of equations
//! from their factors.

use std::ffi::{c_int, c_void};
use tephra_core::face::magma::one_matrix::{
    Blocks, Expert, Geqp3Call, GeqrfCall, GeqrsCall, HostWork, MatrixCall, OrgqrCall, OrmqrCall, RightHandSides,
    block_size, geqp3, geqp3_block_size, geqp3_expert, geqrf, geqrf_expert, geqrf2, geqrs, getrf, getrs, orgqr, ormqr,
    ormqr2, potrf, potrs,
};
use tephra_core::face::magma::{MagmaInt, RawQueue};
use tephra_core::{Dtype, entry};

macro_rules! one_matrix {
    ($($dtype:ident: $geqrf2:ident, $nb:ident, $orgqr:ident, $ormqr:ident, $ormqr2:ident;)*) => { entry! {$(
        fn $geqrf2(
            m: c_int, n: c_int, a: *mut c_void, lda: c_int, tau: *mut c_void, info: *mut c_int,
        ) -> MagmaInt {
            geqrf2(&GeqrfCall { name: stringify!($geqrf2), dtype: Dtype::$dtype, m, n, a, lda, tau, info })
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
    S: magma_sgeqrf2_gpu, magma_get_sgeqrf_nb, magma_sorgqr_gpu, magma_sormqr_gpu,
       magma_sormqr2_gpu;
    D: magma_dgeqrf2_gpu, magma_get_dgeqrf_nb, magma_dorgqr_gpu, magma_dormqr_gpu,
       magma_dormqr2_gpu;
    C: magma_cgeqrf2_gpu, magma_get_cgeqrf_nb, magma_cungqr_gpu, magma_cunmqr_gpu,
       magma_cunmqr2_gpu;
    Z: magma_zgeqrf2_gpu, magma_get_zgeqrf_nb, magma_zungqr_gpu, magma_zunmqr_gpu,
       magma_zunmqr2_gpu;
}

macro_rules! kept_panels {
    ($($dtype:ident: $expert:ident, $($geqrf:ident, $geqrs:ident, $blocks:ident),*;)*) => { entry! {$(
        fn $expert(
            m: c_int, n: c_int, a: *mut c_void, lda: c_int, tau: *mut c_void, t: *mut c_void, info: *mut c_int,
            mode: c_int, nb: c_int, _host_work: *mut c_void, lwork_host: *mut c_int, _device_work: *mut c_void,
            lwork_device: *mut c_int, queues: *const RawQueue,
        ) -> MagmaInt {
            let call = GeqrfCall { name: stringify!($expert), dtype: Dtype::$dtype, m, n, a, lda, tau, info };
            geqrf_expert(&call, t, &Expert { mode, nb, lwork_host, lwork_device, queues })
        }
        $(
        fn $geqrf(
            m: c_int, n: c_int, a: *mut c_void, lda: c_int, tau: *mut c_void, t: *mut c_void, info: *mut c_int,
        ) -> MagmaInt {
            let call = GeqrfCall { name: stringify!($geqrf), dtype: Dtype::$dtype, m, n, a, lda, tau, info };
            geqrf(&call, t, Blocks::$blocks)
        }

        fn $geqrs(
            m: c_int, n: c_int, nrhs: c_int, a: *mut c_void, lda: c_int, tau: *mut c_void, t: *mut c_void,
            b: *mut c_void, ldb: c_int, work: *mut c_void, lwork: c_int, info: *mut c_int,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($geqrs), Dtype::$dtype);
            geqrs(&GeqrsCall { name, dtype, m, n, nrhs, a, lda, tau, t, b, ldb, info }, work, lwork, Blocks::$blocks)
        }
    )*)*}};
}

kept_panels! {
    S: magma_sgeqrf_expert_gpu_work,
       magma_sgeqrf_gpu, magma_sgeqrs_gpu, Inverted, magma_sgeqrf3_gpu, magma_sgeqrs3_gpu, Plain;
    D: magma_dgeqrf_expert_gpu_work,
       magma_dgeqrf_gpu, magma_dgeqrs_gpu, Inverted, magma_dgeqrf3_gpu, magma_dgeqrs3_gpu, Plain;
    C: magma_cgeqrf_expert_gpu_work,
       magma_cgeqrf_gpu, magma_cgeqrs_gpu, Inverted, magma_cgeqrf3_gpu, magma_cgeqrs3_gpu, Plain;
    Z: magma_zgeqrf_expert_gpu_work,
       magma_zgeqrf_gpu, magma_zgeqrs_gpu, Inverted, magma_zgeqrf3_gpu, magma_zgeqrs3_gpu, Plain;
}

macro_rules! pivoted {
    ($($dtype:ident: $expert:ident, $nb:ident;)*) => { entry! {$(
        fn $expert(
            m: c_int, n: c_int, a: *mut c_void, lda: c_int, jpvt: *mut c_int, tau: *mut c_void, _host_work: *mut c_void,
            lwork_host: *mut c_int, _device_work: *mut c_void, lwork_device: *mut c_int, info: *mut c_int,
            queue: RawQueue,
        ) -> MagmaInt {
            let (name, dtype) = (stringify!($expert), Dtype::$dtype);
            geqp3_expert(&Geqp3Call { name, dtype, m, n, a, lda, jpvt, tau, info }, [lwork_host, lwork_device], queue)
        }

        fn $nb(m: c_int, n: c_int) -> MagmaInt { Ok(MagmaInt(geqp3_block_size(m, n))) }
    )*}};
}

pivoted! {
    S: magma_sgeqp3_expert_gpu_work, magma_get_sgeqp3_nb;
    D: magma_dgeqp3_expert_gpu_work, magma_get_dgeqp3_nb;
    C: magma_cgeqp3_expert_gpu_work, magma_get_cgeqp3_nb;
    Z: magma_zgeqp3_expert_gpu_work, magma_get_zgeqp3_nb;
}

macro_rules! pivoted_alone {
    // The complex types have a real workspace, too.
    ($($dtype:ident: $geqp3:ident $(, $real_work:ident)?;)*) => { entry! {$(
        fn $geqp3(
            m: c_int, n: c_int, a: *mut c_void, lda: c_int, jpvt: *mut c_int, tau: *mut c_void, _work: *mut c_void,
            _lwork: c_int, $($real_work: *mut c_void,)? info: *mut c_int,
        ) -> MagmaInt {
            geqp3(&Geqp3Call { name: stringify!($geqp3), dtype: Dtype::$dtype, m, n, a, lda, jpvt, tau, info })
        }
    )*}};
}

pivoted_alone! {
    S: magma_sgeqp3_gpu;
    D: magma_dgeqp3_gpu;
    C: magma_cgeqp3_gpu, _rwork;
    Z: magma_zgeqp3_gpu, _rwork;
}

macro_rules! systems {
    ($($dtype:ident: $getrf:ident, $getrs:ident, $potrf:ident, $potrs:ident;)*) => { entry! {$(
        fn $getrf(
            m: c_int, n: c_int, a: *mut c_void, lda: c_int, ipiv: *mut c_int, info: *mut c_int,
        ) -> MagmaInt {
            getrf(&MatrixCall { name: stringify!($getrf), dtype: Dtype::$dtype, a, lda, info }, [m, n], ipiv)
        }

        fn $getrs(
            trans: c_int, n: c_int, nrhs: c_int, a: *mut c_void, lda: c_int, ipiv: *const c_int, b: *mut c_void,
            ldb: c_int, info: *mut c_int,
        ) -> MagmaInt {
            let call = MatrixCall { name: stringify!($getrs), dtype: Dtype::$dtype, a, lda, info };
            getrs(&call, trans, n, ipiv, &RightHandSides { nrhs, b, ldb })
        }

        fn $potrf(uplo: c_int, n: c_int, a: *mut c_void, lda: c_int, info: *mut c_int) -> MagmaInt {
            potrf(&MatrixCall { name: stringify!($potrf), dtype: Dtype::$dtype, a, lda, info }, uplo, n)
        }

        fn $potrs(
            uplo: c_int, n: c_int, nrhs: c_int, a: *mut c_void, lda: c_int, b: *mut c_void, ldb: c_int,
            info: *mut c_int,
        ) -> MagmaInt {
            let call = MatrixCall { name: stringify!($potrs), dtype: Dtype::$dtype, a, lda, info };
            potrs(&call, uplo, n, &RightHandSides { nrhs, b, ldb })
        }
    )*}};
}

systems! {
    S: magma_sgetrf_gpu, magma_sgetrs_gpu, magma_spotrf_gpu, magma_spotrs_gpu;
    D: magma_dgetrf_gpu, magma_dgetrs_gpu, magma_dpotrf_gpu, magma_dpotrs_gpu;
    C: magma_cgetrf_gpu, magma_cgetrs_gpu, magma_cpotrf_gpu, magma_cpotrs_gpu;
    Z: magma_zgetrf_gpu, magma_zgetrs_gpu, magma_zpotrf_gpu, magma_zpotrs_gpu;
}
