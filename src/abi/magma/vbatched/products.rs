//! Symmetric and Hermitian products, and products with triangular matrices.

use std::ffi::c_int;
use tephra_core::face::magma::vbatched::blas::{SizePolicy, System};
use tephra_core::face::magma::vbatched::products::{Symmetric, Update, symm, trmm, update};
use tephra_core::face::magma::{Pointers, RawQueue};
use tephra_core::routine::{Alpha, SymmSizes, SyrkSizes, TrsmSizes};
use tephra_core::scalar::{C32, C64};
use tephra_core::{Dtype, entry};

macro_rules! rank_k {
    ($hermitian:literal: $($ty:ty: $dtype:ident: $($name:ident $checks:literal),*; with_max $($with_max:ident $max_checks:literal),*;)*
    ) => { entry! {$(
        $(fn $name(
            uplo: c_int, trans: c_int, n: *const c_int, k: *const c_int, alpha: $ty, a: Pointers, lda: *const c_int,
            beta: $ty, c: Pointers, ldc: *const c_int, batch_count: c_int, queue: RawQueue,
        ) {
            let (flags, sizes) = ([uplo, trans], SyrkSizes { n, k, lda, ldb: lda, ldc });
            let (factors, operands) = ([alpha, beta].map(Alpha::host), (a, None, c));
            let (dtype, hermitian, once, batch) = (Dtype::$dtype, $hermitian, false, batch_count);
            let call = Update { dtype, hermitian, once, flags, sizes, factors, operands, batch };
            update(PROTOTYPE, &call, SizePolicy { checks_on_host: $checks, maxima: None }, queue)
        })*

        $(fn $with_max(
            uplo: c_int, trans: c_int, n: *const c_int, k: *const c_int, alpha: $ty, a: Pointers, lda: *const c_int,
            beta: $ty, c: Pointers, ldc: *const c_int, batch_count: c_int, max_n: c_int, max_k: c_int, queue: RawQueue,
        ) {
            let (flags, sizes) = ([uplo, trans], SyrkSizes { n, k, lda, ldb: lda, ldc });
            let (factors, operands) = ([alpha, beta].map(Alpha::host), (a, None, c));
            let (dtype, hermitian, once, batch) = (Dtype::$dtype, $hermitian, false, batch_count);
            let call = Update { dtype, hermitian, once, flags, sizes, factors, operands, batch };
            update(PROTOTYPE, &call, SizePolicy { checks_on_host: $max_checks, maxima: Some([max_n, max_k]) }, queue)
        })*
    )*}};
}

macro_rules! rank_2k {
    ($hermitian:literal: $($ty:ty, $one:ty: $dtype:ident: $($name:ident $checks:literal),*;
        with_max $($with_max:ident $max_checks:literal),*; internal $internal:ident;)*
    ) => { entry! {$(
        $(fn $name(
            uplo: c_int, trans: c_int, n: *const c_int, k: *const c_int, alpha: $ty, a: Pointers, lda: *const c_int,
            b: Pointers, ldb: *const c_int, beta: $one, c: Pointers, ldc: *const c_int, batch_count: c_int,
            queue: RawQueue,
        ) {
            let (flags, sizes) = ([uplo, trans], SyrkSizes { n, k, lda, ldb, ldc });
            let (factors, operands) = ([Alpha::host(alpha), Alpha::host(beta)], (a, Some(b), c));
            let (dtype, hermitian, once, batch) = (Dtype::$dtype, $hermitian, false, batch_count);
            let call = Update { dtype, hermitian, once, flags, sizes, factors, operands, batch };
            update(PROTOTYPE, &call, SizePolicy { checks_on_host: $checks, maxima: None }, queue)
        })*

        $(fn $with_max(
            uplo: c_int, trans: c_int, n: *const c_int, k: *const c_int, alpha: $ty, a: Pointers, lda: *const c_int,
            b: Pointers, ldb: *const c_int, beta: $one, c: Pointers, ldc: *const c_int, batch_count: c_int,
            max_n: c_int, max_k: c_int, queue: RawQueue,
        ) {
            let (flags, sizes) = ([uplo, trans], SyrkSizes { n, k, lda, ldb, ldc });
            let (factors, operands) = ([Alpha::host(alpha), Alpha::host(beta)], (a, Some(b), c));
            let (dtype, hermitian, once, batch) = (Dtype::$dtype, $hermitian, false, batch_count);
            let call = Update { dtype, hermitian, once, flags, sizes, factors, operands, batch };
            update(PROTOTYPE, &call, SizePolicy { checks_on_host: $max_checks, maxima: Some([max_n, max_k]) }, queue)
        })*

        fn $internal(
            uplo: c_int, trans: c_int, n: *const c_int, k: *const c_int, alpha: $ty, a: Pointers, lda: *const c_int,
            b: Pointers, ldb: *const c_int, beta: $ty, c: Pointers, ldc: *const c_int, max_n: c_int, max_k: c_int,
            batch_count: c_int, queue: RawQueue,
        ) {
            let (flags, sizes) = ([uplo, trans], SyrkSizes { n, k, lda, ldb, ldc });
            let (factors, operands) = ([alpha, beta].map(Alpha::host), (a, Some(b), c));
            let (dtype, hermitian, once, batch) = (Dtype::$dtype, $hermitian, true, batch_count);
            let call = Update { dtype, hermitian, once, flags, sizes, factors, operands, batch };
            update(PROTOTYPE, &call, SizePolicy { checks_on_host: false, maxima: Some([max_n, max_k]) }, queue)
        }
    )*}};
}

