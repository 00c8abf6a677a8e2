//! Products and triangular solves.

use std::ffi::c_int;
use tephra_core::face::magma::vbatched::blas::{
    Product, SizePolicy, Solutions, System, VectorProduct, gemm, gemv, trsm, trsm_out_of_place,
};
use tephra_core::face::magma::{Pointers, RawQueue};
use tephra_core::routine::{Alpha, GemmSizes, GemvSizes, TrsmSizes};
use tephra_core::scalar::{C32, C64};
use tephra_core::{Dtype, entry};

// MAGMA's header names the last four integers max_m, max_n, max_k, batchCount, but its code and all its callers pass
// the batch count first.
macro_rules! gemm_vbatched {
    ($($ty:ty: $dtype:ident: $($name:ident $checks:literal),*; with_max $($with_max:ident $max_checks:literal),*;)*) => { entry! {$(
        $(fn $name(
            trans_a: c_int, trans_b: c_int, m: *const c_int, n: *const c_int, k: *const c_int, alpha: $ty, a: Pointers,
            lda: *const c_int, b: Pointers, ldb: *const c_int, beta: $ty, c: Pointers, ldc: *const c_int,
            batch_count: c_int, queue: RawQueue,
        ) {
            let (dtype, trans, sizes) = (Dtype::$dtype, [trans_a, trans_b], GemmSizes { m, n, k, lda, ldb, ldc });
            let (factors, operands) = ([alpha, beta].map(Alpha::host), [a, b, c]);
            let call = Product { dtype, trans, sizes, factors, operands, batch: batch_count };
            gemm(PROTOTYPE, &call, SizePolicy { checks_on_host: $checks, maxima: None }, queue)
        })*

        $(fn $with_max(
            trans_a: c_int, trans_b: c_int, m: *const c_int, n: *const c_int, k: *const c_int, alpha: $ty, a: Pointers,
            lda: *const c_int, b: Pointers, ldb: *const c_int, beta: $ty, c: Pointers, ldc: *const c_int,
            batch_count: c_int, max_m: c_int, max_n: c_int, max_k: c_int, queue: RawQueue,
        ) {
            let (dtype, trans, sizes) = (Dtype::$dtype, [trans_a, trans_b], GemmSizes { m, n, k, lda, ldb, ldc });
            let (factors, operands) = ([alpha, beta].map(Alpha::host), [a, b, c]);
            let call = Product { dtype, trans, sizes, factors, operands, batch: batch_count };
            gemm(PROTOTYPE, &call, SizePolicy { checks_on_host: $max_checks, maxima: Some([max_m, max_n, max_k]) }, queue)
        })*
    )*}};
}

gemm_vbatched! {
    f32: S: magmablas_sgemm_vbatched true, magmablas_sgemm_vbatched_nocheck false;
        with_max magmablas_sgemm_vbatched_max true, magmablas_sgemm_vbatched_max_nocheck false;
    f64: D: magmablas_dgemm_vbatched true, magmablas_dgemm_vbatched_nocheck false;
        with_max magmablas_dgemm_vbatched_max true, magmablas_dgemm_vbatched_max_nocheck false;
    C32: C: magmablas_cgemm_vbatched true, magmablas_cgemm_vbatched_nocheck false;
        with_max magmablas_cgemm_vbatched_max true, magmablas_cgemm_vbatched_max_nocheck false;
    C64: Z: magmablas_zgemm_vbatched true, magmablas_zgemm_vbatched_nocheck false;
        with_max magmablas_zgemm_vbatched_max true, magmablas_zgemm_vbatched_max_nocheck false;
}

macro_rules! gemv_vbatched {
    ($($ty:ty: $dtype:ident: $($name:ident $checks:literal),*; with_max $($with_max:ident $max_checks:literal),*;)*) => { entry! {$(
        $(fn $name(
            trans: c_int, m: *const c_int, n: *const c_int, alpha: $ty, a: Pointers, lda: *const c_int, x: Pointers,
            incx: *const c_int, beta: $ty, y: Pointers, incy: *const c_int, batch_count: c_int, queue: RawQueue,
        ) {
            let (dtype, sizes, operands) = (Dtype::$dtype, GemvSizes { m, n, lda, incx, incy }, [a, x, y]);
            let factors = [alpha, beta].map(Alpha::host);
            let call = VectorProduct { dtype, trans, sizes, factors, operands, batch: batch_count };
            gemv(PROTOTYPE, &call, SizePolicy { checks_on_host: $checks, maxima: None }, queue)
        })*

        $(fn $with_max(
            trans: c_int, m: *const c_int, n: *const c_int, alpha: $ty, a: Pointers, lda: *const c_int, x: Pointers,
            incx: *const c_int, beta: $ty, y: Pointers, incy: *const c_int, batch_count: c_int, max_m: c_int,
            max_n: c_int, queue: RawQueue,
        ) {
            let (dtype, sizes, operands) = (Dtype::$dtype, GemvSizes { m, n, lda, incx, incy }, [a, x, y]);
            let factors = [alpha, beta].map(Alpha::host);
            let call = VectorProduct { dtype, trans, sizes, factors, operands, batch: batch_count };
            gemv(PROTOTYPE, &call, SizePolicy { checks_on_host: $max_checks, maxima: Some([max_m, max_n]) }, queue)
        })*
    )*}};
}

