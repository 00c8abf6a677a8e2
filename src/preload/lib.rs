//! The cuBLAS names served under `LD_PRELOAD`, and nothing else: a program's other calls go to its own cuBLAS.
//!
//! Handles are always the real library's, which gives the stream. The call is taken on CUDA only; what cannot be
//! served there goes on to the real function (`TEPHRA_VERBOSE=1` tells which is which). `TEPHRA_BACKEND=cpu` is for
//! tests: then the call is taken on host memory, so that interposition can be proved without a GPU.

use tephra_core::face::cublas::serve::serve_foreign;

tephra_core::export_cublas_geqrf_batched!(serve_foreign);
tephra_core::export_cublas_gels_batched!(serve_foreign);
tephra_core::export_cublas_trsm_batched!(serve_foreign);
