//! Batched QR, least squares and triangular solves.

use tephra_core::face::cublas::serve::serve;

tephra_core::export_cublas_geqrf_batched!(serve);
tephra_core::export_cublas_gels_batched!(serve);
tephra_core::export_cublas_trsm_batched!(serve);