gemv_vbatched! {
    f32: S: magmablas_sgemv_vbatched true, magmablas_sgemv_vbatched_nocheck false;
        with_max magmablas_sgemv_vbatched_max true, magmablas_sgemv_vbatched_max_nocheck false;
    f64: D: magmablas_dgemv_vbatched true, magmablas_dgemv_vbatched_nocheck false;
        with_max magmablas_dgemv_vbatched_max true, magmablas_dgemv_vbatched_max_nocheck false;
    C32: C: magmablas_cgemv_vbatched true, magmablas_cgemv_vbatched_nocheck false;
        with_max magmablas_cgemv_vbatched_max true, magmablas_cgemv_vbatched_max_nocheck false;
    C64: Z: magmablas_zgemv_vbatched true, magmablas_zgemv_vbatched_nocheck false;
        with_max magmablas_zgemv_vbatched_max true, magmablas_zgemv_vbatched_max_nocheck false;
}

macro_rules! trsm_vbatched {
    ($($ty:ty: $dtype:ident: $($name:ident $checks:literal),*; with_max $($with_max:ident $max_checks:literal),*;
        with_max_last $($last:ident $last_checks:literal),*;)*) => { entry! {$(
        $(fn $name(
            side: c_int, uplo: c_int, trans: c_int, diag: c_int, m: *const c_int, n: *const c_int, alpha: $ty, a: Pointers,
            lda: *const c_int, b: Pointers, ldb: *const c_int, batch_count: c_int, queue: RawQueue,
        ) {
            let (dtype, flags, sizes) = (Dtype::$dtype, [side, uplo, trans, diag], TrsmSizes { m, n, lda, ldb });
            let call = System { dtype, flags, sizes, alpha: Alpha::host(alpha), operands: [a, b], batch: batch_count };
            trsm(PROTOTYPE, &call, SizePolicy { checks_on_host: $checks, maxima: None }, queue)
        })*

        $(fn $with_max(
            side: c_int, uplo: c_int, trans: c_int, diag: c_int, max_m: c_int, max_n: c_int, m: *const c_int,
            n: *const c_int, alpha: $ty, a: Pointers, lda: *const c_int, b: Pointers, ldb: *const c_int,
            batch_count: c_int, queue: RawQueue,
        ) {
            let (dtype, flags, sizes) = (Dtype::$dtype, [side, uplo, trans, diag], TrsmSizes { m, n, lda, ldb });
            let call = System { dtype, flags, sizes, alpha: Alpha::host(alpha), operands: [a, b], batch: batch_count };
            trsm(PROTOTYPE, &call, SizePolicy { checks_on_host: $max_checks, maxima: Some([max_m, max_n]) }, queue)
        })*

        $(fn $last(
            side: c_int, uplo: c_int, trans: c_int, diag: c_int, m: *const c_int, n: *const c_int, alpha: $ty, a: Pointers,
            lda: *const c_int, b: Pointers, ldb: *const c_int, batch_count: c_int, max_m: c_int, max_n: c_int,
            queue: RawQueue,
        ) {
            let (dtype, flags, sizes) = (Dtype::$dtype, [side, uplo, trans, diag], TrsmSizes { m, n, lda, ldb });
            let call = System { dtype, flags, sizes, alpha: Alpha::host(alpha), operands: [a, b], batch: batch_count };
            trsm(PROTOTYPE, &call, SizePolicy { checks_on_host: $last_checks, maxima: Some([max_m, max_n]) }, queue)
        })*
    )*}};
}

