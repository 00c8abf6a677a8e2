//! What the build produces, and how: exported names, headers, Fortran interfaces, the store of compiled kernels.

mod cuda_archs;
mod exports;
mod exports_foreign;
mod exports_fortran;
mod exports_headers;
#[cfg(feature = "cuda")]
mod kernel_store;
#[path = "support/native.rs"]
mod native;
