//! Batched BLAS routines, copies and constants: on whole matrices; on blocks inside of matrices (MAGMA's `_core`,
//! `_internal` and `_recursive` functions); and on host memory (`blas_?`).

use tephra_core::scalar::{C32, C64};

macro_rules! magma {
    ($($form:ident $routine:ident: $($s:ident $d:ident)?, $($c:ident $z:ident)?;)*) => {$(
        $(magma! { @$form $routine (f32, f32, S) $s } magma! { @$form $routine (f64, f64, D) $d })?
        $(magma! { @$form $routine (C32, f32, C) $c } magma! { @$form $routine (C64, f64, Z) $z })?
    )*};
    (@whole $routine:ident $types:tt $name:ident) => { of_routine! { $routine, (magma) $types () $name } };
    (@host $routine:ident $types:tt $name:ident) => { of_routine! { $routine, (magma) $types (host) $name } };
    (@block $routine:ident $types:tt $name:ident) => { of_routine! { $routine, (magma at) $types () $name } };
}

magma! {
    whole trmm: magmablas_strmm_batched magmablas_dtrmm_batched, magmablas_ctrmm_batched magmablas_ztrmm_batched;
    block trmm: magmablas_strmm_batched_core magmablas_dtrmm_batched_core,
        magmablas_ctrmm_batched_core magmablas_ztrmm_batched_core;
    block trsm: magmablas_strsm_small_batched magmablas_dtrsm_small_batched,
        magmablas_ctrsm_small_batched magmablas_ztrsm_small_batched;
    block trsm: magmablas_strsm_recursive_batched magmablas_dtrsm_recursive_batched,
        magmablas_ctrsm_recursive_batched magmablas_ztrsm_recursive_batched;
    whole trsv: magmablas_strsv_batched magmablas_dtrsv_batched, magmablas_ctrsv_batched magmablas_ztrsv_batched;
    block trsv: magmablas_strsv_recursive_batched magmablas_dtrsv_recursive_batched,
        magmablas_ctrsv_recursive_batched magmablas_ztrsv_recursive_batched;

    whole syrk: magmablas_ssyrk_batched magmablas_dsyrk_batched, magmablas_csyrk_batched magmablas_zsyrk_batched;
    whole syrk: magma_ssyrk_batched magma_dsyrk_batched,;
    block syrk_core: magmablas_ssyrk_batched_core magmablas_dsyrk_batched_core,
        magmablas_csyrk_batched_core magmablas_zsyrk_batched_core;
    whole syr2k: magmablas_ssyr2k_batched magmablas_dsyr2k_batched, magmablas_csyr2k_batched magmablas_zsyr2k_batched;
    whole herk: , magmablas_cherk_batched magmablas_zherk_batched;
    whole herk: , magma_cherk_batched magma_zherk_batched;
    block herk_core: , magmablas_cherk_batched_core magmablas_zherk_batched_core;
    whole her2k: , magmablas_cher2k_batched magmablas_zher2k_batched;

    whole lacpy: magmablas_slacpy_batched magmablas_dlacpy_batched, magmablas_clacpy_batched magmablas_zlacpy_batched;
    block lacpy: magmablas_slacpy_internal_batched magmablas_dlacpy_internal_batched,
        magmablas_clacpy_internal_batched magmablas_zlacpy_internal_batched;
    whole laset: magmablas_slaset_batched magmablas_dlaset_batched, magmablas_claset_batched magmablas_zlaset_batched;
    block laset: magmablas_slaset_internal_batched magmablas_dlaset_internal_batched,
        magmablas_claset_internal_batched magmablas_zlaset_internal_batched;
    whole transpose_plain: magmablas_stranspose_batched magmablas_dtranspose_batched,
        magmablas_ctranspose_batched magmablas_ztranspose_batched;
    whole transpose_conj: , magmablas_ctranspose_conj_batched magmablas_ztranspose_conj_batched;
    host trsm: blas_strsm_batched blas_dtrsm_batched, blas_ctrsm_batched blas_ztrsm_batched;
    host trmm: blas_strmm_batched blas_dtrmm_batched, blas_ctrmm_batched blas_ztrmm_batched;
    host syrk: blas_ssyrk_batched blas_dsyrk_batched,;
    host syr2k: blas_ssyr2k_batched blas_dsyr2k_batched,;
    host herk: , blas_cherk_batched blas_zherk_batched;
    host her2k: , blas_cher2k_batched blas_zher2k_batched;
    host lacpy: blas_slacpy_batched blas_dlacpy_batched, blas_clacpy_batched blas_zlacpy_batched;

    whole geadd: magmablas_sgeadd_batched magmablas_dgeadd_batched, magmablas_cgeadd_batched magmablas_zgeadd_batched;
}
