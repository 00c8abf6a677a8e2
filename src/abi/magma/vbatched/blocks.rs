//! Operations on blocks inside of matrices of individual sizes.

use std::ffi::c_int;
use tephra_core::face::magma::vbatched::blas::{Product, System};
use tephra_core::face::magma::vbatched::blocks::{gemm, symm, trmm, trsm};
use tephra_core::face::magma::vbatched::products::Symmetric;
use tephra_core::face::magma::{Pointers, RawQueue};
use tephra_core::routine::{Alpha, GemmSizes, SymmSizes, TrsmSizes};
use tephra_core::scalar::{C32, C64};
use tephra_core::{Dtype, entry};

macro_rules! gemm_core {
    ($($ty:ty: $dtype:ident: $name:ident;)*) => { entry! {$(
        fn $name(
            trans_a: c_int, trans_b: c_int, max_m: c_int, max_n: c_int, max_k: c_int, m: *const c_int, n: *const c_int,
            k: *const c_int, alpha: $ty, a: Pointers, ai: c_int, aj: c_int, lda: *const c_int, b: Pointers, bi: c_int,
            bj: c_int, ldb: *const c_int, beta: $ty, c: Pointers, ci: c_int, cj: c_int, ldc: *const c_int,
            batch_count: c_int, queue: RawQueue,
        ) {
            let (dtype, trans, sizes) = (Dtype::$dtype, [trans_a, trans_b], GemmSizes { m, n, k, lda, ldb, ldc });
            let (factors, operands) = ([alpha, beta].map(Alpha::host), [a, b, c]);
            let call = Product { dtype, trans, sizes, factors, operands, batch: batch_count };
            gemm(PROTOTYPE, &call, [[ai, aj], [bi, bj], [ci, cj]], [max_m, max_n, max_k], queue)
        }
    )*}};
}

macro_rules! triangle_core {
    ($routine:ident: $($ty:ty: $dtype:ident: $($name:ident),*;)*) => { entry! {$($(
        fn $name(
            side: c_int, uplo: c_int, trans: c_int, diag: c_int, max_m: c_int, max_n: c_int, m: *const c_int,
            n: *const c_int, alpha: $ty, a: Pointers, ai: c_int, aj: c_int, lda: *const c_int, b: Pointers, bi: c_int,
            bj: c_int, ldb: *const c_int, batch_count: c_int, queue: RawQueue,
        ) {
            let (dtype, flags, sizes) = (Dtype::$dtype, [side, uplo, trans, diag], TrsmSizes { m, n, lda, ldb });
            let call = System { dtype, flags, sizes, alpha: Alpha::host(alpha), operands: [a, b], batch: batch_count };
            $routine(PROTOTYPE, &call, [[ai, aj], [bi, bj]], [max_m, max_n], queue)
        }
    )*)*}};
}

macro_rules! symm_core {
    ($hermitian:literal: $($ty:ty: $dtype:ident: $name:ident;)*) => { entry! {$(
        fn $name(
            side: c_int, uplo: c_int, m: *const c_int, n: *const c_int, alpha: $ty, a: Pointers, lda: *const c_int,
            b: Pointers, ldb: *const c_int, beta: $ty, c: Pointers, ldc: *const c_int, max_m: c_int, max_n: c_int,
            ai: c_int, aj: c_int, bi: c_int, bj: c_int, ci: c_int, cj: c_int, told_m: c_int, told_n: c_int,
            batch_count: c_int, queue: RawQueue,
        ) {
            let (flags, sizes) = ([side, uplo], SymmSizes { m, n, lda, ldb, ldc });
            let (factors, operands) = ([alpha, beta].map(Alpha::host), [a, b, c]);
            let (dtype, hermitian, batch) = (Dtype::$dtype, $hermitian, batch_count);
            let call = Symmetric { dtype, hermitian, flags, sizes, factors, operands, batch };
            let maxima = ([max_m, max_n], [told_m, told_n]);
            symm(PROTOTYPE, &call, [[ai, aj], [bi, bj], [ci, cj]], maxima, queue)
        }
    )*}};
}

gemm_core! {
    f32: S: magmablas_sgemm_vbatched_core;
    f64: D: magmablas_dgemm_vbatched_core;
    C32: C: magmablas_cgemm_vbatched_core;
    C64: Z: magmablas_zgemm_vbatched_core;
}

triangle_core! {
    trsm:
    f32: S: magmablas_strsm_vbatched_core, magmablas_strsm_small_vbatched;
    f64: D: magmablas_dtrsm_vbatched_core, magmablas_dtrsm_small_vbatched;
    C32: C: magmablas_ctrsm_vbatched_core, magmablas_ctrsm_small_vbatched;
    C64: Z: magmablas_ztrsm_vbatched_core, magmablas_ztrsm_small_vbatched;
}

triangle_core! {
    trmm:
    f32: S: magmablas_strmm_vbatched_core;
    f64: D: magmablas_dtrmm_vbatched_core;
    C32: C: magmablas_ctrmm_vbatched_core;
    C64: Z: magmablas_ztrmm_vbatched_core;
}

symm_core! {
    false:
    f32: S: magmablas_ssymm_vbatched_core;
    f64: D: magmablas_dsymm_vbatched_core;
}

symm_core! {
    true:
    C32: C: magmablas_chemm_vbatched_core;
    C64: Z: magmablas_zhemm_vbatched_core;
}
