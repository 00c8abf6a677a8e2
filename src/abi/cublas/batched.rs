//! Batched QR, least squares, triangular solves, and LU with what follows it; sums and scalings of one matrix.

tephra_core::export_cublas_geqrf_batched!();
tephra_core::export_cublas_gels_batched!();
tephra_core::export_cublas_trsm_batched!();
tephra_core::export_cublas_getrf_batched!();
tephra_core::export_cublas_getrs_batched!();
tephra_core::export_cublas_getri_batched!();
tephra_core::export_cublas_matinv_batched!();
tephra_core::export_cublas_geam!();
tephra_core::export_cublas_dgmm!();
