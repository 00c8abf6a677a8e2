//! MAGMA's names (LP64: `magma_int_t` is `int`).

mod assign;
mod blas;
mod copy;
mod fortran;
mod gels;
mod gemm;
mod gemv;
mod geqrf;
mod gesv;
mod getrf;
mod getri;
mod getrs;
mod host;
mod laswp;
mod memory;
mod names;
mod one_matrix;
mod potrf;
mod q;
mod queue;
mod system;
mod trsm;
mod vbatched;
