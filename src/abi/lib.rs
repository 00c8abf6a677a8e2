//! The exported symbols of `libtephra.so`: C functions that forward to `tephra_core::face`.
//!
//! | file | symbols |
//! | --- | --- |
//! | `native/` | `tephra_*`; include/tephra.h is generated from it |
//! | `cublas/` | `cublas*`: batched routines, handles, versions and status strings, copies |
//! | `cusolver.rs` | `cusolver*`: Cholesky, QR and LU, handles, versions |
//! | `magma/` | `magma_*`, `magmaf_*`: batched and single-matrix routines, system, queues, memory and copies, constants, host helpers |
//! `arguments` lists the arguments of the BLAS routines once; macros generate their functions in `native/` and `magma/`
//! from it.

#[macro_use]
mod arguments;
#[cfg(not(feature = "header"))]
mod cublas;
#[cfg(not(feature = "header"))]
mod cusolver;
#[cfg(not(feature = "header"))]
mod magma;
pub mod native;
