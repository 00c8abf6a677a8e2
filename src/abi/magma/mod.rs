//! MAGMA's names (LP64: `magma_int_t` is `int`).

mod assign;
mod copy;
mod fortran;
mod gels;
mod geqrf;
mod host;
mod memory;
mod names;
mod q;
mod queue;
mod system;
mod trsm;
