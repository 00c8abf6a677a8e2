//! Batched QR, least squares and triangular solves.

tephra_core::export_cublas_geqrf_batched!();
tephra_core::export_cublas_gels_batched!();
tephra_core::export_cublas_trsm_batched!();