trsm_vbatched! {
    f32: S: magmablas_strsm_vbatched true, magmablas_strsm_vbatched_nocheck false, magmablas_strsm_inv_vbatched true,
        magmablas_strsm_inv_vbatched_nocheck false;
        with_max magmablas_strsm_vbatched_max true, magmablas_strsm_vbatched_max_nocheck false;
        with_max_last magmablas_strsm_inv_vbatched_max true, magmablas_strsm_inv_vbatched_max_nocheck false;
    f64: D: magmablas_dtrsm_vbatched true, magmablas_dtrsm_vbatched_nocheck false, magmablas_dtrsm_inv_vbatched true,
        magmablas_dtrsm_inv_vbatched_nocheck false;
        with_max magmablas_dtrsm_vbatched_max true, magmablas_dtrsm_vbatched_max_nocheck false;
        with_max_last magmablas_dtrsm_inv_vbatched_max true, magmablas_dtrsm_inv_vbatched_max_nocheck false;
    C32: C: magmablas_ctrsm_vbatched true, magmablas_ctrsm_vbatched_nocheck false, magmablas_ctrsm_inv_vbatched true,
        magmablas_ctrsm_inv_vbatched_nocheck false;
        with_max magmablas_ctrsm_vbatched_max true, magmablas_ctrsm_vbatched_max_nocheck false;
        with_max_last magmablas_ctrsm_inv_vbatched_max true, magmablas_ctrsm_inv_vbatched_max_nocheck false;
    C64: Z: magmablas_ztrsm_vbatched true, magmablas_ztrsm_vbatched_nocheck false, magmablas_ztrsm_inv_vbatched true,
        magmablas_ztrsm_inv_vbatched_nocheck false;
        with_max magmablas_ztrsm_vbatched_max true, magmablas_ztrsm_vbatched_max_nocheck false;
        with_max_last magmablas_ztrsm_inv_vbatched_max true, magmablas_ztrsm_inv_vbatched_max_nocheck false;
}

macro_rules! trsm_out_of_place {
    ($($ty:ty: $dtype:ident: $name:ident;)*) => { entry! {$(
        fn $name(
            side: c_int, uplo: c_int, trans: c_int, diag: c_int, _flag: c_int, m: *const c_int, n: *const c_int,
            alpha: $ty, a: Pointers, lda: *const c_int, b: Pointers, ldb: *const c_int, x: Pointers, ldx: *const c_int,
            _inv: Pointers, _inv_length: *const c_int, _a_work: Pointers, _b_work: Pointers, _x_work: Pointers,
            _inv_work: Pointers, _reset: c_int, batch_count: c_int, max_m: c_int, max_n: c_int, queue: RawQueue,
        ) {
            let (dtype, flags, sizes) = (Dtype::$dtype, [side, uplo, trans, diag], TrsmSizes { m, n, lda, ldb });
            let call = System { dtype, flags, sizes, alpha: Alpha::host(alpha), operands: [a, b], batch: batch_count };
            trsm_out_of_place(PROTOTYPE, &call, Solutions { x, ldx }, [max_m, max_n], queue)
        }
    )*}};
}

// As in MAGMA, the solutions are returned in B. The arguments for inverses and workspace are not used.
macro_rules! trsm_work {
    ($($ty:ty: $dtype:ident: $name:ident;)*) => { entry! {$(
        fn $name(
            side: c_int, uplo: c_int, trans: c_int, diag: c_int, _flag: c_int, m: *const c_int, n: *const c_int,
            alpha: $ty, a: Pointers, lda: *const c_int, b: Pointers, ldb: *const c_int, _x: Pointers, _ldx: *const c_int,
            _inv: Pointers, _inv_length: *const c_int, _a_work: Pointers, _b_work: Pointers, _x_work: Pointers,
            _inv_work: Pointers, _reset: c_int, batch_count: c_int, max_m: c_int, max_n: c_int, queue: RawQueue,
        ) {
            let (dtype, flags, sizes) = (Dtype::$dtype, [side, uplo, trans, diag], TrsmSizes { m, n, lda, ldb });
            let call = System { dtype, flags, sizes, alpha: Alpha::host(alpha), operands: [a, b], batch: batch_count };
            trsm(PROTOTYPE, &call, SizePolicy { checks_on_host: false, maxima: Some([max_m, max_n]) }, queue)
        }
    )*}};
}

trsm_work! {
    f32: S: magmablas_strsm_inv_work_vbatched;
    f64: D: magmablas_dtrsm_inv_work_vbatched;
    C32: C: magmablas_ctrsm_inv_work_vbatched;
    C64: Z: magmablas_ztrsm_inv_work_vbatched;
}

trsm_out_of_place! {
    f32: S: magmablas_strsm_inv_outofplace_vbatched;
    f64: D: magmablas_dtrsm_inv_outofplace_vbatched;
    C32: C: magmablas_ctrsm_inv_outofplace_vbatched;
    C64: Z: magmablas_ztrsm_inv_outofplace_vbatched;
}
