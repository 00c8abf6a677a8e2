//! Batched QR.

tephra_core::export_cublas_geqrf_batched!(tephra_core::face::cublas::geqrf::serve);