macro_rules! trmm_vbatched {
    ($($ty:ty: $dtype:ident: $($name:ident $checks:literal),*; with_max $($with_max:ident $max_checks:literal),*;)*) => { entry! {$(
        $(fn $name(
            side: c_int, uplo: c_int, trans: c_int, diag: c_int, m: *const c_int, n: *const c_int, alpha: $ty, a: Pointers,
            lda: *const c_int, b: Pointers, ldb: *const c_int, batch_count: c_int, queue: RawQueue,
        ) {
            let (dtype, flags, sizes) = (Dtype::$dtype, [side, uplo, trans, diag], TrsmSizes { m, n, lda, ldb });
            let call = System { dtype, flags, sizes, alpha: Alpha::host(alpha), operands: [a, b], batch: batch_count };
            trmm(PROTOTYPE, &call, SizePolicy { checks_on_host: $checks, maxima: None }, queue)
        })*

        $(fn $with_max(
            side: c_int, uplo: c_int, trans: c_int, diag: c_int, max_m: c_int, max_n: c_int, m: *const c_int,
            n: *const c_int, alpha: $ty, a: Pointers, lda: *const c_int, b: Pointers, ldb: *const c_int,
            batch_count: c_int, queue: RawQueue,
        ) {
            let (dtype, flags, sizes) = (Dtype::$dtype, [side, uplo, trans, diag], TrsmSizes { m, n, lda, ldb });
            let call = System { dtype, flags, sizes, alpha: Alpha::host(alpha), operands: [a, b], batch: batch_count };
            trmm(PROTOTYPE, &call, SizePolicy { checks_on_host: $max_checks, maxima: Some([max_m, max_n]) }, queue)
        })*
    )*}};
}

rank_k! {
    false:
    f32: S: magmablas_ssyrk_vbatched true, magmablas_ssyrk_vbatched_nocheck false;
        with_max magmablas_ssyrk_vbatched_max true, magmablas_ssyrk_vbatched_max_nocheck false;
    f64: D: magmablas_dsyrk_vbatched true, magmablas_dsyrk_vbatched_nocheck false;
        with_max magmablas_dsyrk_vbatched_max true, magmablas_dsyrk_vbatched_max_nocheck false;
    C32: C: magmablas_csyrk_vbatched true, magmablas_csyrk_vbatched_nocheck false;
        with_max magmablas_csyrk_vbatched_max true, magmablas_csyrk_vbatched_max_nocheck false;
    C64: Z: magmablas_zsyrk_vbatched true, magmablas_zsyrk_vbatched_nocheck false;
        with_max magmablas_zsyrk_vbatched_max true, magmablas_zsyrk_vbatched_max_nocheck false;
}

rank_k! {
    true:
    f32: C: magmablas_cherk_vbatched true, magmablas_cherk_vbatched_nocheck false;
        with_max magmablas_cherk_vbatched_max true, magmablas_cherk_vbatched_max_nocheck false;
    f64: Z: magmablas_zherk_vbatched true, magmablas_zherk_vbatched_nocheck false;
        with_max magmablas_zherk_vbatched_max true, magmablas_zherk_vbatched_max_nocheck false;
}

rank_2k! {
    false:
    f32, f32: S: magmablas_ssyr2k_vbatched true, magmablas_ssyr2k_vbatched_nocheck false;
        with_max magmablas_ssyr2k_vbatched_max true, magmablas_ssyr2k_vbatched_max_nocheck false;
        internal magmablas_ssyrk_internal_vbatched;
    f64, f64: D: magmablas_dsyr2k_vbatched true, magmablas_dsyr2k_vbatched_nocheck false;
        with_max magmablas_dsyr2k_vbatched_max true, magmablas_dsyr2k_vbatched_max_nocheck false;
        internal magmablas_dsyrk_internal_vbatched;
    C32, C32: C: magmablas_csyr2k_vbatched true, magmablas_csyr2k_vbatched_nocheck false;
        with_max magmablas_csyr2k_vbatched_max true, magmablas_csyr2k_vbatched_max_nocheck false;
        internal magmablas_csyrk_internal_vbatched;
    C64, C64: Z: magmablas_zsyr2k_vbatched true, magmablas_zsyr2k_vbatched_nocheck false;
        with_max magmablas_zsyr2k_vbatched_max true, magmablas_zsyr2k_vbatched_max_nocheck false;
        internal magmablas_zsyrk_internal_vbatched;
}

