//! Batched QR, least squares, triangular solves, LU with its solves and inverses, and products; geam and dgmm of a
//! single matrix.

tephra_core::export_cublas_geqrf_batched!();
tephra_core::export_cublas_gels_batched!();
tephra_core::export_cublas_trsm_batched!();
tephra_core::export_cublas_getrf_batched!();
tephra_core::export_cublas_getrs_batched!();
tephra_core::export_cublas_getri_batched!();
tephra_core::export_cublas_matinv_batched!();
tephra_core::export_cublas_gemm_batched!();
tephra_core::export_cublas_gemm_strided_batched!();
tephra_core::export_cublas_gemm_batched_ex!();
tephra_core::export_cublas_gemm_strided_batched_ex!();
tephra_core::export_cublas_gemm_grouped_batched!();
tephra_core::export_cublas_gemm_grouped_batched_ex!();
tephra_core::export_cublas_gemv_batched!();
tephra_core::export_cublas_gemv_strided_batched!();
tephra_core::export_cublas_geam!();
tephra_core::export_cublas_dgmm!();
