//! Every exported symbol of `libtephra.so`, and nothing else: the C names of `tephra_core::face`.
//!
//! | file | symbols |
//! | --- | --- |
//! | `native/` | `tephra_*`; include/tephra.h is generated from it |
//! | `cublas/` | `cublas*`: batched QR, handles, texts and versions, copies |
//! | `cusolver.rs` | `cusolver*`: batched Cholesky, handles, versions |
//! | `magma/` | `magma_*`, `magmaf_*`: batched QR, system, queues, memory and copies, constants, host helpers |
//! `arguments` has the arguments of BLAS routines, from which their functions in `native/` and `magma/` are made.

#[macro_use]
mod arguments;
#[cfg(not(feature = "header"))]
mod cublas;
#[cfg(not(feature = "header"))]
mod cusolver;
#[cfg(not(feature = "header"))]
mod magma;
pub mod native;