rank_2k! {
    true:
    C32, f32: C: magmablas_cher2k_vbatched true, magmablas_cher2k_vbatched_nocheck false;
        with_max magmablas_cher2k_vbatched_max true, magmablas_cher2k_vbatched_max_nocheck false;
        internal magmablas_cherk_internal_vbatched;
    C64, f64: Z: magmablas_zher2k_vbatched true, magmablas_zher2k_vbatched_nocheck false;
        with_max magmablas_zher2k_vbatched_max true, magmablas_zher2k_vbatched_max_nocheck false;
        internal magmablas_zherk_internal_vbatched;
}

trmm_vbatched! {
    f32: S: magmablas_strmm_vbatched true, magmablas_strmm_vbatched_nocheck false;
        with_max magmablas_strmm_vbatched_max true, magmablas_strmm_vbatched_max_nocheck false;
    f64: D: magmablas_dtrmm_vbatched true, magmablas_dtrmm_vbatched_nocheck false;
        with_max magmablas_dtrmm_vbatched_max true, magmablas_dtrmm_vbatched_max_nocheck false;
    C32: C: magmablas_ctrmm_vbatched true, magmablas_ctrmm_vbatched_nocheck false;
        with_max magmablas_ctrmm_vbatched_max true, magmablas_ctrmm_vbatched_max_nocheck false;
    C64: Z: magmablas_ztrmm_vbatched true, magmablas_ztrmm_vbatched_nocheck false;
        with_max magmablas_ztrmm_vbatched_max true, magmablas_ztrmm_vbatched_max_nocheck false;
}

macro_rules! symm_vbatched {
    ($hermitian:literal: $($ty:ty: $dtype:ident: $($name:ident $checks:literal),*; with_max $($with_max:ident $max_checks:literal),*;)*
    ) => { entry! {$(
        $(fn $name(
            side: c_int, uplo: c_int, m: *const c_int, n: *const c_int, alpha: $ty, a: Pointers, lda: *const c_int,
            b: Pointers, ldb: *const c_int, beta: $ty, c: Pointers, ldc: *const c_int, batch_count: c_int,
            queue: RawQueue,
        ) {
            let (flags, sizes) = ([side, uplo], SymmSizes { m, n, lda, ldb, ldc });
            let (factors, operands) = ([alpha, beta].map(Alpha::host), [a, b, c]);
            let (dtype, hermitian, batch) = (Dtype::$dtype, $hermitian, batch_count);
            let call = Symmetric { dtype, hermitian, flags, sizes, factors, operands, batch };
            symm(PROTOTYPE, &call, SizePolicy { checks_on_host: $checks, maxima: None }, queue)
        })*

        $(fn $with_max(
            side: c_int, uplo: c_int, m: *const c_int, n: *const c_int, alpha: $ty, a: Pointers, lda: *const c_int,
            b: Pointers, ldb: *const c_int, beta: $ty, c: Pointers, ldc: *const c_int, batch_count: c_int, max_m: c_int,
            max_n: c_int, queue: RawQueue,
        ) {
            let (flags, sizes) = ([side, uplo], SymmSizes { m, n, lda, ldb, ldc });
            let (factors, operands) = ([alpha, beta].map(Alpha::host), [a, b, c]);
            let (dtype, hermitian, batch) = (Dtype::$dtype, $hermitian, batch_count);
            let call = Symmetric { dtype, hermitian, flags, sizes, factors, operands, batch };
            symm(PROTOTYPE, &call, SizePolicy { checks_on_host: $max_checks, maxima: Some([max_m, max_n]) }, queue)
        })*
    )*}};
}

symm_vbatched! {
    false:
    f32: S: magmablas_ssymm_vbatched true, magmablas_ssymm_vbatched_nocheck false;
        with_max magmablas_ssymm_vbatched_max true, magmablas_ssymm_vbatched_max_nocheck false;
    f64: D: magmablas_dsymm_vbatched true, magmablas_dsymm_vbatched_nocheck false;
        with_max magmablas_dsymm_vbatched_max true, magmablas_dsymm_vbatched_max_nocheck false;
}

symm_vbatched! {
    true:
    C32: C: magmablas_chemm_vbatched true, magmablas_chemm_vbatched_nocheck false;
        with_max magmablas_chemm_vbatched_max true, magmablas_chemm_vbatched_max_nocheck false;
    C64: Z: magmablas_zhemm_vbatched true, magmablas_zhemm_vbatched_nocheck false;
        with_max magmablas_zhemm_vbatched_max true, magmablas_zhemm_vbatched_max_nocheck false;
}
