//! How the interfaces answer edge cases: status codes, info written on success too, quick returns, NULLs, bad sizes,
//! argument numbers and messages. A refused call must write nothing. Runs on either backend.
//!
//! The cuBLAS and cuSOLVER rows were measured: they are the answers of cuBLAS 13.1 and cuSOLVER 12.0.4 on an H200.
//! MAGMA's were read from its source.

mod cublas;
mod cublas_lu;
mod cublas_products;
mod cublas_solvers;
mod cusolver;
mod cusolver_qr;
mod fixture;
mod gels_iterative;
mod gels_iterative_batched;
mod geqr;
mod lu_fixture;
mod magma;
mod magma_cholesky;
mod magma_geqrs;
mod magma_lu;
mod magma_solvers;
mod magma_support;
mod native;
mod native_products;
mod native_solvers;
mod null_operands;
mod one_matrix;
mod one_system;
