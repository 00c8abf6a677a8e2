//! What the interfaces answer at their edges: status, info written on success too, quick returns, NULLs, bad
//! sizes, argument numbers and messages. Nothing is written when a call is refused. Runs on either backend.
//!
//! The cuBLAS and cuSOLVER rows are what cuBLAS 13.1 and cuSOLVER 12.0.4 answer on an H200, measured; MAGMA's are read in its source.

#[path = "abi_edges/cublas.rs"]
mod cublas;
#[path = "abi_edges/cublas_lu.rs"]
mod cublas_lu;
#[path = "abi_edges/cublas_products.rs"]
mod cublas_products;
#[path = "abi_edges/cublas_solvers.rs"]
mod cublas_solvers;
#[path = "abi_edges/cusolver.rs"]
mod cusolver;
#[path = "abi_edges/cusolver_qr.rs"]
mod cusolver_qr;
#[path = "abi_edges/gels_iterative.rs"]
mod gels_iterative;
#[path = "abi_edges/gels_iterative_batched.rs"]
mod gels_iterative_batched;
#[path = "abi_edges/geqr.rs"]
mod geqr;
#[path = "abi_edges/lu_scene.rs"]
mod lu_scene;
#[path = "abi_edges/magma.rs"]
mod magma;
#[path = "abi_edges/magma_cholesky.rs"]
mod magma_cholesky;
#[path = "abi_edges/magma_geqrs.rs"]
mod magma_geqrs;
#[path = "abi_edges/magma_lu.rs"]
mod magma_lu;
#[path = "abi_edges/magma_solvers.rs"]
mod magma_solvers;
#[path = "abi_edges/magma_support.rs"]
mod magma_support;
#[path = "abi_edges/native.rs"]
mod native;
#[path = "abi_edges/native_products.rs"]
mod native_products;
#[path = "abi_edges/native_solvers.rs"]
mod native_solvers;
#[path = "abi_edges/null_operands.rs"]
mod null_operands;
#[path = "abi_edges/one_matrix.rs"]
mod one_matrix;
#[path = "abi_edges/stage.rs"]
mod stage;
#[path = "support/stderr.rs"]
mod stderr;
